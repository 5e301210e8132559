#include "haa/class_edits.hpp"

#include <cstddef>
#include <utility>

namespace cairn::haa {
namespace {

/// Collects changed anchors row by row, as runs of one weight. A run extends a rectangle above it
/// if it can.
class Rectangles {
public:
    explicit Rectangles(std::vector<grid::TerrainEdit>& edits) : edits_(&edits) {}

    void start_row() {
        above_ = std::exchange(row_, {});
        next_above_ = 0;
    }
    /// Needs runs of one row from left to right.
    void add(const grid::Rect& run, std::uint8_t weight) {
        const auto edit_above = [&]() -> grid::TerrainEdit& {
            return (*edits_)[above_[next_above_]];
        };
        while (next_above_ < above_.size() && edit_above().area.x < run.x) ++next_above_;
        if (next_above_ < above_.size()) {
            auto& [area, weight_above] = edit_above();
            if (area.x == run.x && area.width == run.width && weight_above == weight) {
                ++area.height;
                row_.push_back(above_[next_above_]);
                return;
            }
        }
        row_.push_back(edits_->size());
        edits_->push_back({run, weight});
    }

private:
    std::vector<grid::TerrainEdit>* edits_;
    std::vector<std::size_t> above_;  // edits that reach into the row above, and into this one
    std::vector<std::size_t> row_;
    std::size_t next_above_ = 0;
};

}  // namespace

std::vector<grid::TerrainEdit> class_edits(const AnnotatedMap& before, const AnnotatedMap& after,
                                           Agent agent, std::span<const grid::Rect> areas) {
    std::vector<grid::TerrainEdit> edits;
    for (const grid::Rect& area : areas) {
        Rectangles rectangles(edits);
        for (int y = area.y; y < area.y + area.height; ++y) {
            rectangles.start_row();
            grid::Rect run{0, y, 0, 1};
            std::uint8_t run_weight = 0;
            for (int x = area.x; x <= area.x + area.width; ++x) {
                std::uint8_t weight = 0;
                bool changed = false;
                if (x < area.x + area.width) {
                    const grid::Cell anchor = after.cell({x, y});
                    weight = after.weight(agent, anchor);
                    changed = weight != before.weight(agent, anchor);
                }
                if (run.width > 0 && (!changed || weight != run_weight)) {
                    rectangles.add(run, run_weight);
                    run.width = 0;
                }
                if (!changed) continue;
                if (run.width++ == 0) run.x = x;
                run_weight = weight;
            }
        }
    }
    return edits;
}

}  // namespace cairn::haa

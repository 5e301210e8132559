#include "subgoal/affected.hpp"

#include <algorithm>
#include <utility>

#include "core/sort_unique.hpp"
#include "subgoal/direct_scan.hpp"
#include "subgoal/subgoal_graph.hpp"

namespace cairn::subgoal {
namespace {

// A line from a subgoal into a changed area crosses the ring of cells around it, at
// a cell that is direct-h-reachable from the subgoal. This relation is mutual, so scans outwards
// from the cells of the ring find all these subgoals. Outside its ring an edit changes nothing, so
// one edit needs only scans of the map before it; several edits need scans of both maps.
class AffectedSubgoals {
public:
    AffectedSubgoals(const SubgoalBits& before, const SubgoalBits& after,
                     std::span<const grid::TerrainEdit> edits)
        : before_(before), after_(after), several_(edits.size() > 1) {
        for (const grid::TerrainEdit& edit : edits) add(changed_area(edit));
        sort_unique(keys_);
    }

    // The subgoals by SubgoalGraph::key, ascending.
    [[nodiscard]] std::vector<std::uint32_t> take() { return std::move(keys_); }

private:
    // Adds the subgoals that one changed area affects.
    void add(const grid::Rect& area) {
        const auto quadrants_beside = [](int cardinal) {
            return corner_bit((cardinal + 7) & 7) | corner_bit((cardinal + 1) & 7);
        };
        const int left = area.x - 1;
        const int top = area.y - 1;
        const int right = area.x + area.width;
        const int bottom = area.y + area.height;
        for (int x = left; x <= right; ++x) {
            see_from(x, top, quadrants_beside(grid::kNorth));
            see_from(x, bottom, quadrants_beside(grid::kSouth));
        }
        for (int y = top + 1; y < bottom; ++y) {
            see_from(left, y, quadrants_beside(grid::kWest));
            see_from(right, y, quadrants_beside(grid::kEast));
        }
        for (int y = std::max(top, 0); y <= std::min(bottom, after_.height() - 1); ++y) {
            for (int x = std::max(left, 0); x <= std::min(right, after_.width() - 1); ++x) {
                if (after_.is_subgoal(x, y)) push(x, y);
                if (before_.is_subgoal(x, y)) push(x, y);
            }
        }
    }
    // Adds the subgoals that a cell of a ring sees in some quadrants.
    void see_from(int x, int y, Corners quadrants) {
        if (x < 0 || y < 0 || x >= after_.width() || y >= after_.height()) return;
        const auto seen = [this](int to_x, int to_y, Octants) { push(to_x, to_y); };
        if (!before_.blocked(x, y)) for_each_direct(before_, x, y, quadrants, seen);
        if (several_ && !after_.blocked(x, y)) for_each_direct(after_, x, y, quadrants, seen);
    }
    void push(int x, int y) { keys_.push_back(SubgoalGraph::key(after_.width(), x, y)); }

    const SubgoalBits& before_;
    const SubgoalBits& after_;
    bool several_;
    std::vector<std::uint32_t> keys_;
};

// The cells of a rectangle seen from another cell: how far they lie in some direction.
struct Range {
    int least;
    int most;
};

Range along(const grid::Rect& area, grid::Point p, int cardinal) {
    const bool horizontal = cardinal == grid::kEast || cardinal == grid::kWest;
    const int from = horizontal ? area.x - p.x : area.y - p.y;
    const int to = from + (horizontal ? area.width : area.height) - 1;
    return cardinal == grid::kEast || cardinal == grid::kSouth ? Range{from, to}
                                                               : Range{-to, -from};
}

}  // namespace

Octants octants_with(const grid::Rect& area, grid::Point p) noexcept {
    Octants out = 0;
    for (int diagonal = grid::kNorthEast; diagonal < grid::kDirections; diagonal += 2) {
        const int left = diagonal - 1;
        const int right = (diagonal + 1) & 7;
        const Range a = along(area, p, left);
        const Range b = along(area, p, right);
        if (a.most < 0 || b.most < 0) continue;
        // In the octant of a cardinal direction no cell lies farther the other way than this way.
        if (a.most >= b.least) out |= octant_of(left, diagonal);
        if (b.most >= a.least) out |= octant_of(right, diagonal);
    }
    return out;
}

std::vector<std::uint32_t> affected_subgoals(const SubgoalBits& before, const SubgoalBits& after,
                                             std::span<const grid::TerrainEdit> edits) {
    return AffectedSubgoals(before, after, edits).take();
}

}  // namespace cairn::subgoal

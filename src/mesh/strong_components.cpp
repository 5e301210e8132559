#include "mesh/strong_components.hpp"

#include <algorithm>

namespace cairn::mesh {

namespace {

// Tarjan's algorithm; `trail` is what recursion would keep.
class Tarjan {
public:
    explicit Tarjan(const Mesh& mesh) : mesh_(mesh), low_(mesh.num_polygons(), kNone) {
        found_.of.assign(mesh.num_polygons(), kNone);
    }

    [[nodiscard]] StrongComponents run() {
        for (Polygon p = 0; p < mesh_.num_polygons(); ++p) {
            if (low_[p] != kNone) continue;
            enter(p);
            while (!trail_.empty()) step();
        }
        return std::move(found_);
    }

private:
    struct Visit {
        Polygon polygon = 0;
        std::uint32_t entered = 0;
        std::uint32_t next_link = 0;
    };

    void enter(Polygon p) {
        trail_.push_back({p, entered_, 0});
        low_[p] = entered_++;
        unassigned_.push_back(p);
    }
    void step() {
        Visit& visit = trail_.back();
        const Polygon p = visit.polygon;
        const auto links = mesh_.links(p);
        while (visit.next_link < links.size()) {
            const Link link = links[visit.next_link++];
            if (!mesh_.open(link)) continue;
            const Polygon next = mesh_.polygon_of(twin(link));
            if (low_[next] == kNone) {
                enter(next);
                return;
            }
            if (found_.of[next] == kNone) low_[p] = std::min(low_[p], low_[next]);
        }
        if (low_[p] == visit.entered) assign(p);
        trail_.pop_back();
        if (trail_.empty() || found_.of[p] != kNone) return;
        std::uint32_t& low = low_[trail_.back().polygon];
        low = std::min(low, low_[p]);
    }
    // All that was entered since a component's first polygon is of that component.
    void assign(Polygon first) {
        Polygon p = kNone;
        do {
            p = unassigned_.back();
            unassigned_.pop_back();
            found_.of[p] = found_.count;
        } while (p != first);
        ++found_.count;
    }

    const Mesh& mesh_;
    std::vector<std::uint32_t> low_;
    std::vector<Visit> trail_;
    std::vector<Polygon> unassigned_;
    std::uint32_t entered_ = 0;
    StrongComponents found_;
};

}  // namespace

StrongComponents strong_components(const Mesh& mesh) { return Tarjan(mesh).run(); }

}  // namespace cairn::mesh

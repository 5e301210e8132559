#pragma once
// The goals of a search on a mesh: one or several.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "core/memory.hpp"
#include "mesh/endpoints.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

// The goals that are usable, by polygon. The bound is the distance to the box around their anchors,
// so consistent; of one goal it is Mesh::bound.
class GoalSet {
public:
    struct Goal {
        Polygon polygon = kNone;
        std::uint32_t index = 0;  // among those given
        Point anchor;
    };

    // Whether there are any.
    bool assign(const Mesh& mesh, std::span<const Place> goals) {
        goals_.clear();
        for (std::size_t i = 0; i < goals.size(); ++i) {
            if (!usable(mesh, goals[i])) continue;
            goals_.push_back({goals[i].polygon, static_cast<std::uint32_t>(i),
                              mesh.anchor(goals[i].polygon, goals[i].point)});
        }
        const auto before = [](const Goal& a, const Goal& b) {
            return a.polygon != b.polygon ? a.polygon < b.polygon : a.index < b.index;
        };
        std::sort(goals_.begin(), goals_.end(), before);
        if (first_.size() < mesh.num_polygons()) first_.resize(mesh.num_polygons());
        for (std::size_t i = goals_.size(); i-- > 0;)
            first_[goals_[i].polygon] = static_cast<std::uint32_t>(i);
        enclose();
        return !goals_.empty();
    }

    [[nodiscard]] std::span<const Goal> all() const noexcept { return goals_; }

    // The goals in a polygon. `first_` need not be cleared, as its entries are checked here.
    [[nodiscard]] std::span<const Goal> in(Polygon polygon) const noexcept {
        const std::size_t first = first_[polygon];
        std::size_t last = first;
        while (last < goals_.size() && goals_[last].polygon == polygon) ++last;
        return {goals_.data() + std::min(first, goals_.size()), last - first};
    }

    [[nodiscard]] Cost bound(const MeshData& mesh, Link link) const noexcept {
        if (mesh.options.scoring != Scoring::polygon_centres)
            return mesh.least_cost(distance_to_box(mesh.midpoint(link)));
        const Point& centre = mesh.topology->centres[mesh.polygon_of(link)];
        return (*mesh.halves)[link] + mesh.least_cost(distance_to_box(centre));
    }

    // Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(goals_, first_); }

private:
    void enclose() noexcept {
        if (goals_.empty()) return;
        low_ = high_ = goals_.front().anchor;
        for (const Goal& goal : goals_) {
            const Point& p = goal.anchor;
            low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
            high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), std::max(high_.z, p.z)};
        }
    }

    [[nodiscard]] double distance_to_box(const Point& p) const noexcept {
        const Vector below = low_ - p;
        const Vector above = p - high_;
        return length({std::max({0.0, below.x, above.x}), std::max({0.0, below.y, above.y}),
                       std::max({0.0, below.z, above.z})});
    }

    std::vector<Goal> goals_;
    std::vector<std::uint32_t> first_;  // by polygon
    Point low_;
    Point high_;
};

}  // namespace cairn::mesh

#pragma once
// Dijkstra's search over the portals inside one cluster: one bounded search per source gives the
// costs to all, where the paper runs A* for each pair (section 4.1).
//
// Standing at a portal that may be crossed, one goes on in either of its polygons. An arc from
// portal h to portal i inside polygon q needs that one may enter q by h and leave it by i.

#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/search_statistics.hpp"
#include "core/open_heap.hpp"
#include "hna/mesh_base.hpp"

namespace cairn::hna {

/// One per thread; memory for every portal of the largest mesh is kept. The mesh and partition must
/// outlive a search.
class ClusterSearch {
public:
    enum class Direction : std::uint8_t {
        away,     ///< costs from the sources
        towards,  ///< costs to them
    };

    /// Begins a search inside a cluster of a level, or everywhere (level 0).
    void begin(const MeshBase& base, MeshBase::Area area, Direction direction);

    /// Adds a portal on the border of the cluster, at no cost.
    void add_border(mesh::Link link) { reach(mesh::portal_of(link), 0, mesh::kNone); }
    /// Adds the portals by which one leaves (towards: enters) the polygon of an end.
    void add_end(const mesh::Place& end);

    /// Settles all portals nearer than `bound`.
    void run(Cost bound = kInfinity);

    /// After `run`: the cost between the sources and a portal; kInfinity if there is no way.
    [[nodiscard]] Cost cost(mesh::Portal portal) const noexcept {
        return nodes_[portal].stamp == stamp_ ? nodes_[portal].cost : kInfinity;
    }
    /// The link that the way from a portal to its source crosses next, as if moves were possible
    /// against their direction in a search away; kNone at a source.
    [[nodiscard]] mesh::Link next(mesh::Portal portal) const noexcept {
        return nodes_[portal].next;
    }
    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return statistics_; }

private:
    struct Node {
        std::uint32_t stamp = 0;
        Cost cost = kInfinity;
        mesh::Link next = mesh::kNone;
    };

    void reach(mesh::Portal portal, Cost cost, mesh::Link next);
    void expand(mesh::Link link, Cost cost);
    /// Whether the way to a source may leave the polygon of a link by it, and enter it.
    [[nodiscard]] bool leaves(mesh::Link link) const noexcept {
        return data_->open[direction_ == Direction::towards ? link : mesh::twin(link)] != 0;
    }
    [[nodiscard]] bool enters(mesh::Link link) const noexcept { return leaves(mesh::twin(link)); }

    const MeshBase* base_ = nullptr;
    const mesh::MeshData* data_ = nullptr;
    MeshBase::Area area_;
    Direction direction_ = Direction::away;
    std::uint32_t stamp_ = 0;
    std::vector<Node> nodes_;
    OpenHeap open_;
    SearchStatistics statistics_;
};

}  // namespace cairn::hna

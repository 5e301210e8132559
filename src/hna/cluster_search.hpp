#pragma once
// Dijkstra's search over the portals inside one cluster: one bounded search per source gives the
// costs to all, where the paper runs A* for each pair (section 4.1).
//
// A path may go on from a portal in either of its polygons. It may go from portal h to portal i
// inside polygon q if h may be crossed into q and i out of q.

#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "core/open_heap.hpp"
#include "hna/mesh_base.hpp"

namespace cairn::hna {

/// A portal of a polygon, by its link of that polygon, and the cost of a path by it.
struct PortalCost {
    mesh::Link link = mesh::kNone;
    Cost cost = kInfinity;
};

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
    /// Adds the portals by which paths leave (towards: enter) the polygon of an endpoint.
    void add_end(const mesh::Place& end);

    /// Settles all portals nearer than `bound`.
    void run(Cost bound = kInfinity);

    /// After `run`: the cost between the sources and a portal; kInfinity if there is no path.
    [[nodiscard]] Cost cost(mesh::Portal portal) const noexcept {
        return nodes_[portal].stamp == stamp_ ? nodes_[portal].cost : kInfinity;
    }
    /// The link that the path from a portal to its source crosses next; kNone at a source. In a
    /// search away that path runs against the direction of moves.
    [[nodiscard]] mesh::Link next(mesh::Portal portal) const noexcept {
        return nodes_[portal].next;
    }
    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return statistics_; }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(nodes_, open_.entries()); }

private:
    struct Node {
        std::uint32_t stamp = 0;
        Cost cost = kInfinity;
        mesh::Link next = mesh::kNone;
    };

    void reach(mesh::Portal portal, Cost cost, mesh::Link next);
    void expand(mesh::Link link, Cost cost);
    /// Whether a path to a source may leave the polygon of a link by it, and whether it may enter
    /// it.
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

#pragma once
// Dijkstra's search over the portals inside one cluster: one bounded search per source gives the
// costs to all, where the paper runs A* for each pair (section 4.1).
//
// A path goes from portal h to portal i inside a polygon that has both, if h can be crossed into
// the polygon and i out of it.

#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "core/open_heap.hpp"
#include "hna/mesh_base.hpp"

namespace cairn::hna {

/// A portal of a polygon, as the polygon's link, and the cost of a path over it.
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
        towards,  ///< costs to the sources
    };

    /// Begins a search inside an area; it has no sources yet.
    void begin(const MeshBase& base, MeshBase::Area area, Direction direction);

    /// Adds a source: a portal on the border of the cluster.
    void add_border(mesh::Link link) { reach(mesh::portal_of(link), 0, mesh::kNone); }
    /// Adds a source: an endpoint, by the portals over which paths leave (towards: enter) its
    /// polygon.
    void add_end(const mesh::Place& end);

    /// Finds the costs of all portals that cost less than `bound`.
    void run(Cost bound = kInfinity);

    /// After `run`: the cost between the sources and a portal; kInfinity if there is no path.
    [[nodiscard]] Cost cost(mesh::Portal portal) const noexcept {
        return nodes_[portal].stamp == stamp_ ? nodes_[portal].cost : kInfinity;
    }
    /// After `run`, for a portal with a finite cost: the link that the path from it to a source
    /// crosses next; kNone at a source. In a search away, that path runs against the moves.
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
    // Whether a path, followed as by `next`, may cross a link out of the link's polygon (leaves) or
    // into it (enters).
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

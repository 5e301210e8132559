#pragma once
// The hierarchical navigation graph (HNG) of one level in flat arrays, for searches over the whole
// level. Vertices are inter-edges, edges are intra-edges (HNA* paper, definitions 2.1 and 2.2). It
// is made from the clusters' records, anew after every edit.
//
// A vertex has two sides: the inter-edge seen from the cluster of its even link, and from that of
// its odd link. Their numbers are 2 * vertex and 2 * vertex + 1. A vertex takes 68 bytes, an
// intra-edge 16.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"
#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "hna/hng_astar.hpp"
#include "hna/hng_view.hpp"
#include "hna/mesh_base.hpp"

namespace cairn::hna {

class Hng {
public:
    Hng() = default;
    /// Numbers vertices by ascending portal. O(portals of the mesh + intra-edges of the level).
    Hng(const Overlay& overlay, int level);

    [[nodiscard]] HngView view() const noexcept {
        return {portals_, edges_, first_slot_, slots_, first_arc_, arcs_, aims_};
    }
    /// The number of vertices.
    [[nodiscard]] std::uint32_t count() const noexcept { return view().count(); }
    /// Per vertex.
    [[nodiscard]] std::span<const mesh::Portal> portals() const noexcept { return portals_; }
    [[nodiscard]] const InterEdge& operator[](std::uint32_t vertex) const noexcept {
        return edges_[vertex];
    }
    /// Lists the vertices of a cluster with finite `costs`, which are those of its slots.
    void list(std::uint32_t cluster, std::span<const Cost> costs,
              std::vector<Connector>& connectors) const;

    /// Where the vertices lie, seen from above.
    [[nodiscard]] std::vector<NodePoint> points(const mesh::MeshData& mesh) const;

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    void number_vertices(const Overlay& overlay, int level);
    void add_arcs(const Overlay& overlay, int level);
    void add_aims(const mesh::MeshData& mesh);

    std::vector<mesh::Portal> portals_;
    std::vector<InterEdge> edges_;
    std::vector<std::uint32_t> first_slot_{0};  // per cluster, and one more
    std::vector<std::uint32_t> slots_;          // vertices, cluster by cluster
    std::vector<std::uint32_t> first_arc_;      // per side, and one more
    std::vector<HngArc> arcs_;
    std::vector<HngAim> aims_;  // per side
};

/// A* on an HNG. Resumable. One per thread; memory for each vertex of the largest graph is kept.
class HngSearch {
public:
    struct Task {
        std::uint32_t start_cluster = 0;
        std::span<const Connector> from;  ///< connectors of S, to vertices of its cluster
        std::span<const Connector> to;    ///< connectors of G
        mesh::Point anchor;               ///< MeshData::anchor of G, for the heuristic
        Cost bound = kInfinity;           ///< only paths cheaper than this are wanted
    };

    /// Prepares a search. Graph, mesh and connectors must outlive it.
    void begin(const Hng& hng, const mesh::MeshData& mesh, const Task& task);
    /// Expands up to `budget` more vertices; true if the search is not finished.
    bool advance(std::uint64_t budget) { return astar_.advance(budget); }

    /// Before the end: no path costs less.
    [[nodiscard]] Cost lower_bound() const noexcept {
        return std::min(astar_.cost(), astar_.open().least_f());
    }
    /// Ends the search early. Unless a path was found, find_path then gives that to the open vertex
    /// nearest the goal. Returns the cluster into which it leads; mesh::kNone if there is no
    /// vertex.
    std::uint32_t stop_at_nearest(const Hng& hng);

    /// When finished: the least cost below the bound, or the bound.
    [[nodiscard]] Cost cost() const noexcept { return astar_.cost(); }
    /// When finished: writes the vertices of that path; none if there is no such path.
    void find_path(std::vector<std::uint32_t>& path) const;
    [[nodiscard]] const SearchStatistics& statistics() const noexcept {
        return astar_.statistics();
    }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(labels_, to_goal_, astar_.open().entries());
    }

private:
    using Search = HngAstar<OpenHeap>;

    void reserve(const Hng& hng);

    std::uint32_t stamp_ = 0;
    std::vector<HngLabel> labels_;
    std::vector<Cost> to_goal_;  // per vertex, for those with a connector of G
    Search astar_;
};

}  // namespace cairn::hna

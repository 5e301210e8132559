#pragma once
// The hierarchical navigation graph (HNG) of one level, for searches over the whole level. Vertices
// are inter-edges, edges are intra-edges (HNA* paper, definitions 2.1 and 2.2).
//
// A vertex has two sides: the inter-edge seen from the cluster of its even link, and from that of
// its odd link. Their numbers are 2 * vertex and 2 * vertex + 1. A vertex takes 20 bytes here, and
// 4 in the list of each of its two clusters. Intra-edges are read from the clusters' records.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"
#include "cairn/paged_array.hpp"
#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "core/trace_recorder.hpp"
#include "hna/hng_astar.hpp"
#include "hna/hng_view.hpp"
#include "hna/mesh_base.hpp"
#include "overlay/record_store.hpp"

namespace cairn::hna {

/// The vertices of a level, and their numbers. From scratch they count from 0, by portal. An edit
/// keeps the number of every portal that stays an inter-edge. New ones take the next numbers, by
/// portal. The numbers of removed ones stay unused, until all are numbered from scratch: for labels
/// in a fresh order, or when too many are unused.
///
/// Copies share what edits leave alone. Const members may be called from any number of threads.
class Hng {
public:
    Hng() = default;
    /// Numbers from scratch. O(portals of the mesh).
    Hng(const Overlay& overlay, int level);

    /// The vertices after an edit that turned `before`, whose vertices these are, into `after`,
    /// which differs in the records of the level's clusters `changed` (sorted) and may have more
    /// clusters. O(vertices of these clusters * log), and copies of pages.
    [[nodiscard]] Hng edited(const Overlay& before, const Overlay& after,
                             std::span<const std::uint32_t> changed) const;

    [[nodiscard]] int level() const noexcept { return level_; }
    /// The vertices of a cluster, by slot.
    [[nodiscard]] RecordStore::Record of(std::uint32_t cluster) const noexcept {
        return numbers_[cluster];
    }
    /// The portal of a number below size(); mesh::kNone if its vertex was removed.
    [[nodiscard]] mesh::Portal portal(std::uint32_t vertex) const noexcept {
        return vertices_[vertex].portal;
    }
    [[nodiscard]] bool is_removed(std::uint32_t vertex) const noexcept {
        return portal(vertex) == mesh::kNone;
    }
    [[nodiscard]] const InterEdge& operator[](std::uint32_t vertex) const noexcept {
        return vertices_[vertex].edge;
    }
    /// All numbers are below this.
    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(vertices_.size());
    }
    /// How many vertices there are.
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    /// Whether no edit has added or removed vertices since they were numbered from scratch.
    [[nodiscard]] bool from_scratch() const noexcept { return from_scratch_; }
    /// Whether so many numbers are unused that they should be made from scratch.
    [[nodiscard]] bool worn_out() const noexcept {
        constexpr std::uint32_t kSpare = 4096;
        return size() - count_ > count_ + kSpare;
    }

    /// Lists the vertices of a cluster with finite `costs`, which are those of its slots.
    void list(std::uint32_t cluster, std::span<const Cost> costs,
              std::vector<Connector>& connectors) const;

    /// Where the vertices lie, seen from above; removed ones at the origin.
    [[nodiscard]] std::vector<NodePoint> points(const mesh::MeshData& mesh) const;

    [[nodiscard]] std::size_t bytes() const noexcept {
        return numbers_.bytes() + vertices_.size() * sizeof(Vertex);
    }

private:
    struct Vertex {
        mesh::Portal portal = mesh::kNone;
        InterEdge edge;
    };

    RecordStore numbers_;  // per cluster: vertices by slot
    PagedArray<Vertex> vertices_;
    int level_ = 1;
    std::uint32_t count_ = 0;
    bool from_scratch_ = true;
};

/// An HNG with its intra-edges. Valid while its parts live. HngView has the same functions.
class HngGraph {
public:
    HngGraph() = default;
    HngGraph(const Overlay& overlay, const Hng& hng) noexcept : overlay_(&overlay), hng_(&hng) {}

    [[nodiscard]] const Hng& hng() const noexcept { return *hng_; }
    [[nodiscard]] const mesh::Mesh& mesh() const noexcept { return overlay_->base.mesh; }
    [[nodiscard]] const InterEdge& edge(std::uint32_t vertex) const noexcept {
        return (*hng_)[vertex];
    }
    [[nodiscard]] mesh::Portal portal(std::uint32_t vertex) const noexcept {
        return hng_->portal(vertex);
    }
    template <class Use>
    void for_each_arc(std::uint32_t side, Use&& use) const {
        const InterEdge& from = edge(side / 2);
        const std::uint32_t slot = from.slot[side % 2];
        const ClusterView record = overlay_->cluster(hng_->level(), from.cluster[side % 2]);
        const RecordStore::Record vertices = hng_->of(from.cluster[side % 2]);
        record.for_each_edge(slot, [&](std::uint32_t other, Cost cost) {
            // The link of the other vertex lies in this cluster, so its twin is across.
            use(2 * vertices[other] + (record.base(other) % 2 ^ 1U), cost);
        });
    }
    [[nodiscard]] Cost arc_cost(std::uint32_t side, std::uint32_t vertex) const noexcept {
        const InterEdge& from = edge(side / 2);
        const std::uint32_t cluster = from.cluster[side % 2];
        const InterEdge& to = edge(vertex);
        const std::uint32_t other = to.side_in(cluster);
        if (other == InterEdge::kNoSide || side / 2 == vertex) return kInfinity;
        return overlay_->cluster(hng_->level(), cluster).cost(from.slot[side % 2], to.slot[other]);
    }
    [[nodiscard]] std::uint32_t side_across(std::uint32_t vertex,
                                            std::uint32_t cluster) const noexcept {
        return 2 * vertex + (edge(vertex).cluster[0] == cluster ? 1 : 0);
    }
    [[nodiscard]] Cost bound(std::uint32_t side, const HngBounds& bounds) const noexcept {
        return overlay_->base.mesh.data().bound(2 * portal(side / 2) + side % 2, bounds.anchor);
    }

private:
    const Overlay* overlay_ = nullptr;
    const Hng* hng_ = nullptr;
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

    /// Prepares a search. The graph's parts and the connectors must outlive it.
    /// `trace`: where to record the search; may be null.
    void begin(const HngGraph& graph, const mesh::MeshData& mesh, const Task& task,
               TraceRecorder* trace);
    /// Expands up to `budget` more vertices; true if the search is not finished.
    bool advance(std::uint64_t budget);

    /// Before the end: no path costs less.
    [[nodiscard]] Cost lower_bound() const noexcept {
        return std::min(astar_.cost(), astar_.open().least_f());
    }
    /// Ends the search early. Unless a path was found, find_path then gives that to the open vertex
    /// nearest the goal. Returns the cluster into which it leads; mesh::kNone if there is no
    /// vertex.
    std::uint32_t stop_at_nearest();

    /// When finished: the least cost below the bound, or the bound.
    [[nodiscard]] Cost cost() const noexcept { return astar_.cost(); }
    /// When finished: writes the vertices of that path; none if there is no such path.
    void find_path(std::vector<std::uint32_t>& path) const;
    /// When finished: records that this path, if there is one, is the answer.
    void record_end() const;
    [[nodiscard]] const SearchStatistics& statistics() const noexcept {
        return astar_.statistics();
    }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(labels_, to_goal_, astar_.open().entries());
    }

private:
    using Search = HngAstar<OpenHeap, HngGraph>;

    void reserve(const Hng& hng);

    std::uint32_t stamp_ = 0;
    std::vector<HngLabel> labels_;
    std::vector<Cost> to_goal_;  // per vertex, for those with a connector of G
    HngGraph graph_;
    TraceRecorder* trace_ = nullptr;
    Search astar_;
};

}  // namespace cairn::hna

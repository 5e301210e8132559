#pragma once
// The HNA* index of a navigation mesh: its partition, the hierarchical navigation graph (HNG), and
// what makes connecting and searching short.
//
// V. Rahmani, N. Pelechano, "Towards multi-agent path finding with hierarchical navigation meshes",
// 2020. The paper's terms and ours:
//
//   G_0               the mesh: polygons and portals (cairn/mesh/mesh.hpp)
//   node n_x, mu      a cluster of level x: about mu connected clusters of level x - 1
//   G_x, L_x          level x of the partition
//   inter-edge        a portal between two clusters; in the code its two links, one in each
//   intra-edge        the best way between two inter-edges inside a cluster: cost and next hop
//   HNG_x             the graph whose vertices are inter-edges and whose edges are intra-edges
//   PCCP              rows: from every portal of a cluster the way to each of its inter-edges
//   linkNodeToGraph   the connect step; nothing is ever inserted into the graph
//
// Guarantees. Complete: a path is found exactly where one exists (theorem of appendix A).
// Lossless: its cost is the least of all paths, by the mesh's scoring, for every number of levels,
// every mu, every engine and every way of connecting.
//
// Departures from the paper. Costs are integers, rounded up; distances between portals inside a
// cluster come from one search per inter-edge, not per pair; rows start at portals, not centres.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/hna/options.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"

namespace cairn::hna {

struct Snapshot;

struct LevelStatistics {
    int level = 0;
    std::size_t clusters = 0;
    std::size_t inter_edges = 0;  ///< portals between clusters of this level that can be crossed
    std::size_t intra_edges = 0;  ///< finite ones, counted once for both directions
    double inter_edges_per_cluster = 0;  ///< mean (Figure 10); a portal counts at both sides
    std::size_t most_inter_edges = 0;    ///< of a cluster
    std::size_t most_polygons = 0;       ///< of a cluster
    std::size_t bytes = 0;
};

struct IndexStatistics {
    std::size_t polygons = 0;
    std::size_t portals = 0;
    std::vector<LevelStatistics> levels;
    std::size_t mesh_bytes = 0;
    std::size_t partition_bytes = 0;
    std::size_t graph_bytes = 0;  ///< inter-edges and intra-edges of all levels
    std::size_t row_bytes = 0;    ///< what intra-edges are unpacked by, where that is not PCCP
    std::size_t pccp_bytes = 0;   ///< what S and G are connected to the top level by
    std::size_t label_bytes = 0;  ///< cut labels
    std::size_t reach_bytes = 0;  ///< reachability and location
    /// All but the mesh.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return partition_bytes + graph_bytes + row_bytes + pccp_bytes + label_bytes + reach_bytes;
    }
};

/// An immutable index of one mesh snapshot. Copies share everything; const members may be called
/// from any thread.
class Index {
public:
    /// Builds the index, on all cores; the result does not depend on their number. Time
    /// O(inter-edges of a cluster * polygons * log) a level. Errors: bad_option (also Pccp::centres
    /// and centre_paths unless the mesh is scored by polygon_centres and has no one-way portals);
    /// unsupported (a partitioner that this build has not got: see default_partitioner); cancelled;
    /// too_large (more abstract nodes than 2^28 keys hold). What would pass its byte limit is left
    /// out, and labels_status says so.
    [[nodiscard]] static Result<Index> build(const mesh::Mesh& mesh, const Options& options = {},
                                             const BuildControl& control = {});

    /// The index of the edited mesh: only clusters that an edit touches are redone, and those that
    /// stand on them; the partition stays. This index, and every query running on it, is untouched.
    /// The result equals an index built afresh, but has no labels until `with_labels`. Errors: as
    /// Mesh::edited.
    [[nodiscard]] Result<Index> edited(std::span<const mesh::PolygonEdit> edits) const;

    /// The index of the changed mesh. Clusters of level 1 that lose or gain polygons, and those
    /// beside them, are redone, and what stands on them; added polygons make clusters of their own
    /// on every level, and clusters that lose all of theirs stay, empty: build anew when they are
    /// many. All is built anew where the change makes a directed mesh undirected, or back, or
    /// needs coarser units. This index stays untouched; labels wait for `with_labels`.
    /// The result equals what its `rebuilt` gives. Errors: as Mesh::changed; bad_option and
    /// unsupported as `build`; too_large.
    [[nodiscard]] Result<Index> changed(const mesh::MeshChange& change) const;

    /// An index built afresh over this one's mesh and partition. Errors: as `build`.
    [[nodiscard]] Result<Index> rebuilt(const BuildControl& control = {}) const;

    /// This index with the labels that its options ask for, for instance on a worker thread after
    /// an edit. Labels take over the order of the last ones, as those of HPA* do. Errors:
    /// cancelled.
    [[nodiscard]] Result<Index> with_labels(const BuildControl& control = {}) const;
    /// This index without labels. O(1).
    [[nodiscard]] Index without_labels() const;

    [[nodiscard]] const mesh::Mesh& mesh() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;
    [[nodiscard]] bool has_labels() const noexcept;
    /// ok, or why the index has no labels.
    [[nodiscard]] const Status& labels_status() const noexcept;
    /// A hash of the mesh, the options and the edits since. Never 0.
    [[nodiscard]] std::uint64_t snapshot_id() const noexcept;

    /// The cluster of a level (1 to Options::levels) that a polygon is in; below clusters(level),
    /// but mesh::kNone for a polygon that was removed.
    [[nodiscard]] std::uint32_t cluster(int level, mesh::Polygon polygon) const noexcept;
    [[nodiscard]] std::uint32_t clusters(int level) const noexcept;

    /// Whether a path leads from one polygon to another; false where either is blocked or does not
    /// exist. O(1) where moves go both ways, else see mesh::Reachability.
    [[nodiscard]] bool reachable(mesh::Polygon from, mesh::Polygon to) const noexcept;

    /// O(index).
    [[nodiscard]] IndexStatistics statistics() const;
    /// Bytes of the index and its map; parts that other snapshots share count in full. O(index).
    [[nodiscard]] std::size_t memory() const;

    /// Equal meshes, partitions, graphs and rows, bit for bit; labels are not compared.
    friend bool operator==(const Index& a, const Index& b);

    /// For Cairn's own parts.
    [[nodiscard]] const Snapshot& snapshot() const noexcept { return *snapshot_; }
    explicit Index(std::shared_ptr<const Snapshot> snapshot) noexcept
        : snapshot_(std::move(snapshot)) {}

private:
    std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace cairn::hna

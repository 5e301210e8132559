#pragma once
// The HNA* index of a navigation mesh: its partition, the hierarchical navigation graph (HNG), and
// the tables that speed up connecting and searching.
//
// V. Rahmani, N. Pelechano, "Towards multi-agent path finding with hierarchical navigation meshes",
// 2020. The paper's terms and ours:
//
//   G_0               the mesh: polygons and portals (cairn/mesh/mesh.hpp)
//   node n_x, mu      a cluster of level x: about mu connected clusters of level x - 1
//   G_x, L_x          level x of the partition
//   inter-edge        a portal between two clusters, stored as its two links, one in each cluster
//   intra-edge        the best path between two inter-edges inside a cluster: cost and next hop
//   HNG_x             the graph of level x whose vertices are inter-edges and whose edges are
//                     intra-edges
//   PCCP              pre-calculated connecting paths, stored as rows: from every portal of a
//                     cluster the path to each of the cluster's inter-edges
//   linkNodeToGraph   the connect step; the graph itself never changes
//
// Guarantees. Complete: a path is found exactly if one exists (theorem of appendix A). Exact: its
// cost is the least of all paths, by the mesh's scoring, for every number of levels, every mu,
// every engine and every kind of connecting. Within one polygon the path is the straight line.
//
// Departures from the paper. Costs are integers, rounded up. Distances between portals inside a
// cluster come from one search for each inter-edge, not for each pair. Rows start at portals; the
// paper's, which start at polygon centres, are an option (Pccp).

#include <array>
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

/// The sizes of one level of the hierarchy.
struct LevelStatistics {
    int level = 0;
    std::size_t clusters = 0;
    std::size_t inter_edges = 0;  ///< portals between clusters of this level that can be crossed
    /// Finite ones. Both directions count once; with one-way portals each counts.
    std::size_t intra_edges = 0;
    double inter_edges_per_cluster = 0;  ///< mean (Figure 10); a portal counts in both clusters
    std::size_t most_inter_edges = 0;    ///< the most in one cluster
    std::size_t most_polygons = 0;       ///< the most in one cluster
    std::size_t bytes = 0;
};

struct IndexStatistics {
    std::size_t polygons = 0;
    std::size_t portals = 0;
    std::vector<LevelStatistics> levels;
    std::size_t mesh_bytes = 0;
    std::size_t partition_bytes = 0;
    std::size_t graph_bytes = 0;    ///< inter-edges and intra-edges of all levels
    std::size_t row_bytes = 0;      ///< rows of level 1, and all rows that are not in pccp_bytes
    std::size_t pccp_bytes = 0;     ///< rows from centres, else those of a top level above level 1
    std::size_t label_bytes = 0;    ///< cut labels
    std::uint32_t label_piece = 0;  ///< CutLabels::piece: 0 if all nodes have labels
    std::size_t closure_bytes = 0;  ///< the closure of the labels
    std::size_t reach_bytes = 0;    ///< mesh::Reachability and mesh::Locator
    /// All bytes except those of the mesh.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return partition_bytes + graph_bytes + row_bytes + pccp_bytes + label_bytes +
               closure_bytes + reach_bytes;
    }
};

/// An immutable index of one mesh snapshot. Copies share everything; const members may be called
/// from any thread.
class Index {
public:
    /// Builds the index on several threads; the result does not depend on their number. Time
    /// O(inter-edges of a cluster * polygons * log polygons) for each level. Errors: bad_option
    /// (also Pccp::centres and centre_paths, unless the mesh is scored by polygon_centres and has
    /// no one-way portals); unsupported (Partitioner::multilevel in a
    /// build without METIS); cancelled; too_large (with n the most inter-edges of a cluster,
    /// rounded up to a power of two, a level of more than 2^28 / n clusters). If even labels
    /// with pieces (see CutLabels) would take more than Options::label_bytes, the index has only
    /// the closure, and labels_status says why.
    [[nodiscard]] static Result<Index> build(const mesh::Mesh& mesh, const Options& options = {},
                                             const BuildControl& control = {}) noexcept;

    /// The index of the edited mesh. Only the clusters of level 1 that hold an edited polygon or a
    /// neighbour of one, and the clusters of higher levels that contain them, are rebuilt; the
    /// partition stays. This index, and every query running on it, does not change. The result
    /// equals what `rebuilt` makes of it, except for labels: it has none until `with_labels`, and
    /// labels_status is stale_index. If this index has a closure, that of the result is repaired
    /// (Closure::edited), so Engine::climb answers at once; a closure with far too many ancestors
    /// is built in a fresh order instead, on the calling thread. Time: that of the rebuilt clusters
    /// and of the closure, and O(mesh) for copies of arrays: 7 bytes a polygon, 5 a link. Errors:
    /// as Mesh::edited; too_large as `build`, since freed polygons can add inter-edges;
    /// out_of_memory.
    [[nodiscard]] Result<Index> edited(std::span<const mesh::PolygonEdit> edits) const noexcept;

    /// The index of the changed mesh. Clusters of level 1 that lose or gain polygons, their
    /// neighbours, and the clusters of higher levels that contain them are rebuilt. Added polygons
    /// form clusters of their own on every level. A cluster that loses all its polygons stays,
    /// empty: build from scratch when there are many. Everything is built anew, the partition too,
    /// if the change alters Mesh::directed or needs coarser units; then the result has no closure
    /// until `with_labels`, otherwise a repaired one as after `edited`. It has no labels until
    /// `with_labels`. But for these it equals what `rebuilt` makes of it. This index does not
    /// change. Time: O(mesh + intra-edges), and that of the rebuilt clusters and of the closure.
    /// Errors: as Mesh::changed; bad_option, unsupported and too_large as `build`.
    [[nodiscard]] Result<Index> changed(const mesh::MeshChange& change) const noexcept;

    /// The index of the same polygons for agents of another kind: with other area costs, and with
    /// edits. It shares the polygons and portals, the partition and the locator with this index,
    /// and has a graph, rows, reachability and labels of its own. This index does not change. It
    /// equals what `rebuilt` makes of it. Time: as `build`, without the partition and the locator.
    /// Errors: as Mesh::with_area_costs; cancelled; too_large as `build`.
    [[nodiscard]] Result<Index> with_area_costs(const std::array<float, mesh::kAreas>& costs,
                                                std::span<const mesh::PolygonEdit> edits = {},
                                                const BuildControl& control = {}) const noexcept;

    /// The index of the same polygons for agents of another radius, if the portals have widths (see
    /// cairn/mesh/clearance.hpp). It shares and has of its own what one `with_area_costs` does,
    /// and the costs inside polygons are shared, too. This index does not change. It equals what
    /// `rebuilt` makes of it. Time: as `with_area_costs`. Errors: as Mesh::with_radius; cancelled;
    /// too_large as `build`.
    [[nodiscard]] Result<Index> with_radius(double radius,
                                            const BuildControl& control = {}) const noexcept;

    /// An index built from scratch over this index's mesh and partition. Time and errors: as
    /// `build`, without the partition.
    [[nodiscard]] Result<Index> rebuilt(const BuildControl& control = {}) const noexcept;

    /// This index with labels and the closure, if its options ask for labels. Usually called on a
    /// worker thread after an edit. Labels are repaired, as in hpa::Index::with_labels. Errors:
    /// cancelled; bad_option (number of threads). If even labels with pieces (see CutLabels) would
    /// take more than Options::label_bytes, the result has only the closure, and labels_status says
    /// why. Time: see CutLabels::repaired and CutLabels::build.
    [[nodiscard]] Result<Index> with_labels(const BuildControl& control = {}) const noexcept;
    /// As with_labels, but always repairs: the order is kept even if the closure is worn out. So
    /// the paths are those that Engine::climb has found since the edit. A copy of this index if it
    /// has no closure. Errors and time: as with_labels.
    [[nodiscard]] Result<Index> with_repaired_labels(
        const BuildControl& control = {}) const noexcept;
    /// This index with its closure in a fresh order; it has no labels until `with_labels`, and
    /// labels_status is stale_index. Costs stay, but other paths of the same cost may be found. A
    /// copy of this index if it has no closure. Usually called on a worker thread once `wear` is
    /// above Closure::kWornOut; edits made meanwhile can then be made on the result, too. Errors:
    /// as Closure::build. Time: that of Closure::build.
    [[nodiscard]] Result<Index> with_fresh_order(const BuildControl& control = {}) const noexcept;
    /// Closure::wear of the closure; 1 without one. O(1).
    [[nodiscard]] double wear() const noexcept;
    /// This index without labels and the closure. O(mesh), since its reachability is copied.
    [[nodiscard]] Result<Index> without_labels() const noexcept;

    [[nodiscard]] const mesh::Mesh& mesh() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;
    [[nodiscard]] bool has_labels() const noexcept;
    /// Whether the index has the closure of its labels, for Engine::climb. An index with labels has
    /// it, and an edit repairs it.
    [[nodiscard]] bool has_closure() const noexcept;
    /// ok, or why the index has no labels.
    [[nodiscard]] const Status& labels_status() const noexcept;
    /// A hash of the mesh, the options except those of labels, and the edits and changes since, in
    /// their order. Equal for equal histories on every machine, and different for others except by
    /// chance. Never 0.
    [[nodiscard]] std::uint64_t snapshot_id() const noexcept;

    /// The cluster of a level (1 to Options::levels) that holds a polygon: below clusters(level),
    /// or mesh::kNone for a removed polygon. O(1).
    [[nodiscard]] std::uint32_t cluster(int level, mesh::Polygon polygon) const noexcept;
    /// The number of clusters of a level, 1 to Options::levels. O(1).
    [[nodiscard]] std::uint32_t clusters(int level) const noexcept;

    /// ok if a path leads from one polygon to another; otherwise start_outside or goal_outside (no
    /// such polygon), start_blocked or goal_blocked, or no_path. O(1) without one-way portals; with
    /// them see mesh::Reachability. Does not allocate.
    [[nodiscard]] StatusCode reachable(mesh::Polygon from, mesh::Polygon to) const noexcept;

    /// Errors: out_of_memory. O(index).
    [[nodiscard]] Result<IndexStatistics> statistics() const noexcept;
    /// Bytes of the index and its mesh; parts shared with other snapshots count in full. O(index).
    [[nodiscard]] std::size_t memory() const noexcept;

    /// Equal meshes, partitions, graphs and rows, bit for bit; labels and closures are not
    /// compared.
    friend bool operator==(const Index& a, const Index& b);

    /// For Cairn's own parts.
    [[nodiscard]] const Snapshot& snapshot() const noexcept { return *snapshot_; }
    explicit Index(std::shared_ptr<const Snapshot> snapshot) noexcept
        : snapshot_(std::move(snapshot)) {}

private:
    std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace cairn::hna

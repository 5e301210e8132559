// Builds an index, and rebuilds what an edit or a change of its mesh affects.

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "cairn/hna/index.hpp"
#include "core/guarded.hpp"
#include "core/labels/planner_labels.hpp"
#include "core/parallel_loop.hpp"
#include "core/separator/connected_parts.hpp"
#include "hna/assembly.hpp"
#include "hna/cluster_builder.hpp"
#include "hna/snapshot.hpp"
#include "overlay/levels.hpp"

namespace cairn::hna {

Status check_partitioner(const Options& options) {
    if (options.partitioner != Partitioner::multilevel || has_metis()) return {};
    return {StatusCode::unsupported,
            "the multilevel partitioner needs METIS: build Cairn with CAIRN_METIS=ON, or choose "
            "Partitioner::growing"};
}

Status check(const mesh::Mesh& mesh, const Options& options) {
    if (Status s = check(options); !s.ok()) return s;
    if (!from_centres(options) ||
        (!mesh.directed() && mesh.options().scoring == mesh::Scoring::polygon_centres)) {
        return {};
    }
    return {StatusCode::bad_option,
            "connecting paths from polygon centres need a mesh scored by polygon_centres and "
            "without one-way portals"};
}

std::uint64_t fresh_snapshot_id(const mesh::Mesh& mesh, const Options& o) {
    const std::array<std::int64_t, 4> shape{o.levels, o.mu, static_cast<int>(o.partitioner),
                                            static_cast<int>(o.pccp)};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, mesh.fingerprint());
    return id == 0 ? 1 : id;
}

void renumber(Snapshot& snapshot) {
    const Hng before = std::exchange(snapshot.first_hng, Hng(snapshot.overlay, 1));
    if (!snapshot.labels) return;
    std::vector<std::uint32_t> now(before.size(), ClosureNode::kNone);
    for (std::uint32_t cluster = 0; cluster < snapshot.partition().clusters(1); ++cluster) {
        const auto numbers = before.of(cluster);
        for (std::size_t slot = 0; slot < numbers.size(); ++slot)
            now[numbers[slot]] = snapshot.first_hng.of(cluster)[slot];
    }
    const CutLabels& labels = snapshot.labels->labels;
    auto closure = value_of(labels.closure().renumbered(now, snapshot.first_hng.size()));
    snapshot.labels =
        std::make_shared<const LabelEngine>(LabelEngine{CutLabels(std::move(closure), labels)});
}

namespace {

std::uint64_t changed_id(std::uint64_t before, const mesh::Mesh& mesh) {
    const std::uint64_t fingerprint = mesh.fingerprint();
    const std::uint64_t id = XXH3_64bits_withSeed(&fingerprint, sizeof fingerprint, before);
    return id == 0 ? 1 : id;
}

using Records = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> make_centre_rows(const Snapshot& snapshot, std::uint32_t cluster,
                                            ClusterSearch& search) {
    const int top = snapshot.top();
    return centre_rows(snapshot.overlay.base, top, cluster,
                       snapshot.overlay.cluster(top, cluster).bases(),
                       snapshot.options.pccp == Pccp::centre_paths, search);
}

/// Builds a level with its rows: level 1, or the top level if that has rows.
Status build_with_rows(Snapshot& snapshot, int level, LevelRows& level_rows,
                       const BuildControl& control, Progress& progress) {
    Overlay& overlay = snapshot.overlay;
    const std::uint32_t clusters = overlay.base.clusters(level);
    Records records(clusters);
    Records towards(clusters);
    Records away(clusters);
    const auto make = [&](ClusterBuilder& builder, std::uint32_t id) {
        RowedCluster cluster = builder.make(level, id);
        records[id] = std::move(cluster.record);
        towards[id] = std::move(cluster.towards);
        away[id] = std::move(cluster.away);
    };
    const auto new_worker = [&] { return ClusterBuilder(overlay); };
    if (Status s = for_each_item(clusters, control, progress, new_worker, make); !s.ok()) return s;
    level_rows = {RecordStore(towards), overlay.base.directed() ? RecordStore(away) : RecordStore(),
                  nullptr};
    find_places(overlay.base, level, level_rows);
    return add_level(overlay, records);
}

Status build_centre_rows(Snapshot& snapshot, const BuildControl& control, Progress& progress) {
    const std::uint32_t clusters = snapshot.overlay.base.clusters(snapshot.top());
    Records records(clusters);
    const auto make = [&](ClusterSearch& search, std::uint32_t id) {
        records[id] = make_centre_rows(snapshot, id, search);
    };
    const auto new_worker = [] { return ClusterSearch(); };
    Status status = for_each_item(clusters, control, progress, new_worker, make);
    if (status.ok()) snapshot.centre_rows = RecordStore(records);
    return status;
}

Status build_levels(Snapshot& snapshot, const BuildControl& control) {
    std::size_t clusters = 1;  // one more than there are: `complete` reports the end
    for (int level = 1; level <= snapshot.top(); ++level)
        clusters += snapshot.overlay.base.clusters(level);
    const std::uint32_t top_clusters = snapshot.overlay.base.clusters(snapshot.top());
    if (from_centres(snapshot.options)) clusters += top_clusters;
    Progress progress(control, clusters);
    return on_threads(control, [&] {
        Status status = build_with_rows(snapshot, 1, snapshot.rows, control, progress);
        for (int level = 2; level <= snapshot.top() && status.ok(); ++level) {
            status = level == snapshot.top() && wants_top_rows(snapshot)
                         ? build_with_rows(snapshot, level, snapshot.top_rows, control, progress)
                         : build_level(snapshot.overlay, control, progress);
        }
        if (status.ok() && from_centres(snapshot.options))
            status = build_centre_rows(snapshot, control, progress);
        return status;
    });
}

/// The graph of level 1 for labels in a fresh order, whose nodes are numbered from scratch.
Result<Graph> freshly_numbered_graph(Snapshot& snapshot) {
    snapshot.labels.reset();
    if (!snapshot.first_hng.from_scratch()) renumber(snapshot);
    return LevelOneGraph{snapshot.overlay, snapshot.first_hng}.whole();
}

std::uint64_t most_label_bytes(const Snapshot& snapshot) {
    constexpr std::uint64_t kCells = 16;  // a polygon counts as this many cells
    return cairn::most_label_bytes(snapshot.options.label_bytes,
                                   kCells * snapshot.mesh().num_polygons());
}

// Labels and a closure: repaired from those of the snapshot if it has a closure that is not worn
// out. Errors: cancelled; too_large (not even the closure can be built).
Result<CutLabels> make_labels(Snapshot& snapshot, OrderUse order, const BuildControl& control) {
    const std::uint64_t max_bytes = most_label_bytes(snapshot);
    if (snapshot.labels && is_repaired(snapshot.labels->labels.closure(), order))
        return repaired_labels(snapshot.labels->labels, max_bytes, control);
    const auto graph = freshly_numbered_graph(snapshot);
    if (!graph) return tl::unexpected(graph.error());
    return build_labels(*graph, snapshot.first_hng.points(snapshot.mesh()), max_bytes, control);
}

/// Adds labels and the closure, or a labels_status that says why there are no labels. Errors:
/// cancelled.
Status add_labels(Snapshot& snapshot, OrderUse order, const BuildControl& control) {
    auto engine = make_labels(snapshot, order, control).map([](CutLabels&& labels) {
        return LabelEngine{std::move(labels)};
    });
    return keep_labels(snapshot, std::move(engine), most_label_bytes(snapshot));
}

/// Numbers the nodes from scratch and adds a closure in a fresh order, without labels. Errors: as
/// Closure::build.
Status add_fresh_closure(Snapshot& snapshot, const BuildControl& control) {
    const auto graph = freshly_numbered_graph(snapshot);
    if (!graph) return graph.error();
    auto closure =
        closure_in_fresh_order(*graph, snapshot.first_hng.points(snapshot.mesh()), control);
    if (!closure) return std::move(closure.error());
    snapshot.labels =
        std::make_shared<const LabelEngine>(LabelEngine{CutLabels(std::move(*closure))});
    snapshot.labels_status = stale_labels();
    return {};
}

/// Adds labels and the closure if the options ask for labels and there is neither yet. Errors:
/// cancelled.
Status complete(Snapshot& snapshot, OrderUse order, const BuildControl& control) {
    const bool stale = snapshot.labels_status.code == StatusCode::stale_index;
    if (snapshot.options.labels && (stale || !snapshot.labels)) {
        if (Status s = add_labels(snapshot, order, control); !s.ok()) return s;
    }
    if (control.progress) control.progress(1);
    return {};
}

/// Builds everything that follows from the options and the overlay's base, except the locator and
/// labels. Errors: cancelled, or as check_keys.
Status build_parts(Snapshot& snapshot, const BuildControl& control) {
    Overlay& overlay = snapshot.overlay;
    overlay.levels.clear();
    overlay.slot_bits.clear();
    snapshot.rows = {};
    snapshot.top_rows = {};
    snapshot.centre_rows = {};
    if (Status s = build_levels(snapshot, control); !s.ok()) return s;
    make_hngs(snapshot);
    snapshot.reachability = value_of(mesh::Reachability::build(overlay.base.mesh));
    return {};
}

/// Builds the index of a snapshot whose options, overlay base and locator are set.
Result<Index> built(std::shared_ptr<Snapshot> snapshot, const BuildControl& control) {
    constexpr double kParts = 0.5;  // the approximate share of build_parts in the work
    if (Status s = build_parts(*snapshot, part_of(control, 0, kParts)); !s.ok())
        return tl::unexpected(std::move(s));
    Status s = complete(*snapshot, OrderUse::fresh_if_worn, part_of(control, kParts, 1));
    if (!s.ok()) return tl::unexpected(std::move(s));
    return Index(std::move(snapshot));
}

}  // namespace

Result<Index> Index::build(const mesh::Mesh& mesh, const Options& options,
                           const BuildControl& control) noexcept try {
    if (Status s = check(mesh, options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_partitioner(options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->id = fresh_snapshot_id(mesh, options);
    snapshot->options = options;
    snapshot->overlay.base = {mesh, std::make_shared<const Partition>(mesh, options)};
    snapshot->locator = value_of(mesh::Locator::create(mesh));
    snapshot->labels_status = {StatusCode::unsupported, "the index was built without labels"};
    return built(std::move(snapshot), control);
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::rebuilt(const BuildControl& control) const noexcept try {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    snapshot->labels.reset();
    return built(std::move(snapshot), control);
} catch (...) {
    return out_of_memory();
}

namespace {

/// The index of a mesh with the same polygons and portals, but other costs or open links.
Result<Index> with_mesh(Result<mesh::Mesh> mesh, const Snapshot& old, const BuildControl& control) {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    if (!mesh) return tl::unexpected(std::move(mesh.error()));
    auto snapshot = std::make_shared<Snapshot>(old);
    snapshot->id = changed_id(old.id, *mesh);
    snapshot->overlay.base.mesh = std::move(*mesh);
    snapshot->labels.reset();
    return built(std::move(snapshot), control);
}

}  // namespace

Result<Index> Index::with_area_costs(const std::array<float, mesh::kAreas>& costs,
                                     std::span<const mesh::PolygonEdit> edits,
                                     const BuildControl& control) const noexcept try {
    return with_mesh(this->mesh().with_area_costs(costs, edits), *snapshot_, control);
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_radius(double radius, const BuildControl& control) const noexcept try {
    return with_mesh(mesh().with_radius(radius), *snapshot_, control);
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_labels(const BuildControl& control) const noexcept try {
    return changed_copy(*this, control,
                        [&](Snapshot& s) { return complete(s, OrderUse::fresh_if_worn, control); });
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_repaired_labels(const BuildControl& control) const noexcept try {
    if (!has_closure() || labels_status().code != StatusCode::stale_index) return *this;
    return changed_copy(*this, control,
                        [&](Snapshot& s) { return complete(s, OrderUse::keep, control); });
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_fresh_order(const BuildControl& control) const noexcept try {
    if (!has_closure()) return *this;
    return changed_copy(*this, control, [&](Snapshot& s) { return add_fresh_closure(s, control); });
} catch (...) {
    return out_of_memory();
}

double Index::wear() const noexcept {
    return has_closure() ? snapshot_->labels->labels.closure().wear() : 1.0;
}

Result<Index> Index::without_labels() const noexcept try {
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    leave_out_labels(*snapshot);
    return Index(std::move(snapshot));
} catch (...) {
    return out_of_memory();
}

namespace {

/// Appends the clusters of level 1 that hold some polygons or neighbours of them.
void append_touched(const MeshBase& base, std::span<const mesh::Polygon> polygons,
                    std::vector<std::uint32_t>& clusters) {
    const mesh::MeshData& mesh = base.mesh.data();
    for (const mesh::Polygon polygon : polygons) {
        clusters.push_back(base.partition->cluster(1, polygon));
        for (const mesh::Link link : mesh.links(polygon))
            clusters.push_back(base.partition->cluster(1, mesh.polygon_of(mesh::twin(link))));
    }
}

/// Rebuilds some clusters of a level with rows. Returns the clusters whose record has changed.
std::vector<std::uint32_t> redo_with_rows(Snapshot& snapshot, int level,
                                          std::span<const std::uint32_t> clusters,
                                          LevelRows& level_rows) {
    ClusterBuilder builder(snapshot.overlay);
    std::vector<RecordStore::Change> records;
    std::vector<RecordStore::Change> towards;
    std::vector<RecordStore::Change> away;
    for (const std::uint32_t id : clusters) {
        RowedCluster cluster = builder.make(level, id);
        records.emplace_back(id, std::move(cluster.record));
        towards.emplace_back(id, std::move(cluster.towards));
        away.emplace_back(id, std::move(cluster.away));
    }
    level_rows.towards = level_rows.towards.with(towards);
    if (snapshot.overlay.base.directed()) level_rows.away = level_rows.away.with(away);
    find_places(snapshot.overlay.base, level, clusters, level_rows);
    return replace_records(snapshot.overlay, level, std::move(records));
}

void redo_centre_rows(Snapshot& snapshot, std::span<const std::uint32_t> touched) {
    ClusterSearch search;
    std::vector<RecordStore::Change> records;
    records.reserve(touched.size());
    for (const std::uint32_t id : touched)
        records.emplace_back(id, make_centre_rows(snapshot, id, search));
    snapshot.centre_rows = snapshot.centre_rows.with(records);
}

std::uint64_t edited_id(std::uint64_t before, std::span<const mesh::PolygonEdit> edits) {
    std::uint64_t id = before;
    for (const mesh::PolygonEdit& edit : edits) {
        const std::array<std::uint32_t, 3> words{edit.polygon, edit.area, edit.blocked ? 1U : 0U};
        id = XXH3_64bits_withSeed(words.data(), sizeof words, id);
    }
    return id == 0 ? 1 : id;
}

/// Leaves the labels out. An index without any keeps its labels_status.
void make_stale(Snapshot& snapshot) {
    if (!snapshot.labels) return;
    snapshot.labels.reset();
    snapshot.labels_status = {StatusCode::stale_index,
                              "the mesh was edited after the labels were built"};
}

/// Gives an edited snapshot the closure of its graph of level 1, if `before` has one that helps.
Status repair_closure(const Snapshot& before, Reassembled& edited) {
    Snapshot& after = *edited.snapshot;
    if (edited.arcs.built_anew) return {};  // and numbered from scratch
    if (before.has_closure()) {
        const LevelOneGraph graph{after.overlay, after.first_hng};
        auto closure = repaired_closure(
            before.labels->labels.closure(), graph_edit(graph, edited.arcs),
            [&] { return graph.whole(); }, [&] { return after.first_hng.points(after.mesh()); });
        if (closure) {
            after.labels = std::make_shared<const LabelEngine>(
                LabelEngine{CutLabels(std::move(*closure), before.labels->labels)});
        } else if (closure.error().code != StatusCode::too_large) {
            return std::move(closure.error());
        }
    }
    // A closure in a fresh order has places for removed nodes, too.
    const bool fresh_order = after.has_closure() && !after.labels->labels.closure().in_pages();
    const Hng& nodes = after.first_hng;
    if (fresh_order || nodes.worn_out() || nodes.count() == 0) renumber(after);
    return {};
}

/// Rebuilds the touched clusters of level 1 (sorted) and what follows from them. Rows depend on all
/// that a cluster contains, so they are rebuilt above every touched cluster; records without rows
/// only above a cluster whose record has changed. `polygons`: as Reachability::changed.
Result<ArcChanges> redo(const Snapshot& before, Snapshot& snapshot,
                        std::vector<std::uint32_t> touched,
                        std::span<const mesh::Polygon> polygons) {
    Overlay& overlay = snapshot.overlay;
    const bool top_rows = wants_top_rows(snapshot);
    std::vector<std::uint32_t> changed = redo_with_rows(snapshot, 1, touched, snapshot.rows);
    snapshot.first_hng = before.first_hng.edited(before.overlay, overlay, changed);
    ArcChanges arcs{nodes_with_changed_arcs({before.overlay, before.first_hng},
                                            {overlay, snapshot.first_hng}, changed)};
    for (int level = 2; level <= snapshot.top(); ++level) {
        touched = parents(overlay.base, level, touched);
        if (level < snapshot.top() || !top_rows)
            changed = redo_level(overlay, level, parents(overlay.base, level, changed));
    }
    if (top_rows) changed = redo_with_rows(snapshot, snapshot.top(), touched, snapshot.top_rows);
    if (snapshot.top() > 1) {
        snapshot.upper_hng = before.upper_hng.edited(before.overlay, overlay, changed);
        if (snapshot.upper_hng.worn_out()) snapshot.upper_hng = Hng(overlay, snapshot.top());
    }
    for (int level = 1; level <= snapshot.top(); ++level) {
        if (Status s = check_keys(overlay, level); !s.ok()) return tl::unexpected(std::move(s));
    }
    if (from_centres(snapshot.options)) redo_centre_rows(snapshot, touched);
    snapshot.reachability = value_of(before.reachability.changed(
        before.overlay.base.mesh, snapshot.overlay.base.mesh, polygons));
    return arcs;
}

/// Makes room for the records and rows of clusters that the partition has gained.
void grow(Snapshot& snapshot) {
    const MeshBase& base = snapshot.overlay.base;
    for (int level = 1; level <= snapshot.top(); ++level)
        snapshot.overlay.levels[static_cast<std::size_t>(level - 1)].grow(base.clusters(level));
    const auto grow_rows = [&](LevelRows& rows, int level) {
        rows.towards.grow(base.clusters(level));
        if (base.directed()) rows.away.grow(base.clusters(level));
    };
    grow_rows(snapshot.rows, 1);
    if (wants_top_rows(snapshot)) grow_rows(snapshot.top_rows, snapshot.top());
    if (from_centres(snapshot.options)) snapshot.centre_rows.grow(base.clusters(snapshot.top()));
}

/// The polygons that a change removes, adds, edits, or joins by new portals.
std::vector<mesh::Polygon> polygons_of(const mesh::MeshChange& change,
                                       std::span<const mesh::Polygon> added) {
    std::vector<mesh::Polygon> polygons(change.removed.begin(), change.removed.end());
    polygons.insert(polygons.end(), added.begin(), added.end());
    for (const mesh::PolygonEdit& edit : change.edits) polygons.push_back(edit.polygon);
    for (const mesh::PortalSource& portal : change.added.portals)
        polygons.insert(polygons.end(), {portal.first, portal.second});
    return polygons;
}

std::vector<mesh::Polygon> polygons_of(std::span<const mesh::PolygonEdit> edits) {
    std::vector<mesh::Polygon> polygons;
    polygons.reserve(edits.size());
    for (const mesh::PolygonEdit& edit : edits) polygons.push_back(edit.polygon);
    return polygons;
}

}  // namespace

Result<Reassembled> reassemble(const Snapshot& before, std::span<const mesh::PolygonEdit> edits) {
    auto mesh = before.overlay.base.mesh.edited(edits);
    if (!mesh) return tl::unexpected(mesh.error());
    auto snapshot = std::make_shared<Snapshot>(before);
    snapshot->id = edited_id(before.id, edits);
    make_stale(*snapshot);
    snapshot->overlay.base.mesh = std::move(*mesh);
    std::vector<std::uint32_t> touched;
    const std::vector<mesh::Polygon> edited = polygons_of(edits);
    append_touched(snapshot->overlay.base, edited, touched);
    sort_unique(touched);
    auto arcs = redo(before, *snapshot, std::move(touched), edited);
    if (!arcs) return tl::unexpected(arcs.error());
    return Reassembled{std::move(snapshot), std::move(*arcs)};
}

Result<Reassembled> reassemble(const Snapshot& snapshot_before, const mesh::MeshChange& change) {
    const MeshBase& before = snapshot_before.overlay.base;
    const Options& options = snapshot_before.options;
    auto mesh = before.mesh.changed(change);
    if (!mesh) return tl::unexpected(mesh.error());
    if (Status s = check(*mesh, options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_partitioner(options); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot = std::make_shared<Snapshot>(snapshot_before);
    snapshot->id = changed_id(snapshot_before.id, *mesh);
    make_stale(*snapshot);
    // A directed mesh has other records than an undirected one, and units are part of every cost.
    if (mesh->directed() != before.mesh.directed() ||
        mesh->units_per_length() != before.mesh.units_per_length()) {
        snapshot->overlay.base = {*mesh, std::make_shared<const Partition>(*mesh, options)};
        if (Status s = build_parts(*snapshot, {}); !s.ok()) return tl::unexpected(std::move(s));
        snapshot->locator = value_of(mesh::Locator::create(*mesh));
        return Reassembled{std::move(snapshot), {{}, true}};
    }
    std::vector<mesh::Polygon> added(mesh->num_polygons() - before.mesh.num_polygons());
    std::iota(added.begin(), added.end(), before.mesh.num_polygons());
    snapshot->overlay.base = {
        *mesh, std::make_shared<const Partition>(before.partition->changed(*mesh, options))};
    grow(*snapshot);
    std::vector<std::uint32_t> touched;
    append_touched(before, change.removed, touched);
    append_touched(snapshot->overlay.base, added, touched);
    append_touched(snapshot->overlay.base, polygons_of(change.edits), touched);
    sort_unique(touched);
    auto arcs = redo(snapshot_before, *snapshot, std::move(touched), polygons_of(change, added));
    if (!arcs) return tl::unexpected(arcs.error());
    snapshot->locator = value_of(snapshot->locator.changed(before.mesh, *mesh));
    return Reassembled{std::move(snapshot), std::move(*arcs)};
}

namespace {

Result<Index> repaired(const Snapshot& before, Result<Reassembled> edited) {
    if (!edited) return tl::unexpected(std::move(edited.error()));
    if (Status s = repair_closure(before, *edited); !s.ok()) return tl::unexpected(std::move(s));
    return Index(std::move(edited->snapshot));
}

}  // namespace

Result<Index> Index::edited(std::span<const mesh::PolygonEdit> edits) const noexcept try {
    return repaired(*snapshot_, reassemble(*snapshot_, edits));
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::changed(const mesh::MeshChange& change) const noexcept try {
    return repaired(*snapshot_, reassemble(*snapshot_, change));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::hna

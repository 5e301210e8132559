// Updates an index after an edit or a change of its mesh.

#include <xxhash.h>

#include <array>
#include <numeric>
#include <utility>

#include "cairn/hna/index.hpp"
#include "hna/cluster_builder.hpp"
#include "hna/index_build.hpp"
#include "hna/snapshot.hpp"
#include "overlay/levels.hpp"

namespace cairn::hna {

namespace {

/// Appends the clusters of level 1 whose inside or border depends on some polygons: those that hold
/// them, and the neighbours.
void append_touched(const MeshBase& base, std::span<const mesh::Polygon> polygons,
                    std::vector<std::uint32_t>& clusters) {
    const mesh::MeshData& mesh = base.mesh.data();
    for (const mesh::Polygon polygon : polygons) {
        clusters.push_back(base.partition->cluster(1, polygon));
        for (const mesh::Link link : mesh.links(polygon))
            clusters.push_back(base.partition->cluster(1, mesh.polygon_of(mesh::twin(link))));
    }
}

/// New rows of some clusters of a level.
struct RowChanges {
    void put(std::uint32_t cluster, ClusterRows rows) {
        towards.emplace_back(cluster, std::move(rows.towards));
        away.emplace_back(cluster, std::move(rows.away));
    }
    void apply(LevelRows& rows, bool directed) const {
        rows.towards = rows.towards.with(towards);
        if (directed) rows.away = rows.away.with(away);
    }

    std::vector<RecordStore::Change> towards;
    std::vector<RecordStore::Change> away;
};

/// Returns the clusters whose record has changed.
std::vector<std::uint32_t> redo_with_rows(Snapshot& snapshot, int level,
                                          std::span<const std::uint32_t> clusters,
                                          LevelRows& level_rows) {
    ClusterBuilder builder(snapshot.overlay);
    std::vector<RecordStore::Change> records;
    RowChanges rows;
    for (const std::uint32_t id : clusters) {
        RowedCluster cluster = builder.make(level, id);
        records.emplace_back(id, std::move(cluster.record));
        rows.put(id, std::move(cluster.rows));
    }
    rows.apply(level_rows, snapshot.overlay.base.directed());
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

std::uint64_t changed_id(std::uint64_t before, const mesh::Mesh& mesh) {
    const std::uint64_t fingerprint = mesh.fingerprint();
    const std::uint64_t id = XXH3_64bits_withSeed(&fingerprint, sizeof fingerprint, before);
    return id == 0 ? 1 : id;
}

/// The labels are those of the mesh before the edit.
void make_stale(Snapshot& snapshot) {
    if (snapshot.labels) snapshot.earlier_labels = std::move(snapshot.labels);
    snapshot.labels.reset();
    if (snapshot.options.labels) {
        snapshot.labels_status = {StatusCode::stale_index,
                                  "the mesh was edited after they were built"};
    }
}

/// Makes the touched clusters of level 1 (sorted) and the clusters above them again.
Status redo(Snapshot& snapshot, std::vector<std::uint32_t> touched) {
    Overlay& overlay = snapshot.overlay;
    const bool top_rows = wants_top_rows(snapshot);
    std::vector<std::uint32_t> changed = redo_with_rows(snapshot, 1, touched, snapshot.rows);
    for (int level = 2; level <= snapshot.top(); ++level) {
        touched = parents(overlay.base, level, touched);
        if (level < snapshot.top() || !top_rows)
            changed = redo_level(overlay, level, parents(overlay.base, level, changed));
    }
    if (top_rows) redo_with_rows(snapshot, snapshot.top(), touched, snapshot.top_rows);
    for (int level = 1; level <= snapshot.top(); ++level) {
        if (Status s = check_keys(overlay, level); !s.ok()) return s;
    }
    if (from_centres(snapshot.options)) redo_centre_rows(snapshot, touched);
    make_hngs(snapshot);
    snapshot.reachability = mesh::Reachability::build(snapshot.overlay.base.mesh);
    return {};
}

/// Room for the records and rows of clusters that the partition has gained.
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

std::vector<mesh::Polygon> polygons_of(std::span<const mesh::PolygonEdit> edits) {
    std::vector<mesh::Polygon> polygons;
    polygons.reserve(edits.size());
    for (const mesh::PolygonEdit& edit : edits) polygons.push_back(edit.polygon);
    return polygons;
}

}  // namespace

Result<Index> Index::edited(std::span<const mesh::PolygonEdit> edits) const {
    auto mesh = snapshot_->overlay.base.mesh.edited(edits);
    if (!mesh) return tl::unexpected(mesh.error());
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    snapshot->id = edited_id(snapshot_->id, edits);
    make_stale(*snapshot);
    snapshot->overlay.base.mesh = std::move(*mesh);
    std::vector<std::uint32_t> touched;
    append_touched(snapshot->overlay.base, polygons_of(edits), touched);
    make_set(touched);
    if (Status s = redo(*snapshot, std::move(touched)); !s.ok())
        return tl::unexpected(std::move(s));
    return Index(std::move(snapshot));
}

Result<Index> Index::changed(const mesh::MeshChange& change) const {
    const MeshBase& before = snapshot_->overlay.base;
    auto mesh = before.mesh.changed(change);
    if (!mesh) return tl::unexpected(mesh.error());
    if (Status s = check(*mesh, options()); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_partitioner(options()); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    snapshot->id = changed_id(snapshot_->id, *mesh);
    make_stale(*snapshot);
    // Then nothing stays as it was.
    if (mesh->directed() != before.mesh.directed() ||
        mesh->units_per_length() != before.mesh.units_per_length()) {
        snapshot->overlay.base = {*mesh, std::make_shared<const Partition>(*mesh, options())};
        if (Status s = build_parts(*snapshot, {}); !s.ok()) return tl::unexpected(std::move(s));
        return Index(std::move(snapshot));
    }
    std::vector<mesh::Polygon> added(mesh->num_polygons() - before.mesh.num_polygons());
    std::iota(added.begin(), added.end(), before.mesh.num_polygons());
    snapshot->overlay.base = {
        *mesh, std::make_shared<const Partition>(before.partition->changed(*mesh, options()))};
    grow(*snapshot);
    std::vector<std::uint32_t> touched;
    append_touched(before, change.removed, touched);
    append_touched(snapshot->overlay.base, added, touched);
    append_touched(snapshot->overlay.base, polygons_of(change.edits), touched);
    make_set(touched);
    if (Status s = redo(*snapshot, std::move(touched)); !s.ok())
        return tl::unexpected(std::move(s));
    snapshot->locator = snapshot->locator.changed(before.mesh, *mesh);
    return Index(std::move(snapshot));
}

}  // namespace cairn::hna

#include "hpa/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "core/checkpoints.hpp"
#include "core/free_memory.hpp"
#include "core/labels/planner_labels.hpp"
#include "core/parallel_loop.hpp"
#include "overlay/component_labels.hpp"
#include "overlay/levels.hpp"

namespace cairn::hpa {

FirstLevel from_entrances(const Snapshot& snapshot) {
    return [builder = ClusterBuilder(snapshot.overlay.base, snapshot.options)](
               std::uint32_t cluster) mutable { return builder.level_one(cluster); };
}

FirstLevelSource with_nodes_of(const Snapshot& before) {
    return [&before](const Snapshot& snapshot) -> FirstLevel {
        const GridBase& base = snapshot.overlay.base;
        const bool fits = before.inside_costs_fit() && snapshot.inside_costs_fit();
        return [&before, &base, fits, builder = ClusterBuilder(base, snapshot.options)](
                   std::uint32_t cluster) mutable -> FirstLevelCluster {
            const ClusterView view = before.overlay.cluster(1, cluster);
            const auto scale = fits ? cost_scale(before.overlay.base.map, base.map,
                                                 base.partition.rect(1, cluster))
                                    : std::nullopt;
            if (!scale) return builder.with_nodes_of(cluster, view);
            const RecordStore::Record tables = before.tables[cluster];
            return {builder.scaled_record(view, *scale), {tables.begin(), tables.end()}};
        };
    };
}

namespace {

using Records = std::vector<std::vector<std::uint32_t>>;

/// Clusters of a checkpoint: at least 1,024, and at most 256 checkpoints. Without checkpoints one,
/// so that no worker waits for another.
std::uint32_t clusters_of_part(std::uint32_t clusters, const BuildControl& control) {
    return keeps_checkpoints(control) ? std::max(1024U, (clusters + 255) / 256) : 1;
}

/// The records and tables of a run of clusters as a checkpoint: their lengths, then their words.
class ClusterCheckpoint {
public:
    ClusterCheckpoint(std::span<std::vector<std::uint32_t>> records,
                      std::span<std::vector<std::uint32_t>> tables)
        : records_(records), tables_(tables) {}

    [[nodiscard]] std::string pack() const {
        std::vector<std::uint32_t> lengths;
        std::vector<std::uint32_t> words;
        for (const auto& lists : {records_, tables_}) {
            for (const std::vector<std::uint32_t>& list : lists) {
                lengths.push_back(static_cast<std::uint32_t>(list.size()));
                words.insert(words.end(), list.begin(), list.end());
            }
        }
        CheckpointWriter out;
        out.add<std::uint32_t>(lengths);
        out.add<std::uint32_t>(words);
        return out.take();
    }
    [[nodiscard]] bool unpack(std::string_view bytes) const {
        CheckpointReader in(bytes);
        std::vector<std::uint32_t> lengths;
        std::vector<std::uint32_t> words;
        if (!in.take(lengths) || !in.take(words) || !in.at_end() ||
            lengths.size() != records_.size() + tables_.size() ||
            std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}) != words.size())
            return false;
        auto word = words.cbegin();
        auto length = lengths.cbegin();
        for (const auto& lists : {records_, tables_}) {
            for (std::vector<std::uint32_t>& list : lists) {
                list.assign(word, word + *length);
                word += *length++;
            }
        }
        return true;
    }

private:
    std::span<std::vector<std::uint32_t>> records_;
    std::span<std::vector<std::uint32_t>> tables_;
};

Status build_first_level(Snapshot& snapshot, const FirstLevelSource& source,
                         const BuildControl& control, Progress& progress) {
    const std::uint32_t clusters = snapshot.overlay.base.partition.clusters(1);
    const std::uint32_t in_part = clusters_of_part(clusters, control);
    Records records(clusters);
    Records tables(clusters);
    const auto first = [&](std::size_t part) { return static_cast<std::uint32_t>(part) * in_part; };
    const auto size = [&](std::size_t part) { return std::min(in_part, clusters - first(part)); };
    const auto checkpoint = [&](std::size_t part) {
        return ClusterCheckpoint(std::span(records).subspan(first(part), size(part)),
                                 std::span(tables).subspan(first(part), size(part)));
    };
    PerWorker<FirstLevel> workers;
    workers.begin(control);
    CheckpointedParts parts;
    parts.count = (clusters - 1) / in_part + 1;
    parts.name = [&](std::size_t part) {
        return fmt::format("clusters-{:016x}-{}-{}", snapshot.id, first(part), size(part));
    };
    parts.make = [&](std::size_t worker, std::size_t part) {
        FirstLevel& first_level = workers.of(worker, [&] { return source(snapshot); });
        const std::uint32_t end = first(part) + size(part);
        for (std::uint32_t id = first(part); id < end && !control.cancelled(); ++id) {
            FirstLevelCluster cluster = first_level(id);
            records[id] = std::move(cluster.record);
            tables[id] = std::move(cluster.tables);
        }
        progress.add(size(part));
    };
    parts.pack = [&](std::size_t part) { return checkpoint(part).pack(); };
    parts.unpack = [&](std::size_t part, std::string_view bytes) {
        if (!checkpoint(part).unpack(bytes)) return false;
        progress.add(size(part));
        return true;
    };
    if (Status s = for_each_part(parts, control); !s.ok()) return s;
    snapshot.tables = RecordStore(tables);
    tables = {};
    Status status = add_level(snapshot.overlay, records);
    records = {};
    return_free_memory(clusters);
    return status;
}

Status build_levels(Snapshot& snapshot, const FirstLevelSource& source,
                    const BuildControl& control) {
    std::size_t clusters = 0;
    for (int l = 1; l <= snapshot.options.levels; ++l)
        clusters += snapshot.overlay.base.partition.clusters(l);
    Progress progress(control, clusters);
    return on_threads(control, [&] {
        Status status = build_first_level(snapshot, source, control, progress);
        for (int l = 2; l <= snapshot.options.levels && status.ok(); ++l) {
            status = build_level(snapshot.overlay, control, progress);
        }
        return status;
    });
}

}  // namespace

Result<std::shared_ptr<Snapshot>> assemble(const grid::Map& map, const Options& options,
                                           std::uint64_t id, const FirstLevelSource& source,
                                           const BuildControl& control) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->id = id;
    snapshot->options = options;
    snapshot->overlay.base.map = map;
    snapshot->overlay.base.partition = Partition(map.width(), map.height(), options.cluster_size,
                                                 options.branching, options.levels);
    const double cluster_share = options.labels ? 0.5 : 1.0;  // of the work, roughly
    if (Status s = build_levels(*snapshot, source, part_of(control, 0, cluster_share)); !s.ok())
        return tl::unexpected(std::move(s));
    snapshot->components = label_components(snapshot->overlay);
    snapshot->nodes = LevelOneNodes(snapshot->overlay);
    snapshot->labels_status = {StatusCode::unsupported, "the index was built without labels"};
    if (options.labels) {
        if (Status s =
                add_labels(*snapshot, OrderUse::fresh_if_worn, part_of(control, cluster_share, 1));
            !s.ok())
            return tl::unexpected(std::move(s));
        if (control.progress) control.progress(1);
    }
    return snapshot;
}

Status add_tables(Snapshot& snapshot, const BuildControl& control) {
    const Overlay& overlay = snapshot.overlay;
    const std::uint32_t clusters = overlay.base.partition.clusters(1);
    Records tables(clusters);
    Progress progress(control, clusters);
    const auto make = [&](ClusterBuilder& builder, std::uint32_t id) {
        tables[id] = builder.tables(id, overlay.cluster(1, id));
    };
    const auto new_worker = [&] { return ClusterBuilder(overlay.base, snapshot.options); };
    Status status = on_threads(
        control, [&] { return for_each_item(clusters, control, progress, new_worker, make); });
    if (!status.ok()) return status;
    snapshot.tables = RecordStore(tables);
    snapshot.options.move_tables = true;
    return {};
}

namespace {

// Makes the given 1-clusters again. Returns those whose records changed.
std::vector<std::uint32_t> redo_first_level(Snapshot& snapshot,
                                            std::span<const std::uint32_t> clusters,
                                            const FirstLevelSource& source) {
    FirstLevel first_level = source(snapshot);
    std::vector<RecordStore::Change> records;
    std::vector<RecordStore::Change> tables;
    for (const std::uint32_t id : clusters) {
        FirstLevelCluster cluster = first_level(id);
        records.emplace_back(id, std::move(cluster.record));
        tables.emplace_back(id, std::move(cluster.tables));
    }
    if (snapshot.options.move_tables) snapshot.tables = snapshot.tables.with(tables);
    return replace_records(snapshot.overlay, 1, std::move(records));
}

}  // namespace

std::vector<std::uint32_t> clusters_around(const Partition& partition,
                                           std::span<const grid::TerrainEdit> edits) {
    const int side = partition.side(1);
    const int columns = partition.columns(1);
    std::vector<std::uint32_t> result;
    for (const auto& [area, terrain] : edits) {
        const int last_column = std::min((area.x + area.width) / side, columns - 1);
        const int last_row = std::min((area.y + area.height) / side, partition.rows(1) - 1);
        for (int row = std::max(area.y - 1, 0) / side; row <= last_row; ++row) {
            for (int column = std::max(area.x - 1, 0) / side; column <= last_column; ++column) {
                result.push_back(static_cast<std::uint32_t>(row * columns + column));
            }
        }
    }
    sort_unique(result);
    return result;
}

Status repair_closure(const Snapshot& before, Reassembled& edited) {
    Snapshot& after = *edited.snapshot;
    if (before.has_closure()) {
        const LevelOneGraph graph{after.overlay, after.nodes};
        auto closure = repaired_closure(
            before.labels->labels.closure(), graph_edit(graph, edited.arcs),
            [&] { return graph.whole(); },
            [&] { return points_of(after.overlay.base.map, after.nodes); });
        if (closure) {
            after.labels = std::make_shared<const LabelEngine>(
                LabelEngine{after.nodes, CutLabels(std::move(*closure), before.labels->labels)});
        } else if (closure.error().code != StatusCode::too_large) {
            return std::move(closure.error());
        }
    }
    // A closure in a fresh order has places for removed nodes, too.
    const bool fresh_order = after.has_closure() && !after.labels->labels.closure().in_pages();
    if (fresh_order || after.nodes.worn_out()) renumber(after);
    return {};
}

Result<std::shared_ptr<Snapshot>> with_other_costs(const Snapshot& before, const grid::Map& map,
                                                   std::uint64_t id, bool same_nodes,
                                                   const BuildControl& control) {
    Options options = before.options;
    options.labels = false;
    const double cluster_share = before.has_closure() ? 0.6 : 1.0;  // of the work, roughly
    auto after = assemble(map, options, id,
                          same_nodes ? with_nodes_of(before) : FirstLevelSource(from_entrances),
                          part_of(control, 0, cluster_share));
    if (!after) return after;
    (*after)->options = before.options;
    if (Status s = add_labels_as(before, same_nodes, **after, part_of(control, cluster_share, 1));
        !s.ok())
        return tl::unexpected(std::move(s));
    return after;
}

Result<Reassembled> reassemble(const Snapshot& before, grid::Map after, std::uint64_t id,
                               std::span<const std::uint32_t> touched,
                               const FirstLevelSource& source) {
    auto snapshot = std::make_shared<Snapshot>(before);
    snapshot->id = id;
    snapshot->labels.reset();
    snapshot->labels_status = stale_labels();
    snapshot->overlay.base.map = std::move(after);

    std::vector<std::uint32_t> changed = redo_first_level(*snapshot, touched, source);
    snapshot->components =
        updated_components(before.components, before.overlay, snapshot->overlay, changed);
    snapshot->nodes = before.nodes.edited(before.overlay, snapshot->overlay, changed);
    // Where terrain weights matter, the edit may have changed costs of inter-edges, which no record
    // holds. Then clusters above an unchanged record may change, too.
    const grid::Map& map = snapshot->overlay.base.map;
    const grid::Map& map_before = before.overlay.base.map;
    const bool inter_edges_changed =
        !map.uniform() || !map_before.uniform() || map.min_straight() != map_before.min_straight();
    if (inter_edges_changed) changed.assign(touched.begin(), touched.end());
    ArcChanges arcs{nodes_with_changed_arcs({before.overlay, before.nodes},
                                            {snapshot->overlay, snapshot->nodes}, changed)};
    if (Status s = redo_levels_above(snapshot->overlay, std::move(changed), inter_edges_changed);
        !s.ok())
        return tl::unexpected(std::move(s));
    return Reassembled{std::move(snapshot), std::move(arcs)};
}

}  // namespace cairn::hpa

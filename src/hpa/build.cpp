// Building an index, whole or again after an edit (HPA* paper, sections 3.1, 3.4, A.1).

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "cairn/hpa/index.hpp"
#include "core/part_of_work.hpp"
#include "grid/edit_history.hpp"
#include "hpa/cluster_builder.hpp"
#include "hpa/components.hpp"
#include "hpa/label_engine.hpp"
#include "hpa/snapshot.hpp"

namespace cairn::hpa {

Status check(const Options& o) {
    const auto bad = [](std::string message) {
        return Status{StatusCode::bad_option, std::move(message)};
    };
    if (o.cluster_size < 2 || o.cluster_size > 64) {
        return bad(fmt::format("cluster_size {}: must be 2 to 64", o.cluster_size));
    }
    if (o.levels < 1 || o.levels > 8)
        return bad(fmt::format("levels {}: must be 1 to 8", o.levels));
    if (o.branching < 2 || o.branching > 4) {
        return bad(fmt::format("branching {}: must be 2 to 4", o.branching));
    }
    if (o.wide_entrance < 2) {
        return bad(fmt::format("wide_entrance {}: must be at least 2", o.wide_entrance));
    }
    return {};
}

namespace {

/// Reports the share of clusters done, over all levels.
class Progress {
public:
    Progress(const BuildControl& control, std::size_t total) : control_(&control), total_(total) {}
    void add(std::size_t done) {
        const std::size_t sum = done_.fetch_add(done) + done;
        if (!control_->progress) return;
        const std::scoped_lock lock(mutex_);
        const std::size_t percent = 100 * std::max(sum, reported_) / total_;
        if (percent == 100 * reported_ / total_) return;
        reported_ = sum;
        control_->progress(static_cast<double>(sum) / static_cast<double>(total_));
    }

private:
    const BuildControl* control_;
    std::size_t total_;
    std::atomic<std::size_t> done_{0};
    std::mutex mutex_;
    std::size_t reported_ = 0;
};

// Builds one level into the snapshot, whose lower levels are done.
Status build_level(Snapshot& snapshot, int level, const BuildControl& control, Progress& progress) {
    Overlay& overlay = snapshot.overlay;
    const std::uint32_t clusters = overlay.partition.clusters(level);
    std::vector<std::vector<std::uint32_t>> records(clusters);
    std::vector<std::vector<std::uint32_t>> tables(level == 1 ? clusters : 0);

    using Builders = oneapi::tbb::enumerable_thread_specific<ClusterBuilder>;
    Builders builders([&] { return ClusterBuilder(overlay, snapshot.options); });
    const auto build = [&](const oneapi::tbb::blocked_range<std::uint32_t>& range) {
        ClusterBuilder& builder = builders.local();
        for (std::uint32_t id = range.begin(); id != range.end() && !control.cancelled(); ++id) {
            records[id] = level == 1 ? builder.level_one(id) : builder.level(level, id);
            if (level == 1) tables[id] = builder.move_tables();
        }
        progress.add(range.size());
    };
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::uint32_t>(0, clusters, 16), build);
    if (control.cancelled())
        return {StatusCode::cancelled, std::string(describe(StatusCode::cancelled))};

    overlay.levels.emplace_back(std::span<const std::vector<std::uint32_t>>(records));
    if (level == 1)
        snapshot.tables = RecordStore(std::span<const std::vector<std::uint32_t>>(tables));
    return add_slot_bits(overlay);
}

Status build_levels(Snapshot& snapshot, const BuildControl& control) {
    std::size_t clusters = 0;
    for (int l = 1; l <= snapshot.options.levels; ++l)
        clusters += snapshot.overlay.partition.clusters(l);
    Progress progress(control, clusters);
    Status status;
    const auto all = [&] {
        for (int l = 1; l <= snapshot.options.levels && status.ok(); ++l) {
            status = build_level(snapshot, l, control, progress);
        }
    };
    if (control.threads > 0) {
        oneapi::tbb::task_arena(control.threads).execute(all);
    } else {
        all();
    }
    return status;
}

Status add_labels(Snapshot& snapshot, const BuildControl& control) {
    auto engine = build_label_engine(snapshot, snapshot.earlier_labels.get(), control);
    if (!engine) {
        snapshot.labels_status = engine.error();
        return engine.error().code == StatusCode::cancelled ? engine.error() : Status{};
    }
    snapshot.labels = std::make_shared<const LabelEngine>(std::move(*engine));
    snapshot.earlier_labels.reset();
    snapshot.labels_status = {};
    return {};
}

}  // namespace

Result<Index> Index::build(const grid::Map& map, const Options& options,
                           const BuildControl& control) {
    if (Status s = check(options); !s.ok()) return tl::unexpected(std::move(s));
    if (control.threads < 0) {
        return fail(StatusCode::bad_option,
                    fmt::format("threads {}: must be 0 (all) or more", control.threads));
    }
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->id = fresh_snapshot_id(map, options);
    snapshot->options = options;
    snapshot->overlay.map = map;
    snapshot->overlay.partition = Partition(map.width(), map.height(), options.cluster_size,
                                            options.branching, options.levels);
    const double clusters = options.labels ? 0.5 : 1.0;  // their share of the work, about
    if (Status s = build_levels(*snapshot, part_of(control, 0, clusters)); !s.ok())
        return tl::unexpected(std::move(s));
    snapshot->components = NodeComponents(snapshot->overlay);
    snapshot->labels_status = {StatusCode::unsupported, "the index was built without labels"};
    if (options.labels) {
        if (Status s = add_labels(*snapshot, part_of(control, clusters, 1)); !s.ok())
            return tl::unexpected(std::move(s));
        if (control.progress) control.progress(1);
    }
    return Index(std::move(snapshot));
}

Result<Index> Index::with_labels(const BuildControl& control) const {
    if (has_labels()) return *this;
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    if (Status s = add_labels(*snapshot, control); !s.ok()) return tl::unexpected(std::move(s));
    if (!snapshot->labels) return tl::unexpected(snapshot->labels_status);
    return Index(std::move(snapshot));
}

Index Index::without_labels() const {
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    snapshot->labels.reset();
    snapshot->earlier_labels.reset();
    snapshot->labels_status = {StatusCode::unsupported, "the labels were left out"};
    return Index(std::move(snapshot));
}

namespace {

// The clusters of a level that hold any of `children`, clusters of the level below. Sorted.
std::vector<std::uint32_t> parents(const Partition& partition, int level,
                                   std::span<const std::uint32_t> children) {
    std::vector<std::uint32_t> result;
    for (const std::uint32_t child : children) {
        const grid::Rect r = partition.rect(level - 1, child);
        result.push_back(partition.cluster(level, {r.x, r.y}));
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

// The 1-clusters with a cell in or next to an edited area: theirs are the moves that may have
// changed. Sorted.
std::vector<std::uint32_t> touched_clusters(const Overlay& overlay,
                                            std::span<const grid::TerrainEdit> edits) {
    const Partition& partition = overlay.partition;
    const int side = partition.side(1);
    std::vector<std::uint32_t> result;
    for (const auto& [area, terrain] : edits) {
        const int right = std::min(area.x + area.width, overlay.map.width() - 1);
        const int bottom = std::min(area.y + area.height, overlay.map.height() - 1);
        for (int row = std::max(area.y - 1, 0) / side; row <= bottom / side; ++row) {
            for (int column = std::max(area.x - 1, 0) / side; column <= right / side; ++column) {
                result.push_back(static_cast<std::uint32_t>(row * partition.columns(1) + column));
            }
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

// Redoes `clusters` of a level. Returns those whose record is not what it was.
std::vector<std::uint32_t> redo_level(Snapshot& snapshot, int level,
                                      std::span<const std::uint32_t> clusters,
                                      ClusterBuilder& builder) {
    Overlay& overlay = snapshot.overlay;
    RecordStore& store = overlay.levels[static_cast<std::size_t>(level - 1)];
    std::vector<RecordStore::Change> changes;
    std::vector<RecordStore::Change> table_changes;
    std::vector<std::uint32_t> changed;
    std::uint32_t most = 0;
    for (const std::uint32_t id : clusters) {
        auto record = level == 1 ? builder.level_one(id) : builder.level(level, id);
        if (level == 1) table_changes.emplace_back(id, builder.move_tables());
        const RecordStore::Record old = store[id];
        if (std::equal(record.begin(), record.end(), old.begin(), old.end())) continue;
        most = std::max(most, ClusterView(record).count());
        changes.emplace_back(id, std::move(record));
        changed.push_back(id);
    }
    store = store.with(changes);
    auto& bits = overlay.slot_bits[static_cast<std::size_t>(level - 1)];
    bits = std::max(bits, bits_for_slots(most));
    if (level == 1) snapshot.tables = snapshot.tables.with(table_changes);
    return changed;
}

}  // namespace

Result<Index> Index::edited(std::span<const grid::TerrainEdit> edits) const {
    const grid::Map& map_before = snapshot_->overlay.map;
    auto map = map_before.edited(edits);
    if (!map) return tl::unexpected(map.error());
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    snapshot->id = grid::edited_id(snapshot_->id, edits);
    if (has_labels()) snapshot->earlier_labels = std::move(snapshot->labels);
    snapshot->labels.reset();
    snapshot->labels_status = {StatusCode::stale_index,
                               "the map was edited after the labels were built"};
    snapshot->overlay.map = std::move(*map);

    ClusterBuilder builder(snapshot->overlay, snapshot->options);
    const std::vector<std::uint32_t> touched = touched_clusters(snapshot->overlay, edits);
    std::vector<std::uint32_t> changed = redo_level(*snapshot, 1, touched, builder);
    snapshot->components =
        snapshot_->components.updated(snapshot_->overlay, snapshot->overlay, changed);
    // Terrain also weighs on inter-edges, which no record holds: then a record that stays as it was
    // says nothing about those that stand on it.
    const grid::Map& after = snapshot->overlay.map;
    const bool reweighed = !after.uniform() || !map_before.uniform() ||
                           after.min_straight() != map_before.min_straight();
    if (reweighed) changed = touched;
    for (int level = 2; level <= snapshot->options.levels && !changed.empty(); ++level) {
        std::vector<std::uint32_t> above = parents(snapshot->overlay.partition, level, changed);
        changed = redo_level(*snapshot, level, above, builder);
        if (reweighed) changed = std::move(above);
    }
    for (int level = 1; level <= snapshot->options.levels; ++level) {
        if (Status s = check_keys(snapshot->overlay, level); !s.ok()) {
            return tl::unexpected(std::move(s));
        }
    }
    return Index(std::move(snapshot));
}

}  // namespace cairn::hpa

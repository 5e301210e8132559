// Building an index, whole or again after an edit.

#include <algorithm>

#include "cairn/haa/index.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "grid/map_checks.hpp"
#include "haa/class_edits.hpp"
#include "haa/cluster_builder.hpp"
#include "haa/snapshot.hpp"
#include "haa/view_making.hpp"
#include "hpa/assembly.hpp"

namespace cairn::haa {

namespace {

// Calls use(cluster, record) for each of `count` clusters, the i-th being cluster_at(i), on many
// threads.
template <class ClusterAt, class Use>
Status make_records(const Snapshot& s, std::size_t count, const BuildControl& control,
                    ClusterAt&& cluster_at, Use&& use) {
    Progress progress(control, std::max<std::size_t>(count, 1));
    const auto new_worker = [&] {
        return ClusterBuilder(s.map, s.partition, s.options, *s.serving);
    };
    const auto make = [&](ClusterBuilder& builder, std::uint32_t i) {
        use(i, builder.record(cluster_at(i)));
    };
    return on_threads(control, [&] {
        return for_each_item(static_cast<std::uint32_t>(count), control, progress, new_worker,
                             make);
    });
}

Result<Index> build_index(const AnnotatedMap& map, const Options& options,
                          const BuildControl& control) {
    auto snapshot = std::make_shared<Snapshot>(start_snapshot(map, options));
    std::vector<std::vector<std::uint32_t>> records(snapshot->partition.clusters(1));
    const auto same = [](std::uint32_t i) { return i; };
    const auto store = [&](std::uint32_t i, std::vector<std::uint32_t> record) {
        records[i] = std::move(record);
    };
    if (Status s = make_records(*snapshot, records.size(), control, same, store); !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    snapshot->clusters = RecordStore(std::span<const std::vector<std::uint32_t>>(records));
    return Index(std::move(snapshot));
}

// Adds the clusters beside each of `clusters`, which stays sorted.
void add_neighbours(const hpa::Partition& partition, std::vector<std::uint32_t>& clusters) {
    const auto columns = static_cast<std::uint32_t>(partition.columns(1));
    const std::uint32_t all = partition.clusters(1);
    std::vector<std::uint32_t> result;
    for (const std::uint32_t c : clusters) {
        result.push_back(c);
        if (c >= columns) result.push_back(c - columns);
        if (c + columns < all) result.push_back(c + columns);
        if (c % columns != 0) result.push_back(c - 1);
        if ((c + 1) % columns != 0) result.push_back(c + 1);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    clusters = std::move(result);
}

/// One edit of an index.
class IndexEdit {
public:
    IndexEdit(const Snapshot& before, AnnotatedMap map, std::span<const grid::TerrainEdit> edits)
        : before_(&before), after_(std::make_shared<Snapshot>(before)) {
        after_->id = grid::edited_id(before.id, edits);
        after_->map = std::move(map);
        after_->views = std::make_shared<Views>(before.map.classes(), before.options.view_bytes);
        std::vector<grid::Rect> areas;
        for (const grid::TerrainEdit& edit : edits) {
            areas.push_back(before.map.anchors_over(edit.area));
        }
        for (std::uint32_t k = 0; k < before.map.classes(); ++k) {
            class_edits_.push_back(
                class_edits(before.map, after_->map, before.map.agent(k), areas));
        }
    }

    Result<Index> run() {
        redo_clusters();
        for (const auto& [agent_class, view] : before_->views->all()) {
            auto edited =
                edited_view(view, *after_, agent_class, class_edits_[agent_class], changed_);
            if (!edited) return tl::unexpected(std::move(edited.error()));
            const bool complete = is_complete(*edited, after_->options);
            after_->views->keep(agent_class, std::move(*edited), complete);
        }
        return Index(std::move(after_));
    }

private:
    void redo_clusters() {
        std::vector<grid::Rect> areas;
        for (const auto& edits : class_edits_) {
            for (const grid::TerrainEdit& edit : edits) areas.push_back(edit.area);
        }
        std::vector<std::uint32_t> redone = hpa::clusters_around(after_->partition, areas);
        // Weak dominance looks into the clusters on both sides of a border.
        if (after_->options.abstraction == Abstraction::low_quality) {
            add_neighbours(after_->partition, redone);
        }
        std::vector<RecordStore::Change> changes(redone.size());
        const auto cluster = [&](std::uint32_t i) { return redone[i]; };
        const auto store = [&](std::uint32_t i, std::vector<std::uint32_t> record) {
            changes[i] = {redone[i], std::move(record)};
        };
        static_cast<void>(make_records(*after_, redone.size(), {}, cluster, store));
        std::erase_if(changes, [&](const RecordStore::Change& change) {
            const RecordStore::Record old = before_->clusters[change.first];
            return std::equal(change.second.begin(), change.second.end(), old.begin(), old.end());
        });
        after_->clusters = after_->clusters.with(changes);
        for (const auto& [id, record] : changes) changed_.push_back(id);
    }

    const Snapshot* before_;
    std::shared_ptr<Snapshot> after_;
    std::vector<std::vector<grid::TerrainEdit>> class_edits_;  // per class
    std::vector<std::uint32_t> changed_;                       // clusters whose record has changed
};

}  // namespace

Result<Index> Index::build(const AnnotatedMap& map, const Options& options,
                           const BuildControl& control) {
    if (Status s = check(options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    return guarded([&] { return build_index(map, options, control); });
}

Result<Index> Index::edited(std::span<const grid::TerrainEdit> edits) const {
    auto map = snapshot_->map.edited(edits);
    if (!map) return tl::unexpected(std::move(map.error()));
    return guarded([&] { return IndexEdit(*snapshot_, std::move(*map), edits).run(); });
}

}  // namespace cairn::haa

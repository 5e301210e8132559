#include "cairn/haa/index.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "core/guarded.hpp"
#include "core/mutex.hpp"
#include "core/parallel_loop.hpp"
#include "grid/map_checks.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/cluster_builder.hpp"
#include "haa/snapshot.hpp"
#include "haa/view_making.hpp"
#include "hpa/assembly.hpp"
#include "overlay/levels.hpp"

namespace cairn::haa {
namespace {

// A hash of the map and of the options that operator== compares. Never 0.
std::uint64_t fresh_snapshot_id(const AnnotatedMap& map, const Options& options) {
    const std::array<std::int64_t, 8> shape{options.cluster_size,
                                            options.levels,
                                            options.branching,
                                            static_cast<int>(options.abstraction),
                                            static_cast<int>(options.transitions),
                                            options.wide_entrance,
                                            options.shift,
                                            options.reach};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, map.fingerprint());
    return id == 0 ? 1 : id;
}

// The id of an index under other costs. Never 0.
std::uint64_t reweighted_id(std::uint64_t id, std::span<const Capability> capabilities) {
    for (const Capability& c : capabilities)
        id = XXH3_64bits_withSeed(c.weight.data(), c.weight.size(), id);
    return id == 0 ? 1 : id;
}

}  // namespace

Snapshot start_snapshot(const AnnotatedMap& map, const Options& options) {
    Snapshot snapshot;
    snapshot.id = fresh_snapshot_id(map, options);
    snapshot.options = options;
    snapshot.map = map;
    snapshot.partition = hpa::Partition(map.width(), map.height(), options.cluster_size,
                                        options.branching, options.levels);
    snapshot.choosing_order = choosing_order(map);
    snapshot.views = std::make_shared<Views>(map.classes(), options.view_bytes);
    return snapshot;
}

namespace {

// Keeps a view of an agent class (Views::keep).
hpa::Index keep(const Snapshot& snapshot, std::uint32_t agent_class, hpa::Index view) {
    const std::size_t bytes = view_bytes(view, snapshot, agent_class);
    const bool complete = is_complete(view, snapshot.options);
    return snapshot.views->keep(agent_class, std::move(view), bytes, complete);
}

// The view of an agent class. One thread makes it if it does not exist; others wait.
Result<hpa::Index> view_of(const Snapshot& snapshot, std::uint32_t agent_class) {
    Views& views = *snapshot.views;
    if (auto view = views.find(agent_class)) return *view;
    const ScopedLock lock(views.making(agent_class));
    if (auto view = views.find(agent_class)) return *view;
    auto view = make_view(snapshot, agent_class);
    if (!view) return view;
    return keep(snapshot, agent_class, std::move(*view));
}

// Adds the move tables and labels that the options ask for to the view of an agent class.
Status complete_view(const Snapshot& snapshot, std::uint32_t agent_class, OrderUse order,
                     const BuildControl& control) {
    auto view = view_of(snapshot, agent_class);
    if (!view) return view.error();
    if (is_complete(*view, snapshot.options)) return {};
    auto complete = completed(*view, snapshot.options, order, control);
    if (!complete) return complete.error();
    keep(snapshot, agent_class, std::move(*complete));
    return {};
}

Status complete_views(const Snapshot& snapshot, std::span<const std::uint32_t> agent_classes,
                      OrderUse order, const BuildControl& control) {
    if (Status s = check_threads(control); !s.ok()) return s;
    const auto share = [&](std::size_t i) {
        return static_cast<double>(i) / static_cast<double>(agent_classes.size());
    };
    for (std::size_t i = 0; i < agent_classes.size(); ++i) {
        Status s = complete_view(snapshot, agent_classes[i], order,
                                 part_of(control, share(i), share(i + 1)));
        if (!s.ok()) return s;
    }
    if (control.progress) control.progress(1);
    return {};
}

// Gives `after` the views of another index, each turned by make(kept, control) into its own.
// Errors: those of make.
template <class Make>
Status take_views(const std::vector<Views::Kept>& views, const Snapshot& after,
                  const BuildControl& control, const Make& make) {
    const auto share = [&](std::size_t done) {
        return static_cast<double>(done) / static_cast<double>(views.size());
    };
    for (std::size_t i = 0; i < views.size(); ++i) {
        Result<hpa::Index> view = make(views[i], part_of(control, share(i), share(i + 1)));
        if (!view) return std::move(view.error());
        keep(after, views[i].agent_class, std::move(*view));
    }
    return {};
}

}  // namespace

const AnnotatedMap& Index::map() const noexcept { return snapshot_->map; }
const Options& Index::options() const noexcept { return snapshot_->options; }
std::uint64_t Index::snapshot_id() const noexcept { return snapshot_->id; }

Result<hpa::Index> Index::view(Agent agent) const noexcept try {
    if (Status s = check(map(), agent); !s.ok()) return tl::unexpected(std::move(s));
    return view_of(*snapshot_, map().class_of(agent));
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_labels(std::span<const Agent> agents,
                                 const BuildControl& control) const noexcept try {
    std::vector<std::uint32_t> agent_classes;
    for (const Agent agent : agents) {
        if (Status s = check(map(), agent); !s.ok()) return tl::unexpected(std::move(s));
        agent_classes.push_back(map().class_of(agent));
    }
    Status s = complete_views(*snapshot_, agent_classes, OrderUse::fresh_if_worn, control);
    if (!s.ok()) return tl::unexpected(std::move(s));
    return *this;
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_labels(const BuildControl& control) const noexcept try {
    std::vector<std::uint32_t> agent_classes;
    for (const Views::Kept& kept : snapshot_->views->all())
        agent_classes.push_back(kept.agent_class);
    Status s = complete_views(*snapshot_, agent_classes, OrderUse::fresh_if_worn, control);
    if (!s.ok()) return tl::unexpected(std::move(s));
    return *this;
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_repaired_labels(const BuildControl& control) const noexcept try {
    std::vector<std::uint32_t> agent_classes;
    for (const Views::Kept& kept : snapshot_->views->all()) {
        if (kept.view.has_closure()) agent_classes.push_back(kept.agent_class);
    }
    Status s = complete_views(*snapshot_, agent_classes, OrderUse::keep, control);
    if (!s.ok()) return tl::unexpected(std::move(s));
    return *this;
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_fresh_order(const BuildControl& control) const noexcept try {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto after = std::make_shared<Snapshot>(*snapshot_);
    after->views = std::make_shared<Views>(map().classes(), options().view_bytes);
    Status status = take_views(snapshot_->views->all(), *after, control,
                               [](const Views::Kept& kept, const BuildControl& part) {
                                   return kept.view.wear() < Closure::kWornOut
                                              ? Result<hpa::Index>(kept.view)
                                              : kept.view.with_fresh_order(part);
                               });
    if (!status.ok()) return tl::unexpected(std::move(status));
    return Index(std::move(after));
} catch (...) {
    return out_of_memory();
}

double Index::wear() const noexcept {
    double most = 1;
    (void)snapshot_->views->all_are([&](const hpa::Index& view) {
        most = std::max(most, view.wear());
        return true;
    });
    return most;
}

Status Index::labels_status(Agent agent) const noexcept try {
    if (Status s = check(map(), agent); !s.ok()) return s;
    const auto view = snapshot_->views->find(map().class_of(agent));
    if (!view) return {StatusCode::unsupported, "the agent has no view yet"};
    return view->labels_status();
} catch (...) {
    return out_of_memory();
}

bool Index::has_labels(Agent agent) const noexcept {
    if (!map().knows(agent)) return false;
    const auto view = snapshot_->views->find(map().class_of(agent));
    return view && view->has_labels();
}

bool Index::has_closure(Agent agent) const noexcept {
    if (!map().knows(agent)) return false;
    const auto view = snapshot_->views->find(map().class_of(agent));
    return view && view->has_closure();
}

bool Index::has_labels() const noexcept {
    return snapshot_->views->all_are([](const hpa::Index& view) { return view.has_labels(); });
}
bool Index::has_closure() const noexcept {
    return snapshot_->views->all_are([](const hpa::Index& view) { return view.has_closure(); });
}

StatusCode Index::reachable(Agent agent, grid::Point a, grid::Point b) const noexcept {
    const auto of_agent = view(agent);
    return of_agent ? of_agent->reachable(a, b) : of_agent.error().code;
}

std::size_t Index::memory() const noexcept {
    const Snapshot& s = *snapshot_;
    return s.clusters.bytes() + s.map.bytes() + s.views->bytes();
}

Result<IndexStatistics> Index::statistics() const noexcept try {
    const Snapshot& s = *snapshot_;
    IndexStatistics result;
    result.clusters = s.clusters.size();
    for (std::size_t id = 0; id < s.clusters.size(); ++id) {
        const AnnotatedCluster cluster(s.clusters[id]);
        result.nodes += cluster.count();
        result.intra_edges += cluster.edges();
        for (std::uint32_t slot = 0; slot < cluster.count(); ++slot) {
            result.inter_edges += static_cast<std::size_t>(std::popcount(cluster.crossings(slot)));
        }
    }
    result.inter_edges /= 2;  // both nodes store it
    result.graph_bytes = s.clusters.bytes();
    result.map_bytes = s.map.bytes();
    result.views = s.views->count();
    result.view_bytes = s.views->bytes();
    return result;
} catch (...) {
    return out_of_memory();
}

bool operator==(const Index& a, const Index& b) {
    const Snapshot& x = *a.snapshot_;
    const Snapshot& y = *b.snapshot_;
    Options options = x.options;
    // Options for the tables, labels and memory of views are not compared.
    options.move_tables = y.options.move_tables;
    options.labels = y.options.labels;
    options.label_bytes = y.options.label_bytes;
    options.view_bytes = y.options.view_bytes;
    return options == y.options && x.map == y.map && x.clusters == y.clusters;
}

namespace {

using Records = std::vector<std::vector<std::uint32_t>>;

// The records of some clusters, in their order, made on many threads by make(builder, cluster).
// Errors: cancelled.
template <class Make>
Result<Records> make_records(const Snapshot& s, std::span<const std::uint32_t> clusters,
                             const BuildControl& control, const Make& make) {
    Records records(clusters.size());
    Progress progress(control, std::max<std::size_t>(clusters.size(), 1));
    const auto new_worker = [&] {
        return ClusterBuilder(s.map, s.partition, s.options, s.choosing_order);
    };
    const auto make_one = [&](ClusterBuilder& builder, std::uint32_t i) {
        records[i] = make(builder, clusters[i]);
    };
    Status status = on_threads(control, [&] {
        return for_each_item(static_cast<std::uint32_t>(clusters.size()), control, progress,
                             new_worker, make_one);
    });
    if (!status.ok()) return tl::unexpected(std::move(status));
    return records;
}

// Records with the nodes that the entrances have.
constexpr auto kFromEntrances = [](ClusterBuilder& builder, std::uint32_t cluster) {
    return builder.record(cluster);
};

std::vector<std::uint32_t> all_clusters(const Snapshot& s) {
    std::vector<std::uint32_t> all(s.partition.clusters(1));
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

Result<Index> build_index(const AnnotatedMap& map, const Options& options,
                          const BuildControl& control) {
    auto snapshot = std::make_shared<Snapshot>(start_snapshot(map, options));
    const auto records = make_records(*snapshot, all_clusters(*snapshot), control, kFromEntrances);
    if (!records) return tl::unexpected(records.error());
    snapshot->clusters = RecordStore(*records);
    return Index(std::move(snapshot));
}

// Makes the records of some clusters again, where `after` has those of the index before, by
// make(builder, cluster). Returns the clusters whose records have changed. Errors: cancelled.
template <class Make>
Result<std::vector<std::uint32_t>> redo_records(Snapshot& after,
                                                std::span<const std::uint32_t> clusters,
                                                const BuildControl& control, const Make& make) {
    auto records = make_records(after, clusters, control, make);
    if (!records) return tl::unexpected(std::move(records.error()));
    std::vector<RecordStore::Change> changes;
    std::vector<std::uint32_t> changed;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        std::vector<std::uint32_t>& record = (*records)[i];
        const RecordStore::Record old = after.clusters[clusters[i]];
        if (std::equal(record.begin(), record.end(), old.begin(), old.end())) continue;
        changes.emplace_back(clusters[i], std::move(record));
        changed.push_back(clusters[i]);
    }
    after.clusters = after.clusters.with(changes);
    return changed;
}

// Adds the clusters that share a border with one of `clusters`. The result is sorted.
void add_neighbours(const hpa::Partition& partition, std::vector<std::uint32_t>& clusters) {
    const auto columns = static_cast<std::uint32_t>(partition.columns(1));
    const std::uint32_t count = partition.clusters(1);
    std::vector<std::uint32_t> result;
    for (const std::uint32_t c : clusters) {
        result.push_back(c);
        if (c >= columns) result.push_back(c - columns);
        if (c + columns < count) result.push_back(c + columns);
        if (c % columns != 0) result.push_back(c - 1);
        if ((c + 1) % columns != 0) result.push_back(c + 1);
    }
    sort_unique(result);
    clusters = std::move(result);
}

// At least the clusters in which some agent covers, at one of its anchors, terrain whose costs
// differ for it: those within an agent's reach of terrain whose costs differ for some capability.
std::vector<std::uint32_t> clusters_with_other_costs(const Snapshot& before,
                                                     const Snapshot& after) {
    const AnnotationOptions& options = before.map.options();
    TerrainSet changed = 0;
    for (std::size_t c = 0; c < options.capabilities.size(); ++c) {
        const Capability& now = after.map.options().capabilities[c];
        for (Terrain t = 0; t < kMaxTerrains; ++t) {
            if (now.includes(t) && now.weight[t] != options.capabilities[c].weight[t])
                changed = static_cast<TerrainSet>(changed | 1U << t);
        }
    }
    const int reach = options.max_size - 1;
    std::vector<std::uint32_t> clusters;
    for (std::uint32_t id = 0; id < before.partition.clusters(1); ++id) {
        const grid::Rect rect = before.partition.rect(1, id);
        const auto costs_change = [&](int x, int y) {
            const std::uint8_t t = options.key.terrain[before.map.terrain(before.map.cell({x, y}))];
            return t < kMaxTerrains && (changed >> t & 1) != 0;
        };
        bool any = false;
        for (int y = std::max(rect.y - reach, 0);
             !any && y < std::min(rect.y + rect.height + reach, before.map.height()); ++y) {
            for (int x = std::max(rect.x - reach, 0);
                 !any && x < std::min(rect.x + rect.width + reach, before.map.width()); ++x)
                any = costs_change(x, y);
        }
        if (any) clusters.push_back(id);
    }
    return clusters;
}

/// Makes the index after an edit from the one before it: annotated clusters first, then the views.
class IndexEdit {
public:
    IndexEdit(const Snapshot& before, AnnotatedMap map, std::span<const grid::TerrainEdit> edits)
        : before_(&before), after_(std::make_shared<Snapshot>(before)) {
        after_->id = grid::edited_id(before.id, edits);
        after_->map = std::move(map);
        after_->views = std::make_shared<Views>(before.map.classes(), before.options.view_bytes);
        for (const grid::TerrainEdit& edit : edits) {
            areas_.push_back(before.map.anchors_over(edit.area));
        }
        for (std::uint32_t k = 0; k < before.map.classes(); ++k) {
            class_edits_.push_back(
                class_edits(before.map, after_->map, before.map.agent(k), areas_));
        }
    }

    Result<Index> run() {
        redo_clusters();
        for (const auto& [agent_class, view] : before_->views->all()) {
            auto edited = edited_view(
                view, *after_, agent_class,
                {.edits = class_edits_[agent_class], .areas = areas_, .changed = changed_});
            if (!edited) return tl::unexpected(std::move(edited.error()));
            keep(*after_, agent_class, std::move(*edited));
        }
        return Index(std::move(after_));
    }

private:
    void redo_clusters() {
        std::vector<grid::TerrainEdit> all;
        for (const auto& edits : class_edits_) all.insert(all.end(), edits.begin(), edits.end());
        std::vector<std::uint32_t> redone = hpa::clusters_around(after_->partition, all);
        // Weak dominance looks into the clusters on both sides of a border.
        if (after_->options.abstraction == Abstraction::low_quality) {
            add_neighbours(after_->partition, redone);
        }
        changed_ = redo_records(*after_, redone, {}, kFromEntrances).value();  // is not cancelled
    }

    const Snapshot* before_;
    std::shared_ptr<Snapshot> after_;
    std::vector<grid::Rect> areas_;  // hold all anchors whose clearance has changed
    std::vector<std::vector<grid::TerrainEdit>> class_edits_;  // of class maps, per agent class
    std::vector<std::uint32_t> changed_;                       // clusters whose record has changed
};

}  // namespace

Result<Index> Index::build(const AnnotatedMap& map, const Options& options,
                           const BuildControl& control) noexcept try {
    if (Status s = check(options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    return build_index(map, options, control);
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_costs(std::span<const Capability> capabilities,
                                const BuildControl& control) const noexcept try {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto other = map().with_costs(capabilities);
    if (!other) return tl::unexpected(std::move(other.error()));
    const std::vector<Views::Kept> views = snapshot_->views->all();
    const auto after = std::make_shared<Snapshot>(*snapshot_);
    after->id = reweighted_id(snapshot_->id, capabilities);
    after->map = std::move(*other);
    after->views = std::make_shared<Views>(after->map.classes(), options().view_bytes);
    // All records take about as long as a view.
    const double record_share = 1 / static_cast<double>(views.size() + 1);
    const auto changed = redo_records(
        *after, clusters_with_other_costs(*snapshot_, *after), part_of(control, 0, record_share),
        [&](ClusterBuilder& builder, std::uint32_t cluster) {
            return builder.record_with_costs(cluster, snapshot_->clusters[cluster]);
        });
    if (!changed) return tl::unexpected(changed.error());
    Status status = take_views(views, *after, part_of(control, record_share, 1),
                               [&](const Views::Kept& kept, const BuildControl& part) {
                                   const Agent agent = map().agent(kept.agent_class);
                                   return view_with_costs(
                                       kept.view, map().options().capabilities[agent.capability],
                                       *after, kept.agent_class, part);
                               });
    if (!status.ok()) return tl::unexpected(std::move(status));
    if (control.progress) control.progress(1);
    return Index(after);
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::edited(std::span<const grid::TerrainEdit> edits) const noexcept try {
    auto map = snapshot_->map.edited(edits);
    if (!map) return tl::unexpected(std::move(map.error()));
    return IndexEdit(*snapshot_, std::move(*map), edits).run();
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::haa

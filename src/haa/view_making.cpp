#include "haa/view_making.hpp"

#include <xxhash.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/parallel_loop.hpp"
#include "haa/annotated_cluster.hpp"
#include "hpa/assembly.hpp"

namespace cairn::haa {
namespace {

// The snapshot id of a view. Never 0.
std::uint64_t view_id(const Snapshot& snapshot, std::uint32_t agent_class) {
    const std::uint64_t id = XXH3_64bits_withSeed(&agent_class, sizeof agent_class, snapshot.id);
    return id == 0 ? 1 : id;
}

// The first level of a view, from the annotated clusters of `snapshot`, which must outlive it.
hpa::FirstLevelSource projected(const Snapshot& snapshot, std::uint32_t agent_class) {
    return [&snapshot, agent_class](const hpa::Snapshot& view) -> hpa::FirstLevel {
        return [&snapshot, &view, project = Projection(agent_class),
                builder = hpa::ClusterBuilder(view.overlay.base, view.options)](
                   std::uint32_t cluster) mutable {
            hpa::FirstLevelCluster result;
            result.record = project(AnnotatedCluster(snapshot.clusters[cluster]));
            if (view.options.move_tables) {
                result.tables = builder.tables(cluster, ClusterView(result.record));
            }
            return result;
        };
    };
}

}  // namespace

hpa::Options view_options(const Options& options) noexcept {
    hpa::Options view;
    view.cluster_size = options.cluster_size;
    view.levels = options.levels;
    view.branching = options.branching;
    view.wide_entrance = options.wide_entrance;
    view.label_bytes = options.label_bytes;
    view.move_tables = false;
    view.labels = false;
    switch (options.transitions) {
        case Transitions::by_width:
            view.transitions = hpa::Transitions::by_width;
            break;
        case Transitions::every:
            view.transitions = hpa::Transitions::every;
            break;
        case Transitions::middle:
        case Transitions::best_clearance:
            view.transitions = hpa::Transitions::middle;
            break;
    }
    return view;
}

Result<hpa::Index> make_view(const Snapshot& snapshot, std::uint32_t agent_class) {
    auto map = snapshot.map.class_map(snapshot.map.agent(agent_class));
    if (!map) return tl::unexpected(std::move(map.error()));
    auto view = hpa::assemble(*map, view_options(snapshot.options), view_id(snapshot, agent_class),
                              projected(snapshot, agent_class), {});
    if (!view) return tl::unexpected(std::move(view.error()));
    return hpa::Index(std::move(*view));
}

namespace {

bool lacks_labels(const hpa::Index& view, const Options& options) noexcept {
    const StatusCode labels = view.labels_status().code;
    return options.labels &&
           (labels == StatusCode::unsupported || labels == StatusCode::stale_index);
}

}  // namespace

bool is_complete(const hpa::Index& view, const Options& options) noexcept {
    if (options.move_tables && !view.options().move_tables) return false;
    return !lacks_labels(view, options);
}

Result<hpa::Index> completed(const hpa::Index& view, const Options& options, OrderUse order,
                             const BuildControl& control) {
    auto snapshot = std::make_shared<hpa::Snapshot>(view.snapshot());
    const double tables = options.labels ? 0.2 : 1.0;  // the approximate share of move tables
    if (options.move_tables && !snapshot->options.move_tables) {
        if (Status s = hpa::add_tables(*snapshot, part_of(control, 0, tables)); !s.ok()) {
            return tl::unexpected(std::move(s));
        }
    }
    if (lacks_labels(view, options)) {
        snapshot->options.labels = true;
        if (Status s = hpa::add_labels(*snapshot, order, part_of(control, tables, 1)); !s.ok()) {
            return tl::unexpected(std::move(s));
        }
    }
    return hpa::Index(std::move(snapshot));
}

namespace {

/// Joins horizontal runs of changed anchors, given row by row, into rectangles of one weight: a run
/// extends a rectangle that ends in the row above if both have the same columns and weight.
class Rectangles {
public:
    explicit Rectangles(std::vector<grid::TerrainEdit>& edits) : edits_(&edits) {}

    void start_row() {
        above_ = std::exchange(row_, {});
        next_above_ = 0;
    }
    /// Adds a run to the row. Runs of a row come from left to right.
    void add(const grid::Rect& run, std::uint8_t weight) {
        const auto edit_above = [&]() -> grid::TerrainEdit& {
            return (*edits_)[above_[next_above_]];
        };
        while (next_above_ < above_.size() && edit_above().area.x < run.x) ++next_above_;
        if (next_above_ < above_.size()) {
            auto& [area, weight_above] = edit_above();
            if (area.x == run.x && area.width == run.width && weight_above == weight) {
                ++area.height;
                row_.push_back(above_[next_above_]);
                return;
            }
        }
        row_.push_back(edits_->size());
        edits_->push_back({run, weight});
    }

private:
    std::vector<grid::TerrainEdit>* edits_;
    // Indexes into edits_, from left to right:
    std::vector<std::size_t> above_;  // the rectangles that reach into the row above
    std::vector<std::size_t> row_;    // those that reach into this row
    std::size_t next_above_ = 0;      // the first of above_ not left of the last run
};

}  // namespace

std::vector<grid::TerrainEdit> class_edits(const AnnotatedMap& before, const AnnotatedMap& after,
                                           Agent agent, std::span<const grid::Rect> areas) {
    std::vector<grid::TerrainEdit> edits;
    for (const grid::Rect& area : areas) {
        Rectangles rectangles(edits);
        for (int y = area.y; y < area.y + area.height; ++y) {
            rectangles.start_row();
            grid::Rect run{0, y, 0, 1};
            std::uint8_t run_weight = 0;
            // One step beyond the area ends the last run.
            for (int x = area.x; x <= area.x + area.width; ++x) {
                std::uint8_t weight = 0;
                bool changed = false;
                if (x < area.x + area.width) {
                    const grid::Cell anchor = after.cell({x, y});
                    weight = after.weight(agent, anchor);
                    changed = weight != before.weight(agent, anchor);
                }
                if (run.width > 0 && (!changed || weight != run_weight)) {
                    rectangles.add(run, run_weight);
                    run.width = 0;
                }
                if (!changed) continue;
                if (run.width++ == 0) run.x = x;
                run_weight = weight;
            }
        }
    }
    return edits;
}

namespace {

/// The view `before` as one of the index `after`, with an equal class map.
hpa::Index same_view(const hpa::Snapshot& before, const Snapshot& after, std::uint32_t agent_class,
                     grid::Map map) {
    auto same = std::make_shared<hpa::Snapshot>(before);
    same->id = view_id(after, agent_class);
    same->overlay.base.map = std::move(map);
    return hpa::Index(std::move(same));
}

}  // namespace

Result<hpa::Index> edited_view(const hpa::Index& view, const Snapshot& after,
                               std::uint32_t agent_class, const ClassEdit& edit) {
    const hpa::Snapshot& before = view.snapshot();
    auto map = after.map.edited_class_map(view.map(), after.map.agent(agent_class), edit.edits,
                                          edit.areas);
    if (!map) return tl::unexpected(std::move(map.error()));

    const std::vector<std::uint32_t> around = hpa::clusters_around(after.partition, edit.edits);
    std::vector<std::uint32_t> touched;
    std::set_union(around.begin(), around.end(), edit.changed.begin(), edit.changed.end(),
                   std::back_inserter(touched));
    // Where no weight changes, a changed annotated record may concern other classes only.
    if (edit.edits.empty()) {
        Projection project(agent_class);
        std::erase_if(touched, [&](std::uint32_t cluster) {
            const RecordStore::Record old = before.overlay.levels[0][cluster];
            const auto now = project(AnnotatedCluster(after.clusters[cluster]));
            return std::equal(now.begin(), now.end(), old.begin(), old.end());
        });
    }
    if (edit.edits.empty() && touched.empty())
        return same_view(before, after, agent_class, std::move(*map));
    auto edited = hpa::reassemble(before, std::move(*map), view_id(after, agent_class), touched,
                                  projected(after, agent_class));
    if (!edited) return tl::unexpected(std::move(edited.error()));
    if (Status s = hpa::repair_closure(before, *edited); !s.ok())
        return tl::unexpected(std::move(s));
    return hpa::Index(std::move(edited->snapshot));
}

Result<hpa::Index> view_with_costs(const hpa::Index& view, const Capability& costs,
                                   const Snapshot& after, std::uint32_t agent_class,
                                   const BuildControl& control) {
    const hpa::Snapshot& before = view.snapshot();
    const Agent agent = after.map.agent(agent_class);
    if (costs == after.map.options().capabilities[agent.capability])
        return same_view(before, after, agent_class, view.map());
    auto map = after.map.class_map(agent);
    if (!map) return tl::unexpected(std::move(map.error()));
    auto changed = hpa::with_other_costs(before, *map, view_id(after, agent_class), true, control);
    if (!changed) return tl::unexpected(std::move(changed.error()));
    return hpa::Index(std::move(*changed));
}

std::size_t view_bytes(const hpa::Index& view, const Snapshot& snapshot,
                       std::uint32_t agent_class) noexcept {
    const bool shares = snapshot.map.shares_clearances(snapshot.map.agent(agent_class).capability);
    return view.memory() - (shares ? view.map().size() : 0);
}

}  // namespace cairn::haa

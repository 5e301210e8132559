#include "hpa/snapshot.hpp"

#include <xxhash.h>

#include <array>
#include <utility>
#include <vector>

#include "core/guarded.hpp"
#include "core/labels/planner_labels.hpp"

namespace cairn::hpa {

std::uint64_t fresh_snapshot_id(std::uint64_t fingerprint, const Options& options) {
    const std::array<std::int64_t, 7> shape{
        options.cluster_size,  options.levels,
        options.branching,     static_cast<int>(options.transitions),
        options.wide_entrance, static_cast<int>(options.diagonals),
        options.move_tables};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, fingerprint);
    return id == 0 ? 1 : id;
}

std::uint64_t reweighted_id(std::uint64_t id, const grid::TerrainWeights& weights) {
    const std::uint64_t after =
        XXH3_64bits_withSeed(weights.weight.data(), weights.weight.size(), id);
    return after == 0 ? 1 : after;
}

std::vector<NodePoint> points_of(const grid::Map& map, const LevelOneNodes& nodes) {
    std::vector<NodePoint> points;
    points.reserve(nodes.size());
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
        const grid::Cell cell = nodes.cell(number);
        const grid::Point p = cell == grid::kNoCell ? grid::Point{} : map.point(cell);
        points.push_back({p.x, p.y});
    }
    return points;
}

namespace {

std::uint64_t most_label_bytes(const Snapshot& snapshot) {
    return cairn::most_label_bytes(snapshot.options.label_bytes, snapshot.overlay.base.map.size());
}

/// Numbers the nodes of a snapshot from scratch. Returns the graph of level 1.
Result<Graph> freshly_numbered_graph(Snapshot& snapshot) {
    if (!snapshot.nodes.from_scratch()) snapshot.nodes = LevelOneNodes(snapshot.overlay);
    return LevelOneGraph{snapshot.overlay, snapshot.nodes}.whole();
}

Result<CutLabels> labels_in_fresh_order(Snapshot& snapshot, const BuildControl& control) {
    auto graph = freshly_numbered_graph(snapshot);
    if (!graph) return tl::unexpected(graph.error());
    return build_labels(std::move(*graph), points_of(snapshot.overlay.base.map, snapshot.nodes),
                        most_label_bytes(snapshot), control);
}

/// The closure of a snapshot, whose nodes had the numbers `before`, for the numbers `now`.
Closure renumbered_closure(const Snapshot& snapshot, const LevelOneNodes& before,
                           const LevelOneNodes& now) {
    const Overlay& overlay = snapshot.overlay;
    std::vector<std::uint32_t> numbers(before.size(), ClosureNode::kNone);
    for (std::uint32_t id = 0; id < overlay.base.partition.clusters(1); ++id) {
        const LevelOneNodes::OfCluster old_numbers = before.of(id);
        const LevelOneNodes::OfCluster new_numbers = now.of(id);
        for (std::uint32_t slot = 0; slot < overlay.cluster(1, id).count(); ++slot)
            numbers[old_numbers[slot]] = new_numbers[slot];
    }
    return value_of(snapshot.labels->labels.closure().renumbered(numbers, now.size()));
}

}  // namespace

void renumber(Snapshot& snapshot) {
    const LevelOneNodes before = std::exchange(snapshot.nodes, LevelOneNodes(snapshot.overlay));
    if (!snapshot.labels) return;
    snapshot.labels = std::make_shared<const LabelEngine>(LabelEngine{
        snapshot.nodes,
        CutLabels(renumbered_closure(snapshot, before, snapshot.nodes), snapshot.labels->labels)});
}

Status add_labels(Snapshot& snapshot, OrderUse order, const BuildControl& control) {
    const bool repairs = snapshot.labels && is_repaired(snapshot.labels->labels.closure(), order);
    auto labels =
        repairs ? repaired_labels(snapshot.labels->labels, most_label_bytes(snapshot), control)
                : labels_in_fresh_order(snapshot, control);
    auto engine = std::move(labels).map([&](CutLabels&& made) {
        return LabelEngine{snapshot.nodes, std::move(made)};
    });
    return keep_labels(snapshot, std::move(engine), most_label_bytes(snapshot));
}

Status add_labels_as(const Snapshot& before, bool same_nodes, Snapshot& snapshot,
                     const BuildControl& control) {
    snapshot.labels_status = before.labels_status;
    if (!before.has_closure()) return {};
    const auto graph = LevelOneGraph{snapshot.overlay, snapshot.nodes}.whole();
    if (!graph) return graph.error();
    const bool labels = before.has_labels();
    const double closure_share = labels ? 0.5 : 1.0;  // of the time
    const BuildControl closure_control = part_of(control, 0, closure_share);
    const auto in_order_of_before = [&] {
        const Closure order = before.nodes.from_scratch()
                                  ? before.labels->labels.closure()
                                  : renumbered_closure(before, before.nodes, snapshot.nodes);
        return order.with_costs(*graph, {}, closure_control);
    };
    auto closure = same_nodes ? in_order_of_before()
                              : closure_in_fresh_order(
                                    *graph, points_of(snapshot.overlay.base.map, snapshot.nodes),
                                    closure_control);
    if (closure && !labels) {
        snapshot.labels = std::make_shared<const LabelEngine>(
            LabelEngine{snapshot.nodes, CutLabels(std::move(*closure))});
        return {};
    }
    CutLabels::Options options;
    options.max_bytes = most_label_bytes(snapshot);
    auto engine =
        std::move(closure)
            .and_then([&](Closure&& made) {
                return CutLabels::build(made, options, part_of(control, closure_share, 1));
            })
            .map([&](CutLabels&& made) {
                return LabelEngine{snapshot.nodes, std::move(made)};
            });
    return keep_labels(snapshot, std::move(engine), options.max_bytes);
}

Status add_fresh_closure(Snapshot& snapshot, const BuildControl& control) {
    const auto graph = freshly_numbered_graph(snapshot);
    if (!graph) return graph.error();
    auto closure = closure_in_fresh_order(
        *graph, points_of(snapshot.overlay.base.map, snapshot.nodes), control);
    if (!closure) return std::move(closure.error());
    snapshot.labels = std::make_shared<const LabelEngine>(
        LabelEngine{snapshot.nodes, CutLabels(std::move(*closure))});
    snapshot.labels_status = stale_labels();
    return {};
}

}  // namespace cairn::hpa

template class cairn::LevelSearch<cairn::hpa::GridBase>;
template void cairn::LevelSearch<cairn::hpa::GridBase>::begin(
    const cairn::hpa::Overlay&, const cairn::LevelSearch<cairn::hpa::GridBase>::Task&,
    const cairn::NoObserver&);
template cairn::LevelSearch<cairn::hpa::GridBase>::State
cairn::LevelSearch<cairn::hpa::GridBase>::advance(std::uint64_t, const cairn::NoObserver&);

#include "subgoal/edit.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/guarded.hpp"
#include "core/labels/planner_labels.hpp"
#include "core/sort_unique.hpp"
#include "grid/map_checks.hpp"
#include "subgoal/affected.hpp"
#include "subgoal/octant_repair.hpp"
#include "subgoal/taut_graph.hpp"

namespace cairn::subgoal {
namespace {

using grid::Point;
using grid::TerrainEdit;
using NodeList = std::vector<std::uint32_t>;

// Whether a fresh build of the graph takes no longer than a repair, estimated. A build scans once
// from each subgoal, a repair at most twice from each cell of the ring around an edit (see
// affected_subgoals). Its scans from the subgoals found there are not counted.
bool build_is_faster(const SubgoalBits& bits, std::span<const TerrainEdit> edits) {
    std::uint64_t ring = 0;
    for (const TerrainEdit& edit : edits) {
        ring += 2 * (static_cast<std::uint64_t>(edit.area.width + edit.area.height) + 6);
    }
    return 2 * ring >= bits.count();
}

// The cell of a node that is present before or after an edit.
Point point_of(const Snapshot& before, const Snapshot& after, std::uint32_t node) {
    return after.nodes.removed(node) ? before.nodes.point(node) : after.nodes.point(node);
}

// The numbers of the affected subgoals, ascending.
NodeList nodes_at(const Snapshot& before, const Snapshot& after,
                  std::span<const std::uint32_t> keys) {
    NodeList out;
    for (const std::uint32_t key : keys) {
        const auto [x, y] = after.graph.point_of_key(key);
        const bool present = after.bits.is_subgoal(x, y);
        out.push_back((present ? after : before).nodes.number(x, y));
    }
    std::sort(out.begin(), out.end());
    return out;
}

// The nodes whose edges have changed, ascending. Other than direct edges may change between
// subgoals that do not see the edits.
NodeList relinked_nodes(const Snapshot& before, const Snapshot& after, const NodeList& affected) {
    NodeList out;
    const auto add_if_changed = [&](std::uint32_t node) {
        const Point p = point_of(before, after, node);
        const auto old_edges = before.graph.neighbours(p.x, p.y);
        const auto new_edges = after.graph.neighbours(p.x, p.y);
        if (!std::equal(old_edges.begin(), old_edges.end(), new_edges.begin(), new_edges.end()))
            out.push_back(node);
    };
    if (after.options.edges == Edges::direct) {
        for (const std::uint32_t node : affected) add_if_changed(node);
        return out;
    }
    for (std::uint32_t node = 0; node < after.nodes.size(); ++node) {
        if (!after.nodes.removed(node) ||
            (node < before.nodes.size() && !before.nodes.removed(node)))
            add_if_changed(node);
    }
    return out;
}

NodeList repair_octants(Snapshot& after, std::span<const TerrainEdit> edits,
                        const NodeList& affected, const NodeList& relinked) {
    if (!after.options.prune) return {};
    NodeList seeds;
    for (const std::uint32_t node : affected) {
        if (after.nodes.removed(node)) continue;
        const Point p = after.nodes.point(node);
        const bool changed = std::any_of(edits.begin(), edits.end(), [p](const TerrainEdit& edit) {
            return contains(changed_area(edit), p);
        });
        if (changed) seeds.push_back(node);
    }
    for (const std::uint32_t node : relinked) {
        if (!after.nodes.removed(node)) seeds.push_back(node);
    }
    return repair_octants(after.bits, after.graph, seeds, after.nodes);
}

// The nodes that may be connectors of other cells than before, ascending: those whose octants have
// changed, and those that see an edit in an octant opposite to a useful one.
NodeList reconnected_nodes(const Snapshot& before, const Snapshot& after,
                           std::span<const TerrainEdit> edits, const NodeList& affected,
                           const NodeList& reoriented) {
    NodeList out = reoriented;
    for (const std::uint32_t node : affected) {
        const Point p = point_of(before, after, node);
        Octants octants = after.nodes.useful(node);
        if (node < before.nodes.size()) octants |= before.nodes.useful(node);
        Octants seen = 0;
        for (const TerrainEdit& edit : edits) seen |= octants_with(changed_area(edit), p);
        if ((reversed(octants) & seen) != 0) out.push_back(node);
    }
    sort_unique(out);
    return out;
}

// Appends the numbers of new and removed nodes.
void append_exchanged(const Snapshot& before, const Snapshot& after,
                      std::span<const TerrainEdit> edits, NodeList& out) {
    for (const TerrainEdit& edit : edits) {
        const grid::Rect area = changed_area(edit);
        const int right = std::min(area.x + area.width, after.map.width());
        const int bottom = std::min(area.y + area.height, after.map.height());
        for (int y = std::max(area.y, 0); y < bottom; ++y) {
            for (int x = std::max(area.x, 0); x < right; ++x) {
                const bool is_there = after.bits.is_subgoal(x, y);
                if (before.bits.is_subgoal(x, y) != is_there)
                    out.push_back((is_there ? after : before).nodes.number(x, y));
            }
        }
    }
}

}  // namespace

Result<Edited> edit(const Snapshot& before, const grid::Map& map,
                    std::span<const TerrainEdit> edits) {
    auto snapshot = std::make_shared<Snapshot>();
    Snapshot& after = *snapshot;
    after.id = grid::edited_id(before.id, edits);
    after.options = before.options;
    after.map = map;
    after.bits = before.bits.edited(map, edits);
    after.diagonals = before.diagonals.edited(after.bits, edits);
    const std::vector<std::uint32_t> keys = affected_subgoals(before.bits, after.bits, edits);
    if (before.options.edges == Edges::direct && !build_is_faster(before.bits, edits)) {
        after.graph = before.graph.edited(after.bits, edits, keys);
    } else {
        auto graph = SubgoalGraph::build(after.bits, before.options.edges, {});
        if (!graph) return tl::unexpected(graph.error());
        after.graph = std::move(*graph);
    }
    after.nodes =
        before.nodes.edited(after.bits, edits, after.options.prune ? Octants{0} : kAllOctants);
    const std::array<std::uint64_t, 2> numbered_by{after.id, before.numbering};
    after.numbering = XXH3_64bits(numbered_by.data(), sizeof numbered_by);
    const NodeList affected = nodes_at(before, after, keys);
    const NodeList relinked = relinked_nodes(before, after, affected);
    const NodeList reoriented = repair_octants(after, edits, affected, relinked);
    after.connectors = before.connectors.edited(
        before, after, reconnected_nodes(before, after, edits, affected, reoriented));
    after.labels_status = before.options.labels ? stale_labels() : before.labels_status;
    NodeList changed = taut_changes(before, after, relinked, reoriented);
    append_exchanged(before, after, edits, changed);
    sort_unique(changed);
    return Edited{std::move(snapshot), std::move(changed)};
}

Result<Closure> freshly_numbered(const Snapshot& snapshot) {
    std::vector<std::uint32_t> now(snapshot.nodes.size(), ClosureNode::kNone);
    for (std::uint32_t node = 0; node < now.size(); ++node) {
        const grid::Point p = snapshot.nodes.point(node);
        if (!snapshot.nodes.removed(node)) now[node] = snapshot.bits.number(p.x, p.y);
    }
    const auto count = static_cast<std::uint32_t>(snapshot.bits.count());
    return snapshot.labels.closure().renumbered(now, count);
}

Status compact(Snapshot& snapshot, const BuildControl& control) {
    if (snapshot.nodes.fresh()) return {};
    if (snapshot.has_closure()) {
        snapshot.labels = CutLabels(value_of(freshly_numbered(snapshot)), snapshot.labels);
    }
    if (snapshot.connectors.empty()) {
        if (Status s = add_connectors(snapshot, control); !s.ok()) return s;
    } else {
        snapshot.connectors = snapshot.connectors.compacted(snapshot.nodes, snapshot.bits);
        snapshot.nodes = snapshot.nodes.compacted(snapshot.bits);
    }
    snapshot.numbering = 0;
    return {};
}

Status add_fresh_closure(Snapshot& snapshot, const BuildControl& control) {
    snapshot.engines.reset();
    snapshot.labels = {};
    BuildControl quick = control;  // numbering is too quick to tell of progress
    quick.progress = {};
    if (Status s = compact(snapshot, quick); !s.ok()) return s;
    const auto graph = taut_graph(snapshot);
    if (!graph) return graph.error();
    auto closure = closure_in_fresh_order(*graph, snapshot.nodes.node_points(), control);
    if (!closure) return std::move(closure.error());
    snapshot.labels = CutLabels(std::move(*closure));
    snapshot.labels_status = stale_labels();
    return {};
}

Status repair_closure(const Snapshot& before, Edited& edited) {
    if (!before.has_closure()) return {};
    const Snapshot& after = *edited.snapshot;
    GraphEdit edit;
    edit.num_nodes = after.nodes.size();
    edit.changed = edited.changed;
    edit.arcs = [&after](std::uint32_t node, std::vector<GraphEdit::Arc>& arcs) {
        for_each_taut_arc(after, node, [&](std::uint32_t to, Cost cost) {
            arcs.push_back({to, cost});
        });
        return !after.nodes.removed(node);
    };
    auto closure = repaired_closure(
        before.labels.closure(), edit, [&] { return taut_graph(after); },
        [&] { return after.nodes.node_points(); });
    if (closure) {
        edited.snapshot->labels = CutLabels(std::move(*closure), before.labels);
    } else if (closure.error().code != StatusCode::too_large) {
        return std::move(closure.error());
    }
    return {};
}

}  // namespace cairn::subgoal

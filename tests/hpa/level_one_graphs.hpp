#pragma once
// Checks of the graph of level 1 after edits: its numbers of nodes and its arcs.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hpa/assembly.hpp"
#include "support/planner.hpp"

namespace cairn::hpa::test {

/// The arcs of every number, in order.
using ArcLists = std::vector<std::vector<std::pair<std::uint32_t, Cost>>>;

[[nodiscard]] inline LevelOneGraph graph_of(const Snapshot& snapshot) {
    return {snapshot.overlay, snapshot.nodes};
}

[[nodiscard]] inline ArcLists arcs_of(const Snapshot& snapshot) {
    ArcLists lists(snapshot.nodes.size());
    for (std::uint32_t number = 0; number < lists.size(); ++number) {
        graph_of(snapshot).for_each_arc(number, [&](std::uint32_t to, Cost cost, Cost) {
            lists[number].emplace_back(to, cost);
        });
    }
    return lists;
}

/// The arcs of a whole graph.
[[nodiscard]] inline ArcLists arcs_of(const Graph& graph) {
    ArcLists lists(graph.num_nodes());
    for (std::uint32_t node = 0; node < graph.num_nodes(); ++node) {
        for (std::uint32_t i = 0; i < graph.degree(node); ++i)
            lists[node].emplace_back(graph.neighbours(node)[i], graph.weights(node)[i]);
    }
    return lists;
}

/// An index with labels over the numbers that its nodes have, which edits may have kept.
[[nodiscard]] inline Index with_labels_as_numbered(const Index& index) {
    auto snapshot = std::make_shared<Snapshot>(index.snapshot());
    const Graph graph = graph_of(*snapshot).whole().value();
    snapshot->labels = std::make_shared<const LabelEngine>(LabelEngine{
        snapshot->nodes, CutLabels::build(graph, {}, cairn::test::one_thread()).value()});
    snapshot->labels_status = {};
    return Index(std::move(snapshot));
}

/// What is wrong with the numbers and arcs of a snapshot; empty if nothing. `fresh` is the snapshot
/// of the same map and options, built from scratch.
[[nodiscard]] inline std::string graph_fault(const Snapshot& snapshot, const Snapshot& fresh) {
    const LevelOneNodes& nodes = snapshot.nodes;
    if (!(snapshot.overlay.levels[0] == fresh.overlay.levels[0])) return "other records";
    std::vector<std::uint32_t> number_of;  // by the number from scratch
    std::vector<bool> used(nodes.size());
    for (std::uint32_t cluster = 0; cluster < fresh.overlay.base.clusters(1); ++cluster) {
        const ClusterView view = fresh.overlay.cluster(1, cluster);
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            const std::uint32_t number = nodes.of(cluster)[slot];
            if (number >= nodes.size() || used[number]) return "a wrong number";
            if (nodes.cell(number) != view.base(slot)) return "a number has another cell";
            if (fresh.nodes.of(cluster)[slot] != number_of.size() ||
                fresh.nodes.cell(fresh.nodes.of(cluster)[slot]) != view.base(slot)) {
                return "numbers from scratch are not in order";
            }
            used[number] = true;
            number_of.push_back(number);
        }
    }
    if (nodes.count() != number_of.size()) return "another number of nodes";
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
        if (!used[number] && nodes.cell(number) != grid::kNoCell)
            return "a removed node has a cell";
    }
    const ArcLists expected = arcs_of(graph_of(fresh).whole().value());
    ArcLists renamed(nodes.size());
    for (std::size_t node = 0; node < expected.size(); ++node) {
        for (const auto& [to, cost] : expected[node])
            renamed[number_of[node]].emplace_back(number_of[to], cost);
    }
    if (arcs_of(snapshot) != renamed) return "other arcs";
    if (arcs_of(graph_of(snapshot).whole().value()) != renamed) return "another whole graph";
    return "";
}

/// What is wrong with the numbers and the changes of arcs after an edit; empty if nothing.
[[nodiscard]] inline std::string edit_fault(const Snapshot& before, const Reassembled& after) {
    const Snapshot& now = *after.snapshot;
    for (std::uint32_t number = 0; number < before.nodes.size(); ++number) {
        grid::Cell cell = before.nodes.cell(number);
        if (cell != grid::kNoCell) {
            const ClusterView view = now.overlay.cluster(1, now.overlay.cluster_of(1, cell));
            if (view.find(cell) == view.count()) cell = grid::kNoCell;
        }
        if (now.nodes.cell(number) != cell) return "a number was not kept";
    }
    for (std::uint32_t number = before.nodes.size(); number < now.nodes.size(); ++number) {
        const auto place = [&](std::uint32_t n) {
            const grid::Cell cell = now.nodes.cell(n);
            return std::pair(now.overlay.cluster_of(1, cell), cell);
        };
        if (now.nodes.cell(number) == grid::kNoCell) return "a new number without node";
        if (number > before.nodes.size() && place(number) <= place(number - 1))
            return "new numbers do not ascend";
    }
    ArcLists old_arcs = arcs_of(before);
    const ArcLists arcs = arcs_of(now);
    old_arcs.resize(arcs.size());
    std::vector<std::uint32_t> changed;
    for (std::uint32_t number = 0; number < arcs.size(); ++number) {
        const bool was = number < before.nodes.size() && before.nodes.cell(number) != grid::kNoCell;
        const bool is = now.nodes.cell(number) != grid::kNoCell;
        if (was != is || arcs[number] != old_arcs[number]) changed.push_back(number);
    }
    return changed == after.arcs.nodes ? "" : "other changes of arcs";
}

}  // namespace cairn::hpa::test

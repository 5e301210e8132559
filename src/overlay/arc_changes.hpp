#pragma once
// What an edit changed in the graph of level 1, over which labels are built.

#include <cstdint>
#include <tuple>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/cost.hpp"

namespace cairn {

struct ArcChanges {
    /// Unless built_anew: the nodes whose arcs have changed, ascending, new and removed nodes
    /// included.
    std::vector<std::uint32_t> nodes;
    /// Whether everything was built anew, so that no node kept its number.
    bool built_anew = false;
};

/// The changes as a closure takes them. Both arguments must outlive the result.
template <class LevelOneGraph>
[[nodiscard]] GraphEdit graph_edit(const LevelOneGraph& graph, const ArcChanges& changes) {
    GraphEdit edit;
    edit.num_nodes = graph.nodes.size();
    edit.changed = changes.nodes;
    edit.directed = graph.directed();
    edit.arcs = [&graph](std::uint32_t node, std::vector<GraphEdit::Arc>& arcs) {
        graph.for_each_arc(node, [&](std::uint32_t to, Cost cost, Cost back) {
            arcs.push_back({to, cost, back});
        });
        return !graph.nodes.is_removed(node);
    };
    return edit;
}

/// Keeps of `numbers`, which are nodes of either graph, those that are new or removed or whose arcs
/// differ.
template <class LevelOneGraph>
void keep_changed(const LevelOneGraph& before, const LevelOneGraph& after,
                  std::vector<std::uint32_t>& numbers) {
    using Arcs = std::vector<std::tuple<std::uint32_t, Cost, Cost>>;
    const auto set_arcs = [](const LevelOneGraph& graph, std::uint32_t number, Arcs& arcs) {
        arcs.clear();
        graph.for_each_arc(number, [&](std::uint32_t to, Cost cost, Cost back) {
            arcs.emplace_back(to, cost, back);
        });
    };
    Arcs old;
    Arcs now;
    std::erase_if(numbers, [&](std::uint32_t number) {
        if (number >= before.nodes.size() || after.nodes.is_removed(number)) return false;
        set_arcs(before, number, old);
        set_arcs(after, number, now);
        return old == now;
    });
}

}  // namespace cairn

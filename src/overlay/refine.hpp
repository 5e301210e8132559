#pragma once
// The refine step on an overlay: from an abstract path down to level 1, level by level (HPA*
// paper, sections 3.2.2 and 3.4).

#include <cstdint>
#include <vector>

#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "overlay/endpoint.hpp"
#include "overlay/level_search.hpp"

namespace cairn {

/// One step of an abstract path: an abstract edge, or a connection of the start S or the goal G.
struct Leg {
    std::uint32_t from = kNoNode;  ///< base node, or kNoNode for S
    std::uint32_t to = kNoNode;    ///< base node, or kNoNode for G
};

/// Replaces abstract edges by paths of the level below. Never backtracks: the path of every edge
/// exists in the edge's snapshot (HPA* paper, section 3.2.2). One per thread.
template <BaseGraph Base>
class LevelRefine {
public:
    /// Refines `leg`, of a path on `level` > 1: appends the nodes of its path on `level` - 1 to
    /// `nodes`, with leg.to (unless it is G). leg.from is left out if `nodes` ends with it. `start`
    /// and `goal` are connected up to `level`. Adds the search to `effort`.
    void to_level_below(const Overlay<Base>& overlay, int level, Leg leg,
                        const Endpoint<Base>& start, const Endpoint<Base>& goal,
                        std::vector<std::uint32_t>& nodes, SearchStatistics& effort);

    /// Replaces the nodes of a path on `level`, without S and G, by those of level 1. `to_goal`:
    /// whether the path leads on to G; if not, it ends at the last node.
    void to_first_level(const Overlay<Base>& overlay, int level, const Endpoint<Base>& start,
                        const Endpoint<Base>& goal, bool to_goal, std::vector<std::uint32_t>& nodes,
                        SearchStatistics& effort);

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(search_, from_costs_, to_costs_, lower_nodes_);
    }

private:
    using Task = typename LevelSearch<Base>::Task;

    /// Sets start, goal, goal_place and bound of a task that refines `leg`.
    void set_ends(const Overlay<Base>& overlay, Leg leg, const Endpoint<Base>& start,
                  const Endpoint<Base>& goal, Task& task);

    LevelSearch<Base> search_;
    std::vector<Cost> from_costs_;            // from leg.from, on the level below
    std::vector<Cost> to_costs_;              // to leg.to, on the level below
    std::vector<std::uint32_t> lower_nodes_;  // of the path on the level below
};

template <BaseGraph Base>
void LevelRefine<Base>::to_level_below(const Overlay<Base>& overlay, int level, Leg leg,
                                       const Endpoint<Base>& start, const Endpoint<Base>& goal,
                                       std::vector<std::uint32_t>& nodes,
                                       SearchStatistics& effort) {
    const auto cluster_of = [&](std::uint32_t node, const Endpoint<Base>& end) {
        return node == kNoNode ? end.terminal(level).cluster : overlay.cluster_of(level, node);
    };
    Task task;
    task.level = level - 1;
    task.confine = cluster_of(leg.from, start);
    if (task.confine == cluster_of(leg.to, goal)) {
        set_ends(overlay, leg, start, goal, task);
        search_.begin(overlay, task);
        if (search_.advance() == LevelSearch<Base>::State::found) search_.append_path(nodes);
        effort += search_.statistics();
    }
    if (leg.to != kNoNode && (nodes.empty() || nodes.back() != leg.to)) nodes.push_back(leg.to);
}

template <BaseGraph Base>
void LevelRefine<Base>::set_ends(const Overlay<Base>& overlay, Leg leg, const Endpoint<Base>& start,
                                 const Endpoint<Base>& goal, Task& task) {
    // A node as a terminal. cost(view, own slot, slot) is the cost between it and a node there.
    const auto terminal = [&](std::uint32_t node, std::vector<Cost>& costs, auto&& cost) {
        const std::uint32_t cluster = overlay.cluster_of(task.level, node);
        const ClusterView view = overlay.cluster(task.level, cluster);
        const std::uint32_t own = view.find(node);
        costs.resize(view.count());
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            costs[slot] = cost(view, own, slot);
        }
        return Terminal{cluster, costs};
    };
    task.start = start.terminal(task.level);
    if (leg.from != kNoNode) {
        const auto away = [](const ClusterView& view, std::uint32_t own, std::uint32_t slot) {
            return view.cost(own, slot);
        };
        task.start = terminal(leg.from, from_costs_, away);
    }
    task.goal = goal.terminal(task.level);
    task.goal_place = goal.place;
    if (leg.to != kNoNode) {
        const auto towards = [](const ClusterView& view, std::uint32_t own, std::uint32_t slot) {
            return view.cost(slot, own);
        };
        task.goal = terminal(leg.to, to_costs_, towards);
        task.goal_place = overlay.base.place(leg.to);
    }
    if (task.start.cluster == task.goal.cluster) {
        // One intra-edge of the level below may be the path: only cheaper paths are searched for.
        // At least one end of a leg is a node.
        const ClusterView view = overlay.cluster(task.level, task.start.cluster);
        task.bound = leg.to == kNoNode ? task.goal.costs[view.find(leg.from)]
                                       : task.start.costs[view.find(leg.to)];
    }
}

template <BaseGraph Base>
void LevelRefine<Base>::to_first_level(const Overlay<Base>& overlay, int level,
                                       const Endpoint<Base>& start, const Endpoint<Base>& goal,
                                       bool to_goal, std::vector<std::uint32_t>& nodes,
                                       SearchStatistics& effort) {
    for (; level > 1; --level) {
        lower_nodes_.clear();
        std::uint32_t from = kNoNode;
        for (const std::uint32_t node : nodes) {
            to_level_below(overlay, level, {from, node}, start, goal, lower_nodes_, effort);
            from = node;
        }
        if (to_goal)
            to_level_below(overlay, level, {from, kNoNode}, start, goal, lower_nodes_, effort);
        nodes.assign(lower_nodes_.begin(), lower_nodes_.end());
    }
}

}  // namespace cairn

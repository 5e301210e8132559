#include "core/nlevel/n_level_search.hpp"

#include <bit>

namespace cairn {

void NLevelSearch::prepare(const NLevelGraph& graph, Cost bound) {
    clear(graph.num_nodes(), bound);
    graph_ = &graph;
    descents_ = 0;
    max_to_goal_ = 0;
    if (descent_.size() < nodes_.size()) descent_.resize(nodes_.size());
    if (graph.num_levels() > waiting_.size()) {
        waiting_.resize(graph.num_levels(), kNone);
        used_.resize(graph.num_levels() / 64 + 1, 0);
    }
}

/// Listing 15.3 from the goal, with costs: finds the cost to the goal of all vertices from which a
/// descent leads to it. Takes the lowest levels first, so a vertex has its least cost when it is
/// taken. Vertices of the core are not queued: the main search expands them.
void NLevelSearch::climb_from_goal(std::span<const Connector> to) {
    for (const auto& [node, cost] : to) {
        if (node < graph_->num_nodes() && cost < best_) offer_descent(node, cost, kNone);
    }
    for (std::size_t word = 0; word < used_.size(); ++word) {
        while (used_[word] != 0) {
            const std::size_t level =
                word * 64 + static_cast<std::size_t>(std::countr_zero(used_[word]));
            const std::uint32_t v = waiting_[level];
            waiting_[level] = descent_[v].sibling;
            if (waiting_[level] == kNone) used_[word] &= used_[word] - 1;
            ++descents_;
            const Cost to_goal = nodes_[v].to_goal;
            max_to_goal_ = std::max(max_to_goal_, to_goal);
            for (const NLevelArc& arc : graph_->rising_arcs(v)) {
                if (to_goal + arc.weight >= best_) break;
                offer_descent(arc.head, to_goal + arc.weight, v);
            }
        }
    }
}

void NLevelSearch::offer_descent(std::uint32_t v, Cost to_goal, std::uint32_t next) {
    Node& node = touch(v);
    if (to_goal >= node.to_goal) return;
    const bool first = node.to_goal == kInfinity;
    node.to_goal = to_goal;
    descent_[v].next = next;
    if (!first || graph_->in_core(v)) return;
    const std::size_t level = graph_->level(v);
    descent_[v].sibling = waiting_[level];
    waiting_[level] = v;
    used_[level / 64] |= std::uint64_t{1} << (level % 64);
}

void NLevelSearch::path(std::vector<std::uint32_t>& nodes) const {
    nodes.clear();
    if (!found()) return;
    append_to_meeting(nodes, [](std::uint32_t v) { return v; });
    if (landing_ == kNone) return;
    if (landing_ != meeting_) nodes.push_back(landing_);
    for (std::uint32_t v = descent_[landing_].next; v != kNone; v = descent_[v].next) {
        nodes.push_back(v);
    }
}

}  // namespace cairn

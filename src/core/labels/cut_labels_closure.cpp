#include "cut_labels_closure.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace cairn {
namespace {

/// Sets first and depth of the closure. The upper neighbours of a node are those in the graph and,
/// without the node itself, those of its children in the tree. False if a limit is passed.
bool find_edges(const Graph& graph, const SeparatorTree& tree, const ClosureLimits& limits,
                Closure& closure) {
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    closure.first.assign(std::size_t{count} + 1, 0);
    std::vector<std::uint32_t>& depths = closure.depth;
    const std::uint32_t height =
        count == 0 ? 0 : *std::max_element(tree.depth.begin(), tree.depth.end());
    std::vector<std::uint64_t> row(height / 64 + 1);  // bit set: depths of upper neighbours
    std::uint64_t steps = 0;
    for (std::uint32_t p = count; p-- > 0;) {
        const std::uint32_t depth = tree.depth[p];
        const auto add = [&](std::uint32_t d) { row[d / 64] |= std::uint64_t{1} << (d % 64); };
        for (const std::uint32_t to : graph.neighbours(tree.node[p])) {
            if (tree.position[to] < p) add(tree.depth[tree.position[to]]);
        }
        for (std::uint32_t child = p + 1; child < tree.end[p]; child = tree.end[child]) {
            // The last edge of the child's row leads to its parent, p.
            for (auto e = closure.first[child + 1]; e + 1 < closure.first[child]; ++e) {
                add(depths[e]);
            }
        }
        for (std::uint32_t word = 0; word * 64 < depth; ++word) {
            for (std::uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
                depths.push_back(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
            }
            row[word] = 0;
        }
        closure.first[p] = depths.size();
        const std::uint64_t degree = depths.size() - closure.first[p + 1];
        steps += degree * degree / 2;
        if (steps > limits.steps || depths.size() > limits.edges) return false;
    }
    return true;
}

/// The path from a root of the tree down to a current position.
class RootPath {
public:
    /// Makes `p` the current position. Called for all positions in ascending order.
    void move_to(const SeparatorTree& tree, std::uint32_t p) {
        positions_.resize(tree.depth[p]);
        positions_.push_back(p);
    }
    [[nodiscard]] std::uint32_t operator[](std::uint32_t depth) const { return positions_[depth]; }

private:
    std::vector<std::uint32_t> positions_;
};

/// The closure's edges, grouped by their upper node.
struct LowerEnds {
    struct Item {
        std::uint64_t edge;   ///< index in the closure
        std::uint32_t lower;  ///< position of its lower node
    };
    std::vector<std::uint64_t> first;  ///< by position of the upper node, and one more
    std::vector<Item> items;

    [[nodiscard]] std::span<const Item> of(std::uint32_t p) const {
        return std::span(items).subspan(first[p], first[p + 1] - first[p]);
    }
};

/// In a group, the edges to lower nodes of greater position come first.
LowerEnds lower_ends(const SeparatorTree& tree, const Closure& closure) {
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    LowerEnds ends;
    ends.first.assign(std::size_t{count} + 1, 0);
    ends.items.resize(closure.depth.size());
    RootPath path;
    for (std::uint32_t p = 0; p < count; ++p) {
        path.move_to(tree, p);
        for (auto e = closure.first[p + 1]; e < closure.first[p]; ++e) {
            ++ends.first[path[closure.depth[e]]];
        }
    }
    for (std::uint32_t p = 0; p < count; ++p) ends.first[p + 1] += ends.first[p];
    for (std::uint32_t p = 0; p < count; ++p) {
        path.move_to(tree, p);
        for (auto e = closure.first[p + 1]; e < closure.first[p]; ++e) {
            ends.items[--ends.first[path[closure.depth[e]]]] = {e, p};
        }
    }
    return ends;
}

/// Sets cost and hops of the closure edges: from the first graph edge of least weight between the
/// two nodes, or to kInfinity if the graph has none.
void take_weights(const Graph& graph, const SeparatorTree& tree, const LowerEnds& ends,
                  Closure& closure) {
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    constexpr std::uint32_t kNoHop = std::numeric_limits<std::uint32_t>::max();
    closure.cost.assign(closure.depth.size(), kInfinity);
    closure.hops.assign(closure.depth.size(), EdgeHops{kNoHop, kNoHop});
    std::vector<std::uint64_t> edge_to(count);  // here by depth of the upper node
    for (std::uint32_t p = 0; p < count; ++p) {
        for (auto e = closure.first[p + 1]; e < closure.first[p]; ++e) {
            edge_to[closure.depth[e]] = e;
        }
        const auto neighbours = graph.neighbours(tree.node[p]);
        const auto weights = graph.weights(tree.node[p]);
        for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
            const std::uint32_t to = tree.position[neighbours[i]];
            if (to >= p) continue;
            const std::uint64_t edge = edge_to[tree.depth[to]];
            if (weights[i] >= closure.cost[edge]) continue;
            closure.cost[edge] = weights[i];
            closure.hops[edge].up = i;
        }
    }
    for (std::uint32_t p = 0; p < count; ++p) {  // here edge_to is by position of the lower node
        for (const auto& [edge, lower] : ends.of(p)) edge_to[lower] = edge;
        const auto neighbours = graph.neighbours(tree.node[p]);
        const auto weights = graph.weights(tree.node[p]);
        for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
            const std::uint32_t to = tree.position[neighbours[i]];
            if (to <= p || weights[i] != closure.cost[edge_to[to]]) continue;
            std::uint32_t& down = closure.hops[edge_to[to]].down;
            down = std::min(down, i);
        }
    }
}

/// Shortens closure edges by paths of two edges through a lower node.
class Shortener {
public:
    Shortener(const SeparatorTree& tree, const LowerEnds& ends, Closure& closure)
        : tree_(tree), ends_(ends), closure_(closure) {}

    /// Shortens the edges in the row of `p`. The rows of all nodes below `p` must be done.
    void shorten(std::uint32_t p) {
        if (ends_.of(p).empty()) return;
        const std::size_t height = tree_.depth[p];
        cost_.resize(std::max(cost_.size(), height));
        hops_.resize(cost_.size());
        // An upper node is an ancestor of p, so its depth identifies it.
        for (auto e = closure_.first[p + 1]; e < closure_.first[p]; ++e) {
            cost_[closure_.depth[e]] = closure_.cost[e];
            hops_[closure_.depth[e]] = closure_.hops[e];
        }
        for (const auto& [edge, lower] : ends_.of(p)) {
            const Cost to_lower = closure_.cost[edge];
            if (to_lower >= kInfinity) continue;
            const std::uint32_t hop = closure_.hops[edge].down;
            for (auto e = closure_.first[lower + 1]; e < edge; ++e) {
                const Cost through = to_lower + closure_.cost[e];
                const std::uint32_t depth = closure_.depth[e];
                if (through >= cost_[depth]) continue;
                cost_[depth] = through;
                hops_[depth] = {hop, closure_.hops[e].down};
            }
        }
        for (auto e = closure_.first[p + 1]; e < closure_.first[p]; ++e) {
            closure_.cost[e] = cost_[closure_.depth[e]];
            closure_.hops[e] = hops_[closure_.depth[e]];
        }
    }

private:
    const SeparatorTree& tree_;
    const LowerEnds& ends_;
    Closure& closure_;
    std::vector<Cost> cost_;      ///< of the edges of p, by depth of their upper node
    std::vector<EdgeHops> hops_;  ///< likewise
};

}  // namespace

std::optional<Closure> find_closure(const Graph& graph, const SeparatorTree& tree,
                                    const ClosureLimits& limits, const BuildControl& control) {
    Closure closure;
    if (!find_edges(graph, tree, limits, closure)) return std::nullopt;
    const LowerEnds ends = lower_ends(tree, closure);
    take_weights(graph, tree, ends, closure);
    const Shares shares(tree);
    shares.run(control, [&](std::uint32_t root) {
        Shortener shortener(tree, ends, closure);
        for (std::uint32_t p = tree.end[root]; p-- > root && !control.cancelled();) {
            shortener.shorten(p);
        }
    });
    Shortener top(tree, ends, closure);
    for (std::size_t i = shares.above.size(); i-- > 0 && !control.cancelled();) {
        top.shorten(shares.above[i]);
    }
    if (control.cancelled()) return std::nullopt;
    return closure;
}

}  // namespace cairn

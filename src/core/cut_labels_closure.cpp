#include "cut_labels_closure.hpp"

#include <algorithm>

#include "separator_shares.hpp"

namespace cairn {
namespace {

constexpr std::uint32_t kNone = SeparatorTree::kNoParent;

/// The closure's edges: a node's neighbours above it are its own in the graph and those of its
/// children in the tree. False if they pass a limit.
template <class Key>
bool find_edges(const Graph& graph, const SeparatorTree& tree, const ClosureLimits& limits,
                Closure<Key>& closure) {
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    closure.first.assign(std::size_t{count} + 1, 0);
    std::vector<std::uint32_t>& head = closure.head;
    std::vector<std::uint32_t> seen(count, kNone);
    std::uint64_t steps = 0;
    for (std::uint32_t p = count; p-- > 0;) {
        const auto row = static_cast<std::ptrdiff_t>(head.size());
        const auto add = [&](std::uint32_t to) {
            if (to >= p || seen[to] == p) return;
            seen[to] = p;
            head.push_back(to);
        };
        for (const std::uint32_t to : graph.neighbours(tree.node[p])) add(tree.position[to]);
        for (std::uint32_t child = p + 1; child < tree.end[p]; child = tree.end[child]) {
            for (auto e = closure.first[child + 1]; e < closure.first[child]; ++e) add(head[e]);
        }
        std::sort(head.begin() + row, head.end());
        closure.first[p] = head.size();
        const std::uint64_t degree = head.size() - closure.first[p + 1];
        steps += degree * degree / 2;
        if (steps > limits.steps || head.size() > limits.edges) return false;
    }
    return true;
}

/// The closure's edges by upper end.
struct LowerEnds {
    struct Item {
        std::uint64_t edge;
        std::uint32_t lower;
    };
    std::vector<std::uint64_t> first;
    std::vector<Item> items;

    [[nodiscard]] std::span<const Item> of(std::uint32_t p) const {
        return std::span(items).subspan(first[p], first[p + 1] - first[p]);
    }
};

template <class Key>
LowerEnds lower_ends(const Closure<Key>& closure) {
    const auto count = static_cast<std::uint32_t>(closure.first.size() - 1);
    LowerEnds ends;
    ends.first.assign(std::size_t{count} + 1, 0);
    for (const std::uint32_t up : closure.head) ++ends.first[up + 1];
    for (std::uint32_t p = 0; p < count; ++p) ends.first[p + 1] += ends.first[p];
    ends.items.resize(closure.head.size());
    std::vector<std::uint64_t> next(ends.first.begin(), ends.first.end() - 1);
    for (std::uint32_t p = count; p-- > 0;) {
        for (auto e = closure.first[p + 1]; e < closure.first[p]; ++e) {
            ends.items[next[closure.head[e]]++] = {e, p};
        }
    }
    return ends;
}

/// Gives the edges that are in the graph their weights, and their first edge of that weight as
/// hops.
template <class Key>
void take_weights(const Graph& graph, const SeparatorTree& tree, const LowerEnds& ends,
                  Closure<Key>& closure) {
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    closure.key.assign(closure.head.size(), Key::kNever);
    closure.hops.assign(closure.head.size(), EdgeHops{kNone, kNone});
    std::vector<std::uint64_t> edge_to(count);
    for (std::uint32_t p = 0; p < count; ++p) {
        for (auto e = closure.first[p + 1]; e < closure.first[p]; ++e) edge_to[closure.head[e]] = e;
        const auto neighbours = graph.neighbours(tree.node[p]);
        const auto weights = graph.weights(tree.node[p]);
        for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
            const std::uint32_t to = tree.position[neighbours[i]];
            if (to >= p || Key::of(weights[i]) >= closure.key[edge_to[to]]) continue;
            closure.key[edge_to[to]] = Key::of(weights[i]);
            closure.hops[edge_to[to]].up = i;
        }
    }
    for (std::uint32_t p = 0; p < count; ++p) {
        for (const auto& [edge, lower] : ends.of(p)) edge_to[lower] = edge;
        const auto neighbours = graph.neighbours(tree.node[p]);
        const auto weights = graph.weights(tree.node[p]);
        for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
            const std::uint32_t to = tree.position[neighbours[i]];
            if (to <= p || Key::of(weights[i]) != closure.key[edge_to[to]]) continue;
            std::uint32_t& down = closure.hops[edge_to[to]].down;
            down = std::min(down, i);
        }
    }
}

/// Shortens edges by ways through lower nodes.
template <class Key>
class Shortener {
public:
    Shortener(const SeparatorTree& tree, const LowerEnds& ends, Closure<Key>& closure)
        : tree_(tree), ends_(ends), closure_(closure) {}

    /// Does the edges from `p` up. Those from all nodes below it must be done.
    void shorten(std::uint32_t p) {
        edge_to_.resize(std::max(edge_to_.size(), std::size_t{tree_.depth[p]}));
        for (auto e = closure_.first[p + 1]; e < closure_.first[p]; ++e) edge_to(e) = e;
        for (const auto& [edge, lower] : ends_.of(p)) {
            const auto to_lower = closure_.key[edge];
            if (to_lower >= Key::kNever) continue;
            const std::uint32_t hop = closure_.hops[edge].down;
            for (auto e = closure_.first[lower + 1]; e < edge; ++e) {
                const auto through = to_lower + closure_.key[e];
                const std::uint64_t direct = edge_to(e);
                if (through >= closure_.key[direct]) continue;
                closure_.key[direct] = through;
                closure_.hops[direct] = {hop, closure_.hops[e].down};
            }
        }
    }

private:
    /// The edge of the present node to the same upper end as edge `e`'s. Upper ends are ancestors,
    /// told apart by their depths.
    std::uint64_t& edge_to(std::uint64_t e) { return edge_to_[tree_.depth[closure_.head[e]]]; }

    const SeparatorTree& tree_;
    const LowerEnds& ends_;
    Closure<Key>& closure_;
    std::vector<std::uint64_t> edge_to_;
};

}  // namespace

template <class Key>
std::optional<Closure<Key>> close(const Graph& graph, const SeparatorTree& tree,
                                  const ClosureLimits& limits, const BuildControl& control) {
    Closure<Key> closure;
    if (!find_edges(graph, tree, limits, closure)) return std::nullopt;
    const LowerEnds ends = lower_ends(closure);
    take_weights(graph, tree, ends, closure);
    const Shares shares(tree);
    shares.run(control, [&](std::uint32_t root) {
        Shortener<Key> shortener(tree, ends, closure);
        for (std::uint32_t p = tree.end[root]; p-- > root && !control.cancelled();) {
            shortener.shorten(p);
        }
    });
    Shortener<Key> top(tree, ends, closure);
    for (std::size_t i = shares.above.size(); i-- > 0 && !control.cancelled();) {
        top.shorten(shares.above[i]);
    }
    if (control.cancelled()) return std::nullopt;
    return closure;
}

template std::optional<Closure<PlainKey>> close<PlainKey>(const Graph&, const SeparatorTree&,
                                                          const ClosureLimits&,
                                                          const BuildControl&);
template std::optional<Closure<EdgeCountKey>> close<EdgeCountKey>(const Graph&,
                                                                  const SeparatorTree&,
                                                                  const ClosureLimits&,
                                                                  const BuildControl&);

}  // namespace cairn

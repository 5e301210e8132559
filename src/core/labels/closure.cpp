#include "closure.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace cairn {
namespace {

constexpr std::uint32_t kMaxDepth = 0xffff;
constexpr std::size_t kMaxEdges = 0xffff'0000;  // their numbers have 32 bits
constexpr std::uint32_t kNoHop = std::numeric_limits<std::uint32_t>::max();

/// Sets the nodes and depths of the closure. The upper neighbours of a node are those in the graph
/// and, without the node itself, those of its children in the tree. False if a limit is passed.
bool find_edges(const Graph& graph, const SeparatorTree& tree, std::uint64_t max_steps,
                Closure& closure) {
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    closure.nodes.resize(count);
    std::vector<std::uint16_t>& depths = closure.depths;
    const std::uint32_t height =
        count == 0 ? 0 : *std::max_element(tree.depth.begin(), tree.depth.end());
    if (height > kMaxDepth) return false;
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
            const CutLabelClosure& below = closure.nodes[child];
            for (std::uint32_t e = 0; e + 1 < below.length; ++e) add(depths[below.first + e]);
        }
        CutLabelClosure& node = closure.nodes[p];
        node.first = static_cast<std::uint32_t>(depths.size());
        for (std::uint32_t word = 0; word * 64 < depth; ++word) {
            for (std::uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
                depths.push_back(static_cast<std::uint16_t>(word * 64 + std::countr_zero(bits)));
            }
            row[word] = 0;
        }
        const std::uint64_t degree = depths.size() - node.first;
        node.parent = tree.parent[p];
        node.node = tree.node[p];
        node.depth = static_cast<std::uint16_t>(depth);
        node.length = static_cast<std::uint16_t>(degree);
        steps += degree * degree / 2;
        if (steps > max_steps || depths.size() > kMaxEdges) return false;
    }
    depths.resize(depths.size() + CutLabelArrays::kClosurePadding);
    return true;
}

/// A closure while it is computed. Middles are those of CutLabelArrays, unpacked to a word each.
struct Filling {
    const Graph& graph;
    const SeparatorTree& tree;
    Closure& closure;
    std::vector<std::uint32_t> middles;  ///< by edge

    [[nodiscard]] ClosureRow row(const CutLabelClosure& node) const noexcept {
        return {closure.costs.data() + node.first, closure.depths.data() + node.first, node.length};
    }
};

/// Sets costs and hops of the closure edges: from the first graph edge of least weight between the
/// two nodes, or to kInfinity if the graph has none.
void take_weights(Filling& filling) {
    const Graph& graph = filling.graph;
    const SeparatorTree& tree = filling.tree;
    Closure& closure = filling.closure;
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    const std::size_t edges = closure.depths.size() - CutLabelArrays::kClosurePadding;
    closure.costs.assign(edges, kInfinity);
    closure.hops.assign(edges, EdgeHops{kNoHop, kNoHop});
    filling.middles.assign(edges, ClosureMiddle::kGraphEdge);
    // Calls use(edge, i) for the i-th edge of p's node if it leads up, or down.
    const auto for_each_edge = [&](std::uint32_t p, bool up, auto&& use) {
        const auto neighbours = graph.neighbours(tree.node[p]);
        for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
            const std::uint32_t to = tree.position[neighbours[i]];
            if (to == p || (to < p) != up) continue;
            const CutLabelClosure& lower = closure.nodes[up ? p : to];
            const std::uint32_t edge = filling.row(lower).find(tree.depth[up ? to : p]);
            use(std::size_t{lower.first} + edge, i, graph.weights(tree.node[p])[i]);
        }
    };
    for (std::uint32_t p = 0; p < count; ++p) {
        for_each_edge(p, true, [&](std::size_t edge, std::uint32_t i, Cost weight) {
            if (weight >= closure.costs[edge]) return;
            closure.costs[edge] = weight;
            closure.hops[edge].up = i;
        });
    }
    for (std::uint32_t p = 0; p < count; ++p) {
        for_each_edge(p, false, [&](std::size_t edge, std::uint32_t i, Cost weight) {
            std::uint32_t& down = closure.hops[edge].down;
            if (weight == closure.costs[edge]) down = std::min(down, i);
        });
    }
}

/// Shortens the edges of rows by paths over lower nodes.
class RowFiller {
public:
    explicit RowFiller(Filling& filling)
        : tree_(filling.tree),
          filling_(filling),
          closure_(filling.closure),
          middles_(filling.middles) {}

    /// Fills in the row of `p`. The rows of all nodes below `p` must be done.
    void fill(std::uint32_t p) {
        const std::uint32_t depth = tree_.depth[p];
        if (best_.size() < depth) best_.resize(depth);
        // An upper node is an ancestor of p, so its depth identifies it.
        const CutLabelClosure& node = closure_.nodes[p];
        for (std::size_t e = node.first; e < std::size_t{node.first} + node.length; ++e) {
            best_[closure_.depths[e]] = {closure_.costs[e], middles_[e], closure_.hops[e]};
        }
        for (std::uint32_t lower = p + 1; lower < tree_.end[p];) {
            const CutLabelClosure& below = closure_.nodes[lower];
            const std::uint32_t to_p = filling_.row(below).find(depth);
            if (to_p == below.length) {  // then no node below it has an edge to p either
                lower = tree_.end[lower];
                continue;
            }
            take_paths_over(lower - p, below.first, std::size_t{below.first} + to_p);
            ++lower;
        }
        for (std::size_t e = node.first; e < std::size_t{node.first} + node.length; ++e) {
            const Edge& best = best_[closure_.depths[e]];
            closure_.costs[e] = best.cost;
            closure_.hops[e] = best.hops;
            middles_[e] = best.middle;
        }
    }

private:
    struct Edge {
        Cost cost;
        std::uint32_t middle;
        EdgeHops hops;
    };

    /// Tries the paths from p down to a node and up by its edges from `first` to before `to_p`,
    /// which is its edge to p. Of equals the graph's edge wins, then the node of the greatest
    /// place.
    void take_paths_over(std::uint32_t below, std::size_t first, std::size_t to_p) {
        const Cost to_lower = closure_.costs[to_p];
        if (to_lower >= kInfinity) return;
        const bool first_is_edge = middles_[to_p] == ClosureMiddle::kGraphEdge;
        const std::uint32_t hop = closure_.hops[to_p].down;
        for (std::size_t e = first; e < to_p; ++e) {
            const Cost through = to_lower + closure_.costs[e];
            Edge& best = best_[closure_.depths[e]];
            if (through >= best.cost &&
                (through > best.cost || best.middle == ClosureMiddle::kGraphEdge)) {
                continue;
            }
            best.cost = through;
            best.middle =
                ClosureMiddle::pack(below, first_is_edge, middles_[e] == ClosureMiddle::kGraphEdge);
            best.hops = {hop, closure_.hops[e].down};
        }
    }

    const SeparatorTree& tree_;
    const Filling& filling_;
    Closure& closure_;
    std::vector<std::uint32_t>& middles_;
    std::vector<Edge> best_;  ///< by depth of the upper node
};

/// Stores the middles of each row in as few bytes as its greatest needs.
void pack_middles(Filling& filling) {
    Closure& closure = filling.closure;
    std::vector<std::uint8_t>& out = closure.middles;
    for (CutLabelClosure& node : closure.nodes) {
        const auto row = std::span(filling.middles).subspan(node.first, node.length);
        std::uint32_t all = 0;
        for (const std::uint32_t middle : row) all |= middle;
        const std::uint32_t width = all <= 0xff ? 0 : all <= 0xffff ? 1 : 2;
        node.middles = static_cast<std::uint32_t>(out.size() / 4) << 2 | width;
        const std::size_t begin = out.size();
        out.resize(begin + (((row.size() << width) + 3) & ~std::size_t{3}));
        for (std::size_t e = 0; e < row.size(); ++e) {
            for (std::size_t byte = 0; byte < std::size_t{1} << width; ++byte) {
                out[begin + (e << width) + byte] = static_cast<std::uint8_t>(row[e] >> (8 * byte));
            }
        }
    }
    out.resize(out.size() + CutLabelArrays::kClosurePadding);
}

}  // namespace

std::optional<Closure> find_closure(const Graph& graph, const SeparatorTree& tree,
                                    std::uint64_t max_steps, const BuildControl& control) {
    Closure closure;
    if (!find_edges(graph, tree, max_steps, closure)) return std::nullopt;
    Filling filling{graph, tree, closure, {}};
    take_weights(filling);
    const Shares shares(tree);
    shares.run(control, [&](std::uint32_t root) {
        RowFiller filler(filling);
        for (std::uint32_t p = tree.end[root]; p-- > root;) {
            if (control.cancelled()) return;
            filler.fill(p);
        }
    });
    RowFiller filler(filling);
    for (std::size_t i = shares.above.size(); i-- > 0;) {
        if (control.cancelled()) return std::nullopt;
        filler.fill(shares.above[i]);
    }
    if (control.cancelled()) return std::nullopt;
    pack_middles(filling);
    return closure;
}

}  // namespace cairn

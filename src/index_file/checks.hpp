#pragma once
// Checks that several planners' bodies share: a parallel loop over clusters, and cut labels against
// the graph that they belong to.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "cairn/cut_labels.hpp"
#include "core/labels/closure_tree.hpp"
#include "core/labels/closure_view.hpp"
#include "core/labels/cut_labels_tree.hpp"
#include "core/labels/hop_path.hpp"
#include "core/labels/label_tree.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::index_file {

struct Fault {
    static constexpr std::uint32_t kWhole = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t id;  ///< of the cluster or node; kWhole if the fault concerns all of them
    std::string_view text;
};

/// The fault of the lowest of the clusters 0 to `count` - 1 that has one. Checks the clusters in
/// parallel; the result does not depend on the threads. fault_of(checker, cluster) returns what is
/// wrong with a cluster (empty if nothing is), the same at each call. new_checker() makes the
/// checker of one thread.
template <class NewChecker, class FaultOf>
[[nodiscard]] std::optional<Fault> first_fault(std::uint32_t count, NewChecker&& new_checker,
                                               FaultOf&& fault_of) {
    constexpr std::size_t kGrain = 32;
    std::atomic<std::uint32_t> first{count};
    const BuildControl control;
    PerWorker<decltype(new_checker())> checkers;
    checkers.begin(control);
    const auto check = [&](std::size_t worker, std::size_t begin, std::size_t end) {
        auto& checker = checkers.of(worker, new_checker);
        for (auto id = static_cast<std::uint32_t>(begin); id < end && id < first; ++id) {
            if (fault_of(checker, id).empty()) continue;
            std::uint32_t known = first;
            while (id < known && !first.compare_exchange_weak(known, id)) {
            }
        }
    };
    for_each_range(count, kGrain, control, check);
    if (first == count) return std::nullopt;
    return Fault{first, fault_of(checkers.of(0, new_checker), first)};
}

/// The fault of a closure that Closure::from_arrays has accepted. A closure without fault gives
/// paths of the graph only: its edges without a middle lead from a node to another for which
/// adjacent(node, other) is true, and the halves of the others exist. Infinite edges are not
/// checked: no path uses them. O(edges).
template <class Adjacent>
[[nodiscard]] std::optional<Fault> closure_fault(const Closure& closure, Adjacent&& adjacent) {
    if (closure.num_places() == 0) return std::nullopt;
    const ClosureView view(*closure.storage());
    const SeparatorTree tree = place_tree(view);
    const auto has_half = [&](std::uint32_t middle, std::uint32_t depth, bool is_edge, Way way) {
        const ClosureRow row = view.row(middle, way);
        const std::uint32_t e = row.find(depth);
        return e < row.length && row.cost[e] < kInfinity &&
               (view.middle(middle, e, way) == ClosureMiddle::kGraphEdge) == is_edge;
    };
    std::vector<std::uint32_t> path;  // places from the root down
    for (std::uint32_t p = 0; p < tree.node.size(); ++p) {
        const std::uint32_t place = tree.node[p];
        const ClosureNode& node = view.node(place);
        path.resize(node.depth);
        path.push_back(place);
        const auto edge_fault = [&](std::uint32_t e, Way way) -> const char* {
            const ClosureRow row = view.row(place, way);
            if (row.cost[e] >= kInfinity) return nullptr;
            const std::uint32_t packed = view.middle(place, e, way);
            const ClosureNode& upper = view.node(path[row.depth[e]]);
            if (node.node == ClosureNode::kNone || upper.node == ClosureNode::kNone)
                return "an edge leads to a node that was removed";
            if (packed == ClosureMiddle::kGraphEdge) {
                const bool exists = way == Way::up ? adjacent(node.node, upper.node)
                                                   : adjacent(upper.node, node.node);
                return exists ? nullptr : "an edge joins nodes that are not neighbours";
            }
            const std::uint32_t middle = ClosureMiddle::place(packed, place);
            const bool right =
                middle < view.num_places() && tree.position[middle] > p &&
                tree.position[middle] < tree.end[p] &&
                has_half(middle, node.depth, (packed & ClosureMiddle::kLowerIsEdge) != 0,
                         reverse(way)) &&
                has_half(middle, row.depth[e], (packed & ClosureMiddle::kUpperIsEdge) != 0, way);
            return right ? nullptr : "an edge has no such middle";
        };
        for (const Way way : ways(closure.directed())) {
            for (std::uint32_t e = 0; e < node.length; ++e) {
                if (const char* text = edge_fault(e, way); text != nullptr)
                    return Fault{node.node, text};
            }
        }
    }
    return std::nullopt;
}

/// Whether the hops of labels of a directed graph only follow arcs: each hop of a finite entry
/// leads to a node with a finite entry, and joined(p, q) holds for the positions p and q where the
/// path makes this step. No entry may be above kInfinity. O(hops).
template <class Joined>
[[nodiscard]] bool hops_follow_arcs(const CutLabelArrays& arrays, const LabelTree& tree,
                                    const Joined& joined) {
    const auto right = [&](std::uint32_t p, std::uint32_t target, std::uint32_t k, Way way) {
        const CutLabelWay& labels = labels_of(arrays, way);
        const CutLabelNode& node = arrays.nodes[tree.node(p)];
        const Cost entry = labels.entries[node.first + k];
        if (entry >= kInfinity) return entry == kInfinity;
        const std::uint32_t q = HopPath(arrays, target, k).next(p, labels);
        if (q == HopPath::kNowhere || q < target || q >= tree.tree.end[target]) return false;
        const CutLabelNode& next = arrays.nodes[tree.node(q)];
        return k < next.length && labels.entries[next.first + k] < kInfinity &&
               (way == Way::up ? joined(p, q) : joined(q, p));
    };
    std::vector<std::uint32_t> path;  // positions from the root down
    for (std::uint32_t p = 0; p < tree.size(); ++p) {
        path.resize(tree.tree.depth[p]);
        if (tree.node(p) != ClosureNode::kNone) {
            for (std::uint32_t k = 0; k < path.size(); ++k) {
                if (!right(p, path[k], k, Way::up) || !right(p, path[k], k, Way::down))
                    return false;
            }
        }
        path.push_back(p);
    }
    return true;
}

/// The fault of labels over a graph of `nodes` nodes, and of their closure, which the functions
/// from_arrays have accepted. Labels without fault have hops, and hops only lead from a node to
/// others for which adjacent(node, other) is true, or with pieces, over an edge of the closure: all
/// paths are paths of the graph. O(labels); if it is `directed`, O(hops).
template <class Adjacent>
[[nodiscard]] std::optional<Fault> label_fault(const CutLabels& labels, std::size_t nodes,
                                               bool directed, Adjacent&& adjacent) {
    if (labels.closure().num_places() > 0 && labels.closure().directed() != directed)
        return Fault{Fault::kWhole, "labels and graph differ in whether edges have directions"};
    if (labels.num_nodes() != nodes)
        return Fault{Fault::kWhole, "the numbers of labels and nodes differ"};
    if (auto fault = closure_fault(labels.closure(), adjacent)) return fault;
    const CutLabelArrays& arrays = labels.arrays();
    if (arrays.nodes.empty()) return std::nullopt;
    if (!labels.has_hops()) return Fault{Fault::kWhole, "there are no hops"};
    const Closure::Storage& closure = *labels.closure().storage();
    const ClosureView view(closure);
    const LabelTree tree(view, labels.piece());
    const GroupTable groups = group_table(tree.tree);
    if (arrays.places.size() != tree.size() ||
        !std::ranges::equal(arrays.group_common, groups.common) ||
        !std::ranges::equal(arrays.block_common, groups.blocks) ||
        arrays.groups.size() != groups.top.size()) {
        return Fault{Fault::kWhole, "labels and closure have different trees"};
    }
    for (std::uint32_t g = 0; g < groups.top.size(); ++g) {
        const std::uint32_t up = tree.tree.parent[groups.top[g]];
        if (arrays.groups[g].place != groups.top[g] ||
            (up != SeparatorTree::kNoParent && arrays.groups[g].parent != groups.group[up])) {
            return Fault{Fault::kWhole, "labels and closure have different trees"};
        }
    }
    for (std::uint32_t p = 0; p < tree.size(); ++p) {
        if (arrays.places[p].node != tree.node(p))
            return Fault{tree.node(p), "a place has another node"};
    }
    const auto in_group = [&](const CutLabelNode& label, std::uint32_t group) {
        return label.group == group && label.before == groups.before[group] &&
               label.after == groups.after[group];
    };
    for (std::uint32_t place = 0; place < closure.num_places; ++place) {
        const std::uint32_t node = view.node(place).node;
        if (node == ClosureNode::kNone) continue;
        const CutLabelNode& label = arrays.nodes[node];
        const std::uint32_t bottom = tree.bottom(place);
        const bool has_label = tree.tree.position[place] != ClosureNode::kNone;
        if (label.place != bottom ||
            label.length != (has_label ? view.node(place).depth + 1U : 0U) ||
            (bottom != ClosureNode::kNone && !in_group(label, groups.group[bottom]))) {
            return Fault{node, "a node is not at its place in the tree"};
        }
    }
    /// Whether a path may go from position `p` to position `q`.
    const auto joined = [&](std::uint32_t p, std::uint32_t q) {
        if (tree.node(p) == ClosureNode::kNone || tree.node(q) == ClosureNode::kNone) return false;
        if (labels.piece() == 0) return static_cast<bool>(adjacent(tree.node(p), tree.node(q)));
        const auto [upper, lower] = std::minmax(p, q);
        if (lower >= tree.tree.end[upper]) return false;
        const ClosureRow row = tree.row(lower, p == lower ? Way::up : Way::down);
        const std::uint32_t e = row.find(tree.tree.depth[upper]);
        return e < row.length && row.cost[e] < kInfinity;
    };
    if (directed) {
        if (hops_follow_arcs(arrays, tree, joined)) return std::nullopt;
        return Fault{Fault::kWhole, "hops do not follow arcs"};
    }
    for (std::uint32_t p = 0; p < tree.size(); ++p) {
        const auto fault = [&](const char* text) { return Fault{tree.node(p), text}; };
        const std::size_t begin = arrays.places[p].steps;
        const std::size_t end =
            p + 1 < tree.size() ? arrays.places[p + 1].steps : arrays.head.size();
        if (begin > end) return fault("the adjacency is out of order");
        for (const std::uint32_t head : arrays.head.subspan(begin, end - begin))
            if (!joined(p, head)) return fault("a step joins nodes that are not neighbours");
    }
    return std::nullopt;
}

}  // namespace cairn::index_file

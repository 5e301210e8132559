// Builds cut labels from a closure: finds the first hops of its edges, then the labels from the
// top of the tree down.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "cairn/cut_labels.hpp"
#include "closure_tree.hpp"
#include "closure_view.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "core/separator/separator_tree.hpp"
#include "core/threads.hpp"
#include "cut_labels_kernels.hpp"

namespace cairn {
namespace {

constexpr std::uint32_t kNotWide = CutLabelArrays::kNotWide;
constexpr std::uint32_t kNarrowDegree = CutLabelArrays::kWideHop;

constexpr std::uint32_t kNoHop = std::numeric_limits<std::uint32_t>::max();

/// The tree and the closure of the labels. Labels number the tree depth first: a position is the
/// number of a place in this order.
struct LabelTree {
    ClosureView closure;
    const PagedArray<std::uint32_t>& places;  ///< by node
    SeparatorTree tree;                       ///< its nodes are places
    std::vector<std::uint64_t> first_edge;    ///< by position: the number of its first closure edge

    explicit LabelTree(const Closure::Storage& storage)
        : closure(storage), places(storage.places), tree(place_tree(closure)) {
        first_edge.reserve(tree.node.size() + 1);
        std::uint64_t edges = 0;
        for (std::uint32_t p = 0; p < size(); ++p) {
            first_edge.push_back(edges);
            edges += row(p).length;
        }
        first_edge.push_back(edges);
    }

    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(tree.node.size());
    }
    [[nodiscard]] ClosureRow row(std::uint32_t position) const noexcept {
        return closure.row(tree.node[position]);
    }
    /// The node at a position; kNone if it was removed.
    [[nodiscard]] std::uint32_t node(std::uint32_t position) const noexcept {
        return closure.node(tree.node[position]).node;
    }
    /// The position of a node that was not removed.
    [[nodiscard]] std::uint32_t position(std::uint32_t node) const noexcept {
        return tree.position[places[node]];
    }
};

/// The first hops of a closure edge's path, from either end. A hop is the number of a graph edge
/// among the edges of the node that it leaves.
struct EdgeHops {
    std::uint32_t up = kNoHop;    ///< from the lower node to the upper
    std::uint32_t down = kNoHop;  ///< from the upper node to the lower
};

/// Finds the first hops of all closure edges.
class HopFinder {
public:
    HopFinder(const Graph& graph, const LabelTree& tree)
        : graph_(graph), tree_(tree), hops_(tree.first_edge.back()) {}

    std::vector<EdgeHops> run(const BuildControl& control) {
        for (std::uint32_t p = 0; p < tree_.size(); ++p) take_edges(p);
        const Shares shares(tree_.tree);
        shares.run(control, [&](std::uint32_t root) {
            for (std::uint32_t p = tree_.tree.end[root]; p-- > root;) {
                if (control.cancelled()) return;
                unpack(p);
            }
        });
        for (std::size_t i = shares.above.size(); i-- > 0;) {
            if (control.cancelled()) break;
            unpack(shares.above[i]);
        }
        return std::move(hops_);
    }

private:
    /// The hops of the closure edge from position `lower` to its ancestor at depth `upper`; null if
    /// there is no such edge.
    [[nodiscard]] EdgeHops* edge(std::uint32_t lower, std::uint32_t upper) noexcept {
        const ClosureRow row = tree_.row(lower);
        const std::uint32_t e = row.find(upper);
        return e == row.length ? nullptr : &hops_[tree_.first_edge[lower] + e];
    }

    /// Sets the hops out of a node over those of its edges that are closure edges.
    void take_edges(std::uint32_t p) {
        const std::uint32_t v = tree_.node(p);
        if (v == ClosureNode::kNone) return;
        const auto neighbours = graph_.neighbours(v);
        for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
            const std::uint32_t to = tree_.position(neighbours[i]);
            if (to == p) continue;
            const std::uint32_t lower = std::max(p, to);
            const ClosureRow row = tree_.row(lower);
            const std::uint32_t e = row.find(tree_.tree.depth[std::min(p, to)]);
            if (e == row.length || row.cost[e] != graph_.weights(v)[i]) continue;
            EdgeHops& hops = hops_[tree_.first_edge[lower] + e];
            std::uint32_t& hop = lower == p ? hops.up : hops.down;
            hop = std::min(hop, i);
        }
    }

    /// Sets the hops of the edges of `p` that have a middle. The rows below `p` must be done.
    void unpack(std::uint32_t p) {
        const std::uint32_t place = tree_.tree.node[p];
        const ClosureRow row = tree_.row(p);
        for (std::uint32_t e = 0; e < row.length; ++e) {
            const std::uint32_t packed = tree_.closure.middle(place, e);
            if (packed == ClosureMiddle::kGraphEdge || row.cost[e] == kInfinity) continue;
            const std::uint32_t middle = tree_.tree.position[ClosureMiddle::place(packed, place)];
            const EdgeHops* const to_p = edge(middle, tree_.tree.depth[p]);
            const EdgeHops* const to_upper = edge(middle, row.depth[e]);
            if (to_p != nullptr && to_upper != nullptr)
                hops_[tree_.first_edge[p] + e] = {to_p->down, to_upper->down};
        }
    }

    const Graph& graph_;
    const LabelTree& tree_;
    std::vector<EdgeHops> hops_;  ///< by closure edge
};

/// The memory behind the CutLabelArrays of labels that were built.
struct LabelStorage {
    std::vector<CutLabelNode> nodes;
    std::vector<Cost> entries;
    std::vector<std::uint32_t> group_common;
    std::vector<std::uint32_t> block_common;
    std::vector<std::uint8_t> hops;
    std::vector<std::uint32_t> wide_hops;
    std::vector<CutLabelPlace> places;
    std::vector<std::uint32_t> head;
    std::vector<CutLabelGroup> groups;
};

/// Fills in labels, by rising position from `begin` on; the caller may skip whole subtrees. The
/// labels of all ancestors of `begin` must be filled in.
///
/// The path from a node to an ancestor goes up by closure edges. The last of them begins at the
/// entry's `last`: of all shortest paths, the lowest possible node. This makes the path unique, and
/// each of its parts is the path between the part's ends, so hops agree with each other and with
/// ClimbQuery.
class LabelFiller {
public:
    /// For the nodes above all shares, by position: for each entry the depth of its `last`.
    using LastRows = std::vector<std::vector<std::uint32_t>>;

    LabelFiller(const LabelTree& tree, std::span<const EdgeHops> edge_hops, LabelStorage& storage,
                LastRows& above, std::uint32_t begin)
        : tree_(tree), edge_hops_(edge_hops), storage_(storage), above_(above) {
        path_.resize(std::size_t{tree.tree.depth[begin]} + 1);
        std::uint32_t p = begin;
        for (std::size_t depth = path_.size(); depth-- > 0; p = tree.tree.parent[p])
            path_[depth] = p;
        if (storage.hops.empty()) return;
        for (const std::uint32_t position : path_)
            hop_rows_.push_back(storage.places[position].hops - position);
    }

    /// Fills in the label at position `p`, unless its node was removed. With `keep_last`, for
    /// fillers of the subtrees below.
    void fill(std::uint32_t p, bool keep_last) {
        const std::uint32_t depth = tree_.tree.depth[p];
        path_.resize(depth);
        path_.push_back(p);
        hop_rows_.resize(depth);
        hop_rows_.push_back(storage_.hops.empty() ? 0 : storage_.places[p].hops - p);
        const std::uint32_t v = tree_.node(p);
        if (v == ClosureNode::kNone) return;
        const CutLabelNode& node = storage_.nodes[v];
        Cost* const label = storage_.entries.data() + node.first;
        if (last_.size() <= depth) last_.resize(depth + 1);
        std::vector<std::uint32_t>& last = keep_last ? above_[p] : last_[depth];
        last.assign(depth, 0);
        hops_.assign(std::size_t{depth} + 1, 0);
        std::fill_n(label, depth, kInfinity);
        label[depth] = 0;
        // Lowest upper neighbour first; skips edges longer than a path over lower ones.
        const ClosureRow row = tree_.row(p);
        for (std::uint32_t e = row.length; e-- > 0;) {
            const std::uint32_t upper = row.depth[e];
            const Cost cost = row.cost[e];
            if (label[upper] < cost || cost == kInfinity) continue;
            label[upper] = cost;
            last[upper] = depth;
            if (!edge_hops_.empty()) hops_[upper] = edge_hops_[tree_.first_edge[p] + e].up;
            const CutLabelNode& above = storage_.nodes[tree_.node(path_[upper])];
            take_over(storage_.entries.data() + above.first, last_of(upper), upper, cost, label,
                      last.data());
        }
        if (!storage_.hops.empty()) store_hops(p, node, last);
    }

private:
    [[nodiscard]] const std::uint32_t* last_of(std::uint32_t depth) const {
        const auto& kept = above_[path_[depth]];
        return kept.empty() ? last_[depth].data() : kept.data();
    }

    /// A path that ends with another closure edge than it begins with has the first hop of its part
    /// without the last edge.
    void store_hops(std::uint32_t p, const CutLabelNode& node,
                    const std::vector<std::uint32_t>& last) {
        const auto depth = static_cast<std::uint32_t>(last.size());
        const bool wide = node.wide != kNotWide;
        for (std::uint32_t k = depth; k-- > 0;) {
            const std::uint32_t hop = last[k] < depth ? hops_[last[k]] : hops_[k];
            hops_[k] = hop;
            storage_.hops[hop_rows_[k] + p] =
                wide ? CutLabelArrays::kWideHop : static_cast<std::uint8_t>(hop);
        }
        storage_.hops[hop_rows_[depth] + p] = wide ? CutLabelArrays::kWideHop : std::uint8_t{0};
        if (wide) std::copy(hops_.begin(), hops_.end(), storage_.wide_hops.begin() + node.wide);
    }

    const LabelTree& tree_;
    std::span<const EdgeHops> edge_hops_;  ///< by closure edge; empty without hops
    LabelStorage& storage_;
    LastRows& above_;
    LastRows last_;                    ///< by depth, of the path's nodes that are not in above_
    std::vector<std::uint32_t> hops_;  ///< of the current label, by entry
    std::vector<std::uint32_t> path_;  ///< positions from the root down to the current one
    /// By depth, of the nodes of path_: what to add to a position below for the index of its hop.
    std::vector<std::uint64_t> hop_rows_;
};

}  // namespace

class CutLabelBuilder {
public:
    CutLabelBuilder(const Graph& graph, const Closure& closure, const CutLabelOptions& options,
                    const BuildControl& control)
        : graph_(graph), closure_(closure), options_(options), control_(control) {}

    Result<CutLabels> build() {
        if (Status s = check_threads(control_); !s.ok()) return tl::unexpected(std::move(s));
        if (graph_.num_nodes() != closure_.num_nodes())
            return fail(StatusCode::bad_option, "cut labels: the closure is of another graph");
        CutLabels labels(closure_);
        if (closure_.storage() == nullptr) return labels;
        const LabelTree tree(*closure_.storage());
        GroupTable groups = group_table(tree.tree);
        labels.label_bytes_ = bytes_needed(tree, groups);
        if (labels.label_bytes_ > options_.max_bytes) return labels;
        std::vector<EdgeHops> hops;
        if (options_.hops) hops = HopFinder(graph_, tree).run(control_);
        if (control_.cancelled()) return fail(StatusCode::cancelled);
        lay_out(tree, groups);
        fill(tree, hops);
        if (control_.cancelled()) return fail(StatusCode::cancelled);
        if (control_.progress) control_.progress(1.0);
        const LabelStorage& s = *storage_;
        labels.arrays_ = {s.nodes,     s.entries, s.group_common, s.block_common, s.hops,
                          s.wide_hops, s.places,  s.head,         s.groups};
        labels.owner_ = storage_;
        return labels;
    }

private:
    [[nodiscard]] bool is_wide(std::uint32_t node) const {
        return graph_.degree(node) > kNarrowDegree;
    }

    /// The record of a removed node names one entry, even if no node is left.
    [[nodiscard]] std::uint64_t with_room_for_removed(std::uint64_t entries) const {
        return graph_.num_nodes() > 0 ? std::max<std::uint64_t>(entries, 1) : entries;
    }

    /// The bytes of all arrays.
    [[nodiscard]] std::uint64_t bytes_needed(const LabelTree& tree,
                                             const GroupTable& groups) const {
        std::uint64_t entries = 0;
        std::uint64_t wide = 0;
        for (std::uint32_t p = 0; p < tree.size(); ++p) {
            const std::uint32_t v = tree.node(p);
            if (v == ClosureNode::kNone) continue;
            entries += std::uint64_t{tree.tree.depth[p]} + 1;
            if (is_wide(v)) wide += std::uint64_t{tree.tree.depth[p]} + 1;
        }
        std::uint64_t bytes = graph_.num_nodes() * sizeof(CutLabelNode) +
                              with_room_for_removed(entries) * sizeof(Cost) +
                              (groups.common.size() + groups.blocks.size()) * 4;
        if (options_.hops) {
            bytes += tree.tree.entries + tree.size() * sizeof(CutLabelPlace) +
                     groups.common.size() * sizeof(CutLabelGroup) + (wide + graph_.head.size()) * 4;
        }
        // Indices of wide hops have 32 bits.
        return wide < kNotWide ? bytes : std::numeric_limits<std::uint64_t>::max();
    }

    /// Allocates the labels in the order of positions, which puts those of near nodes together.
    void lay_out(const LabelTree& tree, GroupTable& groups) {
        LabelStorage& storage = *storage_;
        // Nodes that were removed keep this record, which queries can read. No query needs them.
        storage.nodes.resize(graph_.num_nodes(), {0, 1, 0, 0, 0, 0, kNotWide});
        std::uint64_t first = 0;
        std::uint32_t wide = 0;
        for (std::uint32_t p = 0; p < tree.size(); ++p) {
            const std::uint32_t v = tree.node(p);
            if (v == ClosureNode::kNone) continue;
            const std::uint32_t group = groups.group[p];
            CutLabelNode& node = storage.nodes[v];
            node = {first,
                    tree.tree.depth[p] + 1,
                    group,
                    groups.before[group],
                    groups.after[group],
                    p,
                    kNotWide};
            if (options_.hops && is_wide(v)) {
                node.wide = wide;
                wide += node.length;
            }
            first += node.length;
        }
        storage.entries.resize(with_room_for_removed(first));
        storage.wide_hops.resize(wide);
        if (options_.hops) lay_out_hops(tree, groups);
        storage.group_common = std::move(groups.common);
        storage.block_common = std::move(groups.blocks);
    }

    /// Allocates the hops and sets the arrays that they refer to. All hops to one node are together
    /// in memory, so following them reads only the part for its subtree.
    void lay_out_hops(const LabelTree& tree, const GroupTable& groups) {
        LabelStorage& storage = *storage_;
        storage.hops.resize(tree.tree.entries);
        storage.places.reserve(tree.size());
        storage.head.reserve(graph_.head.size());
        std::uint64_t hops = 0;
        for (std::uint32_t p = 0; p < tree.size(); ++p) {
            const std::uint32_t v = tree.node(p);
            const auto edges = static_cast<std::uint32_t>(storage.head.size());
            storage.places.push_back({hops, edges, v});
            hops += tree.tree.end[p] - p;
            if (v == ClosureNode::kNone) continue;
            for (const std::uint32_t to : graph_.neighbours(v))
                storage.head.push_back(tree.position(to));
        }
        for (std::uint32_t g = 0; g < groups.top.size(); ++g) {
            const std::uint32_t up = tree.tree.parent[groups.top[g]];
            storage.groups.push_back(
                {groups.top[g], up == SeparatorTree::kNoParent ? g : groups.group[up]});
        }
    }

    void fill(const LabelTree& tree, std::span<const EdgeHops> hops) {
        if (tree.size() == 0) return;
        const Shares shares(tree.tree);
        LabelFiller::LastRows last(tree.size());
        LabelFiller top(tree, hops, *storage_, last, 0);
        for (const std::uint32_t p : shares.above) {
            if (control_.cancelled()) return;
            top.fill(p, true);
        }
        shares.run(control_, [&](std::uint32_t root) {
            LabelFiller filler(tree, hops, *storage_, last, root);
            for (std::uint32_t p = root; p < tree.tree.end[root]; ++p) {
                if (control_.cancelled()) return;
                filler.fill(p, false);
            }
        });
    }

    const Graph& graph_;
    const Closure& closure_;
    const CutLabelOptions& options_;
    const BuildControl& control_;
    std::shared_ptr<LabelStorage> storage_ = std::make_shared<LabelStorage>();
};

Result<CutLabels> CutLabels::build(const Graph& graph, const Closure& closure,
                                   const Options& options, const BuildControl& control) noexcept
    try {
    return CutLabelBuilder(graph, closure, options, control).build();
} catch (...) {
    return out_of_memory();
}

namespace {

constexpr double kClosureShare = 0.8;  // of the time of a build

}  // namespace

Result<CutLabels> CutLabels::build(const Graph& graph, const Options& options,
                                   const BuildControl& control) noexcept try {
    const auto closure = Closure::build(graph, options.closure, part_of(control, 0, kClosureShare));
    if (!closure) return tl::unexpected(closure.error());
    return build(graph, *closure, options, part_of(control, kClosureShare, 1));
} catch (...) {
    return out_of_memory();
}

Result<CutLabels> CutLabels::build_in_order(const Graph& graph,
                                            std::span<const std::uint32_t> order,
                                            const Options& options,
                                            const BuildControl& control) noexcept try {
    const auto closure =
        Closure::build_in_order(graph, order, options.closure, part_of(control, 0, kClosureShare));
    if (!closure) return tl::unexpected(closure.error());
    return build(graph, *closure, options, part_of(control, kClosureShare, 1));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn

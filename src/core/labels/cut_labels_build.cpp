// Builds cut labels in four steps: the order of the nodes (core/separator/separator_order.hpp), its
// separator tree, the closure, and from it the labels.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "cairn/cut_labels.hpp"
#include "closure.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "core/separator/separator_order.hpp"
#include "core/separator/separator_tree.hpp"
#include "core/threads.hpp"
#include "cut_labels_kernels.hpp"

namespace cairn {
namespace {

constexpr std::uint32_t kNotWide = CutLabelArrays::kNotWide;
constexpr std::uint32_t kNarrowDegree = CutLabelArrays::kWideHop;

/// The progress when the order is done, and when the closure is done.
constexpr double kOrderShare = 0.6;
constexpr double kClosureShare = 0.8;
/// Whether all nodes are below `count` and none occurs twice, apart from `ignored`.
bool are_distinct(std::span<const std::uint32_t> nodes, std::uint32_t count,
                  std::optional<std::uint32_t> ignored = std::nullopt) {
    std::vector<bool> seen(count, false);
    for (const std::uint32_t v : nodes) {
        if (v == ignored) continue;
        if (v >= count || seen[v]) return false;
        seen[v] = true;
    }
    return true;
}

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
    Closure closure;
};

/// Fills in labels, place by place from `begin` up; the caller may skip whole subtrees. The labels
/// of all ancestors of `begin` must be filled in.
///
/// The path from a node to an ancestor goes up by closure edges. The last of them begins at the
/// entry's `last`: of all shortest paths, the lowest possible node. This makes the path unique, and
/// each of its parts is the path between the part's ends, so hops agree with each other and with
/// ClimbQuery.
class LabelFiller {
public:
    /// For the nodes above all shares, by place: for each entry the depth of its `last`.
    using LastRows = std::vector<std::vector<std::uint32_t>>;

    LabelFiller(const SeparatorTree& tree, const Closure& closure, LabelStorage& storage,
                LastRows& above, std::uint32_t begin)
        : tree_(tree), closure_(closure), storage_(storage), above_(above) {
        path_.resize(std::size_t{tree.depth[begin]} + 1);
        std::uint32_t p = begin;
        for (std::size_t depth = path_.size(); depth-- > 0; p = tree.parent[p]) path_[depth] = p;
        if (storage.hops.empty()) return;
        for (const std::uint32_t place : path_)
            hop_rows_.push_back(storage.places[place].hops - place);
    }

    /// Fills in the label of `p`. With `keep_last`, for fillers of the subtrees below.
    void fill(std::uint32_t p, bool keep_last) {
        const std::uint32_t depth = tree_.depth[p];
        const CutLabelNode& node = storage_.nodes[tree_.node[p]];
        Cost* const label = storage_.entries.data() + node.first;
        path_.resize(depth);
        path_.push_back(p);
        if (last_.size() <= depth) last_.resize(depth + 1);
        std::vector<std::uint32_t>& last = keep_last ? above_[p] : last_[depth];
        last.assign(depth, 0);
        hops_.assign(std::size_t{depth} + 1, 0);
        std::fill_n(label, depth, kInfinity);
        label[depth] = 0;
        // Lowest upper neighbour first; skips edges longer than a path over lower ones.
        const CutLabelClosure& row = closure_.nodes[p];
        for (std::size_t e = row.first + std::size_t{row.length}; e-- > row.first;) {
            const std::uint32_t upper = closure_.depths[e];
            const Cost cost = closure_.costs[e];
            if (label[upper] < cost || cost == kInfinity) continue;
            label[upper] = cost;
            last[upper] = depth;
            hops_[upper] = closure_.hops[e].up;
            const CutLabelNode& above = storage_.nodes[tree_.node[path_[upper]]];
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
        hop_rows_.resize(depth);
        hop_rows_.push_back(storage_.places[p].hops - p);
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

    const SeparatorTree& tree_;
    const Closure& closure_;
    LabelStorage& storage_;
    LastRows& above_;
    LastRows last_;                    ///< by depth, of the path's nodes that are not in above_
    std::vector<std::uint32_t> hops_;  ///< of the current label, by entry
    std::vector<std::uint32_t> path_;  ///< places from the root down to the current one
    /// By depth, of the nodes of path_: what to add to a place below for the index of its hop.
    std::vector<std::uint64_t> hop_rows_;
};

}  // namespace

class CutLabelBuilder {
public:
    CutLabelBuilder(const Graph& graph, const CutLabelOptions& options, const BuildControl& control)
        : graph_(graph), options_(options), control_(control) {}

    Result<CutLabels> build() {
        if (Status status = check(); !status.ok()) return tl::unexpected(std::move(status));
        SeparatorOrderOptions order_options{options_.points, options_.recuts};
        // Without labels nothing is left of the build if the closure is not kept.
        if (!options_.closure) {
            order_options.max_entries =
                options_.max_bytes / (sizeof(Cost) + (options_.hops ? 1 : 0));
        }
        const std::vector<std::uint32_t> order =
            separator_order(graph_, order_options, part_of(control_, 0, kOrderShare));
        if (control_.cancelled()) return fail(StatusCode::cancelled);
        if (order.size() < graph_.num_nodes()) {
            return fail(StatusCode::too_large,
                        fmt::format("cut labels: more than {} bytes are needed, which is the limit",
                                    options_.max_bytes));
        }
        return build_in(order);
    }

    Result<CutLabels> build(std::span<const std::uint32_t> order) {
        if (Status status = check(); !status.ok()) return tl::unexpected(std::move(status));
        if (order.size() != graph_.num_nodes() || !are_distinct(order, graph_.num_nodes())) {
            return fail(StatusCode::bad_option,
                        "cut labels: the order must hold each node of the graph once");
        }
        return build_in(order);
    }

    Result<CutLabels> rebuild(const CutLabels& old, std::span<const std::uint32_t> old_node) {
        if (Status status = check(); !status.ok()) return tl::unexpected(std::move(status));
        if (old_node.size() != graph_.num_nodes() ||
            !are_distinct(old_node, old.num_nodes(), CutLabels::kNewNode)) {
            return fail(StatusCode::bad_option,
                        "cut labels: each node of the graph needs an old node of its own or none");
        }
        const std::vector<std::uint32_t> order = inherited_order(old.arrays_, graph_, old_node);
        if (order.size() != graph_.num_nodes() || old.num_nodes() == 0) return build();
        auto labels = build_in(order);
        if (labels) labels->fresh_mean_ = old.fresh_mean_;
        return labels;
    }

private:
    [[nodiscard]] Status check() const {
        if (Status s = check_threads(control_); !s.ok()) return s;
        if (options_.recuts < 0 || options_.recuts > CutLabelOptions::kMostRecuts) {
            return {StatusCode::bad_option, fmt::format("cut labels: recuts must be 0 to {}",
                                                        CutLabelOptions::kMostRecuts)};
        }
        if (!options_.points.empty() && options_.points.size() != graph_.num_nodes()) {
            return {StatusCode::bad_option,
                    "cut labels: there must be a point for each node of the graph, or none"};
        }
        if (graph_.num_nodes() > kMaxGraphNodes || graph_.num_arcs() > kMaxGraphArcs) {
            return {StatusCode::too_large, "cut labels: the graph passes 2^31 - 2 nodes or arcs"};
        }
        return {};
    }

    Result<CutLabels> build_in(std::span<const std::uint32_t> order) {
        tree_ = separator_tree(graph_, order);
        groups_ = group_table(tree_);
        label_bytes_ = bytes_needed();
        const bool with_labels = label_bytes_ <= options_.max_bytes;
        if (!with_labels && !options_.closure) {
            return fail(StatusCode::too_large,
                        fmt::format("cut labels: {} bytes are needed, {} allowed", label_bytes_,
                                    options_.max_bytes));
        }
        auto closure = find_closure(graph_, tree_, options_.max_steps, control_);
        if (control_.cancelled()) return fail(StatusCode::cancelled);
        if (!closure) {
            return fail(StatusCode::too_large,
                        fmt::format("cut labels: the graph has no small separators: closing it "
                                    "takes more than {} steps",
                                    options_.max_steps));
        }
        report(kClosureShare);
        lay_out(with_labels);
        if (with_labels) fill(*closure);
        if (control_.cancelled()) return fail(StatusCode::cancelled);
        if (options_.closure) {
            storage_->closure = std::move(*closure);
            storage_->closure.hops = {};
        }
        report(1.0);
        return finish();
    }

    [[nodiscard]] bool is_wide(std::uint32_t node) const {
        return graph_.degree(node) > kNarrowDegree;
    }

    /// The bytes of all arrays but the closure's, with labels.
    [[nodiscard]] std::uint64_t bytes_needed() const {
        std::uint64_t wide = 0;
        for (std::size_t p = 0; p < tree_.node.size(); ++p) {
            if (is_wide(tree_.node[p])) wide += std::uint64_t{tree_.depth[p]} + 1;
        }
        std::uint64_t bytes = tree_.node.size() * sizeof(CutLabelNode) +
                              tree_.entries * sizeof(Cost) +
                              (groups_.common.size() + groups_.blocks.size()) * 4;
        if (options_.hops) {
            bytes += tree_.entries + tree_.node.size() * sizeof(CutLabelPlace) +
                     groups_.common.size() * sizeof(CutLabelGroup) +
                     (wide + graph_.head.size()) * 4;
        }
        // Indices of wide hops have 32 bits.
        return wide < kNotWide ? bytes : std::numeric_limits<std::uint64_t>::max();
    }

    /// Allocates the labels in the order of places, which puts those of near nodes together.
    /// Without labels, sets only what climbing needs.
    void lay_out(bool with_labels) {
        LabelStorage& storage = *storage_;
        storage.nodes.resize(graph_.num_nodes());
        const bool with_hops = with_labels && options_.hops;
        std::uint64_t first = 0;
        std::uint32_t wide = 0;
        for (std::uint32_t p = 0; p < graph_.num_nodes(); ++p) {
            const std::uint32_t v = tree_.node[p];
            const std::uint32_t group = groups_.group[p];
            CutLabelNode& node = storage.nodes[v];
            node = {
                first,   tree_.depth[p] + 1, group, groups_.before[group], groups_.after[group], p,
                kNotWide};
            if (with_hops && is_wide(v)) {
                node.wide = wide;
                wide += node.length;
            }
            if (with_labels) first += node.length;
        }
        storage.entries.resize(first);
        storage.wide_hops.resize(wide);
        if (with_hops) lay_out_hops();
        storage.group_common = std::move(groups_.common);
        storage.block_common = std::move(groups_.blocks);
    }

    /// Allocates the hops and sets the arrays that they refer to. All hops to one node are together
    /// in memory, so following them reads only the part for its subtree.
    void lay_out_hops() {
        LabelStorage& storage = *storage_;
        storage.hops.resize(storage.entries.size());
        storage.places.reserve(tree_.node.size());
        storage.head.reserve(graph_.head.size());
        std::uint64_t hops = 0;
        for (std::uint32_t p = 0; p < tree_.node.size(); ++p) {
            const std::uint32_t v = tree_.node[p];
            storage.places.push_back({hops, static_cast<std::uint32_t>(storage.head.size()), v});
            hops += tree_.end[p] - p;
            for (const std::uint32_t to : graph_.neighbours(v)) {
                storage.head.push_back(tree_.position[to]);
            }
        }
        for (std::uint32_t g = 0; g < groups_.top.size(); ++g) {
            const std::uint32_t up = tree_.parent[groups_.top[g]];
            storage.groups.push_back(
                {groups_.top[g], up == SeparatorTree::kNoParent ? g : groups_.group[up]});
        }
    }

    void fill(const Closure& closure) {
        if (tree_.node.empty()) return;
        const Shares shares(tree_);
        LabelFiller::LastRows last(tree_.node.size());
        LabelFiller top(tree_, closure, *storage_, last, 0);
        for (const std::uint32_t p : shares.above) {
            if (control_.cancelled()) return;
            top.fill(p, true);
        }
        shares.run(control_, [&](std::uint32_t root) {
            LabelFiller filler(tree_, closure, *storage_, last, root);
            for (std::uint32_t p = root; p < tree_.end[root]; ++p) {
                if (control_.cancelled()) return;
                filler.fill(p, false);
            }
        });
    }

    void report(double done) const {
        if (control_.progress) control_.progress(done);
    }

    CutLabels finish() {
        const LabelStorage& s = *storage_;
        const Closure& c = s.closure;
        CutLabels labels({s.nodes, s.entries, s.group_common, s.block_common, c.nodes, c.costs,
                          c.depths, c.middles, s.hops, s.wide_hops, s.places, s.head, s.groups},
                         storage_);
        labels.label_bytes_ = label_bytes_;
        return labels;
    }

    const Graph& graph_;
    const CutLabelOptions& options_;
    const BuildControl& control_;
    SeparatorTree tree_;
    GroupTable groups_;
    std::uint64_t label_bytes_ = 0;  ///< of bytes_needed()
    std::shared_ptr<LabelStorage> storage_ = std::make_shared<LabelStorage>();
};

Result<CutLabels> CutLabels::build(const Graph& graph, const Options& options,
                                   const BuildControl& control) noexcept try {
    return CutLabelBuilder(graph, options, control).build();
} catch (...) {
    return out_of_memory();
}

Result<CutLabels> CutLabels::build_in_order(const Graph& graph,
                                            std::span<const std::uint32_t> order,
                                            const Options& options,
                                            const BuildControl& control) noexcept try {
    return CutLabelBuilder(graph, options, control).build(order);
} catch (...) {
    return out_of_memory();
}

Result<CutLabels> CutLabels::rebuilt(const Graph& graph, std::span<const std::uint32_t> old_node,
                                     const Options& options,
                                     const BuildControl& control) const noexcept try {
    return CutLabelBuilder(graph, options, control).rebuild(*this, old_node);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn

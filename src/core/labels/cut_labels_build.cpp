// Builds cut labels in four steps: the order of the nodes (core/separator/separator_order.hpp), its
// separator tree, the closure, and from it the labels.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "cairn/cut_labels.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "core/separator/separator_order.hpp"
#include "core/separator/separator_tree.hpp"
#include "core/threads.hpp"
#include "cut_labels_closure.hpp"
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
};

/// Fills in labels, position by position from `begin` up; the caller may skip whole subtrees. The
/// labels of all ancestors of `begin` must be filled in.
class LabelFiller {
public:
    LabelFiller(const SeparatorTree& tree, const Closure& closure, LabelStorage& storage,
                std::uint32_t begin)
        : tree_(tree), closure_(closure), storage_(storage) {
        path_.resize(std::size_t{tree.depth[begin]} + 1);
        std::uint32_t p = begin;
        for (std::size_t depth = path_.size(); depth-- > 0; p = tree.parent[p]) path_[depth] = p;
    }

    void fill(std::uint32_t p) {
        const std::uint32_t length = tree_.depth[p] + 1;
        const CutLabelNode& node = storage_.nodes[tree_.node[p]];
        Cost* const entries = storage_.entries.data() + node.first;
        path_.resize(length);
        path_.back() = p;
        hops_.assign(length, 0);
        std::fill_n(entries, length, kInfinity);
        // Lowest upper neighbour first; skips edges no shorter than a path over lower ones.
        for (auto e = closure_.first[p]; e-- > closure_.first[p + 1];) {
            const CutLabelNode& upper = storage_.nodes[tree_.node[path_[closure_.depth[e]]]];
            if (entries[upper.length - 1] <= closure_.cost[e]) continue;
            take_over(storage_.entries.data() + upper.first, upper.length, closure_.cost[e],
                      closure_.hops[e].up, entries, hops_.data());
        }
        entries[length - 1] = 0;
        if (!storage_.hops.empty()) store_hops(p, node);
    }

private:
    void store_hops(std::uint32_t p, const CutLabelNode& node) {
        const bool wide = node.wide != kNotWide;
        if (wide) std::copy(hops_.begin(), hops_.end(), storage_.wide_hops.begin() + node.wide);
        for (std::uint32_t k = 0; k < node.length; ++k) {
            const std::uint64_t hop = storage_.places[path_[k]].hops + (p - path_[k]);
            storage_.hops[hop] =
                wide ? CutLabelArrays::kWideHop : static_cast<std::uint8_t>(hops_[k]);
        }
    }

    const SeparatorTree& tree_;
    const Closure& closure_;
    LabelStorage& storage_;
    std::vector<std::uint32_t> hops_;  ///< of the current label, by entry
    std::vector<std::uint32_t> path_;  ///< positions from the root down to the current one
};

}  // namespace

class CutLabelBuilder {
public:
    CutLabelBuilder(const Graph& graph, const CutLabelOptions& options, const BuildControl& control)
        : graph_(graph), options_(options), control_(control) {}

    Result<CutLabels> build() {
        if (Status status = check(); !status.ok()) return tl::unexpected(std::move(status));
        const std::uint64_t max_entries =
            options_.max_bytes / (sizeof(Cost) + (options_.hops ? 1 : 0));
        const std::vector<std::uint32_t> order =
            separator_order(graph_, {options_.points, options_.recuts, max_entries},
                            part_of(control_, 0, kOrderShare));
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
        if (const std::uint64_t bytes = bytes_needed(); bytes > options_.max_bytes) {
            return fail(StatusCode::too_large,
                        fmt::format("cut labels: {} bytes are needed, {} allowed", bytes,
                                    options_.max_bytes));
        }
        const bool within_limits = compute();
        if (control_.cancelled()) return fail(StatusCode::cancelled);
        if (!within_limits) {
            return fail(StatusCode::too_large,
                        fmt::format("cut labels: the graph has no small separators: closing it "
                                    "takes more than {} steps, or too much memory",
                                    options_.max_steps));
        }
        report(1.0);
        return finish();
    }

    [[nodiscard]] bool is_wide(std::uint32_t node) const {
        return graph_.degree(node) > kNarrowDegree;
    }

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

    /// Allocates the labels in the order of positions, which puts those of near nodes together.
    void lay_out() {
        LabelStorage& storage = *storage_;
        storage.nodes.resize(graph_.num_nodes());
        std::uint64_t first = 0;
        std::uint32_t wide = 0;
        for (std::uint32_t p = 0; p < graph_.num_nodes(); ++p) {
            const std::uint32_t v = tree_.node[p];
            const std::uint32_t group = groups_.group[p];
            CutLabelNode& node = storage.nodes[v];
            node = {
                first,   tree_.depth[p] + 1, group, groups_.before[group], groups_.after[group], p,
                kNotWide};
            if (options_.hops && is_wide(v)) {
                node.wide = wide;
                wide += node.length;
            }
            first += node.length;
        }
        storage.entries.resize(first);
        storage.wide_hops.resize(wide);
        if (options_.hops) lay_out_hops();
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

    /// Computes closure and labels. False if the closure is cancelled or passes its limits: it may
    /// take max_steps and twice max_bytes.
    bool compute() {
        const ClosureLimits limits{options_.max_bytes / kClosureEdgeBytes * 2, options_.max_steps};
        const auto closure = find_closure(graph_, tree_, limits, control_);
        if (!closure) return false;
        report(kClosureShare);
        lay_out();
        fill(*closure);
        return true;
    }

    void fill(const Closure& closure) {
        if (tree_.node.empty()) return;
        const Shares shares(tree_);
        LabelFiller top(tree_, closure, *storage_, 0);
        for (const std::uint32_t p : shares.above) {
            if (control_.cancelled()) return;
            top.fill(p);
        }
        shares.run(control_, [&](std::uint32_t root) {
            LabelFiller filler(tree_, closure, *storage_, root);
            for (std::uint32_t p = root; p < tree_.end[root]; ++p) {
                if (control_.cancelled()) return;
                filler.fill(p);
            }
        });
    }

    void report(double done) const {
        if (control_.progress) control_.progress(done);
    }

    CutLabels finish() {
        const LabelStorage& s = *storage_;
        const CutLabelArrays arrays{s.nodes,     s.entries, s.group_common, s.block_common, s.hops,
                                    s.wide_hops, s.places,  s.head,         s.groups};
        return CutLabels(arrays, storage_);
    }

    const Graph& graph_;
    const CutLabelOptions& options_;
    const BuildControl& control_;
    SeparatorTree tree_;
    GroupTable groups_;
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

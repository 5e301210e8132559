// Builds cut labels from a closure, from the top of the tree down.

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "cairn/cut_labels.hpp"
#include "closure_view.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "core/separator/separator_tree.hpp"
#include "core/threads.hpp"
#include "cut_labels_kernels.hpp"
#include "label_tree.hpp"

namespace cairn {
namespace {

constexpr std::uint32_t kNotWide = CutLabelArrays::kNotWide;
constexpr std::uint32_t kNarrowDegree = CutLabelArrays::kWideHop;

/// The steps of paths by labels: closure edges without a middle in the tree, from both their ends.
/// Those of a node are numbered from 0.
class LabelSteps {
public:
    explicit LabelSteps(const LabelTree& tree) : tree_(tree), first_(std::size_t{tree.size()} + 1) {
        tree.for_each_step([&](std::uint32_t p, std::uint32_t, std::uint32_t upper) {
            ++first_[p + 1];
            ++first_[upper + 1];
        });
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        first_edge_.reserve(std::size_t{tree.size()} + 1);
        std::uint64_t edges = 0;
        for (std::uint32_t p = 0; p < tree.size(); ++p) {
            first_edge_.push_back(edges);
            edges += tree.row(p).length;
        }
        first_edge_.push_back(edges);
    }

    /// Numbers the steps and returns the positions that they lead to, node by node. To be called
    /// before first_hop.
    [[nodiscard]] std::vector<std::uint32_t> number() {
        std::vector<std::uint32_t> next(first_);
        std::vector<std::uint32_t> heads(count());
        numbers_.resize(first_edge_.back());
        const auto add = [&](std::uint32_t from, std::uint32_t to) {
            heads[next[from]] = to;
            return next[from]++ - first_[from];
        };
        tree_.for_each_step([&](std::uint32_t p, std::uint32_t e, std::uint32_t upper) {
            numbers_[first_edge_[p] + e] = {add(p, upper), add(upper, p)};
        });
        return heads;
    }

    [[nodiscard]] std::uint32_t count() const noexcept { return first_.back(); }
    /// The number of all steps of the positions before.
    [[nodiscard]] std::uint32_t first(std::uint32_t position) const noexcept {
        return first_[position];
    }
    [[nodiscard]] std::uint32_t degree(std::uint32_t position) const noexcept {
        return first_[position + 1] - first_[position];
    }

    /// The first step from position p on the path of its closure edge `e`: that to the middle, or
    /// to the middle of this half, and so on. If the path leads down to p, its last step,
    /// backwards.
    [[nodiscard]] std::uint32_t first_hop(std::uint32_t p, std::uint32_t e,
                                          Way way) const noexcept {
        std::uint32_t middle = tree_.middle(p, e, way);
        if (middle == LabelTree::kNone) return numbers_[first_edge_[p] + e].up;
        for (;;) {
            const ClosureRow row = tree_.row(middle);
            const std::uint32_t half = row.find(tree_.tree.depth[p]);
            if (half == row.length) return 0;  // the closure is forged
            const std::uint32_t next = tree_.middle(middle, half, reverse(way));
            if (next == LabelTree::kNone) return numbers_[first_edge_[middle] + half].down;
            if (next <= middle) return 0;
            middle = next;
        }
    }

private:
    /// The numbers of a closure edge among the steps of its ends, if it is one.
    struct Numbers {
        std::uint32_t up = 0;    ///< from the lower node
        std::uint32_t down = 0;  ///< from the upper node
    };

    const LabelTree& tree_;
    std::vector<std::uint32_t> first_;       ///< by position
    std::vector<std::uint64_t> first_edge_;  ///< by position: the number of its first closure edge
    std::vector<Numbers> numbers_;           ///< by closure edge
};

/// Fills in labels of one way, by rising position from `begin` on; the caller may skip whole
/// subtrees. The labels of all ancestors of `begin` must be filled in.
///
/// The path from a node to an ancestor goes up by closure edges. The last of them begins at the
/// entry's `last`: of all shortest paths, the lowest possible node. This makes the path unique, and
/// each of its parts is the path between the part's ends, so hops agree with each other and with
/// ClimbQuery. In a directed graph the same holds for paths down, backwards.
class LabelFiller {
public:
    /// For the nodes above all shares, by position: for each entry the depth of its `last`.
    using LastRows = std::vector<std::vector<std::uint32_t>>;

    LabelFiller(const LabelTree& tree, const LabelSteps& steps, LabelStorage& storage, Way way,
                LastRows& above, std::uint32_t begin)
        : tree_(tree),
          steps_(steps),
          storage_(storage),
          way_(way),
          labels_(storage.way[way]),
          above_(above) {
        path_.resize(std::size_t{tree.tree.depth[begin]} + 1);
        std::uint32_t p = begin;
        for (std::size_t depth = path_.size(); depth-- > 0; p = tree.tree.parent[p])
            path_[depth] = p;
        if (labels_.hops.empty()) return;
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
        hop_rows_.push_back(labels_.hops.empty() ? 0 : storage_.places[p].hops - p);
        const std::uint32_t v = tree_.node(p);
        if (v == ClosureNode::kNone) return;
        const CutLabelNode& node = storage_.nodes[v];
        Cost* const label = labels_.entries.data() + node.first;
        if (last_.size() <= depth) last_.resize(depth + 1);
        std::vector<std::uint32_t>& last = keep_last ? above_[p] : last_[depth];
        last.assign(depth, 0);
        hops_.assign(std::size_t{depth} + 1, 0);
        std::fill_n(label, depth, kInfinity);
        label[depth] = 0;
        // Lowest upper neighbour first; skips edges longer than a path over lower ones.
        const ClosureRow row = tree_.row(p, way_);
        for (std::uint32_t e = row.length; e-- > 0;) {
            const std::uint32_t upper = row.depth[e];
            const Cost cost = row.cost[e];
            if (label[upper] < cost || cost == kInfinity) continue;
            label[upper] = cost;
            last[upper] = depth;
            if (!labels_.hops.empty()) hops_[upper] = steps_.first_hop(p, e, way_);
            const CutLabelNode& above = storage_.nodes[tree_.node(path_[upper])];
            take_over(labels_.entries.data() + above.first, last_of(upper), upper, cost, label,
                      last.data());
        }
        if (!labels_.hops.empty()) store_hops(p, node, last);
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
            labels_.hops[hop_rows_[k] + p] =
                wide ? CutLabelArrays::kWideHop : static_cast<std::uint8_t>(hop);
        }
        labels_.hops[hop_rows_[depth] + p] = wide ? CutLabelArrays::kWideHop : std::uint8_t{0};
        if (wide) std::copy(hops_.begin(), hops_.end(), labels_.wide_hops.begin() + node.wide);
    }

    const LabelTree& tree_;
    const LabelSteps& steps_;
    const LabelStorage& storage_;
    Way way_;
    LabelStorage::OneWay& labels_;
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
    CutLabelBuilder(const Closure& closure, const CutLabelOptions& options,
                    const BuildControl& control)
        : closure_(closure), options_(options), control_(control) {}

    Result<CutLabels> build() {
        if (Status s = check_threads(control_); !s.ok()) return tl::unexpected(std::move(s));
        CutLabels labels(closure_);
        if (closure_.storage() == nullptr) return labels;
        const ClosureView view(*closure_.storage());
        for (std::uint32_t piece = options_.piece;;) {
            const LabelTree tree(view, piece);
            GroupTable groups = group_table(tree.tree);
            LabelSteps steps(tree);
            if (control_.cancelled()) return fail(StatusCode::cancelled);
            labels.label_bytes_ = bytes_needed(tree, groups, steps);
            if (labels.label_bytes_ <= options_.max_bytes) {
                lay_out(tree, groups, steps);
                fill(tree, steps);
                if (control_.cancelled()) return fail(StatusCode::cancelled);
                if (control_.progress) control_.progress(1.0);
                labels.arrays_ = storage_->arrays(closure_.directed(), piece);
                labels.owner_ = storage_;
                labels.with_hops_ = options_.hops;
                return labels;
            }
            piece = LabelTree::next_piece(piece);
            if (piece == LabelTree::kNone) return labels;
        }
    }

private:
    /// At least one in a graph with nodes, for the records without a label to name.
    [[nodiscard]] std::uint64_t entries_of(const LabelTree& tree) const {
        std::uint64_t entries = 0;
        for (std::uint32_t p = 0; p < tree.size(); ++p)
            if (tree.node(p) != ClosureNode::kNone)
                entries += std::uint64_t{tree.tree.depth[p]} + 1;
        return closure_.num_nodes() > 0 ? std::max<std::uint64_t>(entries, 1) : entries;
    }

    /// The bytes of all arrays.
    [[nodiscard]] std::uint64_t bytes_needed(const LabelTree& tree, const GroupTable& groups,
                                             const LabelSteps& steps) const {
        const std::uint64_t num_ways = closure_.directed() ? 2 : 1;
        std::uint64_t bytes = closure_.num_nodes() * sizeof(CutLabelNode) +
                              num_ways * entries_of(tree) * sizeof(Cost) +
                              (groups.common.size() + groups.blocks.size()) * 4;
        if (tree.piece > 0 || options_.hops) {
            bytes +=
                tree.size() * sizeof(CutLabelPlace) + groups.common.size() * sizeof(CutLabelGroup);
        }
        if (!options_.hops) return bytes;
        std::uint64_t wide = 0;
        for (std::uint32_t p = 0; p < tree.size(); ++p)
            if (steps.degree(p) > kNarrowDegree) wide += std::uint64_t{tree.tree.depth[p]} + 1;
        bytes += num_ways * (tree.tree.entries + wide * 4) + std::uint64_t{steps.count()} * 4;
        // Indices of wide hops have 32 bits.
        return wide < kNotWide ? bytes : std::numeric_limits<std::uint64_t>::max();
    }

    /// Allocates the labels in the order of positions, which puts those of near nodes together.
    void lay_out(const LabelTree& tree, GroupTable& groups, LabelSteps& steps) {
        LabelStorage& storage = *storage_;
        storage.nodes.resize(closure_.num_nodes(), CutLabelNode{.place = CutLabelArrays::kNowhere});
        std::uint64_t first = 0;
        std::uint32_t wide = 0;
        for (std::uint32_t p = 0; p < tree.size(); ++p) {
            const std::uint32_t v = tree.node(p);
            if (v == ClosureNode::kNone) continue;
            CutLabelNode& node = storage.nodes[v];
            node = label_record(groups, p);
            node.first = first;
            node.length = tree.tree.depth[p] + 1;
            if (options_.hops && steps.degree(p) > kNarrowDegree) {
                node.wide = wide;
                wide += node.length;
            }
            first += node.length;
        }
        tree.set_records_in_pieces(groups, storage.nodes);
        for (const Way way : ways(closure_.directed())) {
            storage.way[way].entries.resize(entries_of(tree));
            if (options_.hops) storage.way[way].hops.resize(tree.tree.entries);
            storage.way[way].wide_hops.resize(wide);
        }
        if (tree.piece > 0 || options_.hops) lay_out_places(tree, groups, steps);
        if (options_.hops) storage.head = steps.number();
        storage.group_common = std::move(groups.common);
        storage.block_common = std::move(groups.blocks);
    }

    /// Sets the arrays by place and group. All hops to one node are together in memory, so
    /// following them reads only the part for its subtree.
    void lay_out_places(const LabelTree& tree, const GroupTable& groups, const LabelSteps& steps) {
        LabelStorage& storage = *storage_;
        storage.places.reserve(tree.size());
        std::uint64_t hops = 0;
        for (std::uint32_t p = 0; p < tree.size(); ++p) {
            storage.places.push_back({hops, options_.hops ? steps.first(p) : 0, tree.node(p)});
            hops += tree.tree.end[p] - p;
        }
        storage.groups = label_groups(tree.tree, groups);
    }

    void fill(const LabelTree& tree, const LabelSteps& steps) {
        if (tree.size() == 0) return;
        for (const Way way : ways(closure_.directed())) fill(tree, steps, way);
    }

    void fill(const LabelTree& tree, const LabelSteps& steps, Way way) {
        const Shares shares(tree.tree);
        LabelFiller::LastRows last(tree.size());
        LabelFiller top(tree, steps, *storage_, way, last, 0);
        for (const std::uint32_t p : shares.above) {
            if (control_.cancelled()) return;
            top.fill(p, true);
        }
        shares.run(control_, [&](std::uint32_t root) {
            LabelFiller filler(tree, steps, *storage_, way, last, root);
            for (std::uint32_t p = root; p < tree.tree.end[root]; ++p) {
                if (control_.cancelled()) return;
                filler.fill(p, false);
            }
        });
    }

    const Closure& closure_;
    const CutLabelOptions& options_;
    const BuildControl& control_;
    std::shared_ptr<LabelStorage> storage_ = std::make_shared<LabelStorage>();
};

Result<CutLabels> CutLabels::build(const Closure& closure, const Options& options,
                                   const BuildControl& control) noexcept try {
    return CutLabelBuilder(closure, options, control).build();
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
    return build(*closure, options, part_of(control, kClosureShare, 1));
} catch (...) {
    return out_of_memory();
}

Result<CutLabels> CutLabels::build(Graph&& graph, const Options& options,
                                   const BuildControl& control) noexcept try {
    const auto closure =
        Closure::build(std::move(graph), options.closure, part_of(control, 0, kClosureShare));
    if (!closure) return tl::unexpected(closure.error());
    return build(*closure, options, part_of(control, kClosureShare, 1));
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
    return build(*closure, options, part_of(control, kClosureShare, 1));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn

// Repairs labels after edits of their closure, from the top of the tree down.

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "cairn/cut_labels.hpp"
#include "closure_view.hpp"
#include "core/arena.hpp"
#include "core/guarded.hpp"
#include "core/separator/separator_tree.hpp"
#include "core/threads.hpp"
#include "cut_labels_kernels.hpp"
#include "label_pages.hpp"
#include "label_tree.hpp"

namespace cairn {
namespace {

/// One repair, of the labels of one way. The tree is walked in depth-first order. A label differs
/// from that before only if its row of the closure does, or the label of an upper neighbour. Of a
/// label that may differ, only the steps of entries that a change can reach are computed again.
/// Subtrees that no change reaches are left out.
///
/// Edits keep the order of a node's ancestors, but new ones may come between them, so that the
/// entries below stand at other depths. Such a label is first copied to these depths.
class LabelRepair {
public:
    /// `before` are labels of an earlier closure, null if there are none. `had_pieces`: not of all
    /// its nodes.
    LabelRepair(const CutLabels::Pages* before, bool had_pieces, const LabelTree& tree, Way way)
        : before_(before == nullptr ? nullptr : &before->way(way)),
          view_(tree.closure),
          old_(before == nullptr ? view_ : ClosureView(*before->closure.storage())),
          tree_(tree.tree),
          pieces_(had_pieces || tree.piece > 0),
          way_(way),
          row_entries_(kArenaBlock),
          row_lasts_(kArenaBlock) {
        for (const std::uint32_t depth : tree_.depth) height_ = std::max(height_, depth);
        path_.resize(std::size_t{height_} + 1);
        new_depth_.resize(std::size_t{height_} + 1);
        if (before != nullptr) old_places_ = old_.num_places();
        steps_a_bit_ = height_ / kLabelStep / kBits + 1;
    }

    Result<LabelPages> run(const BuildControl& control) {
        rows_.resize(tree_.node.size());
        changed_pages_.resize((view_.num_places() >> LabelPage::kShift) + 1);
        find_candidates();
        blank_ = blank_row(height_ + 1).label();
        const auto count = static_cast<std::uint32_t>(tree_.node.size());
        constexpr std::uint32_t kBetweenChecks = 1024;
        std::uint32_t checks = 0;
        for (std::uint32_t p = 0; p < count;) {
            if (++checks % kBetweenChecks == 0 && control.cancelled())
                return fail(StatusCode::cancelled);
            enter(p);
            if (visit(p)) {
                ++p;
            } else {
                p = std::min(tree_.end[p], next_candidate(p + 1));
            }
        }
        return pages();
    }

private:
    static constexpr std::uint32_t kNone = ClosureNode::kNone;
    static constexpr std::uint32_t kBits = 64;
    static constexpr std::size_t kArenaBlock = 1 << 14;

    /// A node on the way from the root to the current one.
    struct OnPath {
        std::uint32_t position = kNone;
        std::uint32_t place = kNone;
        /// The depth of the lowest node that was an ancestor before, from here up; or kNone.
        std::uint32_t lowest_old = kNone;
        LabelRow row;               ///< its label
        LabelRow before;            ///< the label before, with entries at today's depths
        std::uint64_t changed = 0;  ///< a bit for each few steps in which they differ
    };

    [[nodiscard]] bool had_label(std::uint32_t place) const noexcept {
        return place < old_places_ && before_->has(place);
    }
    [[nodiscard]] bool has_label(std::uint32_t place) const noexcept {
        return tree_.position[place] != kNone && view_.node(place).node != kNone;
    }

    /// Lists the positions of places whose record or row may differ from that before, or that had
    /// no label. Marks the pages of places that gained or lost a label.
    void find_candidates() {
        if (before_ == nullptr) {
            candidates_.resize(tree_.node.size());
            for (std::uint32_t p = 0; p < candidates_.size(); ++p) candidates_[p] = p;
            return;
        }
        for (std::uint32_t place = 0; place < view_.num_places(); ++place) {
            if (place < old_places_ && view_.same_page(old_, place)) {
                place |= ClosurePage::kPlaces - 1;
                continue;
            }
            if (place >= old_places_ || !view_.same_row(old_, place)) add_candidate(place);
            compare_presence(place);
        }
        if (pieces_) {
            for (std::uint32_t place = 0; place < view_.num_places(); ++place)
                compare_presence(place);
        }
        std::sort(candidates_.begin(), candidates_.end());
    }
    void compare_presence(std::uint32_t place) {
        if (had_label(place) == has_label(place)) return;
        changed_pages_[place >> LabelPage::kShift] = true;
        add_candidate(place);
    }
    void add_candidate(std::uint32_t place) {
        if (tree_.position[place] != kNone) candidates_.push_back(tree_.position[place]);
    }
    [[nodiscard]] std::uint32_t next_candidate(std::uint32_t from) noexcept {
        while (at_candidate_ < candidates_.size() && candidates_[at_candidate_] < from)
            ++at_candidate_;
        return at_candidate_ < candidates_.size() ? candidates_[at_candidate_] : kNone;
    }

    /// Sets path_ to the ancestors of position p. Those that were left out have not changed.
    void enter(std::uint32_t p) {
        for (std::uint32_t at = tree_.parent[p]; at != SeparatorTree::kNoParent;
             at = tree_.parent[at]) {
            const std::uint32_t depth = tree_.depth[at];
            OnPath& here = path_[depth];
            if (here.position == at) return;
            const std::uint32_t place = tree_.node[at];
            here = {at, place, depth, {}, {}, 0};
            if (had_label(place)) here.row = here.before = before_->row(place);
            new_depth_[depth] = depth;
        }
    }

    /// Finds the label at position p. Returns whether labels below may have changed.
    bool visit(std::uint32_t p) {
        const std::uint32_t depth = tree_.depth[p];
        const std::uint32_t place = tree_.node[p];
        const std::uint32_t lowest_old = depth == 0 ? kNone : path_[depth - 1].lowest_old;
        // A place below other ancestors than before counts as new.
        const bool is_old =
            place < old_places_ &&
            old_.node(place).parent == (lowest_old == kNone ? kNone : path_[lowest_old].place);
        OnPath& here = path_[depth];
        here = {p, place, is_old ? depth : lowest_old, {}, blank_, 0};
        const bool has_before = is_old && had_label(place);
        const bool moved = is_old && old_.node(place).depth != depth;
        if (is_old) new_depth_[old_.node(place).depth] = depth;
        if (has_before) here.before = moved ? moved_row(place, depth) : before_->row(place);

        const ClosureRow row = view_.row(place, way_);
        const bool removed = view_.node(place).node == kNone;
        std::uint64_t dirty = 0;
        if (!removed && (!has_before || row_differs(place, p))) dirty = ~std::uint64_t{0};
        bool reached = false;
        for (std::uint32_t e = 0; e < row.length; ++e) {
            const OnPath& upper = path_[row.depth[e]];
            if (upper.changed == 0) continue;
            reached = true;
            if (!removed && row.cost[e] < kInfinity)
                dirty |= reach(here.before, upper, row.cost[e], row.depth[e], dirty);
        }
        if (!removed) settle(here, row, depth, dirty, has_before && !moved);
        return reached || moved || !is_old || here.changed != 0;
    }

    /// Sets the label of `here`, of which the steps `dirty` must be computed. `in_place`: its page
    /// holds the label before at today's depths.
    void settle(OnPath& here, const ClosureRow& row, std::uint32_t depth, std::uint64_t dirty,
                bool in_place) {
        here.row = here.before;
        if (dirty != 0) {
            const LabelRow label = compute(row, depth, dirty, here.before);
            here.changed = differences(label, here.before, depth, dirty);
            if (here.changed != 0) here.row = label;
        }
        if (!in_place || here.changed != 0) {
            rows_[here.position] = here.row;
            changed_pages_[here.place >> LabelPage::kShift] = true;
        }
    }

    [[nodiscard]] std::uint64_t bit_of(std::uint32_t step) const noexcept {
        return std::uint64_t{1} << (step / steps_a_bit_);
    }

    /// The bits, besides those known, of steps that the change of an upper neighbour's label may
    /// change.
    [[nodiscard]] std::uint64_t reach(const LabelRow& label, const OnPath& upper, Cost edge,
                                      std::uint32_t upper_depth, std::uint64_t known) const {
        std::uint64_t out = 0;
        for (std::uint64_t bits = upper.changed & ~known; bits != 0; bits &= bits - 1) {
            const std::uint64_t bit = bits & -bits;
            const auto first = static_cast<std::uint32_t>(std::countr_zero(bits)) * steps_a_bit_;
            const std::uint32_t end = std::min(first + steps_a_bit_, upper_depth / kLabelStep + 1);
            for (std::uint32_t step = first; step < end; ++step) {
                if (!may_change(label, upper.before, upper.row, edge,
                                std::size_t{step} * kLabelStep))
                    continue;
                out |= bit;
                break;
            }
        }
        return out;
    }

    /// Whether the row of the closure has another edge or cost than before.
    [[nodiscard]] bool row_differs(std::uint32_t place, std::uint32_t position) {
        if (next_candidate(position) != position) return false;
        const ClosureRow now = view_.row(place, way_);
        const ClosureRow was = old_.row(place, way_);
        if (now.length != was.length) return true;
        for (std::uint32_t e = 0; e < now.length; ++e) {
            if (now.cost[e] != was.cost[e] || now.depth[e] != new_depth_[was.depth[e]]) return true;
        }
        return false;
    }

    struct NewRow {
        Cost* entries;
        std::uint16_t* lasts;
        [[nodiscard]] LabelRow label() const noexcept { return {entries, lasts}; }
    };
    /// Room for a label of this length, with its padding.
    [[nodiscard]] NewRow new_row(std::uint32_t length) {
        const std::uint32_t padded = LabelPage::padded(length);
        return {row_entries_.take(padded), row_lasts_.take(padded)};
    }
    /// A label of this length without any paths.
    [[nodiscard]] NewRow blank_row(std::uint32_t length) {
        const NewRow row = new_row(length);
        std::fill_n(row.entries, LabelPage::padded(length), kInfinity);
        std::fill_n(row.lasts, LabelPage::padded(length), std::uint16_t{0});
        return row;
    }

    /// The label before of a place that now lies deeper.
    [[nodiscard]] LabelRow moved_row(std::uint32_t place, std::uint32_t depth) {
        const auto [entries, lasts] = blank_row(depth + 1);
        const LabelRow was = before_->row(place);
        const std::uint32_t old_depth = old_.node(place).depth;
        for (std::uint32_t d = 0; d <= old_depth; ++d) {
            const std::uint32_t to = new_depth_[d];
            entries[to] = was.entries[d];
            const bool has_last = d < old_depth && was.entries[d] < kInfinity;
            if (has_last) lasts[to] = static_cast<std::uint16_t>(new_depth_[was.lasts[d]]);
        }
        return {entries, lasts};
    }

    /// Computes the steps `dirty` of a label; the others are as `before`.
    [[nodiscard]] LabelRow compute(const ClosureRow& row, std::uint32_t depth, std::uint64_t dirty,
                                   const LabelRow& before) {
        const std::uint32_t padded = LabelPage::padded(depth + 1);
        const auto [entries, lasts] = new_row(depth + 1);
        std::memcpy(entries, before.entries, padded * sizeof *entries);
        std::memcpy(lasts, before.lasts, padded * sizeof *lasts);
        uppers_.clear();
        std::uint32_t e = row.length;
        for (std::uint32_t step = padded / kLabelStep; step-- > 0;) {
            const std::uint32_t first = step * kLabelStep;
            const std::size_t lower = uppers_.size();
            const std::uint32_t end = e;
            for (; e > 0 && row.depth[e - 1] >= first; --e) {
                if (row.cost[e - 1] < kInfinity)
                    uppers_.push_back({path_[row.depth[e - 1]].row, row.cost[e - 1]});
            }
            if ((dirty & bit_of(step)) != 0) {
                best_step(uppers_, first, entries, lasts);
                if (depth < first + kLabelStep) {
                    entries[depth] = 0;
                    lasts[depth] = 0;
                }
                for (std::uint32_t i = e; i < end; ++i) {
                    const std::uint32_t d = row.depth[i];
                    if (row.cost[i] < kInfinity && entries[d] == row.cost[i])
                        lasts[d] = static_cast<std::uint16_t>(depth);
                }
            }
            // Paths over an edge that is longer than another path are not the best further up.
            uppers_.resize(lower);
            for (std::uint32_t i = end; i-- > e;) {
                const std::uint32_t d = row.depth[i];
                if (row.cost[i] < kInfinity && entries[d] == row.cost[i])
                    uppers_.push_back({path_[d].row, row.cost[i]});
            }
        }
        return {entries, lasts};
    }

    /// The bits of the steps in which two labels differ; all such steps are in `dirty`.
    [[nodiscard]] std::uint64_t differences(const LabelRow& a, const LabelRow& b,
                                            std::uint32_t depth, std::uint64_t dirty) const {
        std::uint64_t out = 0;
        for (std::uint32_t step = 0; step <= depth / kLabelStep; ++step) {
            const std::uint64_t bit = bit_of(step);
            if ((dirty & bit) == 0 || (out & bit) != 0) continue;
            const std::size_t at = std::size_t{step} * kLabelStep;
            if (std::memcmp(a.entries + at, b.entries + at, kLabelStep * sizeof *a.entries) != 0 ||
                std::memcmp(a.lasts + at, b.lasts + at, kLabelStep * sizeof *a.lasts) != 0)
                out |= bit;
        }
        return out;
    }

    [[nodiscard]] LabelPages pages() const {
        LabelPages pages;
        const std::size_t count =
            (std::size_t{view_.num_places()} + LabelPage::kPlaces - 1) / LabelPage::kPlaces;
        if (before_ != nullptr) pages.pages = before_->pages;
        pages.pages.resize(count);
        pages.entries.reserve(count);
        for (std::uint32_t number = 0; number < count; ++number) {
            auto& page = pages.pages[number];
            if (page == nullptr || changed_pages_[number]) page = new_page(number);
            pages.entries.push_back(page->entries.data());
        }
        return pages;
    }

    [[nodiscard]] std::uint32_t end_of_page(std::uint32_t number) const noexcept {
        return std::min((number + 1) << LabelPage::kShift, view_.num_places());
    }

    [[nodiscard]] std::shared_ptr<const LabelPage> new_page(std::uint32_t number) const {
        auto page = std::make_shared<LabelPage>();
        page->first.fill(LabelPage::kNoLabel);
        const std::uint32_t begin = number << LabelPage::kShift;
        std::uint32_t size = 0;
        for (std::uint32_t place = begin; place < end_of_page(number); ++place) {
            page->first[place - begin] = has_label(place) ? size : LabelPage::kNoLabel;
            size += padded_length(place);
        }
        page->entries.reserve(size);
        page->lasts.reserve(size);
        for (std::uint32_t place = begin; place < end_of_page(number); ++place) {
            const std::uint32_t length = padded_length(place);
            if (length == 0) continue;
            const LabelRow& kept = rows_[tree_.position[place]];
            const LabelRow row = kept.entries != nullptr ? kept : before_->row(place);
            page->entries.insert(page->entries.end(), row.entries, row.entries + length);
            page->lasts.insert(page->lasts.end(), row.lasts, row.lasts + length);
        }
        return page;
    }

    [[nodiscard]] std::uint32_t padded_length(std::uint32_t place) const noexcept {
        if (!has_label(place)) return 0;
        return LabelPage::padded(tree_.depth[tree_.position[place]] + 1);
    }

    const LabelPages* before_;
    ClosureView view_;
    ClosureView old_;  ///< of the labels before
    std::uint32_t old_places_ = 0;
    const SeparatorTree& tree_;  ///< over the places with labels
    bool pieces_;  ///< whether places may gain or lose a label although their row stays
    Way way_;
    std::uint32_t height_ = 0;
    std::uint32_t steps_a_bit_ = 1;
    std::vector<std::uint32_t> candidates_;  ///< positions, ascending
    std::size_t at_candidate_ = 0;

    std::vector<OnPath> path_;              ///< by depth
    std::vector<std::uint32_t> new_depth_;  ///< of ancestors that are not new, by their old depth
    std::vector<UpperLabel> uppers_;
    LabelRow blank_;
    Arena<Cost> row_entries_;
    Arena<std::uint16_t> row_lasts_;
    std::vector<LabelRow> rows_;       ///< by position: the labels that differ
    std::vector<bool> changed_pages_;  ///< by number
};

/// The most bytes of labels in pages, had they no pages in common with others. Counts empty places,
/// too.
std::uint64_t bytes_in_pages(const Closure& closure, const LabelTree& tree,
                             const GroupTable& groups) {
    constexpr std::uint64_t kEntry = sizeof(Cost) + sizeof(std::uint16_t);
    constexpr std::uint64_t kPage =
        sizeof(LabelPage) + sizeof(std::shared_ptr<const LabelPage>) + sizeof(const Cost*);
    std::uint64_t entries = 0;
    for (const std::uint32_t depth : tree.tree.depth) entries += LabelPage::padded(depth + 1);
    const std::uint64_t pages =
        (std::uint64_t{closure.num_places()} + LabelPage::kPlaces - 1) / LabelPage::kPlaces;
    const std::uint64_t arrays =
        closure.num_nodes() * sizeof(CutLabelNode) + tree.size() * sizeof(CutLabelPlace) +
        groups.common.size() * (sizeof(CutLabelGroup) + sizeof(std::uint32_t)) +
        groups.blocks.size() * sizeof(std::uint32_t);
    return (closure.directed() ? 2 : 1) * (entries * kEntry + pages * kPage) + arrays;
}

/// The arrays of labels in pages.
LabelStorage arrays_of_pages(const Closure& closure, const LabelTree& tree, GroupTable groups,
                             const LabelPages& pages) {
    LabelStorage storage;
    storage.nodes.resize(closure.num_nodes(), CutLabelNode{.place = CutLabelArrays::kNowhere});
    storage.places.reserve(tree.size());
    for (std::uint32_t p = 0; p < tree.size(); ++p) {
        const std::uint32_t place = tree.tree.node[p];
        const std::uint32_t v = tree.node(p);
        storage.places.push_back({0, 0, v});
        if (v == ClosureNode::kNone) continue;
        CutLabelNode& node = storage.nodes[v];
        node = label_record(groups, p);
        node.first = std::uint64_t{place >> LabelPage::kShift} << LabelPages::kPageShift |
                     pages.first(place);
        node.length = tree.tree.depth[p] + 1;
    }
    tree.set_records_in_pieces(groups, storage.nodes);
    storage.groups = label_groups(tree.tree, groups);
    storage.group_common = std::move(groups.common);
    storage.block_common = std::move(groups.blocks);
    return storage;
}

}  // namespace

Result<CutLabels> CutLabels::repaired(const Options& options,
                                      const BuildControl& control) const noexcept try {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    if (!closure_.in_pages()) return build(closure_, options, control);
    const ClosureView view(*closure_.storage());
    LabelTree tree(view, options.piece);
    GroupTable groups = group_table(tree.tree);
    while (bytes_in_pages(closure_, tree, groups) > options.max_bytes) {
        const std::uint32_t piece = LabelTree::next_piece(tree.piece);
        if (piece == LabelTree::kNone) return build(closure_, options, control);
        tree = LabelTree(view, piece);
        groups = group_table(tree.tree);
    }
    auto pages = std::make_shared<Pages>();
    pages->closure = closure_;
    pages->piece = tree.piece;
    const bool had_pieces = pages_ != nullptr && pages_->piece > 0;
    for (const Way way : ways(closure_.directed())) {
        auto repaired = LabelRepair(pages_.get(), had_pieces, tree, way).run(control);
        if (!repaired) return tl::unexpected(std::move(repaired.error()));
        pages->kept[way] = std::move(*repaired);
    }
    const auto storage = std::make_shared<const LabelStorage>(
        arrays_of_pages(closure_, tree, std::move(groups), pages->kept.up));
    CutLabels labels(closure_);
    labels.arrays_ = storage->arrays(closure_.directed(), tree.piece);
    labels.label_bytes_ = pages->bytes() + bytes_of(labels.arrays_, closure_.directed());
    labels.owner_ = storage;
    labels.pages_ = std::move(pages);
    if (control.progress) control.progress(1.0);
    return labels;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn

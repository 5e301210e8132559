#pragma once
// A query of cut labels: the cheapest path from any start connector to any goal connector.

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>

#include "cairn/cut_labels.hpp"
#include "cut_labels_kernels.hpp"
#include "cut_labels_tree.hpp"
#include "hop_path.hpp"
#include "label_pages.hpp"
#include "paged_label_path.hpp"
#include "sorted_connectors.hpp"

namespace cairn {

/// One query. A sweep takes some range of entries: first, for each entry, the minimum over the
/// start's labels; then, for each of the goal's labels, the least sum of these minima and its
/// entries. With `kWinner`, the winning pair of connectors and their ancestor are kept.
class CutLabelQuery {
public:
    static constexpr bool kCostOnly = false;  ///< values of kWinner
    static constexpr bool kKeepWinner = true;
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    using Item = CutLabelScratch::Item;

    /// `goal_ranks`, by goal connector and ascending, tells which of equally good ones wins; the
    /// connectors themselves are ranked if it is empty.
    CutLabelQuery(const CutLabels& labels, std::span<const Connector> from,
                  std::span<const Connector> to, CutLabelScratch& scratch,
                  std::span<const std::uint32_t> goal_ranks = {})
        : arrays_(labels.arrays_),
          pages_(labels.pages()),
          up_(arrays_, pages_, Way::up),
          down_(arrays_, pages_, Way::down),
          from_(from),
          to_(to),
          goal_ranks_(goal_ranks),
          scratch_(scratch) {}

    std::uint32_t start = kNone;  ///< index of the winning start connector in its list
    std::uint32_t goal = kNone;   ///< index of the winning goal connector in its list
    std::uint32_t meeting = 0;    ///< index in both labels of the entry where they meet
    Cost cost = kInfinity;

    /// Finds the winner: by one sweep if all pairs share the same entries, otherwise by segments of
    /// the tree (many pairs) or by pairs (few).
    template <bool kWinner>
    void run() {
        if (!find_ranges(kPrefetchedLines)) return;
        if (const std::uint32_t common = common_entries(arrays_, from_range_, to_range_);
            common != kAllEntries) {
            sweep_lists<kWinner>(common);
            return;
        }
        if (from_.size() * to_.size() > kFewPairs) {
            sweep_tree<kWinner>();
            return;
        }
        // Sweeps the entries that all connectors share, then compares the others pair by pair.
        const CutLabelNode& first = from_range_.first->group < to_range_.first->group
                                        ? *from_range_.first
                                        : *to_range_.first;
        const CutLabelNode& last =
            from_range_.last->group > to_range_.last->group ? *from_range_.last : *to_range_.last;
        const std::uint32_t common = shared_entries(arrays_, first, last);
        sweep_lists<kWinner>(std::min({common, from_range_.longest, to_range_.longest}));
        sweep_pairs<kWinner>(common);
    }

    /// Runs the query if it takes few steps; otherwise does nothing and returns false. Does not
    /// prefetch labels: that is wasted if it does nothing, and meet_rows reads them all at once.
    template <bool kWinner>
    bool run_if_quick() {
        if (!find_ranges(0)) return true;
        const std::uint64_t common = common_entries(arrays_, from_range_, to_range_);
        if (common * (from_.size() + to_.size()) > CutLabels::kQuickEntries) return false;
        sweep_lists<kWinner>(static_cast<std::uint32_t>(common));
        return true;
    }

    /// Sets `nodes` to the path of a meeting found for these lists. False, with no nodes, if there
    /// is no path or the arrays are forged.
    [[nodiscard]] bool write_path(const CutLabelMeeting& found,
                                  std::vector<std::uint32_t>& nodes) const {
        const bool written = found.cost < kInfinity && join(found, nodes);
        if (!written) nodes.clear();
        return written;
    }

    /// Sets `nodes` to the winner's path and returns its cost; no nodes and kInfinity without one.
    [[nodiscard]] Cost take_path(std::vector<std::uint32_t>& nodes) const {
        return write_path(take_meeting(), nodes) ? cost : kInfinity;
    }

    /// The winner; of cost kInfinity if there is none or the arrays are forged.
    [[nodiscard]] CutLabelMeeting take_meeting() const noexcept {
        if (goal == kNone || start == kNone) return {};
        const std::uint32_t target =
            ancestor_place(arrays_, arrays_.nodes[from_[start].node].group, meeting);
        if (target >= arrays_.places.size() || arrays_.places[target].node == ClosureNode::kNone)
            return {};
        return {cost, start, goal, meeting, target};
    }

private:
    static constexpr std::uint64_t kPrefetchedLines = 6;  ///< cache lines of each label
    /// Up to this many pairs of connectors are compared one by one; more are sorted first.
    static constexpr std::size_t kFewPairs = 256;

    [[nodiscard]] bool join(const CutLabelMeeting& found, std::vector<std::uint32_t>& nodes) const {
        const std::uint32_t a = from_[found.start].node;
        const std::uint32_t b = to_[found.goal].node;
        if (pages_ != nullptr) {
            return PagedLabelPath(arrays_, *pages_, scratch_.climb())
                .join(a, b, found.place, found.entry, nodes);
        }
        return HopPath(arrays_, found.place, found.entry).join(a, b, nodes, scratch_.goal_side_);
    }

    [[nodiscard]] bool usable(const Connector& connector) const noexcept {
        return connector.node < arrays_.nodes.size() && connector.cost < kInfinity;
    }

    /// Sets both ranges and prefetches `lines` of each label. False if a side has no connector.
    [[nodiscard]] bool find_ranges(std::uint64_t lines) {
        if (up_.empty()) return false;
        from_range_ = range(from_, up_, lines);
        to_range_ = range(to_, down_, lines);
        return from_range_.first != nullptr && to_range_.first != nullptr;
    }

    [[nodiscard]] LabelRange range(std::span<const Connector> connectors,
                                   const LabelEntries& entries,
                                   std::uint64_t lines) const noexcept {
        LabelRange out;
        for (const Connector& connector : connectors) {
            if (!usable(connector)) continue;
            const CutLabelNode& node = arrays_.nodes[connector.node];
            if (out.first == nullptr || node.group < out.first->group) out.first = &node;
            if (out.last == nullptr || node.group > out.last->group) out.last = &node;
            out.longest = std::max(out.longest, node.length);
            out.shortest = std::min(out.shortest, node.length);
            prefetch(node, entries, lines);
        }
        return out;
    }

    /// Prefetches the beginning of a label; the processor's own prefetcher continues. Ignores the
    /// label's length: a branch would cost more than lines fetched in vain.
    static void prefetch(const CutLabelNode& node, const LabelEntries& entries,
                         std::uint64_t lines) noexcept {
        if (entries.in_pages()) return prefetch_in_page(node, entries, lines);
        constexpr std::uint64_t kLine = 64 / sizeof(Cost);
        for (std::uint64_t i = 0; i < lines; ++i)
            __builtin_prefetch(entries(std::min(node.first + i * kLine, entries.last())));
    }

    /// The same for a label in a page, where nothing but the label is sure to follow.
    static void prefetch_in_page(const CutLabelNode& node, const LabelEntries& entries,
                                 std::uint64_t lines) noexcept {
        constexpr std::uint64_t kLine = 64 / sizeof(Cost);
        for (std::uint64_t i = 0; i < lines * kLine && i < node.length; i += kLine)
            __builtin_prefetch(entries(node.first) + i);
    }

    [[nodiscard]] Deficit* room_for_minima(std::size_t count) {
        if (scratch_.least_.size() < count) scratch_.least_.resize(count);
        return scratch_.least_.data();
    }

    /// Sets the first `count` of the scratch's minima to kInfinity, as deficits.
    Deficit* clear_minima(std::size_t count) {
        Deficit* const least = room_for_minima(count);
        std::fill_n(least, count, Deficit{0});
        return least;
    }

    /// Meets the goal connector `index`, of cost `offset`, at entries [floor, floor + count).
    /// `least` and `label` begin at entry floor. True if the best meeting there becomes the winner.
    template <bool kWinner>
    bool meet(const Deficit* least, const Cost* label, std::uint32_t floor, std::uint32_t count,
              Cost offset, std::uint32_t index) {
        const std::uint32_t sum = min_sum(least, label, count);
        const std::uint64_t total = std::uint64_t{sum} + offset;
        if (total >= kInfinity || total > cost) return false;
        if constexpr (!kWinner) {
            cost = static_cast<Cost>(total);
            return true;
        }
        const std::uint32_t k =
            floor + static_cast<std::uint32_t>(find_sum(least, label, count, sum));
        if (total == cost &&
            std::pair(goal_rank(goal), ~meeting) <= std::pair(goal_rank(index), ~k))
            return false;
        cost = static_cast<Cost>(total);
        goal = index;
        meeting = k;
        return true;
    }

    /// The labels of the usable connectors.
    [[nodiscard]] std::span<const CutLabelRow> rows(std::span<const Connector> connectors,
                                                    const LabelEntries& entries,
                                                    std::vector<CutLabelRow>& room) const {
        if (room.size() < connectors.size()) room.resize(connectors.size());
        std::size_t count = 0;
        for (const Connector& connector : connectors) {
            if (!usable(connector)) continue;
            room[count++] = {entries(arrays_.nodes[connector.node].first), connector.cost};
        }
        return std::span(room).first(count);
    }

    /// Sweeps the entries below `common`, which all pairs share (a shorter label: all it has).
    template <bool kWinner>
    void sweep_lists(std::uint32_t common) {
        constexpr std::uint32_t kLeast = kLeastEntries;
        const std::uint32_t read = std::max(common, kLeast);
        if (read > std::min(from_range_.shortest, to_range_.shortest)) {
            sweep_short_lists<kWinner>(common);
            return;
        }
        Deficit* const least = room_for_minima(read);
        cost = meet_rows(rows(from_, up_, scratch_.from_), rows(to_, down_, scratch_.to_), common,
                         least);
        if (!kWinner || cost == kInfinity) return;
        for (std::uint32_t i = 0; i < to_.size(); ++i) {
            if (!usable(to_[i]) || to_[i].cost > cost) continue;
            if (goal != kNone && goal_rank(i) != goal_rank(goal)) break;
            const Cost* const label = down_(arrays_.nodes[to_[i].node].first);
            const std::size_t k = find_sum(least, label, common, cost - to_[i].cost);
            if (k == common || (goal != kNone && k <= meeting)) continue;
            goal = i;
            meeting = static_cast<std::uint32_t>(k);
        }
        find_start(least);
    }

    /// The same for labels of which some are too short for meet_rows.
    template <bool kWinner>
    void sweep_short_lists(std::uint32_t common) {
        Deficit* const least = clear_minima(common);
        for (const Connector& connector : from_) {
            if (!usable(connector)) continue;
            const CutLabelNode& node = arrays_.nodes[connector.node];
            min_with_offset(least, up_(node.first), connector.cost, std::min(common, node.length));
        }
        for (std::uint32_t i = 0; i < to_.size(); ++i) {
            if (!usable(to_[i])) continue;
            const CutLabelNode& node = arrays_.nodes[to_[i].node];
            const Cost sum = min_sum(least, down_(node.first), std::min(common, node.length));
            const std::uint64_t total = std::uint64_t{sum} + to_[i].cost;
            if (total > cost || total >= kInfinity) continue;
            if (kWinner) {
                const auto k = static_cast<std::uint32_t>(
                    find_sum(least, down_(node.first), std::min(common, node.length), sum));
                if (total == cost &&
                    std::pair(goal_rank(goal), ~meeting) <= std::pair(goal_rank(i), ~k)) {
                    continue;
                }
                meeting = k;
            }
            cost = static_cast<Cost>(total);
            goal = i;
        }
        if (kWinner && goal != kNone) find_start(least);
    }

    /// Sets start, given meeting and the minima of a sweep of all lists.
    void find_start(const Deficit* least) {
        for (std::uint32_t i = 0; i < from_.size(); ++i) {
            if (!usable(from_[i])) continue;
            const CutLabelNode& node = arrays_.nodes[from_[i].node];
            if (meeting < node.length &&
                from_[i].cost + up_(node.first)[meeting] == cost_of(least[meeting])) {
                start = i;
                return;
            }
        }
    }

    /// Whether `a` is known to share at most `floor` entries with every goal connector: all goals
    /// come after it, or all before it, in the tree's order, and the nearest shares no more.
    [[nodiscard]] bool shares_at_most(const CutLabelNode& a, std::uint32_t floor) const noexcept {
        if (a.group <= to_range_.first->group) {
            return shared_entries(arrays_, a, *to_range_.first) <= floor;
        }
        return a.group >= to_range_.last->group &&
               shared_entries(arrays_, a, *to_range_.last) <= floor;
    }

    /// Compares, pair by pair, the entries that a pair shares beyond the common first `floor`.
    template <bool kWinner>
    void sweep_pairs(std::uint32_t floor) {
        for (std::uint32_t i = 0; i < from_.size(); ++i) {
            if (!usable(from_[i])) continue;
            const CutLabelNode& a = arrays_.nodes[from_[i].node];
            if (a.length <= floor || shares_at_most(a, floor)) continue;
            for (std::uint32_t j = 0; j < to_.size(); ++j) {
                if (!usable(to_[j]) || from_[i].cost + to_[j].cost > cost) continue;
                const CutLabelNode& b = arrays_.nodes[to_[j].node];
                const std::uint32_t shared =
                    std::min({shared_entries(arrays_, a, b), a.length, b.length});
                if (shared > floor) meet_pair<kWinner>(i, j, floor, shared);
            }
        }
    }

    template <bool kWinner>
    void meet_pair(std::uint32_t from, std::uint32_t to, std::uint32_t floor, std::uint32_t end) {
        const Cost* const a = up_(arrays_.nodes[from_[from].node].first);
        const Cost* const b = down_(arrays_.nodes[to_[to].node].first);
        const Cost sum = min_sum(a + floor, b + floor, end - floor);
        const std::uint64_t total = std::uint64_t{sum} + from_[from].cost + to_[to].cost;
        if (total >= kInfinity || total > cost) return;
        if constexpr (kWinner) {
            const std::uint32_t k = floor + static_cast<std::uint32_t>(
                                                find_sum(a + floor, b + floor, end - floor, sum));
            // The first goal, then the lowest meeting, then the first start.
            if (total == cost && std::tuple(goal_rank(goal), ~meeting, start) <=
                                     std::tuple(goal_rank(to), ~k, from)) {
                return;
            }
            goal = to;
            meeting = k;
            start = from;
        }
        cost = static_cast<Cost>(total);
    }

    /// Sets the items to the usable connectors, by group.
    void sort_items() {
        scratch_.items_.clear();
        const auto order_of = [&](const Connector& connector) -> std::optional<std::uint32_t> {
            if (!usable(connector)) return {};
            return arrays_.nodes[connector.node].group;
        };
        visit_sorted(
            from_, to_, scratch_.keys_, order_of,
            [&](const Connector& connector, std::uint32_t i, bool is_goal) {
                const CutLabelNode& node = arrays_.nodes[connector.node];
                scratch_.items_.push_back({node.length, i, 0, node.first, connector.cost, is_goal});
            });
    }

    [[nodiscard]] const CutLabelNode& node_of(const Item& item) const noexcept {
        return arrays_.nodes[(item.goal ? to_ : from_)[item.index].node];
    }

    /// The general case. The ancestors of all connectors form a tree. Each of its segments without
    /// branching is a range of entries that the connectors below it share, and is swept once. In
    /// the order of groups, the connectors below a segment are contiguous.
    template <bool kWinner>
    void sweep_tree() {
        sort_items();
        std::vector<Item>& items = scratch_.items_;
        std::uint32_t longest = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            longest = std::max(longest, items[i].length);
            if (i > 0) {
                items[i].common = shared_entries(arrays_, node_of(items[i - 1]), node_of(items[i]));
            }
        }
        if (scratch_.least_.size() < longest) scratch_.least_.resize(longest);
        auto& segments = scratch_.segments_;
        segments.assign(1, {0, static_cast<std::uint32_t>(items.size()), 0});
        while (!segments.empty()) {
            const auto segment = segments.back();
            segments.pop_back();
            sweep_segment<kWinner>(segment);
        }
    }

    /// Sweeps one segment, for all connectors below it, and pushes the segments below.
    template <bool kWinner>
    void sweep_segment(const CutLabelScratch::Segment& segment) {
        const auto items =
            std::span(scratch_.items_).subspan(segment.begin, segment.end - segment.begin);
        std::uint32_t shared = kNone;  // entries that all items of the segment share
        std::uint32_t longest_from = 0;
        std::uint32_t longest_to = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i > 0) shared = std::min(shared, items[i].common);
            std::uint32_t& longest = items[i].goal ? longest_to : longest_from;
            longest = std::max(longest, items[i].length);
        }
        const std::uint32_t stop = std::min({shared, longest_from, longest_to});
        if (stop > segment.floor) sweep_items<kWinner>(items, segment.floor, stop);
        if (std::min(longest_from, longest_to) > shared) push_branches(segment, shared);
    }

    /// Pushes the segments below `segment`, whose items share `shared` entries: one for each branch
    /// that has longer labels of both sides.
    void push_branches(const CutLabelScratch::Segment& segment, std::uint32_t shared) {
        std::uint32_t begin = segment.begin;
        std::array<bool, 2> is_longer{};  // a label of the start's side, of the goal's side
        for (std::uint32_t i = segment.begin; i < segment.end; ++i) {
            const Item& item = scratch_.items_[i];
            if (i > segment.begin && item.common == shared) {
                if (is_longer[0] && is_longer[1]) scratch_.segments_.push_back({begin, i, shared});
                begin = i;
                is_longer = {};
            }
            is_longer[item.goal ? 1 : 0] |= item.length > shared;
        }
        if (is_longer[0] && is_longer[1])
            scratch_.segments_.push_back({begin, segment.end, shared});
    }

    /// Sweeps the entries [floor, stop), which all items share (a shorter label: all it has).
    template <bool kWinner>
    void sweep_items(std::span<const Item> items, std::uint32_t floor, std::uint32_t stop) {
        Deficit* const least = clear_minima(stop - floor);
        for (const Item& item : items) {
            if (item.goal || item.length <= floor) continue;
            min_with_offset(least, up_(item.first + floor), item.cost,
                            std::min(stop, item.length) - floor);
        }
        bool better = false;
        for (const Item& item : items) {
            if (!item.goal || item.length <= floor) continue;
            better |= meet<kWinner>(least, down_(item.first + floor), floor,
                                    std::min(stop, item.length) - floor, item.cost, item.index);
        }
        if constexpr (!kWinner) return;
        if (!better) return;
        start = kNone;
        for (const Item& item : items) {
            if (item.goal || item.length <= meeting || item.index >= start) continue;
            if (item.cost + up_(item.first)[meeting] == cost_of(least[meeting - floor])) {
                start = item.index;
            }
        }
    }

    /// kNone comes last.
    [[nodiscard]] std::uint32_t goal_rank(std::uint32_t index) const noexcept {
        return goal_ranks_.empty() || index == kNone ? index : goal_ranks_[index];
    }

    const CutLabelArrays& arrays_;
    const CutLabels::Pages* pages_;  ///< null for labels in one piece
    LabelEntries up_;
    LabelEntries down_;
    std::span<const Connector> from_;
    std::span<const Connector> to_;
    std::span<const std::uint32_t> goal_ranks_;
    CutLabelScratch& scratch_;
    LabelRange from_range_;
    LabelRange to_range_;
};

}  // namespace cairn

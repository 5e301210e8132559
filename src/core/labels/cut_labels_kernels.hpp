#pragma once
// The inner loops of cut labels. A cost minus kInfinity is called a deficit: at most 0, and 0 for
// no path. Sums of two costs are below 2^32, so a sum minus kInfinity fits a signed number. The
// loops compare deficits, because x86-64 has vector instructions to compare signed numbers only.

#include <cstddef>
#include <cstdint>
#include <span>

#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"

namespace cairn {

using Deficit = std::int32_t;

[[nodiscard]] inline Deficit deficit(Cost cost) noexcept {
    return static_cast<Deficit>(cost - kInfinity);
}

/// A deficit or the sum of one and a cost, as a cost.
[[nodiscard]] inline Cost cost_of(Deficit deficit) noexcept {
    return static_cast<Cost>(deficit) + kInfinity;
}

/// min over k < count of a[k] + b[k]; at least kInfinity if all are infinite or count is 0.
[[nodiscard]] Cost min_sum(const Cost* a, const Cost* b, std::size_t count) noexcept;

/// The same for costs a[k] that are given as deficits, here and below.
[[nodiscard]] Cost min_sum(const Deficit* a, const Cost* b, std::size_t count) noexcept;

/// The greatest k with a[k] + b[k] = `sum`; count if there is none.
[[nodiscard]] std::size_t find_sum(const Cost* a, const Cost* b, std::size_t count,
                                   Cost sum) noexcept;
[[nodiscard]] std::size_t find_sum(const Deficit* a, const Cost* b, std::size_t count,
                                   Cost sum) noexcept;

/// least[k] = min(least[k], offset + label[k]) for k < count, with deficits in `least`.
void min_with_offset(Deficit* least, const Cost* label, Cost offset, std::size_t count) noexcept;

/// For meet_rows, labels and `least` need room for this many entries, even if `count` is smaller.
inline constexpr std::size_t kLeastEntries = 8;

/// min over k < count of f(k) + t(k), where f(k) and t(k) are the least offset + label[k] of all
/// rows of `from` and of `to`; kInfinity if all are infinite. least[k] becomes the deficit of f(k).
[[nodiscard]] Cost meet_rows(std::span<const CutLabelRow> from, std::span<const CutLabelRow> to,
                             std::size_t count, Deficit* least) noexcept;

/// The path to entry k over an upper neighbour at distance `offset`: takes it over where it is
/// shorter, or as short and its last closure edge begins lower. `label` and `last` have the costs
/// and the depths where these edges begin; `upper` and `upper_last` are the neighbour's.
void take_over(const Cost* upper, const std::uint32_t* upper_last, std::size_t count, Cost offset,
               Cost* label, std::uint32_t* last) noexcept;

/// A label, and for each entry the depth where the last closure edge of its path begins. Both are
/// padded to a multiple of kLabelStep entries, with kInfinity and 0.
struct LabelRow {
    const Cost* entries = nullptr;
    const std::uint16_t* lasts = nullptr;
};
inline constexpr std::uint32_t kLabelStep = 8;

/// The label of an upper neighbour, and the cost of the closure edge to it.
struct UpperLabel {
    LabelRow row;
    Cost cost = 0;
};

/// Sets the kLabelStep entries from index `at` on, and where their last edges begin, to the best of
/// the paths over upper neighbours: the shortest, of equals the one whose last edge begins lowest.
/// All `uppers` must have these entries.
void best_step(std::span<const UpperLabel> uppers, std::size_t at, Cost* entries,
               std::uint16_t* lasts) noexcept;

/// Whether an entry of `label` among the kLabelStep from index `at` on may change because the label
/// of an upper neighbour has changed from `before` to `after`.
[[nodiscard]] bool may_change(const LabelRow& label, const LabelRow& before, const LabelRow& after,
                              Cost edge, std::size_t at) noexcept;

/// A row of the closure, and the cost to its node from one side of a query.
struct ClimbStep {
    const std::uint16_t* depth = nullptr;  ///< of the upper neighbours, ascending
    const Cost* cost = nullptr;            ///< of the edges to them
    std::uint32_t length = 0;
    Cost base = 0;
    std::uint32_t origin = 0;  ///< the first connector of this cost
    std::uint32_t place = 0;   ///< of the node
};

/// How the least cost to a node comes about.
struct ClimbTrail {
    std::uint32_t* origins = nullptr;  ///< the first connector of this cost
    std::uint32_t* lasts = nullptr;    ///< the place where the last edge of its path begins: the
                                       ///< first that passed on this cost from this connector
};

/// Lowers the costs of the upper neighbours to the step's base plus the edge's cost. `least` has a
/// deficit for each depth.
void pass_on(const ClimbStep& step, Deficit* least) noexcept;

/// The same with the trail of each cost, by depth.
void pass_on(const ClimbStep& step, Deficit* least, const ClimbTrail& trail) noexcept;

}  // namespace cairn

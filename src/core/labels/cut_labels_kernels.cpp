#include "cut_labels_kernels.hpp"

#include <algorithm>
#include <cstring>

// Each loop is compiled for the baseline and, on x86-64, for AVX2 too. A call chooses by what the
// processor has, at the cost of a load and a test. With integers both give the same results.
#define CAIRN_LOOP [[gnu::always_inline]] inline

namespace cairn {
namespace {

/// Loops over minima take eight entries a step. The last step may overlap the one before, which
/// does not change a minimum and is much faster than a loop over the remaining entries.
constexpr std::size_t kStep = kLabelStep;
using Sums [[gnu::vector_size(kStep * 4)]] = std::uint32_t;
using Deficits [[gnu::vector_size(kStep * 4)]] = Deficit;
/// The same 32 bytes as four lanes of 64 bits.
using Pairs [[gnu::vector_size(kStep * 4)]] = std::uint64_t;

/// What to add to a number of the argument's type to get a deficit.
CAIRN_LOOP Deficit shift_of(const Cost*) noexcept { return deficit(0); }
CAIRN_LOOP Deficit shift_of(const Deficit*) noexcept { return 0; }

template <class First>
CAIRN_LOOP Cost min_sum_loop(const First* a, const Cost* b, std::size_t count) noexcept {
    auto least = static_cast<Deficit>(kInfinity);
    const auto shift = static_cast<std::uint32_t>(shift_of(a));
    if (count < kStep) {
        for (std::size_t k = 0; k < count; ++k) {
            const auto sum = static_cast<Deficit>(static_cast<Cost>(a[k]) + b[k] + shift);
            least = sum < least ? sum : least;
        }
        return cost_of(least);
    }
    Deficits all = Deficits{} + least;
    for (std::size_t k = 0; k < count; k += kStep) {
        const std::size_t at = std::min(k, count - kStep);
        Sums x;
        Sums y;
        std::memcpy(&x, a + at, sizeof x);
        std::memcpy(&y, b + at, sizeof y);
        const auto sums = reinterpret_cast<Deficits>(x + y + shift);
        all = sums < all ? sums : all;
    }
    for (std::size_t k = 0; k < kStep; ++k) least = all[k] < least ? all[k] : least;
    return cost_of(least);
}

template <class First>
CAIRN_LOOP std::size_t find_sum_loop(const First* a, const Cost* b, std::size_t count,
                                     Cost sum) noexcept {
    const auto wanted = sum - kInfinity - static_cast<std::uint32_t>(shift_of(a));
    std::size_t end = count;
    for (; end >= kStep; end -= kStep) {
        Sums x;
        Sums y;
        std::memcpy(&x, a + end - kStep, sizeof x);
        std::memcpy(&y, b + end - kStep, sizeof y);
        const auto found = reinterpret_cast<Pairs>(x + y == wanted);
        if ((found[0] | found[1] | found[2] | found[3]) != 0) break;
    }
    while (end > 0 && static_cast<Cost>(a[end - 1]) + b[end - 1] != wanted) --end;
    return end > 0 ? end - 1 : count;
}

CAIRN_LOOP void min_with_offset_loop(Deficit* least, const Cost* label, Cost offset,
                                     std::size_t count) noexcept {
    const auto shift = static_cast<std::uint32_t>(deficit(offset));
    if (count < kStep) {
        for (std::size_t k = 0; k < count; ++k) {
            const auto sum = static_cast<Deficit>(shift + label[k]);
            least[k] = sum < least[k] ? sum : least[k];
        }
        return;
    }
    for (std::size_t k = 0; k < count; k += kStep) {
        const std::size_t at = std::min(k, count - kStep);
        Deficits x;
        Sums y;
        std::memcpy(&x, least + at, sizeof x);
        std::memcpy(&y, label + at, sizeof y);
        const auto sums = reinterpret_cast<Deficits>(y + shift);
        x = sums < x ? sums : x;
        std::memcpy(least + at, &x, sizeof x);
    }
}

/// The least deficits over all rows, for the step of entries at index `at` and, if kTwo, the next.
struct TwoSteps {
    Deficits low{};
    Deficits high{};
};
template <bool kTwo>
CAIRN_LOOP TwoSteps least_of_rows(std::span<const CutLabelRow> rows, std::size_t at) noexcept {
    TwoSteps least;
    for (const CutLabelRow& row : rows) {
        const auto shift = static_cast<std::uint32_t>(deficit(row.offset));
        Sums x;
        std::memcpy(&x, row.label + at, sizeof x);
        const auto low = reinterpret_cast<Deficits>(x + shift);
        least.low = low < least.low ? low : least.low;
        if constexpr (kTwo) {
            std::memcpy(&x, row.label + at + kStep, sizeof x);
            const auto high = reinterpret_cast<Deficits>(x + shift);
            least.high = high < least.high ? high : least.high;
        }
    }
    return least;
}

/// Lowers each lane of `all` to the sum of the two costs in `a` and `b`. All are deficits.
CAIRN_LOOP void meet(const Deficits& a, const Deficits& b, Deficits& all) noexcept {
    const auto sums = reinterpret_cast<Deficits>(
        reinterpret_cast<Sums>(a) + reinterpret_cast<Sums>(b) + std::uint32_t{kInfinity});
    all = sums < all ? sums : all;
}

/// Reads all rows step by step, not one row after another, so the minima stay in registers.
CAIRN_LOOP Cost meet_rows_loop(std::span<const CutLabelRow> from, std::span<const CutLabelRow> to,
                               std::size_t count, Deficit* least) noexcept {
    constexpr Deficits kLanes{0, 1, 2, 3, 4, 5, 6, 7};
    Deficits all{};
    std::size_t k = 0;
    for (; k + 2 * kStep <= count; k += 2 * kStep) {
        const TwoSteps a = least_of_rows<true>(from, k);
        const TwoSteps b = least_of_rows<true>(to, k);
        std::memcpy(least + k, &a.low, sizeof a.low);
        std::memcpy(least + k + kStep, &a.high, sizeof a.high);
        meet(a.low, b.low, all);
        meet(a.high, b.high, all);
    }
    for (; k < count; k += kStep) {
        const std::size_t at = count < kStep ? 0 : std::min(k, count - kStep);
        const Deficits a = least_of_rows<false>(from, at).low;
        const Deficits b = least_of_rows<false>(to, at).low;
        std::memcpy(least + at, &a, sizeof a);
        const Deficits none{};
        const auto in_range = kLanes < static_cast<Deficit>(std::min(count, kStep));
        meet(in_range ? a : none, in_range ? b : none, all);
    }
    Deficit sum = 0;
    for (k = 0; k < kStep; ++k) sum = all[k] < sum ? all[k] : sum;
    return std::min(cost_of(sum), kInfinity);
}

CAIRN_LOOP void take_over_loop(const Cost* __restrict upper,
                               const std::uint32_t* __restrict upper_last, std::size_t count,
                               Cost offset, Cost* __restrict label,
                               std::uint32_t* __restrict last) noexcept {
    for (std::size_t k = 0; k < count; ++k) {
        const Cost sum = upper[k] + offset;
        const bool better = (sum < label[k]) | ((sum == label[k]) & (upper_last[k] > last[k]));
        label[k] = better ? sum : label[k];
        last[k] = better ? upper_last[k] : last[k];
    }
}

using Lasts [[gnu::vector_size(kStep * 2)]] = std::uint16_t;

/// Eight entries of a label as deficits plus `shift`, and their lasts.
struct LabelStep {
    Deficits sums;
    Sums lasts;
};
CAIRN_LOOP LabelStep label_step(const LabelRow& row, std::size_t at, std::uint32_t shift) noexcept {
    Sums entries;
    Lasts lasts;
    std::memcpy(&entries, row.entries + at, sizeof entries);
    std::memcpy(&lasts, row.lasts + at, sizeof lasts);
    return {reinterpret_cast<Deficits>(entries + shift), __builtin_convertvector(lasts, Sums)};
}

CAIRN_LOOP void best_step_loop(std::span<const UpperLabel> uppers, std::size_t at, Cost* entries,
                               std::uint16_t* lasts) noexcept {
    Deficits least{};
    Sums last{};
    for (const UpperLabel& upper : uppers) {
        const LabelStep over =
            label_step(upper.row, at, static_cast<std::uint32_t>(deficit(upper.cost)));
        const auto better = (over.sums < least) | ((over.sums == least) & (over.lasts > last));
        least = better ? over.sums : least;
        last = better ? over.lasts : last;
    }
    last = least < 0 ? last : Sums{};
    const Sums costs = reinterpret_cast<Sums>(least) + std::uint32_t{kInfinity};
    const Lasts narrow = __builtin_convertvector(last, Lasts);
    std::memcpy(entries + at, &costs, sizeof costs);
    std::memcpy(lasts + at, &narrow, sizeof narrow);
}

CAIRN_LOOP bool may_change_loop(const LabelRow& label, const LabelRow& before,
                                const LabelRow& after, Cost edge, std::size_t at) noexcept {
    const LabelStep mine = label_step(label, at, static_cast<std::uint32_t>(deficit(0)));
    const auto shift = static_cast<std::uint32_t>(deficit(edge));
    const LabelStep was = label_step(before, at, shift);
    const LabelStep is = label_step(after, at, shift);
    const auto better = (is.sums < mine.sums) | ((is.sums == mine.sums) & (is.lasts > mine.lasts));
    const auto changed = (was.sums != is.sums) | (was.lasts != is.lasts);
    const auto taken = (was.sums == mine.sums) & (was.lasts == mine.lasts) & changed;
    const auto any = reinterpret_cast<Pairs>(better | taken);
    return (any[0] | any[1] | any[2] | any[3]) != 0;
}

/// Neighbours at eight depths in a row are taken in one step. In a separator most are.
template <bool kTrail>
CAIRN_LOOP void pass_on_loop(const ClimbStep& step, Deficit* __restrict least,
                             std::uint32_t* __restrict origins,
                             std::uint32_t* __restrict lasts) noexcept {
    const auto shift = static_cast<std::uint32_t>(deficit(step.base));
    for (std::uint32_t e = 0; e < step.length;) {
        const std::uint32_t at = step.depth[e];
        if (e + kStep <= step.length && step.depth[e + kStep - 1] == at + kStep - 1) {
            Sums x;
            Deficits known;
            std::memcpy(&x, step.cost + e, sizeof x);
            std::memcpy(&known, least + at, sizeof known);
            const auto sums = reinterpret_cast<Deficits>(x + shift);
            if constexpr (kTrail) {
                Sums origin;
                Sums last;
                std::memcpy(&origin, origins + at, sizeof origin);
                std::memcpy(&last, lasts + at, sizeof last);
                const auto better = (sums < known) | ((sums == known) & (origin > step.origin));
                origin = better ? Sums{} + step.origin : origin;
                last = better ? Sums{} + step.place : last;
                std::memcpy(origins + at, &origin, sizeof origin);
                std::memcpy(lasts + at, &last, sizeof last);
            }
            known = sums < known ? sums : known;
            std::memcpy(least + at, &known, sizeof known);
            e += kStep;
            continue;
        }
        const auto sum = static_cast<Deficit>(step.cost[e] + shift);
        const Deficit known = least[at];
        if constexpr (kTrail) {
            const bool better = (sum < known) | ((sum == known) & (step.origin < origins[at]));
            origins[at] = better ? step.origin : origins[at];
            lasts[at] = better ? step.place : lasts[at];
        }
        least[at] = sum < known ? sum : known;
        ++e;
    }
}

#if defined(__x86_64__) && defined(__GNUC__)

#define CAIRN_WIDE [[gnu::target("avx2")]]

bool has_avx2() noexcept { return __builtin_cpu_supports("avx2") != 0; }

template <class First>
CAIRN_WIDE Cost min_sum_wide(const First* a, const Cost* b, std::size_t count) noexcept {
    return min_sum_loop(a, b, count);
}
template <class First>
CAIRN_WIDE std::size_t find_sum_wide(const First* a, const Cost* b, std::size_t count,
                                     Cost sum) noexcept {
    return find_sum_loop(a, b, count, sum);
}
CAIRN_WIDE void min_with_offset_wide(Deficit* least, const Cost* label, Cost offset,
                                     std::size_t count) noexcept {
    min_with_offset_loop(least, label, offset, count);
}
CAIRN_WIDE Cost meet_rows_wide(std::span<const CutLabelRow> from, std::span<const CutLabelRow> to,
                               std::size_t count, Deficit* least) noexcept {
    return meet_rows_loop(from, to, count, least);
}
CAIRN_WIDE void take_over_wide(const Cost* upper, const std::uint32_t* upper_last,
                               std::size_t count, Cost offset, Cost* label,
                               std::uint32_t* last) noexcept {
    take_over_loop(upper, upper_last, count, offset, label, last);
}
CAIRN_WIDE void best_step_wide(std::span<const UpperLabel> uppers, std::size_t at, Cost* entries,
                               std::uint16_t* lasts) noexcept {
    best_step_loop(uppers, at, entries, lasts);
}
CAIRN_WIDE bool may_change_wide(const LabelRow& label, const LabelRow& before,
                                const LabelRow& after, Cost edge, std::size_t at) noexcept {
    return may_change_loop(label, before, after, edge, at);
}

template <bool kTrail>
CAIRN_WIDE void pass_on_wide(const ClimbStep& step, Deficit* least,
                             const ClimbTrail& trail) noexcept {
    pass_on_loop<kTrail>(step, least, trail.origins, trail.lasts);
}

#define CAIRN_RUN(kernel, ...) \
    (has_avx2() ? kernel##_wide(__VA_ARGS__) : kernel##_loop(__VA_ARGS__))

#else

#define CAIRN_RUN(kernel, ...) kernel##_loop(__VA_ARGS__)

#endif

}  // namespace

Cost min_sum(const Cost* a, const Cost* b, std::size_t count) noexcept {
    return CAIRN_RUN(min_sum, a, b, count);
}

Cost min_sum(const Deficit* a, const Cost* b, std::size_t count) noexcept {
    return CAIRN_RUN(min_sum, a, b, count);
}

std::size_t find_sum(const Cost* a, const Cost* b, std::size_t count, Cost sum) noexcept {
    return CAIRN_RUN(find_sum, a, b, count, sum);
}

std::size_t find_sum(const Deficit* a, const Cost* b, std::size_t count, Cost sum) noexcept {
    return CAIRN_RUN(find_sum, a, b, count, sum);
}

void min_with_offset(Deficit* least, const Cost* label, Cost offset, std::size_t count) noexcept {
    CAIRN_RUN(min_with_offset, least, label, offset, count);
}

Cost meet_rows(std::span<const CutLabelRow> from, std::span<const CutLabelRow> to,
               std::size_t count, Deficit* least) noexcept {
    return CAIRN_RUN(meet_rows, from, to, count, least);
}

void take_over(const Cost* upper, const std::uint32_t* upper_last, std::size_t count, Cost offset,
               Cost* label, std::uint32_t* last) noexcept {
    CAIRN_RUN(take_over, upper, upper_last, count, offset, label, last);
}

void best_step(std::span<const UpperLabel> uppers, std::size_t at, Cost* entries,
               std::uint16_t* lasts) noexcept {
    CAIRN_RUN(best_step, uppers, at, entries, lasts);
}

bool may_change(const LabelRow& label, const LabelRow& before, const LabelRow& after, Cost edge,
                std::size_t at) noexcept {
    return CAIRN_RUN(may_change, label, before, after, edge, at);
}

void pass_on(const ClimbStep& step, Deficit* least) noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
    if (has_avx2()) return pass_on_wide<false>(step, least, {});
#endif
    pass_on_loop<false>(step, least, nullptr, nullptr);
}

void pass_on(const ClimbStep& step, Deficit* least, const ClimbTrail& trail) noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
    if (has_avx2()) return pass_on_wide<true>(step, least, trail);
#endif
    pass_on_loop<true>(step, least, trail.origins, trail.lasts);
}

}  // namespace cairn

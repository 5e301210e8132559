#pragma once
// The separator tree, as the arrays of cut labels hold it.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "cairn/cut_labels.hpp"
#include "core/host_device.hpp"

namespace cairn {

/// For labels of one group, which share all entries of the shorter label.
inline constexpr std::uint32_t kAllEntries = std::numeric_limits<std::uint32_t>::max();

/// How many entries labels of two groups share: the minimum of group_common from the group after
/// the lesser one to the greater one; kAllEntries within one group. Any node of a group may stand
/// for it.
CAIRN_HOST_DEVICE inline std::uint32_t shared_entries(const CutLabelArrays& arrays,
                                                      const CutLabelNode& a,
                                                      const CutLabelNode& b) noexcept {
    constexpr std::uint32_t kBlock = CutLabelArrays::kBlock;
    if (a.group == b.group) return kAllEntries;
    const CutLabelNode& low = a.group < b.group ? a : b;
    const CutLabelNode& high = a.group < b.group ? b : a;
    const std::uint32_t first = low.group / kBlock;
    const std::uint32_t last = high.group / kBlock;
    if (first == last) {
        std::uint32_t least = kAllEntries;
        for (std::uint32_t g = low.group + 1; g <= high.group; ++g) {
            least = std::min(least, arrays.group_common[g]);
        }
        return least;
    }
    const std::uint32_t least = std::min(low.after, high.before);
    const std::uint32_t between = last - first - 1;
    if (between == 0) return least;
    const std::size_t blocks = (arrays.group_common.size() + kBlock - 1) / kBlock;
    const auto row = static_cast<std::uint32_t>(std::bit_width(between) - 1);
    const std::uint32_t* const table = arrays.block_common.data() + row * blocks;
    return std::min({least, table[first + 1], table[last - (std::uint32_t{1} << row)]});
}

/// The first and the last node, in the order of the tree, of a side's usable connectors, and the
/// least and greatest length of their labels.
struct LabelRange {
    const CutLabelNode* first = nullptr;
    const CutLabelNode* last = nullptr;
    std::uint32_t longest = 0;
    std::uint32_t shortest = kAllEntries;
};

/// How many entries all pairs of two sides' connectors share, as far as their labels go, if it is
/// the same number for all pairs; else kAllEntries. It is the same where the labels of each side
/// share more with each other than with those of the other side: always, unless start and goal are
/// near.
CAIRN_HOST_DEVICE inline std::uint32_t common_entries(const CutLabelArrays& arrays,
                                                      const LabelRange& from,
                                                      const LabelRange& to) noexcept {
    if (from.last->group > to.first->group && to.last->group > from.first->group)
        return kAllEntries;
    const std::uint32_t common = from.last->group <= to.first->group
                                     ? shared_entries(arrays, *from.last, *to.first)
                                     : shared_entries(arrays, *to.last, *from.first);
    if (common > shared_entries(arrays, *from.first, *from.last) ||
        common > shared_entries(arrays, *to.first, *to.last)) {
        return kAllEntries;
    }
    return std::min(common, std::min(from.longest, to.longest));
}

/// The place of a node's ancestor, given the node's group and the entry that its label has for it.
[[nodiscard]] CAIRN_HOST_DEVICE inline std::uint32_t ancestor_place(const CutLabelArrays& arrays,
                                                                    std::uint32_t group,
                                                                    std::uint32_t entry) noexcept {
    while (arrays.group_common[group] > entry) group = arrays.groups[group].parent;
    return arrays.groups[group].place + (entry - arrays.group_common[group]);
}

}  // namespace cairn

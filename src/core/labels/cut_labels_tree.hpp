#pragma once
// Computes ancestors in the separator tree from the arrays of cut labels.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "cairn/cut_labels.hpp"
#include "closure_edge.hpp"
#include "core/host_device.hpp"

namespace cairn {

/// The labels of one way.
[[nodiscard]] CAIRN_HOST_DEVICE inline const CutLabelWay& labels_of(const CutLabelArrays& arrays,
                                                                    Way way) noexcept {
    return way == Way::up ? arrays.up : arrays.down;
}

/// Stands for "all entries of the shorter label", which labels of one group share.
inline constexpr std::uint32_t kAllEntries = std::numeric_limits<std::uint32_t>::max();

/// The number of leading entries that the labels of two nodes share; a label that is shorter shares
/// all its entries. For nodes of the groups g and h > g, it is the minimum of group_common over the
/// groups g + 1 to h; if g = h, kAllEntries.
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
        CAIRN_NO_UNROLL
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
    // Two ranges of 2^row blocks, which may overlap, cover the blocks between.
    const std::uint32_t* const table = arrays.block_common.data() + row * blocks;
    return std::min({least, table[first + 1], table[last - (std::uint32_t{1} << row)]});
}

/// What the nodes of one side's usable connectors span; a side is the start or the goal.
struct LabelRange {
    const CutLabelNode* first = nullptr;   ///< a node of the least group; null if there is none
    const CutLabelNode* last = nullptr;    ///< a node of the greatest group
    std::uint32_t longest = 0;             ///< greatest length of a label
    std::uint32_t shortest = kAllEntries;  ///< least length of a label
};

/// The number of entries that a start's and a goal's label share, if it is the same for all pairs
/// of connectors; otherwise kAllEntries. (A label that is shorter shares all its entries.) It is
/// the same if the labels of each side share at least as many entries with each other as with those
/// of the other side. This holds unless start and goal are near each other.
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

/// The place of the ancestor at index `entry` of a label; `group` is the group of the label's node.
[[nodiscard]] CAIRN_HOST_DEVICE inline std::uint32_t ancestor_place(const CutLabelArrays& arrays,
                                                                    std::uint32_t group,
                                                                    std::uint32_t entry) noexcept {
    while (arrays.group_common[group] > entry) group = arrays.groups[group].parent;
    return arrays.groups[group].place + (entry - arrays.group_common[group]);
}

}  // namespace cairn

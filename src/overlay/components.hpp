#pragma once
// Connected components of the graph of level 1: is there a path at all? Where moves are one-way,
// the components are those that moves would connect if all of them went both ways.

#include <cstddef>
#include <cstdint>

#include "cairn/paged_array.hpp"
#include "overlay/overlay.hpp"

namespace cairn {

inline constexpr std::uint32_t kNoComponent = 0xffff'ffff;

/// The label at the end of a chain of joins.
template <class Joined>
[[nodiscard]] std::uint32_t root(const Joined& joined, std::uint32_t label) noexcept {
    while (joined[label] != label) label = joined[label];
    return label;
}

/// A label per abstract node of level 1, and for each label the one it was joined to, so an edit
/// that joins components changes one entry, and an edit that splits one relabels the smaller part.
/// Made by overlay/component_labels.hpp.
struct NodeComponents {
    PagedArray<std::uint32_t> labels;  // per NodeKey
    PagedArray<std::uint32_t> joined;  // per label: itself, or a smaller label it was joined to
    std::size_t first_labels = 0;      // labels after the last whole labelling

    /// Nodes are connected exactly where this is equal.
    [[nodiscard]] std::uint32_t of(NodeKey key) const noexcept { return root(joined, labels[key]); }

    [[nodiscard]] std::size_t bytes() const noexcept {
        return (labels.size() + joined.size()) * sizeof(std::uint32_t);
    }
};

}  // namespace cairn

#pragma once
// Connected components of the graph of level 1. They tell, without a search, that there is no path.
// One-way moves count as if they went both ways.

#include <cstddef>
#include <cstdint>

#include "cairn/paged_array.hpp"
#include "overlay/overlay.hpp"

namespace cairn {

inline constexpr std::uint32_t kNoComponent = 0xffff'ffff;

/// The label at the end of the chain of joins that begins at `label`.
template <class Joined>
[[nodiscard]] std::uint32_t root(const Joined& joined, std::uint32_t label) noexcept {
    while (joined[label] != label) label = joined[label];
    return label;
}

/// A label for each abstract node of level 1, and for each label the label that it was joined to.
/// An edit that joins two components changes one entry of `joined`; an edit that splits a component
/// relabels the smaller part. Made by overlay/component_labels.hpp.
struct NodeComponents {
    PagedArray<std::uint32_t> labels;  // per NodeKey
    PagedArray<std::uint32_t> joined;  // per label: itself, or a smaller label it was joined to
    std::size_t first_labels = 0;      // number of labels when all nodes were last labelled

    /// The component of a node: two nodes are connected if and only if this is equal.
    [[nodiscard]] std::uint32_t of(NodeKey key) const noexcept { return root(joined, labels[key]); }

    [[nodiscard]] std::size_t bytes() const noexcept {
        return (labels.size() + joined.size()) * sizeof(std::uint32_t);
    }
};

}  // namespace cairn

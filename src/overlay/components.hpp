#pragma once
// Connected components of the graph of level 1. They tell, without a search, that there is no path.
// One-way moves count as if they went both ways.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cairn/paged_array.hpp"
#include "overlay/record_store.hpp"

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
    RecordStore labels;  // per cluster: the label of all its nodes, or one for each slot
    PagedArray<std::uint32_t> joined;  // per label: itself, or a smaller label it was joined to
    std::size_t first_labels = 0;      // number of labels when all nodes were last labelled

    /// The label of the node at a slot of a cluster.
    [[nodiscard]] std::uint32_t label(std::uint32_t cluster, std::uint32_t slot) const noexcept {
        const RecordStore::Record record = labels[cluster];
        return record[record.size() == 1 ? 0 : slot];
    }
    /// The component of a node: two nodes are connected if and only if this is equal.
    [[nodiscard]] std::uint32_t of(std::uint32_t cluster, std::uint32_t slot) const noexcept {
        return root(joined, label(cluster, slot));
    }

    [[nodiscard]] std::size_t bytes() const noexcept {
        return labels.bytes() + joined.size() * sizeof(std::uint32_t);
    }
};

/// The record of NodeComponents::labels with these labels by slot.
[[nodiscard]] inline RecordStore::Record component_record(RecordStore::Record labels) noexcept {
    const auto same = [&](std::uint32_t label) { return label == labels.front(); };
    return !labels.empty() && std::ranges::all_of(labels, same) ? labels.first(1) : labels;
}

}  // namespace cairn

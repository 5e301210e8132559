#pragma once
// Connected components of the 1-level abstract graph: is there a path at all?

#include <cstdint>
#include <span>

#include "cairn/paged_array.hpp"
#include "overlay/overlay.hpp"

namespace cairn::hpa {

/// The label at the end of a chain of joins.
template <class Joined>
[[nodiscard]] std::uint32_t root(const Joined& joined, std::uint32_t label) noexcept {
    while (joined[label] != label) label = joined[label];
    return label;
}

/// A label per abstract node of level 1, and for each label the one it was joined to, so that an
/// edit that joins components changes one entry, and one that parts them relabels the smaller part.
class NodeComponents {
public:
    NodeComponents() = default;

    /// Labels every node. O(abstract graph).
    explicit NodeComponents(const Overlay& overlay);

    /// The components of `after`, made from `before` (whose components these are) by redoing the
    /// 1-clusters `redone` (sorted). O(redone clusters) where nothing is parted; else up to the
    /// size of the smaller parts, or of the search that finds them still connected.
    [[nodiscard]] NodeComponents updated(const Overlay& before, const Overlay& after,
                                         std::span<const std::uint32_t> redone) const;

    /// Nodes are connected exactly where this is equal.
    [[nodiscard]] std::uint32_t of(NodeKey key) const noexcept {
        return root(joined_, labels_[key]);
    }

    [[nodiscard]] std::size_t bytes() const noexcept {
        return (labels_.size() + joined_.size()) * sizeof(std::uint32_t);
    }

private:
    class Update;

    PagedArray<std::uint32_t> labels_;  // per NodeKey
    PagedArray<std::uint32_t> joined_;  // per label: itself, or a smaller label it was joined to
    std::size_t first_labels_ = 0;      // labels after the last whole labelling
};

}  // namespace cairn::hpa

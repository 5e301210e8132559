#pragma once
// The memory of a closure that is built from scratch, or of a page of it after an edit.

#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/closure.hpp"

namespace cairn {

/// The memory behind ClosureArrays.
struct FlatClosure {
    std::vector<std::uint32_t> places;
    std::vector<ClosureNode> nodes;
    std::vector<Cost> costs;
    std::vector<std::uint16_t> depths;
    std::vector<std::uint8_t> middles;
    std::vector<std::uint32_t> ranks;

    [[nodiscard]] ClosureArrays arrays() const noexcept {
        return {places, nodes, costs, depths, middles, ranks, 0, 0};
    }
};

/// Sets the depth-first positions and the ranks of a closure's places. O(places).
void set_order(Closure::Storage& storage, std::vector<std::uint32_t> positions,
               std::vector<std::uint32_t> ranks);

/// Appends a row of middles, 2^width bytes each, and returns their ClosureNode::middles.
template <class MiddleOf>
std::uint32_t append_packed(std::uint32_t length, std::uint32_t width,
                            std::vector<std::uint8_t>& out, MiddleOf&& middle_of) {
    const std::size_t begin = out.size();
    out.resize(begin + (((std::size_t{length} << width) + 3) & ~std::size_t{3}));
    for (std::uint32_t e = 0; e < length; ++e) {
        const std::uint32_t middle = middle_of(e);
        for (std::size_t byte = 0; byte < std::size_t{1} << width; ++byte)
            out[begin + (std::size_t{e} << width) + byte] =
                static_cast<std::uint8_t>(middle >> (8 * byte));
    }
    return static_cast<std::uint32_t>(begin / 4) << 2 | width;
}

/// A closure over valid arrays, which `owner` keeps alive. Its order counts as fresh. O(places).
[[nodiscard]] std::shared_ptr<const Closure::Storage> storage_of(
    const ClosureArrays& arrays, const std::shared_ptr<const void>& owner);

}  // namespace cairn

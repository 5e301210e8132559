#pragma once
// The memory of a closure that is built from scratch, or of a page of it after an edit.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/closure.hpp"
#include "closure_view.hpp"

namespace cairn {

/// The memory behind ClosureArrays.
struct FlatClosure {
    std::vector<std::uint32_t> places;
    std::vector<ClosureNode> nodes;
    std::vector<std::uint16_t> depths;
    BothWays<std::vector<Cost>> costs;
    BothWays<std::vector<std::uint8_t>> middles;
    std::vector<std::uint32_t> ranks;
    bool directed = false;  ///< else costs.down and middles.down are empty
    std::size_t run = 0;    ///< index of the row that was added last

    [[nodiscard]] ClosureArrays arrays() const noexcept {
        return {places,       nodes, costs.up, depths, middles.up, costs.down,
                middles.down, ranks, directed, 0,      0};
    }
    /// Where costs and middles lie, for ClosurePage::way.
    [[nodiscard]] BothWays<ClosureCosts> rows() const noexcept;
    /// Adds the depths of a row, and returns their index. If this row or the one before begins
    /// with the other, as most rows of a node and its child do, both begin at the same index.
    [[nodiscard]] std::uint32_t add_depths(std::span<const std::uint16_t> row) {
        const std::size_t held = std::min(depths.size() - run, row.size());
        if (!std::equal(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(held),
                        depths.begin() + static_cast<std::ptrdiff_t>(run))) {
            run = depths.size();
            depths.insert(depths.end(), row.begin(), row.end());
        } else {
            depths.insert(depths.end(), row.begin() + static_cast<std::ptrdiff_t>(held), row.end());
        }
        return static_cast<std::uint32_t>(run);
    }
    void pad_depths() { depths.resize(depths.size() + ClosureArrays::kPadding); }
    void pad_middles() {
        for (const Way way : ways(directed))
            middles[way].resize(middles[way].size() + ClosureArrays::kPadding);
    }
};

/// Sets the depth-first positions and the ranks of a closure's places. O(places).
void set_order(Closure::Storage& storage, std::vector<std::uint32_t> positions,
               std::vector<std::uint32_t> ranks);

/// Appends a row of middles, 2^width bytes each, and returns their ClosureNode::middles.
inline std::uint32_t append_packed(std::span<const std::uint32_t> row, std::uint32_t width,
                                   std::vector<std::uint8_t>& out) {
    const std::size_t begin = out.size();
    out.resize(begin + (((row.size() << width) + 3) & ~std::size_t{3}));
    for (std::size_t e = 0; e < row.size(); ++e) {
        const std::uint32_t middle = row[e];
        for (std::size_t byte = 0; byte < std::size_t{1} << width; ++byte)
            out[begin + (e << width) + byte] = static_cast<std::uint8_t>(middle >> (8 * byte));
    }
    return static_cast<std::uint32_t>(begin / 4) << 2 | width;
}

/// Appends a row of packed middles as it is.
inline void append_bytes(std::span<const std::uint8_t> row, std::vector<std::uint8_t>& out) {
    out.insert(out.end(), row.begin(), row.end());
    out.resize((out.size() + 3) & ~std::size_t{3});
}

/// A closure over valid arrays, which `owner` keeps alive. Its order counts as fresh. O(places).
[[nodiscard]] std::shared_ptr<const Closure::Storage> storage_of(
    const ClosureArrays& arrays, const std::shared_ptr<const void>& owner);

}  // namespace cairn

#pragma once
// Connected components of a map, which tell in constant time whether a path exists.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// The component of a blocked cell.
inline constexpr std::uint32_t kNoComponent = 0xffff'ffff;

/// The sets of cells that a map's moves connect. Immutable once built; all const members may be
/// called from any number of threads. Takes four bytes a cell.
class Components {
public:
    /// Of a map without cells.
    Components() = default;

    /// The components of `map`, numbered from 0 in the order of their lowest cell. Union-find over
    /// the runs of free cells of each row; O(size). Errors: out_of_memory.
    [[nodiscard]] static Result<Components> build(const Map& map) noexcept;

    /// The component of a cell below the map's size(), or kNoComponent if the cell is blocked.
    [[nodiscard]] std::uint32_t of(Cell c) const noexcept { return component_[c]; }

    /// Whether a path connects two cells below the map's size(). False if either is blocked.
    [[nodiscard]] bool connected(Cell a, Cell b) const noexcept {
        return component_[a] == component_[b] && component_[a] != kNoComponent;
    }

    /// The number of components.
    [[nodiscard]] std::size_t count() const noexcept { return sizes_.size(); }

    /// The number of cells of component i < count().
    [[nodiscard]] std::size_t size(std::uint32_t i) const noexcept { return sizes_[i]; }

    /// The component with most cells; the lowest number if there are several, kNoComponent if there
    /// is none. O(count()).
    [[nodiscard]] std::uint32_t largest() const noexcept;

private:
    std::vector<std::uint32_t> component_;
    std::vector<std::uint32_t> sizes_;
};

}  // namespace cairn::grid

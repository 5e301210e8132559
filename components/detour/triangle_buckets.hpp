#pragma once
// Triangles by the tiles they touch, seen from above.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/status.hpp"

namespace cairn::detour {

/// A grid of square tiles. A triangle touches a tile if it lies within a border around it.
struct TileGrid {
    float x = 0;
    float z = 0;
    int columns = 0;
    int rows = 0;
    float side = 1;
    float border = 0;
};

class TriangleBuckets {
public:
    /// Errors: too_large (more than 2^28 pairs of a triangle and a tile).
    [[nodiscard]] static Result<TriangleBuckets> sort(std::span<const float> vertices,
                                                      std::span<const int> corners,
                                                      const TileGrid& grid);

    /// The triangles that may touch a tile, ascending. Tiles count along x first.
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t tile) const noexcept {
        return {triangles_.data() + first_[tile], first_[tile + 1] - first_[tile]};
    }

private:
    std::vector<std::uint32_t> first_;  // per tile, and one more
    std::vector<std::uint32_t> triangles_;
};

}  // namespace cairn::detour

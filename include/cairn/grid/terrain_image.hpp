#pragma once
// A rectangle of terrain bytes: the result of every map reader and generator.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// Row-major terrain bytes, row 0 at the top; terrain.size() == width * height. TerrainWeights
/// gives bytes their meaning. Readers and generators of Cairn use MovingAI letters ('.' free, '@'
/// obstacle) and, for weighted terrain, the digits '1' to '9'. Only pictures read with a palette
/// have bytes as haa::TerrainKey::literal() reads them.
struct TerrainImage {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> terrain;

    /// The byte of the cell in column x and row y. Needs 0 <= x < width, 0 <= y < height.
    [[nodiscard]] std::uint8_t at(int x, int y) const noexcept { return terrain[offset(x, y)]; }
    /// Sets this byte. Needs x and y in the same ranges.
    void set(int x, int y, std::uint8_t value) noexcept { terrain[offset(x, y)] = value; }

    friend bool operator==(const TerrainImage&, const TerrainImage&) = default;

private:
    [[nodiscard]] std::size_t offset(int x, int y) const noexcept {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(x);
    }
};

/// The map of `image`. Errors and time: as Map::create. Thread-safe.
[[nodiscard]] inline Result<Map> make_map(const TerrainImage& image,
                                          const MapOptions& options = {}) noexcept {
    return Map::create(image.width, image.height, image.terrain, options);
}

}  // namespace cairn::grid

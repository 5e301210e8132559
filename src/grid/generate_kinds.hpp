#pragma once
// Shared by the map generators: random numbers, an image to draw on, integer noise.

#include <algorithm>
#include <cstdint>
#include <random>

#include "cairn/grid/terrain_image.hpp"

namespace cairn::grid {

inline constexpr std::uint8_t kGround = '.';
inline constexpr std::uint8_t kWall = '@';
inline constexpr std::uint8_t kTree = 'T';
inline constexpr std::uint8_t kWater = 'W';

/// Random integers, the same on every platform: the standard's distributions differ between
/// libraries.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// From 0 to n - 1. Needs n > 0.
    [[nodiscard]] int below(int n) {
        return static_cast<int>(((engine_() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
    }
    /// From low to high, both included. Needs low <= high.
    [[nodiscard]] int between(int low, int high) { return low + below(high - low + 1); }
    [[nodiscard]] bool percent(int chance) { return below(100) < chance; }

private:
    std::mt19937_64 engine_;
};

/// The input of a generator, with sizes checked and defaults filled in.
struct Drawing {
    TerrainImage& image;
    Random& random;
    int size;
    int density;
    std::uint64_t seed;

    /// Sets a cell if it is on the map.
    void dot(int x, int y, std::uint8_t terrain) const {
        if (x >= 0 && y >= 0 && x < image.width && y < image.height) image.set(x, y, terrain);
    }
    /// Sets the part of a rectangle that is on the map.
    void fill(Rect r, std::uint8_t terrain) const {
        const int right = std::min(r.x + r.width, image.width);
        const int bottom = std::min(r.y + r.height, image.height);
        for (int y = std::max(r.y, 0); y < bottom; ++y) {
            for (int x = std::max(r.x, 0); x < right; ++x) image.set(x, y, terrain);
        }
    }
    [[nodiscard]] bool is(int x, int y, std::uint8_t terrain) const {
        return x >= 0 && y >= 0 && x < image.width && y < image.height && image.at(x, y) == terrain;
    }
};

/// Smooth noise over the plane in 0..65535, with hills about `scale` wide: octaves of interpolated
/// lattice values, each half as wide and half as high as the one before.
[[nodiscard]] std::uint32_t smooth_noise(std::uint64_t seed, int x, int y, int scale, int octaves);

void draw_rooms(const Drawing& d);
void draw_maze(const Drawing& d);
void draw_city(const Drawing& d);
void draw_caves(const Drawing& d);
void draw_forest(const Drawing& d);
void draw_terrain(const Drawing& d);

}  // namespace cairn::grid

#include <array>
#include <utility>
#include <vector>

#include "generate_kinds.hpp"

namespace cairn::grid {
namespace {

// Caves: random rock, smoothed on a coarse grid, enlarged, and smoothed again.

/// How many of a cell's eight neighbours are rock; beyond the map all is rock.
int rock_around(const TerrainImage& image, int x, int y) {
    int count = 0;
    for (std::size_t i = 0; i < kDirections; ++i) {
        const int nx = x + kDx[i];
        const int ny = y + kDy[i];
        const bool inside = nx >= 0 && ny >= 0 && nx < image.width && ny < image.height;
        if (!inside || image.at(nx, ny) == kWall) ++count;
    }
    return count;
}

/// A cell becomes what most cells around it are; in a tie it stays.
void smooth(TerrainImage& image) {
    TerrainImage next = image;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const int rock = rock_around(image, x, y);
            if (rock != 4) next.set(x, y, rock > 4 ? kWall : kGround);
        }
    }
    image = std::move(next);
}

/// Turns regions of ground (joined by straight steps) of fewer than `least` cells into rock.
void fill_pockets(TerrainImage& image, std::size_t least) {
    constexpr std::uint8_t kSeen = 1;
    std::vector<Point> region;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y) != kGround) continue;
            region.assign(1, {x, y});
            image.set(x, y, kSeen);
            for (std::size_t i = 0; i < region.size(); ++i) {
                for (std::size_t way = 0; way < kDirections; way += 2) {
                    const Point p{region[i].x + kDx[way], region[i].y + kDy[way]};
                    if (p.x < 0 || p.y < 0 || p.x >= image.width || p.y >= image.height) continue;
                    if (image.at(p.x, p.y) != kGround) continue;
                    image.set(p.x, p.y, kSeen);
                    region.push_back(p);
                }
            }
            if (region.size() >= least) continue;
            for (const Point p : region) image.set(p.x, p.y, kWall);
        }
    }
    for (std::uint8_t& cell : image.terrain) {
        if (cell == kSeen) cell = kGround;
    }
}

void draw_tree(const Drawing& d, int x, int y, int size) {
    if (size == 3) {
        d.fill({x - 1, y, 3, 1}, kTree);
        d.fill({x, y - 1, 1, 3}, kTree);
    } else {
        d.fill({x, y, size, size}, kTree);
    }
}

/// The share of land, in percent, that each weight from 1 to 9 gets: plains are common, peaks rare.
constexpr std::array<std::uint64_t, 9> kLandShare{22, 18, 15, 12, 10, 8, 6, 5, 4};

/// The heights at which water ends and each weight ends, so that every weight gets its share.
std::array<std::uint32_t, 9> height_bounds(const std::vector<std::uint16_t>& heights,
                                           int lake_percent) {
    std::vector<std::uint64_t> below(65537, 0);
    for (const std::uint16_t h : heights) ++below[h + std::size_t{1}];
    for (std::size_t i = 1; i < below.size(); ++i) below[i] += below[i - 1];
    const std::uint64_t water = heights.size() * static_cast<std::uint64_t>(lake_percent) / 100;
    const std::uint64_t land = heights.size() - water;
    std::array<std::uint32_t, 9> bounds{};
    std::uint64_t share = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const std::uint64_t rank = water + land * share / 100;
        const auto it = std::upper_bound(below.begin(), below.end(), rank);
        bounds[i] = static_cast<std::uint32_t>(it - below.begin() - 1);
        share += kLandShare[i];
    }
    return bounds;
}

}  // namespace

void draw_caves(const Drawing& d) {
    const int k = d.size;
    TerrainImage coarse{(d.image.width + k - 1) / k, (d.image.height + k - 1) / k, {}};
    coarse.terrain.assign(
        static_cast<std::size_t>(coarse.width) * static_cast<std::size_t>(coarse.height), kGround);
    for (std::uint8_t& cell : coarse.terrain) {
        if (d.random.percent(d.density)) cell = kWall;
    }
    for (int i = 0; i < 5; ++i) smooth(coarse);
    for (int y = 0; y < d.image.height; ++y) {
        for (int x = 0; x < d.image.width; ++x) d.image.set(x, y, coarse.at(x / k, y / k));
    }
    for (int i = 0; i < std::min(2 * k - 2, 8); ++i) smooth(d.image);
    fill_pockets(d.image, static_cast<std::size_t>(32 * k * k));
}

void draw_forest(const Drawing& d) {
    const std::uint64_t cells = d.image.terrain.size();
    const std::uint64_t wanted = cells * static_cast<std::uint64_t>(d.density) / 100;
    std::uint64_t covered = 0;
    // No trees where the noise is low: these are clearings. The number of attempts is bounded, as
    // the rest may be full.
    for (std::uint64_t attempt = 0; covered < wanted && attempt < 16 * cells + 64; ++attempt) {
        const int x = d.random.below(d.image.width);
        const int y = d.random.below(d.image.height);
        const auto wood = static_cast<int>(smooth_noise(d.seed, x, y, 48, 3) >> 8);
        if (d.random.between(70, 190) > wood || d.image.at(x, y) != kGround) continue;
        const int size = d.random.between(1, d.size);
        draw_tree(d, x, y, size);
        covered += static_cast<std::uint64_t>(size == 3 ? 5 : size * size);
    }
}

void draw_terrain(const Drawing& d) {
    std::vector<std::uint16_t> heights;
    heights.reserve(d.image.terrain.size());
    for (int y = 0; y < d.image.height; ++y) {
        for (int x = 0; x < d.image.width; ++x) {
            heights.push_back(static_cast<std::uint16_t>(smooth_noise(d.seed, x, y, d.size, 6)));
        }
    }
    const auto bounds = height_bounds(heights, d.density);
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const auto weight =
            std::upper_bound(bounds.begin(), bounds.end(), heights[i]) - bounds.begin();
        d.image.terrain[i] = weight == 0 ? kWater : static_cast<std::uint8_t>('0' + weight);
    }
}

}  // namespace cairn::grid

#include "detour/triangle_buckets.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace cairn::detour {
namespace {

constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 28;

struct Interval {
    int first = 0;
    int last = -1;  // inclusive
};

class Spans {
public:
    Spans(std::span<const float> vertices, std::span<const int> corners, const TileGrid& grid)
        : vertices_(vertices), corners_(corners), grid_(grid) {}

    /// The tiles along an axis (0: x, 2: z) within a border of a triangle.
    Interval along(std::size_t triangle, std::size_t axis) const {
        const bool x = axis == 0;
        const double origin = x ? double{grid_.x} : double{grid_.z};
        const int count = x ? grid_.columns : grid_.rows;
        const auto at = [&](std::size_t corner) {
            return double{
                vertices_[3 * static_cast<std::size_t>(corners_[3 * triangle + corner]) + axis]};
        };
        const auto [low, high] = std::minmax({at(0), at(1), at(2)});
        const auto tile = [&](double value) {
            const double place = std::floor((value - origin) / double{grid_.side});
            return static_cast<int>(std::clamp(place, -1.0, static_cast<double>(count)));
        };
        return {std::max(tile(low - double{grid_.border}), 0),
                std::min(tile(high + double{grid_.border}), count - 1)};
    }

    /// Calls use(tile) for all tiles within a border of a triangle.
    template <class Use>
    void for_each_tile(std::size_t triangle, const Use& use) const {
        const Interval columns = along(triangle, 0);
        const Interval rows = along(triangle, 2);
        for (int row = rows.first; row <= rows.last; ++row) {
            for (int column = columns.first; column <= columns.last; ++column) {
                use(static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.columns) +
                    static_cast<std::size_t>(column));
            }
        }
    }

    std::uint64_t pairs(std::size_t triangle) const {
        const auto length = [](const Interval& i) {
            return static_cast<std::uint64_t>(std::max(i.last - i.first + 1, 0));
        };
        return length(along(triangle, 0)) * length(along(triangle, 2));
    }

private:
    std::span<const float> vertices_;
    std::span<const int> corners_;
    const TileGrid& grid_;
};

}  // namespace

Result<TriangleBuckets> TriangleBuckets::sort(std::span<const float> vertices,
                                              std::span<const int> corners, const TileGrid& grid) {
    const Spans spans(vertices, corners, grid);
    const std::size_t count = corners.size() / 3;
    std::uint64_t pairs = 0;
    for (std::size_t t = 0; t < count; ++t) {
        pairs += spans.pairs(t);
        if (pairs > kMostPairs) {
            return fail(StatusCode::too_large,
                        "triangles that each touch very many tiles: use larger tiles");
        }
    }
    TriangleBuckets buckets;
    const auto tiles = static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows);
    buckets.first_.assign(tiles + 1, 0);
    for (std::size_t t = 0; t < count; ++t)
        spans.for_each_tile(t, [&](std::size_t tile) { ++buckets.first_[tile + 1]; });
    std::partial_sum(buckets.first_.begin(), buckets.first_.end(), buckets.first_.begin());
    buckets.triangles_.resize(pairs);
    std::vector<std::uint32_t> next(buckets.first_.begin(), buckets.first_.end() - 1);
    for (std::size_t t = 0; t < count; ++t) {
        spans.for_each_tile(t, [&](std::size_t tile) {
            buckets.triangles_[next[tile]++] = static_cast<std::uint32_t>(t);
        });
    }
    return buckets;
}

}  // namespace cairn::detour

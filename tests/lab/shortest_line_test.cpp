// The shortest lines that mesh-bench compares strings with: Dijkstra's search over the corners of a
// grid that see each other finds the same lengths.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "bench/shortest_line.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/locator.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::test {
namespace {

struct Spot {
    double x = 0;
    double y = 0;
};

/// The free cells of a map, whose points at the borders of blocked cells are free, but for those
/// where two blocked cells touch at a corner.
class Ground {
public:
    explicit Ground(const grid::Map& map) : map_(map) {}

    [[nodiscard]] bool blocked(int x, int y) const {
        return x < 0 || y < 0 || x >= map_.width() || y >= map_.height() ||
               !map_.passable(map_.cell({x, y}));
    }
    /// Whether nothing lies on the line between two spots: a fine walk along it is free.
    [[nodiscard]] bool sees(const Spot& a, const Spot& b) const {
        // The line's values at which it enters another column or row, in order; between two of
        // them it lies in one cell or along a border.
        std::vector<double> at{0, 1};
        const auto add = [&](double from, double to) {
            if (from == to) return;
            const double first = std::ceil(std::min(from, to));
            for (double line = first; line <= std::max(from, to); ++line)
                at.push_back((line - from) / (to - from));
        };
        add(a.x, b.x);
        add(a.y, b.y);
        std::sort(at.begin(), at.end());
        for (std::size_t i = 1; i < at.size(); ++i) {
            if (at[i] - at[i - 1] < 1e-9) continue;
            const double share = (at[i] + at[i - 1]) / 2;
            if (!free({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)})) return false;
        }
        for (const double share : at) {
            if (pinched({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)})) return false;
        }
        return true;
    }
    /// Whether two blocked cells touch at a spot, and its two other cells are free.
    [[nodiscard]] bool pinched(const Spot& s) const {
        const double x = std::round(s.x);
        const double y = std::round(s.y);
        if (std::abs(s.x - x) > 1e-9 || std::abs(s.y - y) > 1e-9) return false;
        const int i = static_cast<int>(x);
        const int j = static_cast<int>(y);
        const bool a = blocked(i - 1, j - 1);
        const bool b = blocked(i, j - 1);
        const bool c = blocked(i - 1, j);
        const bool d = blocked(i, j);
        return (a && d && !b && !c) || (b && c && !a && !d);
    }
    /// The corners of obstacles at which a shortest line may turn.
    [[nodiscard]] std::vector<Spot> corners() const {
        std::vector<Spot> found;
        for (int y = 0; y <= map_.height(); ++y) {
            for (int x = 0; x <= map_.width(); ++x) {
                const int count = (blocked(x - 1, y - 1) ? 1 : 0) + (blocked(x, y - 1) ? 1 : 0) +
                                  (blocked(x - 1, y) ? 1 : 0) + (blocked(x, y) ? 1 : 0);
                if (count == 1) found.push_back({double(x), double(y)});
            }
        }
        return found;
    }

private:
    /// Whether a spot that is no lattice point lies in a free cell or at the border of one.
    [[nodiscard]] bool free(const Spot& s) const {
        const auto both = [](double v) {
            const double near = std::round(v);
            const int cell = static_cast<int>(std::floor(v));
            return std::abs(v - near) < 1e-9
                       ? std::pair{static_cast<int>(near) - 1, static_cast<int>(near)}
                       : std::pair{cell, cell};
        };
        const auto [x0, x1] = both(s.x);
        const auto [y0, y1] = both(s.y);
        return !blocked(x0, y0) || !blocked(x1, y1);
    }

    const grid::Map& map_;
};

double length(const Spot& a, const Spot& b) { return std::hypot(a.x - b.x, a.y - b.y); }

double shortest(const Ground& ground, const Spot& start, const Spot& goal) {
    std::vector<Spot> spots = ground.corners();
    spots.push_back(start);
    spots.push_back(goal);
    std::vector<double> least(spots.size(), std::numeric_limits<double>::infinity());
    std::vector<bool> done(spots.size());
    least[spots.size() - 2] = 0;
    for (;;) {
        std::size_t at = spots.size();
        for (std::size_t i = 0; i < spots.size(); ++i) {
            if (!done[i] && (at == spots.size() || least[i] < least[at])) at = i;
        }
        if (at == spots.size() || std::isinf(least[at]) || at + 1 == spots.size())
            return least.back();
        done[at] = true;
        for (std::size_t i = 0; i < spots.size(); ++i) {
            if (done[i] || !ground.sees(spots[at], spots[i])) continue;
            least[i] = std::min(least[i], least[at] + length(spots[at], spots[i]));
        }
    }
}

TEST(ShortestLine, IsAsLongAsTheShortestOverCornersOfAGrid) {
    const auto seeds = scaled(60);
    int compared = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        const grid::Map map = random.noise({14, 12}, random.number(5, 35));
        const mesh::Mesh mesh = mesh::mesh_from_grid(map).value();
        const mesh::Locator locator = mesh::Locator::create(mesh).value();
        app::ShortestLine line(mesh);
        const Ground ground(map);
        for (int i = 0; i < 6; ++i) {
            const auto draw = [&] {
                const float x = static_cast<float>(random.number(0, 13)) + .25F;
                const float z = static_cast<float>(random.number(0, 11)) + .375F;
                return mesh::Point{x, 0, z};
            };
            mesh::Request request;
            request.start.point = draw();
            request.goal.point = draw();
            request.start.polygon = locator.find(mesh, request.start.point, 1);
            request.goal.polygon = locator.find(mesh, request.goal.point, 1);
            if (request.start.polygon == mesh::kNone || request.goal.polygon == mesh::kNone)
                continue;
            const Spot start{double{request.start.point.x}, double{request.start.point.z}};
            const Spot goal{double{request.goal.point.x}, double{request.goal.point.z}};
            const double best = shortest(ground, start, goal);
            const double found = line.find(request);
            if (std::isinf(best)) {
                EXPECT_TRUE(std::isinf(found));
                continue;
            }
            ASSERT_NEAR(found, best, 1e-6) << "seed " << seed << ", pair " << i;
            ++compared;
        }
    }
    EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace cairn::test

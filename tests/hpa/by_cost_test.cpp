// Transitions::by_cost: where the transitions lie, and how much more than the optimum a path may
// cost for lack of others (docs/hpa-star.md).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <vector>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/snapshot.hpp"
#include "hpa/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using cairn::test::ascii_map;
using grid::Cell;
using grid::Map;
using grid::MoveRules;
using grid::Point;

constexpr int kWidest = 8;         // tiles between two transitions of a wide run
constexpr std::uint64_t kTau = 4;  // straight moves over the mean weight

Options by_cost(int cluster_size, int wide_entrance = 6) {
    Options options;
    options.cluster_size = cluster_size;
    options.transitions = Transitions::by_cost;
    options.wide_entrance = wide_entrance;
    options.labels = false;
    return options;
}

// The tile pairs of a border, by the definitions: computed from the map and the nodes of an index
// alone, one tile after the other.
class Crossings {
public:
    explicit Crossings(const Index& index) : index_(index), map_(index.map()) {
        const Overlay& overlay = index.snapshot().overlay;
        for (std::uint32_t id = 0; id < overlay.base.partition.clusters(1); ++id) {
            const ClusterView view = overlay.cluster(1, id);
            for (std::uint32_t slot = 0; slot < view.count(); ++slot)
                crossings_[view.base(slot)] = view.crossings(slot);
        }
    }

    [[nodiscard]] bool legal(Cell cell, int d) const { return (map_.moves(cell) >> d & 1) != 0; }
    [[nodiscard]] bool same_cluster(Cell a, Cell b) const {
        const int side = index_.options().cluster_size;
        const Point p = map_.point(a);
        const Point q = map_.point(b);
        return p.x / side == q.x / side && p.y / side == q.y / side;
    }
    [[nodiscard]] bool is_transition(Cell cell, int d) const {
        const auto found = crossings_.find(cell);
        return found != crossings_.end() && (found->second >> d & 1) != 0;
    }
    // A straight move over a border.
    [[nodiscard]] bool crosses(Cell cell, int d) const {
        return !grid::is_diagonal(d) && legal(cell, d) && !same_cluster(cell, map_.step(cell, d));
    }
    // The tiles of the entrance that holds `cell`, from west to east or north to south.
    [[nodiscard]] std::vector<Cell> entrance(Cell cell, int d) const {
        const int along = d % 4 == 0 ? grid::kEast : grid::kSouth;
        const auto next = [&](Cell c, int way) {
            return legal(c, way) && same_cluster(c, map_.step(c, way)) &&
                   crosses(map_.step(c, way), d);
        };
        while (next(cell, grid::opposite(along))) cell = map_.step(cell, grid::opposite(along));
        std::vector<Cell> tiles{cell};
        while (next(tiles.back(), along)) tiles.push_back(map_.step(tiles.back(), along));
        return tiles;
    }
    [[nodiscard]] bool same_weights(Cell a, Cell b, int d) const {
        return map_.weight(a) == map_.weight(b) &&
               map_.weight(map_.step(a, d)) == map_.weight(map_.step(b, d));
    }
    [[nodiscard]] int runs(const std::vector<Cell>& tiles, int d) const {
        int count = 1;
        for (std::size_t i = 1; i < tiles.size(); ++i)
            count += same_weights(tiles[i - 1], tiles[i], d) ? 0 : 1;
        return count;
    }
    // Four straight moves over the mean weight of both sides, rounded down.
    [[nodiscard]] std::uint64_t tau(const std::vector<Cell>& tiles, int d) const {
        std::uint64_t sum = 0;
        for (const Cell tile : tiles) sum += map_.weight(tile) + map_.weight(map_.step(tile, d));
        return kTau * map_.options().costs.straight * sum / (2 * tiles.size());
    }
    // How much more than crossing at `cell` it may cost to go from there to the tile across.
    [[nodiscard]] std::uint64_t bound(Cell cell, int d) const {
        const std::vector<Cell> tiles = entrance(cell, d);
        const auto at =
            static_cast<std::size_t>(std::find(tiles.begin(), tiles.end(), cell) - tiles.begin());
        std::size_t begin = at;
        while (begin > 0 && same_weights(tiles[begin - 1], cell, d)) --begin;
        std::size_t end = at + 1;
        while (end < tiles.size() && same_weights(tiles[end], cell, d)) ++end;
        const auto width = static_cast<int>(end - begin);
        const auto i = static_cast<int>(at - begin);
        const int steps = width < index_.options().wide_entrance
                              ? std::abs(i - width / 2)
                              : std::min({i, width - 1 - i, kWidest / 2});
        const std::uint64_t step = std::uint64_t{map_.options().costs.straight} *
                                   (map_.weight(cell) + map_.weight(map_.step(cell, d)));
        return static_cast<std::uint64_t>(steps) * step + (runs(tiles, d) > 1 ? tau(tiles, d) : 0);
    }
    // The least cost from `cell` to the tile across, by moves inside the two clusters and by their
    // transitions.
    [[nodiscard]] std::uint64_t cost_across(Cell cell, int d) const {
        const Cell goal = map_.step(cell, d);
        std::map<Cell, std::uint64_t> best{{cell, 0}};
        std::priority_queue<std::pair<std::uint64_t, Cell>,
                            std::vector<std::pair<std::uint64_t, Cell>>, std::greater<>>
            open;
        open.emplace(0, cell);
        while (!open.empty()) {
            const auto [cost, at] = open.top();
            open.pop();
            if (at == goal) return cost;
            if (cost > best[at]) continue;
            for (int way = 0; way < grid::kDirections; ++way) {
                if (!legal(at, way)) continue;
                const Cell to = map_.step(at, way);
                if (!same_cluster(to, cell) && !same_cluster(to, goal)) continue;
                if (!same_cluster(at, to) && !is_transition(at, way)) continue;
                const std::uint64_t through = cost + map_.move_cost(at, way);
                const auto [entry, inserted] = best.try_emplace(to, through);
                if (!inserted && entry->second <= through) continue;
                entry->second = through;
                open.emplace(through, to);
            }
        }
        return ~std::uint64_t{0};
    }
    // The first fault of the transitions; empty if there is none.
    [[nodiscard]] std::string fault() const {
        for (Cell cell = 0; cell < map_.size(); ++cell) {
            for (int d = 0; d < grid::kDirections; ++d) {
                if (is_transition(cell, d) &&
                    (!legal(cell, d) || !is_transition(map_.step(cell, d), grid::opposite(d))))
                    return fmt::format("the clusters of {} and what is {} of it differ", cell, d);
                if (!crosses(cell, d)) continue;
                if (cost_across(cell, d) > map_.move_cost(cell, d) + bound(cell, d))
                    return fmt::format("crossing at {} in direction {} costs too much", cell, d);
                const std::vector<Cell> tiles = entrance(cell, d);
                if (tiles.front() == cell && runs(tiles, d) > 1 && has_replaceable(tiles, d))
                    return fmt::format("a needless transition near {}", cell);
            }
        }
        return "";
    }

private:
    // Whether one transition of an entrance replaces another one.
    [[nodiscard]] bool has_replaceable(const std::vector<Cell>& tiles, int d) const {
        const int along = d % 4 == 0 ? grid::kEast : grid::kSouth;
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            if (!is_transition(tiles[i], d)) continue;
            std::uint64_t walk = 0;
            for (std::size_t j = i + 1; j < tiles.size(); ++j) {
                walk += map_.move_cost(tiles[j - 1], along) +
                        map_.move_cost(map_.step(tiles[j - 1], d), along);
                if (!is_transition(tiles[j], d)) continue;
                const std::uint64_t a = map_.move_cost(tiles[i], d);
                const std::uint64_t b = map_.move_cost(tiles[j], d);
                if (walk + std::min(a, b) <= std::max(a, b) + tau(tiles, d)) return true;
            }
        }
        return false;
    }

    const Index& index_;
    const Map& map_;
    std::map<Cell, std::uint32_t> crossings_;
};

// A map whose free cells have weights from `weights`, in patches of `side` cells.
Map weighted_map(RandomCases& random, int width, int height, const std::vector<int>& weights,
                 int side, int blocked, const MoveRules& rules) {
    grid::MapOptions options;
    options.rules = rules;
    options.costs = random.costs();
    options.weights = grid::TerrainWeights::literal();
    std::map<std::pair<int, int>, std::uint8_t> patches;
    std::vector<std::uint8_t> terrain;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto [patch, made] = patches.try_emplace({x / side, y / side});
            if (made) {
                const int last = static_cast<int>(weights.size()) - 1;
                patch->second = static_cast<std::uint8_t>(
                    weights[static_cast<std::size_t>(random.number(0, last))]);
            }
            terrain.push_back(random.chance(blocked) ? std::uint8_t{0} : patch->second);
        }
    }
    return *Map::create(width, height, terrain, options);
}

Map weighted_map(RandomCases& random, const MoveRules& rules) {
    static const std::vector<std::vector<int>> kWeights{
        {1, 2}, {1, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 1, 1, 200}, {3, 4, 255}};
    const auto& weights = kWeights[static_cast<std::size_t>(random.number(0, 4))];
    const int width = random.number(1, 48);
    const int height = random.number(1, 48);
    const int side = random.number(1, 7);
    return weighted_map(random, width, height, weights, side, random.number(0, 25), rules);
}

TEST(ByCost, TheCheapestTilesOfARunAreTransitions) {
    // On the border three runs: weight 5, weight 1, weight 9. The middle of the cheap one is kept.
    // The way from there to the others costs at most four moves over the mean weight, 4.
    const Map map = ascii_map({"555555555555",  //
                               "555555555555",  //
                               "111111111111",  //
                               "111111111111",  //
                               "999999999999",  //
                               "999999999999"});
    const Index index = build(map, by_cost(6));
    const Crossings crossings(index);
    EXPECT_EQ(crossings.fault(), "");
    std::string kept;
    for (int y = 0; y < 6; ++y)
        kept += crossings.is_transition(map.cell({5, y}), grid::kEast) ? 'o' : '.';
    EXPECT_EQ(kept, "...o..");
}

// Two cheap places that are far from each other, with costly terrain between them.
TEST(ByCost, CheapPlacesFarApartAreBothKept) {
    const Map map = ascii_map({"111111111111",  //
                               "999999999999",  //
                               "999999999999",  //
                               "999999999999",  //
                               "999999999999",  //
                               "222222222222"});
    const Index index = build(map, by_cost(6));
    const Crossings crossings(index);
    std::string kept;
    for (int y = 0; y < 6; ++y)
        kept += crossings.is_transition(map.cell({5, y}), grid::kEast) ? 'o' : '.';
    EXPECT_EQ(kept, "o....o");
}

// The weights on the other side of the border divide an entrance, too.
TEST(ByCost, EitherSideDividesAnEntrance) {
    const Map map = ascii_map({"333333111111",  //
                               "333333111111",  //
                               "333333999999",  //
                               "333333999999",  //
                               "333333999999",  //
                               "333333999999"});
    const Index index = build(map, by_cost(6));
    const Crossings crossings(index);
    EXPECT_EQ(crossings.fault(), "");
    EXPECT_TRUE(crossings.is_transition(map.cell({5, 1}), grid::kEast));
    EXPECT_TRUE(crossings.is_transition(map.cell({6, 1}), grid::kWest));
}

// On one terrain a wide entrance has transitions at its ends and, from ten tiles on, between them.
TEST(ByCost, WideRunsHaveTransitionsBetweenTheirEnds) {
    for (int width = 1; width <= 64; ++width) {
        const std::vector<std::uint8_t> terrain(static_cast<std::size_t>(2 * width * 64), 1);
        grid::MapOptions map_options;
        map_options.weights = grid::TerrainWeights::literal();
        const Map map = *Map::create(128, width, terrain, map_options);
        const Index index = build(map, by_cost(64));
        const Crossings crossings(index);
        std::vector<int> rows;
        for (int y = 0; y < width; ++y) {
            if (crossings.is_transition(map.cell({63, y}), grid::kEast)) rows.push_back(y);
        }
        if (width < 6) {
            EXPECT_EQ(rows, std::vector<int>{width / 2});
            continue;
        }
        EXPECT_EQ(rows.size(), static_cast<std::size_t>((width - 2) / kWidest + 2)) << width;
        EXPECT_EQ(rows.front(), 0);
        EXPECT_EQ(rows.back(), width - 1);
        for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LE(rows[i] - rows[i - 1], kWidest);
    }
}

// In clusters of up to nine tiles a side, entrances of one terrain get what by_width gives them.
TEST(ByCost, OnOneTerrainSmallClustersAreAsByWidth) {
    RandomCases random(201);
    for (auto maps = cairn::test::scaled(400); maps > 0; --maps) {
        const MoveRules& rules = kAllRules[maps % 4];
        const Map map = weighted_map(random, random.number(1, 40), random.number(1, 40),
                                     {random.number(1, 9)}, 1, random.number(0, 40), rules);
        Options options = by_cost(random.number(2, 9), random.number(2, 10));
        const Index index = build(map, options);
        options.transitions = Transitions::by_width;
        const Index by_width = build(map, options);
        ASSERT_TRUE(index.snapshot().overlay.levels == by_width.snapshot().overlay.levels)
            << describe(index, {});
    }
}

TEST(ByCost, EveryCrossingKeepsItsBound) {
    RandomCases random(202);
    for (auto maps = cairn::test::scaled(400); maps > 0; --maps) {
        const Map map = weighted_map(random, kAllRules[maps % 4]);
        Options options = by_cost(random.number(2, 30), random.number(2, 8));
        options.diagonals = random.chance(50) ? DiagonalCrossings::needed : DiagonalCrossings::none;
        const Index index = build(map, options);
        ASSERT_EQ(Crossings(index).fault(), "") << describe(index, {});
    }
}

// Every border of four tiles with obstacles and two weights on both sides.
TEST(ByCost, EveryCrossingOfSmallBordersKeepsItsBound) {
    constexpr std::uint32_t kBorders = 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3;
    constexpr std::uint64_t kStep = 0x9E37'79B1;  // meets each border once: odd, and no
                                                  // multiple of 3
    const std::uint64_t stride = cairn::test::stride(1);
    grid::MapOptions map_options;
    map_options.weights = grid::TerrainWeights::literal();
    for (const std::uint8_t heavy : std::array<std::uint8_t, 3>{2, 9, 255}) {
        for (std::uint64_t i = 0; i < kBorders; i += stride) {
            std::uint64_t digits = i * kStep % kBorders;
            std::vector<std::uint8_t> terrain(4 * 8, 1);
            for (std::size_t tile = 0; tile < 8; ++tile, digits /= 3) {
                const std::uint8_t weight = digits % 3 == 0   ? std::uint8_t{0}
                                            : digits % 3 == 1 ? std::uint8_t{1}
                                                              : heavy;
                terrain[12 + tile] = weight;  // rows 3 and 4 of 4 columns
            }
            const Map map = *Map::create(4, 8, terrain, map_options);
            const Index index = build(map, by_cost(4, 2 + static_cast<int>(i % 4)));
            ASSERT_EQ(Crossings(index).fault(), "") << describe(index, {});
        }
    }
}

// An abstract path costs at most the optimum, and for each border that the shortest path crosses
// the bound of that crossing. A diagonal move over a border counts as two straight ones, unless it
// passes between two obstacles: then it is a transition.
TEST(ByCost, AbstractPathsKeepTheSumOfTheBounds) {
    RandomCases random(203);
    grid::Astar astar;
    grid::Path optimum;
    for (auto maps = cairn::test::scaled(300); maps > 0; --maps) {
        const Map map = weighted_map(random, kAllRules[maps % 4]);
        const std::vector<Point> points = free_points(map);
        if (points.empty()) continue;
        const Options options = by_cost(random.number(2, 24));
        const Index index = build(map, options);
        const Crossings crossings(index);
        for (int pairs = 0; pairs < 20; ++pairs) {
            const Query query = unsmoothed(random.one_of(points), random.one_of(points));
            if (astar.find_path(map, query.start, query.goal, optimum) != StatusCode::ok) continue;
            std::uint64_t most = optimum.cost;
            const auto cross = [&](Cell cell, int d) {
                if (crossings.crosses(cell, d)) most += crossings.bound(cell, d);
            };
            for (std::size_t i = 1; i < optimum.cells.size(); ++i) {
                const Cell from = optimum.cells[i - 1];
                const Cell to = optimum.cells[i];
                const int d = grid::legal_direction(map, from, to);
                if (crossings.same_cluster(from, to)) continue;
                if (!grid::is_diagonal(d)) {
                    cross(from, d);
                    continue;
                }
                const int first = crossings.legal(from, (d + 1) & 7) ? (d + 1) & 7 : (d + 7) & 7;
                if (!crossings.legal(from, first)) continue;
                const int second = first == ((d + 1) & 7) ? (d + 7) & 7 : (d + 1) & 7;
                const Cell corner = map.step(from, first);
                most += map.move_cost(from, first) + map.move_cost(corner, second) -
                        map.move_cost(from, d);
                cross(from, first);
                cross(corner, second);
            }
            const Answer answer = answer_to(index, query);
            ASSERT_EQ(answer.status, StatusCode::ok) << describe(index, query);
            ASSERT_LE(answer.cost, most) << describe(index, query);
        }
    }
}

// Weights change at borders, cell by cell; the edited index equals a fresh one after every edit.
TEST(ByCost, ChainsOfEditsEqualFreshBuilds) {
    RandomCases random(204);
    for (auto maps = cairn::test::scaled(200); maps > 0; --maps) {
        const int side = random.number(2, 12);
        const Map map =
            weighted_map(random, random.number(side, 3 * side), random.number(side, 3 * side),
                         {1, 2, 9}, random.number(1, 4), random.number(0, 10), kAllRules[maps % 4]);
        Options options = by_cost(side, random.number(2, 6));
        options.levels = random.number(1, 3);
        options.labels = random.chance(30);
        Index index = build(map, options);
        for (int step = 0; step < 20; ++step) {
            grid::TerrainEdit edit;
            const Point at = random.point(index.map());
            edit.area = {at.x / side * side, at.y / side * side, 1, 1};  // in a corner, or
            if (random.chance(70)) edit.area.x = at.x;                   // on the northern border,
            if (random.chance(50)) edit.area.y = at.y;                   // or anywhere
            edit.terrain = static_cast<std::uint8_t>(random.chance(15) ? 0 : random.number(1, 9));
            index = *index.edited({&edit, 1});
            ASSERT_TRUE(index == build(index.map(), options)) << describe(index, {});
        }
        ASSERT_EQ(Crossings(index).fault(), "");
    }
}

// The error that patches of terrain cause: far below that of by_width, with fewer transitions than
// one for every run.
TEST(ByCost, PathsOverPatchesAreNearlyOptimal) {
    RandomCases random(205);
    grid::Astar astar;
    grid::Path optimum;
    grid::MapOptions map_options;
    map_options.weights = grid::TerrainWeights::literal();
    std::vector<std::uint8_t> terrain;
    for (int y = 0; y < 200; ++y) {
        for (int x = 0; x < 200; ++x)
            terrain.push_back(static_cast<std::uint8_t>(1 + (x / 7 * 31 + y / 7 * 17) % 23 % 9));
    }
    const Map map = *Map::create(200, 200, terrain, map_options);
    Options options = by_cost(24);
    const Index index = build(map, options);
    options.transitions = Transitions::by_width;
    const Index by_width = build(map, options);
    double costs = 0;
    double costs_by_width = 0;
    double optima = 0;
    for (int i = 0; i < 100; ++i) {
        const Query query = unsmoothed(random.point(map), random.point(map));
        astar.find_path(map, query.start, query.goal, optimum);
        optima += optimum.cost;
        costs += answer_to(index, query).cost;
        costs_by_width += answer_to(by_width, query).cost;
    }
    EXPECT_LT(costs, 1.05 * optima);
    EXPECT_GT(costs_by_width, 1.1 * optima);
}

}  // namespace
}  // namespace cairn::hpa::test

// Grid maps: moves and their costs, edits, fingerprints, and refused input.

#include "cairn/grid/map.hpp"

#include <gtest/gtest.h>

#include <random>

#include "grid/scenes.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

// Equal maps give equal values for everything derived from terrain and options.
void expect_same(const Map& a, const Map& b) {
    ASSERT_TRUE(a == b);
    EXPECT_EQ(a.fingerprint(), b.fingerprint());
    EXPECT_EQ(a.free_cells(), b.free_cells());
    EXPECT_EQ(a.edge_count(), b.edge_count());
    EXPECT_EQ(a.uniform(), b.uniform());
    EXPECT_EQ(a.min_straight(), b.min_straight());
    EXPECT_EQ(a.min_diagonal(), b.min_diagonal());
    EXPECT_EQ(a.max_move(), b.max_move());
    for (Cell c = 0; c < a.size(); ++c) {
        ASSERT_EQ(a.moves(c), b.moves(c)) << "cell " << c;
        for (int d = 0; d < kDirections; ++d) {
            if ((a.moves(c) >> d & 1) == 0) continue;
            ASSERT_EQ(a.move_cost(c, d), b.move_cost(c, d)) << "cell " << c << " direction " << d;
        }
    }
}

Rect random_rect(std::mt19937& random, const Map& map) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int x = below(map.width());
    const int y = below(map.height());
    return {x, y, 1 + below(map.width() - x), 1 + below(map.height() - y)};
}

TEST(MapTest, EditedIsTheMapOfTheEditedTerrain) {
    std::mt19937 random(1);
    for (std::uint64_t round = 0; round < cairn::test::scaled(300); ++round) {
        const MoveRules rules = test::kAllRules[round % 4];
        const int width = 1 + static_cast<int>(random() % 90);
        const int height = 1 + static_cast<int>(random() % 90);
        const Map map = test::random_map(random, width, height, rules, 30, 1 + random() % 4);
        std::vector<std::uint8_t> terrain;
        for (Cell c = 0; c < map.size(); ++c) terrain.push_back(map.terrain(c));
        const std::vector<std::uint8_t> before = terrain;

        std::vector<TerrainEdit> edits(1 + random() % 3);
        for (TerrainEdit& edit : edits) {
            edit = {random_rect(random, map), static_cast<std::uint8_t>(random() % 6)};
            for (int y = edit.area.y; y < edit.area.y + edit.area.height; ++y) {
                for (int x = edit.area.x; x < edit.area.x + edit.area.width; ++x) {
                    terrain[map.cell({x, y})] = edit.terrain;
                }
            }
        }
        expect_same(map.edited(edits).value(),
                    Map::create(width, height, terrain, map.options()).value());
        expect_same(map, Map::create(width, height, before, map.options()).value());
    }
}

TEST(MapTest, TerrainInPagesIsShared) {
    std::mt19937 random(8);
    for (std::uint64_t round = 0; round < cairn::test::scaled(100); ++round) {
        const int width = 1 + static_cast<int>(random() % 90);
        const int height = 1 + static_cast<int>(random() % 90);
        std::vector<std::uint8_t> terrain(static_cast<std::size_t>(width * height));
        for (std::uint8_t& t : terrain) t = static_cast<std::uint8_t>(random() % 4);
        MapOptions options;
        options.weights = TerrainWeights::literal();
        options.rules.neighbourhood = static_cast<Neighbourhood>(random() % 2);
        options.rules.corner = static_cast<CornerRule>(random() % 3);
        const PagedArray<std::uint8_t> pages{std::span<const std::uint8_t>(terrain)};
        const Map map = Map::create(width, height, pages, options).value();
        expect_same(map, Map::create(width, height, terrain, options).value());

        std::vector<Rect> areas;  // they may overlap
        for (auto count = random() % 4; count > 0; --count) {
            const Rect area = random_rect(random, map);
            areas.push_back(area);
            for (int y = area.y; y < area.y + area.height; ++y) {
                for (int x = area.x; x < area.x + area.width; ++x) {
                    if (random() % 2 != 0)
                        terrain[map.cell({x, y})] = static_cast<std::uint8_t>(random() % 4);
                }
            }
        }
        const PagedArray<std::uint8_t> changed{std::span<const std::uint8_t>(terrain)};
        const auto other = map.with_terrain(changed, areas);
        ASSERT_TRUE(other);
        expect_same(*other, Map::create(width, height, terrain, options).value());
        if (HasFatalFailure()) return;
    }
}

TEST(MapTest, RefusesOtherTerrainThatDoesNotFit) {
    const Map map = Map::create(3, 2, std::vector<std::uint8_t>(6, '.')).value();
    const PagedArray<std::uint8_t> same(6, '.');
    const Rect inside{1, 0, 2, 2};
    EXPECT_TRUE(map.with_terrain(same, {&inside, 1}));
    for (const Rect area : {Rect{1, 0, 3, 1}, Rect{-1, 0, 1, 1}, Rect{0, 0, 0, 1}})
        EXPECT_EQ(map.with_terrain(same, {&area, 1}).error().code, StatusCode::bad_option);
    EXPECT_EQ(map.with_terrain(PagedArray<std::uint8_t>(7, '.'), {}).error().code,
              StatusCode::bad_option);
}

TEST(MapTest, OtherWeightsGiveTheMapCreatedUnderThem) {
    std::mt19937 random(9);
    for (std::uint64_t round = 0; round < cairn::test::scaled(100); ++round) {
        const int width = 1 + static_cast<int>(random() % 40);
        const int height = 1 + static_cast<int>(random() % 40);
        std::vector<std::uint8_t> terrain(static_cast<std::size_t>(width * height));
        for (std::uint8_t& t : terrain) t = static_cast<std::uint8_t>(random() % 4);
        terrain[0] = 3;
        MapOptions options;
        options.weights = TerrainWeights::literal();
        options.rules.corner = static_cast<CornerRule>(random() % 3);
        const Map map = Map::create(width, height, terrain, options).value();
        for (std::size_t t = 1; t < 256; ++t)
            options.weights.weight[t] = static_cast<std::uint8_t>(1 + random() % 3);
        options.weights.weight[200] = 0;  // not on the map
        expect_same(map.with_weights(options.weights).value(),
                    Map::create(width, height, terrain, options).value());
        options.weights.weight[3] = 0;
        const auto refused = map.with_weights(options.weights);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, StatusCode::bad_option);
        EXPECT_NE(refused.error().message.find("byte 3 "), std::string::npos);
        if (HasFatalFailure()) return;
    }
}

TEST(MapTest, MovesAreMutualAndCostTheSameBothWays) {
    std::mt19937 random(2);
    for (const MoveRules rules : test::kAllRules) {
        const Map map = test::random_map(random, 40, 30, rules, 35, 5);
        for (Cell c = 0; c < map.size(); ++c) {
            for (int d = 0; d < kDirections; ++d) {
                if ((map.moves(c) >> d & 1) == 0) continue;
                const Cell to = map.step(c, d);
                ASSERT_TRUE(map.moves(to) >> opposite(d) & 1);
                ASSERT_EQ(map.move_cost(c, d), map.move_cost(to, opposite(d)));
                ASSERT_GE(map.move_cost(c, d), map.distance_bound(map.point(c), map.point(to)));
            }
        }
    }
}

TEST(MapTest, DiagonalMovesFollowTheCornerRule) {
    // Whether a 2 x 2 map allows the move from the lower left cell to the upper right one.
    const auto diagonal = [](std::string_view top, std::string_view bottom, CornerRule corner) {
        return (test::scene({top, bottom}, {Neighbourhood::eight, corner}).moves(2) &
                1U << kNorthEast) != 0;
    };
    for (const CornerRule corner :
         {CornerRule::strict, CornerRule::both_blocked, CornerRule::free}) {
        EXPECT_TRUE(diagonal("..", "..", corner));
        EXPECT_EQ(diagonal("@.", "..", corner), corner != CornerRule::strict);
        EXPECT_EQ(diagonal("..", ".@", corner), corner != CornerRule::strict);
        EXPECT_EQ(diagonal("@.", ".@", corner), corner == CornerRule::free);
        EXPECT_FALSE(diagonal(".@", "..", corner));
    }
}

TEST(MapTest, RefusesBadSidesAndCostModels) {
    const std::vector<std::uint8_t> four(4, '.');
    const auto code = [&](int width, int height, std::size_t cells, CostModel costs = {}) {
        MapOptions options;
        options.costs = costs;
        const auto map = Map::create(width, height, std::span(four).first(cells), options);
        return map ? StatusCode::ok : map.error().code;
    };
    EXPECT_EQ(code(2, 2, 4), StatusCode::ok);
    EXPECT_EQ(code(2, 2, 3), StatusCode::bad_option);
    EXPECT_EQ(code(0, 0, 0), StatusCode::bad_option);
    EXPECT_EQ(code(-2, -2, 4), StatusCode::bad_option);
    EXPECT_EQ(code(Map::kMaxSide + 1, 1, 4), StatusCode::bad_option);
    EXPECT_EQ(code(2, 2, 4, {0, 0}), StatusCode::bad_option);
    EXPECT_EQ(code(2, 2, 4, {10, 9}), StatusCode::bad_option);
    EXPECT_EQ(code(2, 2, 4, {10, 21}), StatusCode::bad_option);
    EXPECT_EQ(code(2, 2, 4, {10, 20}), StatusCode::ok);
}

TEST(MapTest, KnowsWhetherAPathCouldCostTooMuch) {
    MapOptions options;
    options.weights = TerrainWeights::literal();
    const std::vector<std::uint8_t> terrain(1 << 20, 255);
    EXPECT_FALSE(Map::create(1024, 1024, terrain, options).value().costs_fit());
    options.costs = {5, 7};
    EXPECT_TRUE(Map::create(1024, 1024, terrain, options).value().costs_fit());

    options.costs = CostModel::standard();
    const Map light =
        Map::create(1024, 1024, std::vector<std::uint8_t>(1 << 20, 1), options).value();
    EXPECT_TRUE(light.costs_fit());
    const TerrainEdit edit{{5, 5, 1, 1}, 255};
    EXPECT_FALSE(light.edited({&edit, 1}).value().costs_fit());
    EXPECT_TRUE(test::scene({"@@"}).costs_fit());
}

TEST(MapTest, BoundsAndCostsOfPathsStopAtInfinity) {
    MapOptions options;
    options.costs = {999'999, 1'000'000};
    options.weights = TerrainWeights::literal();
    const Map map = Map::create(6000, 1, std::vector<std::uint8_t>(6000, 255), options).value();
    std::vector<Cell> path;
    for (Cell cell = 0; cell < map.size(); ++cell) {
        path.push_back(cell);
        const std::uint64_t cost = std::uint64_t{cell} * 999'999 * 255;
        const Cost expected = cost < kInfinity ? static_cast<Cost>(cost) : kInfinity;
        ASSERT_EQ(map.distance_bound({0, 0}, map.point(cell)), expected);
        ASSERT_EQ(path_cost(map, path), expected);
    }
}

TEST(MapTest, RefusesEmptyEditsAndEditsOutside) {
    const Map map = test::scene({"...", "..."});
    for (const Rect area :
         {Rect{0, 0, 0, 1}, Rect{0, 0, 1, 0}, Rect{-1, 0, 2, 1}, Rect{0, -1, 1, 2},
          Rect{2, 0, 2, 1}, Rect{0, 1, 1, 2}, Rect{1, 1, 2147483647, 1},
          Rect{2147483647, 2147483647, 2147483647, 2147483647}}) {
        const TerrainEdit edit{area, '@'};
        const auto edited = map.edited({&edit, 1});
        ASSERT_FALSE(edited) << area.x << ',' << area.y;
        EXPECT_EQ(edited.error().code, StatusCode::bad_option);
    }
}

TEST(MapTest, TheFingerprintDependsOnTerrainSidesAndOptions) {
    const Map map = test::scene({"..", ".@"});
    EXPECT_EQ(map.fingerprint(), test::scene({"..", ".@"}).fingerprint());
    EXPECT_NE(map.fingerprint(), test::scene({"..", "@."}).fingerprint());
    EXPECT_NE(map.fingerprint(), test::scene({"...@"}).fingerprint());
    EXPECT_NE(map.fingerprint(),
              test::scene({"..", ".@"}, {Neighbourhood::four, CornerRule::strict}).fingerprint());
}

}  // namespace
}  // namespace cairn::grid

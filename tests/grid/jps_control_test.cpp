// Maps and edits that jump point search refuses, and golden answers.

#include <gtest/gtest.h>

#include <random>

#include "cairn/grid/generate.hpp"
#include "cairn/grid/jps.hpp"
#include "grid/scenes.hpp"
#include "support/hash.hpp"

namespace cairn::grid {
namespace {

Point random_point(std::mt19937& random, const JpsMap& map) {
    return map.map().point(static_cast<Cell>(random() % map.map().size()));
}

TEST(JpsMapTest, RefusesMapsItCannotSearch) {
    // The error message; empty if the map is accepted.
    const auto refusal = [](const Map& map) {
        const Result<JpsMap> result = JpsMap::create(map);
        if (result) return std::string();
        EXPECT_EQ(result.error().code, StatusCode::unsupported);
        return result.error().message;
    };
    const auto refused_for = [&](const Map& map, const char* reason) {
        return refusal(map).find(reason) != std::string::npos;
    };
    EXPECT_TRUE(
        refused_for(test::scene({".."}, {Neighbourhood::four, CornerRule::strict}), "four"));
    EXPECT_TRUE(
        refused_for(test::scene({".."}, {Neighbourhood::eight, CornerRule::free}), "corner"));
    EXPECT_TRUE(refused_for(test::scene({".."}, {Neighbourhood::eight, CornerRule::both_blocked}),
                            "corner"));
    EXPECT_TRUE(refused_for(test::scene({".2"}), "weights"));
    for (const CostModel costs : {CostModel{10, 10}, CostModel{10, 20}}) {
        MapOptions options;
        options.costs = costs;
        EXPECT_TRUE(refused_for(cairn::test::ascii_map({".."}, options), "costs"));
    }
    EXPECT_EQ(refusal(test::scene({".."})), "");
    EXPECT_EQ(refusal(test::scene({"22", "@2"})), "");
    EXPECT_EQ(refusal(test::scene({"@"})), "");
}

TEST(JpsMapTest, RefusesEditsThatAddASecondWeight) {
    const JpsMap map = JpsMap::create(test::scene({"...", "..."})).value();
    const auto code = [&](const TerrainEdit& edit) {
        const Result<JpsMap> result = map.edited({&edit, 1});
        return result ? StatusCode::ok : result.error().code;
    };
    EXPECT_EQ(code({{0, 0, 1, 1}, '3'}), StatusCode::unsupported);
    EXPECT_EQ(code({{0, 0, 3, 2}, '3'}), StatusCode::ok);          // the whole map
    EXPECT_EQ(code({{0, 0, 4, 1}, '@'}), StatusCode::bad_option);  // beyond the right border
    EXPECT_EQ(code({{2, 1, 1, 1}, '@'}), StatusCode::ok);
    EXPECT_GT(map.bytes(), 0U);
}

// If an intended change alters paths, put the hash that the failure prints here.
TEST(JpsGoldenTest, CostsAndPathsAreTheSameEverywhere) {
    cairn::test::Hash costs;
    cairn::test::Hash paths;
    std::mt19937 random(2011);
    Jps jps;
    Path path;
    for (const MapKind kind : {MapKind::rooms, MapKind::caves, MapKind::random}) {
        GenerateOptions options;
        options.kind = kind;
        options.width = 150;
        options.height = 130;
        options.seed = 2011;
        const TerrainImage image = generate(options).value();
        const JpsMap map =
            JpsMap::create(Map::create(image.width, image.height, image.terrain).value()).value();
        for (int i = 0; i < 200; ++i) {
            const Point a = random_point(random, map);
            const Point b = random_point(random, map);
            jps.find_path(map, a, b, path);
            costs.add(path.cost);
            for (const Cell cell : path.cells) paths.add(cell);
        }
    }
    EXPECT_EQ(costs.text(), "cfa8a778a9e3a340");
    EXPECT_EQ(paths.text(), "756d399429d137c9");
}

}  // namespace
}  // namespace cairn::grid

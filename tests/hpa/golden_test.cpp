// Hashes of HPA* answers to seeded queries. They are the same for every compiler, optimisation
// level and machine. If an intended change alters them, the failed test prints the new hashes, to
// be put here.

#include <gtest/gtest.h>

#include <ostream>

#include "cairn/grid/generate.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/hash.hpp"

namespace cairn::hpa::test {
namespace {

using cairn::test::Hash;
using grid::Map;
using grid::MapKind;

struct Golden {
    const char* name;
    MapKind kind;
    grid::MoveRules rules;
    Options options;
    Engine engine;
    Smoothing smoothing;
    const char* costs;  // of statuses and costs of abstract paths
    const char* paths;  // of costs, abstract nodes and cells
};
void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

Options options_of(int cluster_size, int levels, Transitions transitions, bool move_tables) {
    Options options;
    options.cluster_size = cluster_size;
    options.levels = levels;
    options.transitions = transitions;
    options.move_tables = move_tables;
    return options;
}

constexpr grid::MoveRules kFour{grid::Neighbourhood::four, grid::CornerRule::strict};
constexpr grid::MoveRules kStrict{grid::Neighbourhood::eight, grid::CornerRule::strict};
constexpr grid::MoveRules kBothBlocked{grid::Neighbourhood::eight, grid::CornerRule::both_blocked};
constexpr grid::MoveRules kFree{grid::Neighbourhood::eight, grid::CornerRule::free};

const Golden kGolden[] = {
    {"rooms", MapKind::rooms, kStrict, options_of(10, 1, Transitions::by_width, true),
     Engine::astar, Smoothing::none, "8e4cdf55bad9b786", "4fe3ff2a1129d4bf"},
    {"maze", MapKind::maze, kFour, options_of(10, 2, Transitions::by_width, false), Engine::levels,
     Smoothing::none, "89d95fd6a0bca5d8", "b64d731b04feda33"},
    {"caves", MapKind::caves, kBothBlocked, options_of(12, 3, Transitions::middle, true),
     Engine::levels, Smoothing::straight_lines, "2b0fa93b1e5d7d38", "500f71c63d3e78ac"},
    {"forest", MapKind::forest, kFree, options_of(8, 2, Transitions::every, true),
     Engine::cut_labels, Smoothing::none, "5028451123ff6fba", "4d2420331a6dcdb5"},
    {"terrain", MapKind::terrain, kStrict, options_of(10, 3, Transitions::by_width, false),
     Engine::levels, Smoothing::straight_lines, "cf2503f839f936a1", "b674232d6dc45f6a"},
    {"city", MapKind::city, kStrict, options_of(16, 2, Transitions::by_width, true),
     Engine::cut_labels, Smoothing::corridor, "b227f9c6c531543e", "14b5ec215294cf4f"},
    {"hills", MapKind::terrain, kStrict, Options{}, Engine::cut_labels, Smoothing::straight_lines,
     "5c63cb13dd907658", "8eb12f1676013fe1"},
    {"hills_in_small_clusters", MapKind::terrain, kFree,
     options_of(10, 2, Transitions::by_cost, true), Engine::levels, Smoothing::band,
     "0b7cce789da1bbc0", "2d1da60a9178dde4"},
    {"open_caves", MapKind::caves, kStrict, Options{}, Engine::cut_labels, Smoothing::none,
     "92202e2f2fd16c91", "f1e5bdb39faa11a5"},
};

class HpaGolden : public testing::TestWithParam<Golden> {};

TEST_P(HpaGolden, AnswersAreUnchanged) {
    const Golden& golden = GetParam();
    grid::GenerateOptions generate;
    generate.kind = golden.kind;
    generate.width = 150;
    generate.height = 130;
    generate.seed = 2004;
    grid::MapOptions map_options;
    map_options.rules = golden.rules;
    map_options.weights = grid::TerrainWeights::weighted();
    const Map map = *grid::make_map(*grid::generate(generate), map_options);
    const Index index = build(map, golden.options);
    RandomCases random(2004);
    Searcher searcher;
    Answer answer;
    Hash costs;
    Hash paths;
    for (int i = 0; i < 200; ++i) {
        Query query = random.plain_query(map);
        query.engine = golden.engine;
        query.smoothing = golden.smoothing;
        searcher.find(index, query, answer);
        costs.add(static_cast<std::uint64_t>(answer.status));
        costs.add(answer.abstract_cost);
        paths.add(answer.cost);
        for (const grid::Cell node : answer.abstract_nodes) paths.add(node);
        for (const grid::Cell cell : answer.cells) paths.add(cell);
    }
    EXPECT_EQ(costs.text(), golden.costs);
    EXPECT_EQ(paths.text(), golden.paths);
}

INSTANTIATE_TEST_SUITE_P(Sets, HpaGolden, testing::ValuesIn(kGolden),
                         [](const auto& golden) { return std::string(golden.param.name); });

}  // namespace
}  // namespace cairn::hpa::test

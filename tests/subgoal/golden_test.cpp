// Hashes of subgoal graphs and of their answers to seeded queries. They are the same for every
// compiler, optimisation level and machine. If an intended change alters them, the failed test
// prints the new hashes, to be put here.

#include <gtest/gtest.h>

#include <ostream>

#include "cairn/grid/generate.hpp"
#include "subgoal/verify.hpp"
#include "support/hash.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::Hash;
using grid::Map;
using grid::MapKind;

struct Golden {
    const char* name;
    MapKind kind;
    int variant;  // of the options (verify.hpp)
    Engine engine;
    const char* graph;  // of subgoals, edges, their tautness and the snapshot id
    const char* costs;  // of statuses and costs
    const char* paths;  // of subgoals and cells
};
void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

const Golden kGolden[] = {
    {"rooms", MapKind::rooms, 0, Engine::astar, "2a62cef279dddcaf", "f0cfba0d47177b05",
     "c44436f3da90f5fd"},
    {"maze", MapKind::maze, 0, Engine::cut_labels, "2fed5bf8b8ef80a6", "60965b0fbe0e23b5",
     "7ea1f541ce8f49c9"},
    {"caves", MapKind::caves, 2, Engine::levels, "c895543699958375", "1d14f58976c8485f",
     "da3d4078068afef7"},
    {"forest", MapKind::forest, 15, Engine::levels, "89e768f0c32cf76a", "3101beb35b011126",
     "5dc5f9c213da6286"},
    {"noise", MapKind::random, 1, Engine::cut_labels, "455873c99d1a2092", "1023835d394e8196",
     "2a2eab9f6dfe6985"},
    {"city", MapKind::city, 20, Engine::levels, "c2e072a768ed52d3", "d2f87e01357246da",
     "5ec336e7d1771816"},
};

class SubgoalGolden : public testing::TestWithParam<Golden> {};

std::string graph_hash(const Index& index) {
    Hash hash;
    const auto found_cells = subgoals(index).value();
    for (const grid::Cell cell : found_cells) hash.add(cell);
    const auto found_edges = edges(index).value();
    for (const SubgoalEdge& edge : found_edges) {
        hash.add(edge.a);
        hash.add(edge.b);
        hash.add(edge.taut ? 1 : 0);
    }
    hash.add(index.snapshot_id());
    return hash.text();
}

TEST_P(SubgoalGolden, GraphsAndAnswersAreUnchanged) {
    const Golden& golden = GetParam();
    grid::GenerateOptions generate;
    generate.kind = golden.kind;
    generate.width = 150;
    generate.height = 130;
    generate.seed = 2013;
    const Index index = build(*grid::make_map(*grid::generate(generate)), variant(golden.variant));
    EXPECT_EQ(graph_hash(index), golden.graph);
    RandomMaps random(2013);
    Searcher searcher;
    Answer answer;
    Hash costs;
    Hash paths;
    for (int i = 0; i < 200; ++i) {
        const grid::Point start = random.point(index.map());
        const grid::Point goal = random.point(index.map());
        searcher.find(index, query_of(start, goal, golden.engine), answer);
        costs.add(static_cast<std::uint64_t>(answer.status));
        costs.add(answer.cost);
        for (const grid::Cell cell : answer.subgoals) paths.add(cell);
        for (const grid::Cell cell : answer.cells) paths.add(cell);
    }
    EXPECT_EQ(costs.text(), golden.costs);
    EXPECT_EQ(paths.text(), golden.paths);
}

INSTANTIATE_TEST_SUITE_P(Sets, SubgoalGolden, testing::ValuesIn(kGolden),
                         [](const auto& golden) { return std::string(golden.param.name); });

}  // namespace
}  // namespace cairn::subgoal::test

// Hashes of the statistics of HNA* indexes and of their answers to seeded queries. They are the
// same for every compiler, optimisation level and machine. If an intended change alters them, the
// failed test prints the new hashes, to be put here.

#include <gtest/gtest.h>

#include <ostream>

#include "core/separator/connected_parts.hpp"
#include "hna/verify.hpp"
#include "support/hash.hpp"

namespace cairn::hna::test {
namespace {

using cairn::test::Hash;
using cairn::test::MeshKind;

struct Golden {
    const char* name;
    cairn::test::MeshKind kind;
    mesh::Scoring scoring;
    Options options;
    Engine engine;
    const char* index;  // of the levels' statistics and the top level's clusters
    const char* costs;  // of statuses and costs
    const char* paths;  // of inter-edges, links and waypoints
    bool shorten = false;
};
void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

Options options_of(int levels, int mu, Partitioner partitioner, Pccp pccp) {
    Options options;
    options.levels = levels;
    options.mu = mu;
    options.partitioner = partitioner;
    options.pccp = pccp;
    return options;
}

constexpr auto kMidpoints = mesh::Scoring::portal_midpoints;
constexpr auto kCentres = mesh::Scoring::polygon_centres;
constexpr auto kParts = mesh::Scoring::portal_parts;

const Golden kGolden[] = {
    {"lattice", MeshKind::lattice, kMidpoints,
     options_of(1, 6, Partitioner::multilevel, Pccp::portals), Engine::astar, "f4b3e051bd9039b6",
     "8503de8e82a646e1", "2f79b679993095ed"},
    {"storeys", MeshKind::storeys, kMidpoints, options_of(3, 3, Partitioner::growing, Pccp::none),
     Engine::astar, "c8e4fe4c03e39bfa", "9238946edfc93700", "cf69b0a7a9dc60ec"},
    {"corridors", MeshKind::corridors, kMidpoints,
     options_of(2, 5, Partitioner::growing, Pccp::portals), Engine::astar, "6ce12127a8e0d86a",
     "cdc4cb4152ec1bd5", "823feef0f838d93e"},
    {"flat", MeshKind::flat, kMidpoints, options_of(2, 4, Partitioner::growing, Pccp::portals),
     Engine::cut_labels, "611b01871591fc53", "78baec2afaf186f3", "ed87e92ae9a6febb"},
    {"centres", MeshKind::lattice, kCentres, options_of(2, 6, Partitioner::growing, Pccp::centres),
     Engine::astar, "19244cd77b187f53", "98423ac1cee8727f", "e4b3e4073bdc4373"},
    {"parts", MeshKind::lattice, kParts, options_of(2, 6, Partitioner::growing, Pccp::portals),
     Engine::astar, "e53b6d728937c07e", "e47fd335ebb4a2a9", "485824174f0fe884"},
    {"shortened", MeshKind::flat, kMidpoints, options_of(2, 4, Partitioner::growing, Pccp::portals),
     Engine::cut_labels, "611b01871591fc53", "e0949f38ee34b4d8", "66cf113fc7fbe750", true},
};

Mesh golden_mesh(const Golden& golden) {
    RandomMaps random(4);
    cairn::test::MeshParts parts = cairn::test::mesh_of_kind(golden.kind, random, 24);
    cairn::test::add_areas(parts, random);
    mesh::MeshOptions options;
    options.scoring = golden.scoring;
    if (golden.scoring == kParts) options.longest_part = 0.5;
    options.area_costs[1] = 2.5F;
    options.area_costs[2] = 0.5F;
    return parts.build(options);
}

class HnaGolden : public testing::TestWithParam<Golden> {};

TEST_P(HnaGolden, IndexesAndAnswersAreUnchanged) {
    const Golden& golden = GetParam();
    if (golden.options.partitioner == Partitioner::multilevel && !has_metis())
        GTEST_SKIP() << "built without METIS";
    const Index index = build(golden_mesh(golden), golden.options);
    Hash levels;
    const IndexStatistics statistics = index.statistics().value();
    for (const LevelStatistics& level : statistics.levels) {
        for (const std::size_t number :
             {level.clusters, level.inter_edges, level.intra_edges, level.most_inter_edges,
              level.most_polygons, level.bytes}) {
            levels.add(number);
        }
    }
    for (Polygon p = 0; p < index.mesh().num_polygons(); ++p)
        levels.add(index.cluster(golden.options.levels, p));
    EXPECT_EQ(levels.text(), golden.index);

    RandomMaps random(2020);
    Searcher searcher;
    Answer answer;
    Hash costs;
    Hash paths;
    std::size_t inter_edges = 0;
    for (int i = 0; i < 200; ++i) {
        Query query = random_query(index.mesh(), random, golden.engine);
        query.nearest_reachable = i % 3 == 0;
        query.shorten = golden.shorten;
        searcher.find(index, query, answer);
        costs.add(static_cast<std::uint64_t>(answer.status));
        costs.add(answer.cost);
        for (const mesh::Link node : answer.abstract_nodes) paths.add(node);
        for (const mesh::Link link : answer.links) paths.add(link);
        for (const mesh::Waypoint& waypoint : answer.waypoints) paths.add(waypoint.link);
        inter_edges += answer.abstract_nodes.size();
    }
    EXPECT_GT(inter_edges, 200U);  // the queries are not too easy
    EXPECT_EQ(costs.text(), golden.costs);
    EXPECT_EQ(paths.text(), golden.paths);
}

INSTANTIATE_TEST_SUITE_P(Sets, HnaGolden, testing::ValuesIn(kGolden),
                         [](const auto& golden) { return std::string(golden.param.name); });

}  // namespace
}  // namespace cairn::hna::test

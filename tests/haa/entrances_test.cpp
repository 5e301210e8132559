// The tiles at which agents of several classes cross a border, and which become abstract nodes
// (HAA*, Harabor and Botea 2008, "Clusters and Entrances"). Drawings mark the nodes with 'o'.

#include "haa/entrances.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "cairn/grid/components.hpp"
#include "core/union_find.hpp"
#include "haa/random_agents.hpp"
#include "hpa/entrances.hpp"
#include "support/scale.hpp"

namespace cairn::haa {
namespace {

using grid::Cell;
using grid::Point;
using test::annotated;
using test::Clusters;
using test::RandomAgents;

// The map with its nodes, after an empty line.
std::string drawn_nodes(const AnnotatedMap& map, const Options& options) {
    std::string cells;
    for (Cell c = 0; c < map.size(); ++c) cells += static_cast<char>(map.terrain(c));
    const Clusters clusters(map, options);
    for (std::uint32_t id = 0; id < clusters.records.size(); ++id) {
        for (const AnnotatedNode& node : clusters.nodes(id)) cells[node.cell] = 'o';
    }
    std::string drawing = "\n";
    const auto width = static_cast<std::size_t>(map.width());
    for (std::size_t row = 0; row < cells.size(); row += width) {
        drawing += cells.substr(row, width) + '\n';
    }
    return drawing;
}

// The drawing of these rows, in the form of drawn_nodes.
std::string drawing(std::initializer_list<std::string_view> rows) {
    std::string text = "\n";
    for (const std::string_view row : rows) text += std::string(row) + '\n';
    return text;
}

Options options_of(int cluster_size, Transitions transitions = Transitions::by_width,
                   int shift = 0) {
    Options options;
    options.cluster_size = cluster_size;
    options.transitions = transitions;
    options.shift = shift;
    return options;
}

// The abstraction connects the same cells as the class map of each class. For this, a class makes
// every move inside a cluster, and crosses borders only at its transitions.
void expect_complete(const AnnotatedMap& map, const Options& options) {
    const Clusters clusters(map, options);
    for (std::uint32_t k = 0; k < map.classes(); ++k) {
        const grid::Map view = map.class_map(map.agent(k)).value();
        const auto cluster_of = [&](Cell c) {
            return clusters.partition.cluster(1, view.point(c));
        };
        UnionFind sets(map.size());
        for (Cell c = 0; c < map.size(); ++c) {
            for (int d = 0; d < grid::kDirections; ++d) {
                if ((view.moves(c) >> d & 1) == 0) continue;
                if (cluster_of(c) == cluster_of(view.step(c, d))) sets.unite(c, view.step(c, d));
            }
        }
        for (std::uint32_t id = 0; id < clusters.records.size(); ++id) {
            for (const AnnotatedNode& node : clusters.nodes(id)) {
                for (int d = 0; d < grid::kDirections; ++d) {
                    if (!node.users[static_cast<std::size_t>(d)][k]) continue;
                    ASSERT_NE(view.moves(node.cell) >> d & 1, 0);
                    sets.unite(node.cell, view.step(node.cell, d));
                }
            }
        }
        const grid::Components components = grid::Components::build(view).value();
        std::map<std::uint32_t, std::uint32_t> set_of;
        for (Cell c = 0; c < map.size(); ++c) {
            if (!view.passable(c)) continue;
            const auto [known, is_new] = set_of.emplace(components.of(c), sets.find(c));
            ASSERT_EQ(known->second, sets.find(c)) << "class " << k << " cell " << c;
        }
    }
}

TEST(AgentEntrances, EveryClassIsCompleteUnderEveryAbstraction) {
    RandomAgents random(21);
    for (std::uint64_t round = 0; round < cairn::test::scaled(3000); ++round) {
        const AnnotatedMap map = random.map(30, 4);
        expect_complete(map, random.options());
        if (HasFatalFailure()) FAIL() << "in round " << round;
    }
}

TEST(AgentEntrances, BothClustersOfABorderFindTheSameCrossings) {
    RandomAgents random(22);
    for (std::uint64_t round = 0; round < cairn::test::scaled(1000); ++round) {
        const AnnotatedMap map = random.map(30, 4);
        const Clusters clusters(map, random.options());
        const auto width = static_cast<Cell>(map.width());
        std::set<std::tuple<Cell, Cell, std::size_t>> crossings;  // from, to, agent class
        for (std::uint32_t id = 0; id < clusters.records.size(); ++id) {
            for (const AnnotatedNode& node : clusters.nodes(id)) {
                for (std::size_t d = 0; d < grid::kDirections; ++d) {
                    if ((node.crossings >> d & 1) == 0) continue;
                    const Point to{static_cast<int>(node.cell % width) + grid::kDx[d],
                                   static_cast<int>(node.cell / width) + grid::kDy[d]};
                    ASSERT_TRUE(map.contains(to));
                    ASSERT_NE(clusters.partition.cluster(1, to), id);
                    for (std::size_t k = 0; k < map.classes(); ++k) {
                        if (node.users[d][k]) crossings.emplace(node.cell, map.cell(to), k);
                    }
                }
            }
        }
        for (const auto& [from, to, k] : crossings) {
            ASSERT_TRUE(crossings.contains({to, from, k})) << "round " << round << ": " << from;
        }
    }
}

TEST(AgentEntrances, NodesOfASingleClassEqualThoseOfHpa) {
    RandomAgents random(23);
    for (std::uint64_t round = 0; round < cairn::test::scaled(1000); ++round) {
        AnnotationOptions agents = random.agents(1);
        agents.capabilities.resize(1);
        const AnnotatedMap map =
            AnnotatedMap::create(random.image(random.size(40)), agents).value();
        Options options = random.options();
        options.abstraction = Abstraction::high_quality;
        options.transitions = static_cast<Transitions>(random.number(0, 2));
        const Clusters clusters(map, options);
        hpa::Options hpa_options;
        hpa_options.transitions = static_cast<hpa::Transitions>(options.transitions);
        hpa_options.wide_entrance = options.wide_entrance;
        const grid::Map view = map.class_map({0, 1}).value();
        hpa::EntranceFinder finder(view, clusters.partition, hpa_options);
        for (std::uint32_t id = 0; id < clusters.records.size(); ++id) {
            const auto& expected = finder.nodes(id);
            const auto found = clusters.nodes(id);
            ASSERT_EQ(found.size(), expected.size()) << "round " << round << " cluster " << id;
            for (std::size_t i = 0; i < found.size(); ++i) {
                ASSERT_EQ(found[i].cell, expected[i].cell);
                ASSERT_EQ(found[i].crossings, expected[i].crossings);
            }
        }
    }
}

AnnotationOptions sizes_up_to(int size) {
    AnnotationOptions agents;
    agents.max_size = size;
    return agents;
}

// For size 1 the border is one entrance of six tiles. Agents of size 2 do not fit beside the end of
// the wall, so they have one entrance above it and one below. The article makes one transition, of
// best clearance, for the whole run; agents of size 2 could then not reach the room above.
TEST(AgentEntrances, OneEntranceIsSeveralForLargerAgents) {
    const std::initializer_list<std::string_view> two_rooms{"............",  //
                                                            "............",  //
                                                            ".......@@@@@",  //
                                                            "............",  //
                                                            "............",  //
                                                            "............"};
    const Options options = options_of(6, Transitions::best_clearance);
    EXPECT_EQ(drawn_nodes(annotated(two_rooms, sizes_up_to(1)), options),
              drawing({"............",  //
                       "............",  //
                       ".......@@@@@",  //
                       ".....oo.....",  //
                       "............",  //
                       "............"}));
    const AnnotatedMap map = annotated(two_rooms, sizes_up_to(2));
    EXPECT_EQ(drawn_nodes(map, options), drawing({".....oo.....",  //
                                                  "............",  //
                                                  ".......@@@@@",  //
                                                  ".....oo.....",  //
                                                  ".....oo.....",  //
                                                  "............"}));
    for (int quality = 0; quality < 3; ++quality) {
        Options variant = options;
        variant.abstraction = static_cast<Abstraction>(quality);
        expect_complete(map, variant);
    }
}

// Two clusters without obstacles. Size 1 can cross the border at six tiles: this is a wide
// entrance, with a transition at each end. Size 2 can cross at five: it has one transition, in the
// middle.
const std::initializer_list<std::string_view> kOpen{"............",  //
                                                    "............",  //
                                                    "............",  //
                                                    "............",  //
                                                    "............",  //
                                                    "............"};

TEST(AgentEntrances, LargeAgentsOfFewTerrainsChooseFirst) {
    AnnotationOptions agents;
    agents.max_size = 2;
    agents.capabilities = {Capability(terrain_set({kGround, kTrees})),
                           Capability(terrain_set({kGround})), Capability(terrain_set({kGround}))};
    agents.capabilities[2].weight[kGround] = 5;
    // Classes are numbered capability * 2 + size - 1. Weights do not matter.
    EXPECT_EQ(choosing_order(annotated({".."}, agents)),
              (std::vector<std::uint8_t>{3, 5, 1, 2, 4, 0}));
}

TEST(AgentEntrances, EveryClassChoosesItsOwnTransitions) {
    EXPECT_EQ(drawn_nodes(annotated(kOpen, sizes_up_to(2)), options_of(6)),
              drawing({".....oo.....",  //
                       "............",  //
                       ".....oo.....",  //
                       "............",  //
                       "............",  //
                       ".....oo....."}));
}

// Size 2 chooses first. The upper transition of size 1 is two tiles away, the lower one three.
TEST(AgentEntrances, TransitionsMoveToThoseOfLargerAgentsWithinTheShift) {
    const Options options = options_of(6, Transitions::by_width, 2);
    EXPECT_EQ(drawn_nodes(annotated(kOpen, sizes_up_to(2)), options), drawing({"............",  //
                                                                               "............",  //
                                                                               ".....oo.....",  //
                                                                               "............",  //
                                                                               "............",  //
                                                                               ".....oo....."}));
}

TEST(AgentEntrances, TheShiftMovesNothingWhereEveryTileIsATransition) {
    const Options options = options_of(6, Transitions::every, 4);
    EXPECT_EQ(drawn_nodes(annotated(kOpen, sizes_up_to(2)), options), drawing({".....oo.....",  //
                                                                               ".....oo.....",  //
                                                                               ".....oo.....",  //
                                                                               ".....oo.....",  //
                                                                               ".....oo.....",  //
                                                                               ".....oo....."}));
}

// Both sizes can cross at the middle transition, and reach it from the other two, which are at most
// three tiles away.
TEST(AgentEntrances, LowQualityKeepsOneOfTransitionsThatReplaceEachOther) {
    Options options = options_of(6);
    options.abstraction = Abstraction::low_quality;
    options.reach = 3;
    EXPECT_EQ(drawn_nodes(annotated(kOpen, sizes_up_to(2)), options), drawing({"............",  //
                                                                               "............",  //
                                                                               ".....oo.....",  //
                                                                               "............",  //
                                                                               "............",  //
                                                                               "............"}));
}

// A transition moves only within its own entrance. Agents on ground and agents on trees have one
// entrance each. The agent of both terrains has one of six tiles, and moves to that of the trees.
TEST(AgentEntrances, TheShiftStopsAtTheEndOfTheEntrance) {
    AnnotationOptions agents;
    agents.capabilities = {Capability(terrain_set({kGround})), Capability(terrain_set({kTrees}))};
    agents.max_size = 1;
    const std::initializer_list<std::string_view> half_wood{"............",  //
                                                            "............",  //
                                                            "............",  //
                                                            "TTTTTTTTTTTT",  //
                                                            "TTTTTTTTTTTT",  //
                                                            "TTTTTTTTTTTT"};
    const Options options = options_of(6, Transitions::middle, 4);
    EXPECT_EQ(drawn_nodes(annotated(half_wood, agents), options), drawing({"............",  //
                                                                           ".....oo.....",  //
                                                                           "............",  //
                                                                           "TTTTTTTTTTTT",  //
                                                                           "TTTTTooTTTTT",  //
                                                                           "TTTTTTTTTTTT"}));
    agents.capabilities.emplace_back(terrain_set({kGround, kTrees}));
    EXPECT_EQ(drawn_nodes(annotated(half_wood, agents), options), drawing({"............",  //
                                                                           ".....oo.....",  //
                                                                           "............",  //
                                                                           "TTTTTTTTTTTT",  //
                                                                           "TTTTTooTTTTT",  //
                                                                           "TTTTTTTTTTTT"}));
}

}  // namespace
}  // namespace cairn::haa

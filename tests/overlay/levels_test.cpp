// Levels of overlays, searches on them and refinement, over base graphs that are no grids. All
// costs must equal the distances of the base graph.

#include <gtest/gtest.h>

#include "overlay/component_labels.hpp"
#include "overlay/graph_base.hpp"
#include "overlay/levels_search.hpp"
#include "overlay/refine.hpp"
#include "support/scale.hpp"

namespace cairn::test {
namespace {

template <class Graph>
class Levels : public testing::Test {};
using Graphs = testing::Types<TwoWayGraph, OneWayGraph>;
TYPED_TEST_SUITE(Levels, Graphs);

// Calls check(graph, random) for random graphs of one to three levels.
template <class Graph, class Check>
void for_random_graphs(std::uint64_t count, Check&& check) {
    for (std::uint32_t seed = 0; seed < scaled(count); ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        check(random_graph<Graph>(random, 1 + static_cast<int>(seed % 3)), random);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TYPED_TEST(Levels, HoldTheCostsInsideTheirClusters) {
    std::size_t directed = 0;  // records whose costs depend on the direction
    for_random_graphs<TypeParam>(300, [&](const TypeParam& graph, auto&) {
        const auto overlay = build_overlay(graph);
        for (int level = 1; level <= graph.levels(); ++level) {
            for (std::uint32_t id = 0; id < graph.clusters(level); ++id) {
                const Distances inside = graph.distances(level, id);
                const auto& record = overlay.levels[static_cast<std::size_t>(level - 1)][id];
                const ClusterView view(record);
                ASSERT_TRUE(record.empty() || ClusterView::well_sized(record));
                directed += view.directed() ? 1U : 0U;
                for (std::uint32_t a = 0; a < view.count(); ++a) {
                    for (std::uint32_t b = 0; b < view.count(); ++b) {
                        ASSERT_EQ(view.cost(a, b), inside(view.base(a), view.base(b)));
                    }
                }
            }
        }
    });
    EXPECT_EQ(directed > 0, TypeParam::directed());
}

// One query between two nodes of the base graph.
template <class Graph>
struct Query {
    const Overlay<Graph>& overlay;
    std::uint32_t from;
    std::uint32_t to;
    Distances inside_from = overlay.base.distances(1, overlay.cluster_of(1, from));
    Distances inside_to = overlay.base.distances(1, overlay.cluster_of(1, to));
    Endpoint<Graph> start{};
    Endpoint<Graph> goal{};
    LevelsSearch<Graph> search{};
    SearchStatistics effort{};

    // Connects both ends to the nodes of their clusters of level 1.
    void connect() {
        goal.backward = true;
        const auto connect_end = [&](Endpoint<Graph>& end, std::uint32_t node, auto&& cost) {
            const std::uint32_t cluster = overlay.cluster_of(1, node);
            const auto costs = end.move_to(overlay, {node}, cluster);
            for (std::uint32_t slot = 0; slot < costs.size(); ++slot) {
                costs[slot] = cost(overlay.cluster(1, cluster).base(slot));
            }
        };
        connect_end(start, from, [&](std::uint32_t node) { return inside_from(from, node); });
        connect_end(goal, to, [&](std::uint32_t node) { return inside_to(node, to); });
    }
    // The cost of the best path that stays in one cluster of level 1.
    [[nodiscard]] Cost inside_cost() const {
        const bool shared = overlay.cluster_of(1, from) == overlay.cluster_of(1, to);
        return shared ? inside_from(from, to) : kInfinity;
    }
    // Searches up to `last_level`, `slice` nodes at a time.
    void run(int last_level, std::uint64_t slice) {
        connect();
        search.begin(overlay, {&start, &goal, last_level, inside_cost(), &effort});
        while (search.advance(slice)) {
        }
    }
};

TYPED_TEST(Levels, EndsConnectAtTheDistancesInsideTheirClusters) {
    for_random_graphs<TypeParam>(60, [](const TypeParam& graph, auto&) {
        const auto overlay = build_overlay(graph);
        LevelSearch<TypeParam> search;
        for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
            Query<TypeParam> query{overlay, node, node};
            query.connect();
            connect_to_level(overlay, graph.levels(), query.start, search, query.effort);
            connect_to_level(overlay, graph.levels(), query.goal, search, query.effort);
            for (int level = 1; level <= graph.levels(); ++level) {
                const Terminal start = query.start.terminal(level);
                const Terminal goal = query.goal.terminal(level);
                ASSERT_EQ(start.cluster, overlay.cluster_of(level, node));
                const Distances inside = graph.distances(level, start.cluster);
                const ClusterView view = overlay.cluster(level, start.cluster);
                for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
                    ASSERT_EQ(start.costs[slot], inside(node, view.base(slot)));
                    ASSERT_EQ(goal.costs[slot], inside(view.base(slot), node));
                }
            }
        }
    });
}

// The cost of a path over nodes of level 1, computed leg by leg from the base graph; kInfinity if
// it is not a path.
template <class Graph>
Cost path_cost(const Query<Graph>& query, std::vector<std::uint32_t> nodes) {
    const Overlay<Graph>& overlay = query.overlay;
    nodes.insert(nodes.begin(), query.from);
    nodes.push_back(query.to);
    Cost cost = 0;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const std::uint32_t cluster = overlay.cluster_of(1, nodes[i - 1]);
        Cost leg = kInfinity;
        if (cluster == overlay.cluster_of(1, nodes[i])) {
            leg = overlay.base.distances(1, cluster)(nodes[i - 1], nodes[i]);
        } else {
            const std::uint32_t crossings = overlay.base.open_crossings(nodes[i - 1]);
            for (std::uint32_t left = overlay.base.exits(crossings); left != 0; left &= left - 1) {
                const int crossing = std::countr_zero(left);
                if (overlay.base.across(nodes[i - 1], crossing) == nodes[i])
                    leg = std::min(leg, overlay.base.crossing_cost(nodes[i - 1], crossing));
            }
        }
        cost = std::min(cost + leg, kInfinity);
    }
    return cost;
}

TYPED_TEST(Levels, SearchesFindTheDistancesAndRefineToPathsOfTheSameCost) {
    for_random_graphs<TypeParam>(120, [](const TypeParam& graph, std::mt19937& random) {
        const auto overlay = build_overlay(graph);
        LevelRefine<TypeParam> refine;
        for (std::uint32_t from = 0; from < graph.nodes(); ++from) {
            for (std::uint32_t to = 0; to < graph.nodes(); ++to) {
                const Cost cost = graph.distances()(from, to);
                for (const int last_level : {1, graph.levels()}) {
                    SCOPED_TRACE(testing::Message() << from << " to " << to);
                    Query<TypeParam> query{overlay, from, to};
                    query.run(last_level, 1 + random() % 4);
                    ASSERT_EQ(query.search.cost(), cost);
                    ASSERT_EQ(query.search.found(), cost < query.inside_cost());
                    if (!query.search.found()) continue;
                    std::vector<std::uint32_t> nodes = query.search.path();
                    refine.to_first_level(overlay, query.search.path_level(), query.start,
                                          query.goal, true, nodes, query.effort);
                    ASSERT_EQ(path_cost(query, nodes), cost);
                }
            }
        }
    });
}

// Checks that two labellings divide the nodes into the same components; labels may differ.
template <class Graph>
void expect_same_components(const Overlay<Graph>& overlay, const NodeComponents& a,
                            const NodeComponents& b) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> components;  // of each node in a and b
    for (std::uint32_t id = 0; id < overlay.base.clusters(1); ++id) {
        for (std::uint32_t slot = 0; slot < overlay.cluster(1, id).count(); ++slot) {
            components.emplace_back(a.of(id, slot), b.of(id, slot));
        }
    }
    for (const auto& [ax, bx] : components) {
        for (const auto& [ay, by] : components) ASSERT_EQ(ax == ay, bx == by);
    }
}

// Nodes joined by a path lie in one component. Without one-way moves the converse holds, too.
TYPED_TEST(Levels, ComponentsHoldTheNodesThatPathsJoin) {
    for_random_graphs<TypeParam>(300, [](const TypeParam& graph, auto&) {
        const auto overlay = build_overlay(graph);
        const NodeComponents components = label_components(overlay);
        const auto component = [&](std::uint32_t node) {
            const std::uint32_t cluster = overlay.cluster_of(1, node);
            return components.of(cluster, overlay.cluster(1, cluster).find(node));
        };
        for (std::uint32_t a = 0; a < graph.nodes(); ++a) {
            for (std::uint32_t b = 0; b < graph.nodes(); ++b) {
                if (graph.open_crossings(a) == 0 || graph.open_crossings(b) == 0) continue;
                const bool path = graph.distances()(a, b) < kInfinity;
                const bool same = component(a) == component(b);
                ASSERT_TRUE(same || !path);
                ASSERT_TRUE(path || !same || TypeParam::directed());
            }
        }
    });
}

// Moves lead from the third node to both others, and no move leads between these.
TEST(LevelsOneWay, AMoveInEitherDirectionJoinsItsNodes) {
    const Cost none = kInfinity;
    const std::vector<std::uint32_t> bases{4, 5, 6};
    const std::vector<std::uint32_t> infos{1, 1, 1};
    const std::vector<Cost> costs{0, none, none, none, 0, none, 7, 8, 0};
    const auto record = ClusterView::record_of_rows(bases, infos, costs);
    const ClusterView view(record);
    EXPECT_TRUE(view.directed());
    EXPECT_TRUE(ClusterView::well_sized(record));
    UnionFind sets(3);
    unite_inside(view, [&](std::uint32_t a, std::uint32_t b) { sets.unite(a, b); });
    EXPECT_EQ(sets.find(0), sets.find(1));
    EXPECT_EQ(sets.find(0), sets.find(2));
}

// Links open, close and change their costs.
TYPED_TEST(Levels, UpdatedAfterAnEditEqualThoseBuiltAfresh) {
    for_random_graphs<TypeParam>(300, [](const TypeParam& graph, std::mt19937& random) {
        Overlay<TypeParam> overlay = build_overlay(graph);
        NodeComponents components = label_components(overlay);
        for (int edit = 0; edit < 5 && !overlay.base.links().empty(); ++edit) {
            Overlay<TypeParam> next = overlay;
            auto& link = next.base.links()[random() % next.base.links().size()];
            link.cost = random() % 2 == 0 ? kInfinity : static_cast<Cost>(1 + random() % 20);
            next.base.measure();
            std::vector<std::uint32_t> touched{next.cluster_of(1, link.from),
                                               next.cluster_of(1, link.to)};
            sort_unique(touched);
            std::vector<RecordStore::Change> records;
            records.reserve(touched.size());
            for (const std::uint32_t id : touched) {
                records.emplace_back(id, first_level_record(next.base, id));
            }
            const auto changed = replace_records(next, 1, std::move(records));
            components = updated_components(components, overlay, next, changed);
            ASSERT_TRUE(redo_levels_above(next, touched, true).ok());

            const Overlay<TypeParam> fresh = build_overlay(next.base);
            ASSERT_EQ(next.levels, fresh.levels);
            expect_same_components(next, components, label_components(next));
            overlay = std::move(next);
        }
    });
}

}  // namespace
}  // namespace cairn::test

// The graph of level 1 after edits and changes of the mesh: numbers that stay, arcs, and which arcs
// an edit changed.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hna/assembly.hpp"
#include "hna/verify.hpp"
#include "support/scale.hpp"
#include "support/tiled_meshes.hpp"

namespace cairn::hna::test {
namespace {

using mesh::Portal;

/// An edge to another number, and its costs there and back.
using NumberedEdge = std::tuple<std::uint32_t, Cost, Cost>;
/// The edges of every number, in order.
using EdgeLists = std::vector<std::vector<NumberedEdge>>;
/// The finite arcs of every number, in order.
using ArcLists = std::vector<std::vector<std::pair<std::uint32_t, Cost>>>;

LevelOneGraph graph_of(const Snapshot& snapshot) { return {snapshot.overlay, snapshot.first_hng}; }

EdgeLists edges_of(const Snapshot& snapshot) {
    EdgeLists lists(snapshot.first_hng.size());
    for (std::uint32_t number = 0; number < lists.size(); ++number) {
        graph_of(snapshot).for_each_arc(number, [&](std::uint32_t to, Cost cost, Cost back) {
            lists[number].emplace_back(to, cost, back);
        });
    }
    return lists;
}

EdgeLists edges_of(const Graph& graph) {
    EdgeLists lists(graph.num_nodes());
    for (std::uint32_t node = 0; node < graph.num_nodes(); ++node) {
        for (std::uint32_t i = 0; i < graph.degree(node); ++i)
            lists[node].emplace_back(graph.neighbours(node)[i], graph.weights(node)[i],
                                     graph.back_weights(node)[i]);
    }
    return lists;
}

ArcLists arcs_of(const EdgeLists& edges) {
    ArcLists lists(edges.size());
    for (std::size_t number = 0; number < edges.size(); ++number) {
        for (const auto& [to, cost, back] : edges[number]) {
            if (cost < kInfinity) lists[number].emplace_back(to, cost);
        }
    }
    return lists;
}

/// Whether each edge has the same costs from its other node. There may be two between two nodes.
bool are_symmetric(const EdgeLists& edges) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Cost, Cost>> all;
    for (std::uint32_t number = 0; number < edges.size(); ++number) {
        for (const auto& [to, cost, back] : edges[number]) all.emplace_back(number, to, cost, back);
    }
    auto reversed = all;
    for (auto& [from, to, cost, back] : reversed) {
        std::swap(from, to);
        std::swap(cost, back);
    }
    std::ranges::sort(all);
    std::ranges::sort(reversed);
    return all == reversed;
}

/// The lists by rising neighbour, with the least costs of the edges to each.
EdgeLists merged(EdgeLists lists) {
    for (auto& list : lists) {
        std::map<std::uint32_t, std::pair<Cost, Cost>> least;
        for (const auto& [to, cost, back] : list) {
            auto& known = least.try_emplace(to, kInfinity, kInfinity).first->second;
            known = {std::min(known.first, cost), std::min(known.second, back)};
        }
        list.clear();
        for (const auto& [to, costs] : least) list.emplace_back(to, costs.first, costs.second);
    }
    return lists;
}

/// An arc of the oracle: to a side.
struct SideArc {
    std::uint32_t head;
    Cost cost;
};
std::vector<SideArc> arcs_of(const HngGraph& graph, std::uint32_t side) {
    std::vector<SideArc> arcs;
    graph.for_each_arc(side, [&](std::uint32_t head, Cost cost) { arcs.push_back({head, cost}); });
    return arcs;
}

/// What is wrong with the numbers and arcs of a level; empty if nothing. The oracle is the HNG made
/// from scratch.
std::string numbers_fault(const Snapshot& snapshot, const Hng& nodes,
                          std::vector<std::uint32_t>& number_of) {
    const Hng hng(snapshot.overlay, nodes.level());
    number_of.assign(hng.count(), mesh::kNone);
    std::vector<bool> used(nodes.size());
    for (std::uint32_t cluster = 0; cluster < snapshot.overlay.base.clusters(nodes.level());
         ++cluster) {
        const auto numbers = nodes.of(cluster);
        const auto vertices = hng.of(cluster);
        if (numbers.size() != vertices.size()) return "a cluster has another number of nodes";
        for (std::size_t slot = 0; slot < numbers.size(); ++slot) {
            std::uint32_t& number = number_of[vertices[slot]];
            if (numbers[slot] >= nodes.size()) return "a number out of range";
            if (number != mesh::kNone && number != numbers[slot]) return "a node has two numbers";
            if (number == mesh::kNone && used[numbers[slot]]) return "two nodes have one number";
            number = numbers[slot];
            used[number] = true;
            if (nodes.portal(number) != hng.portal(vertices[slot])) return "another portal";
            if (nodes[number] != hng[vertices[slot]]) return "another place in the clusters";
        }
    }
    if (nodes.count() != hng.count()) return "another number of nodes";
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
        if (nodes.is_removed(number) == used[number]) return "a removed node has a portal";
    }
    if (nodes.from_scratch()) {
        for (std::uint32_t v = 0; v < hng.count(); ++v) {
            if (number_of[v] != v) return "numbers from scratch are not those of the HNG";
        }
    }
    const HngGraph expected(snapshot.overlay, hng);
    const HngGraph graph(snapshot.overlay, nodes);
    for (std::uint32_t side = 0; side < 2 * hng.count(); ++side) {
        const std::uint32_t own = 2 * number_of[side / 2] + side % 2;
        const auto arcs = arcs_of(graph, own);
        const auto wanted = arcs_of(expected, side);
        if (arcs.size() != wanted.size()) return "another number of arcs";
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            if (arcs[i].head != 2 * number_of[wanted[i].head / 2] + wanted[i].head % 2 ||
                arcs[i].cost != wanted[i].cost ||
                graph.arc_cost(own, arcs[i].head / 2) != arcs[i].cost) {
                return "another arc of a side";
            }
        }
    }
    return "";
}

/// What is wrong with the numbers and arcs of a snapshot; empty if nothing.
std::string graph_fault(const Snapshot& snapshot) {
    std::vector<std::uint32_t> number_of;
    if (std::string fault = numbers_fault(snapshot, snapshot.top_hng(), number_of); !fault.empty())
        return "on the top level: " + fault;
    if (std::string fault = numbers_fault(snapshot, snapshot.first_hng, number_of); !fault.empty())
        return fault;
    const EdgeLists edges = edges_of(snapshot);
    if (!are_symmetric(edges)) return "an edge has other costs from its other node";
    const ArcLists arcs = arcs_of(edges);
    const Hng hng(snapshot.overlay, 1);
    const HngGraph oracle(snapshot.overlay, hng);
    for (std::uint32_t v = 0; v < hng.count(); ++v) {
        // Arcs to lower portals side by side, then those to higher ones.
        ArcLists::value_type expected;
        std::vector<SideArc> higher;
        for (const std::uint32_t side : {2 * v, 2 * v + 1}) {
            for (const SideArc& arc : arcs_of(oracle, side)) {
                if (arc.head / 2 < v) {
                    expected.emplace_back(number_of[arc.head / 2], arc.cost);
                } else {
                    higher.push_back(arc);
                }
            }
        }
        // The head of an arc is the side outside the cluster, so its twin lies in the cluster.
        std::sort(higher.begin(), higher.end(),
                  [](const SideArc& a, const SideArc& b) { return (a.head ^ 1U) < (b.head ^ 1U); });
        for (const SideArc& arc : higher) expected.emplace_back(number_of[arc.head / 2], arc.cost);
        if (arcs[number_of[v]] != expected) return "other arcs";
    }
    const EdgeLists whole = edges_of(graph_of(snapshot).whole().value());
    const EdgeLists expected = snapshot.overlay.base.directed() ? merged(edges) : edges;
    return whole == expected ? "" : "another whole graph";
}

/// What is wrong with the numbers and the changes of arcs after an edit; empty if nothing.
std::string edit_fault(const Snapshot& before, const Reassembled& after) {
    const Hng& nodes = after.snapshot->first_hng;
    if (after.arcs.built_anew)
        return nodes.from_scratch() && after.arcs.nodes.empty() ? "" : "a change, renumbered";
    std::vector<bool> stays(after.snapshot->overlay.base.mesh.num_portals());
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
        if (!nodes.is_removed(number)) stays[nodes.portal(number)] = true;
    }
    for (std::uint32_t number = 0; number < before.first_hng.size(); ++number) {
        const Portal portal = before.first_hng.portal(number);
        const bool kept = portal != mesh::kNone && stays[portal];
        if (nodes.portal(number) != (kept ? portal : mesh::kNone)) return "a number was not kept";
    }
    for (std::uint32_t number = before.first_hng.size(); number < nodes.size(); ++number) {
        if (nodes.is_removed(number)) return "a new number without node";
        if (number > before.first_hng.size() && nodes.portal(number) <= nodes.portal(number - 1))
            return "new numbers do not ascend";
    }
    EdgeLists old_arcs = edges_of(before);
    const EdgeLists arcs = edges_of(*after.snapshot);
    old_arcs.resize(arcs.size());
    std::vector<std::uint32_t> changed;
    for (std::uint32_t number = 0; number < arcs.size(); ++number) {
        const bool was = number < before.first_hng.size() && !before.first_hng.is_removed(number);
        if (was == nodes.is_removed(number) || arcs[number] != old_arcs[number])
            changed.push_back(number);
    }
    return changed == after.arcs.nodes ? "" : "other changes of arcs";
}

/// Whether the components, kept by edits, are those of the mesh searched anew.
bool has_fresh_components(const Snapshot& snapshot) {
    const mesh::Reachability& kept = snapshot.reachability;
    const auto fresh = mesh::Reachability::build(snapshot.overlay.base.mesh).value();
    if (!std::ranges::equal(kept.components(), fresh.components()) || kept.count() != fresh.count())
        return false;
    for (std::uint32_t i = 0; i < fresh.count(); ++i) {
        if (kept.size(i) != fresh.size(i) || kept.box(i) != fresh.box(i)) return false;
    }
    const std::uint32_t polygons = snapshot.overlay.base.mesh.num_polygons();
    for (Polygon p = 0; p < polygons; ++p) {
        const Polygon q = (p * 7 + 3) % polygons;
        if (kept.reaches(p, q) != fresh.reaches(p, q)) return false;
    }
    return true;
}

/// Small clusters, which have many inter-edges.
Options options_for(const Mesh& mesh, RandomMaps& random) {
    Options options = any_options(mesh, random);
    options.mu = random.number(2, 5);
    options.pccp = Pccp::portals;
    return options;
}

TEST(HnaLevelOneGraph, KeepsItsNumbersThroughEdits) {
    cairn::test::RandomMeshOptions mesh_options;
    mesh_options.mesh.area_costs[1] = 2.5F;
    mesh_options.mesh.area_costs[2] = 0.5F;
    mesh_options.mesh.area_costs[3] = -1;  // closed
    std::size_t removed = 0;
    std::size_t added = 0;
    std::size_t unchanged = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(150); ++seed) {
        SCOPED_TRACE(seed);
        mesh_options.longest = seed % 3 == 0 ? 16 : 6;
        RandomMaps random(seed);
        const Mesh mesh = random_mesh(seed, mesh_options);
        Index index = build(mesh, options_for(mesh, random));
        ASSERT_EQ(graph_fault(index.snapshot()), "");
        ASSERT_TRUE(index.snapshot().first_hng.from_scratch());
        for (int step = 0; step < 6; ++step) {
            const auto edits = any_edits(index.mesh(), random, random.chance(70) ? 2 : 20);
            const Reassembled after = reassemble(index.snapshot(), edits).value();
            ASSERT_EQ(graph_fault(*after.snapshot), "");
            ASSERT_EQ(edit_fault(index.snapshot(), after), "");
            ASSERT_TRUE(has_fresh_components(*after.snapshot));
            ASSERT_FALSE(after.arcs.built_anew);
            const Hng& before = index.snapshot().first_hng;
            added += after.snapshot->first_hng.size() - before.size();
            removed += before.count() + after.snapshot->first_hng.size() - before.size() -
                       after.snapshot->first_hng.count();
            unchanged += after.arcs.nodes.empty() ? 1 : 0;
            index = Index(after.snapshot);
            // Labels in a fresh order number the nodes from scratch.
            if (!random.chance(20)) continue;
            const bool repaired = index.has_closure();
            index = with_labels(index);
            ASSERT_EQ(graph_fault(index.snapshot()), "");
            if (index.has_closure() && !repaired) {
                ASSERT_TRUE(index.snapshot().first_hng.from_scratch());
            }
        }
    }
    EXPECT_GT(removed, 0U);
    EXPECT_GT(added, 0U);
    EXPECT_GT(unchanged, 0U);
}

// The meshes of odd seeds have one-way portals, and many become directed or undirected.
TEST(HnaLevelOneGraph, KeepsItsNumbersThroughChangesOfTheMesh) {
    std::size_t kept = 0;
    std::size_t renumbered = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        cairn::test::TiledMesh tiles(random, random.number(2, 4), random.number(1, 3),
                                     seed % 2 == 0 ? 0 : 3);
        const Mesh mesh = Mesh::build(tiles.all().added.source()).value();
        Index index = build(mesh, options_for(mesh, random));
        for (int step = 0; step < 6; ++step) {
            const std::vector<std::size_t> tile{
                static_cast<std::size_t>(random.number(0, static_cast<int>(tiles.tiles()) - 1))};
            const auto change =
                tiles.change(tile, random.chance(75) ? tile : std::vector<std::size_t>{},
                             index.mesh().num_polygons());
            const Reassembled after = reassemble(index.snapshot(), change.change()).value();
            ASSERT_EQ(graph_fault(*after.snapshot), "");
            ASSERT_EQ(edit_fault(index.snapshot(), after), "");
            ASSERT_TRUE(has_fresh_components(*after.snapshot));
            ASSERT_EQ(after.arcs.built_anew,
                      after.snapshot->overlay.base.directed() != index.mesh().directed());
            kept += after.arcs.built_anew ? 0 : 1;
            renumbered += after.arcs.built_anew ? 1 : 0;
            index = Index(after.snapshot);
        }
    }
    EXPECT_GT(kept, 0U);
    EXPECT_GT(renumbered, 0U);
}

// 2,000 inter-edges come and go six times, so that most numbers are unused.
TEST(HnaLevelOneGraph, IsNumberedFromScratchWhenMostNumbersAreUnused) {
    Index index = build(serpentine(60), {.mu = 2, .labels = false});
    std::vector<mesh::PolygonEdit> block;
    for (Polygon p = 0; p < index.mesh().num_polygons(); ++p) block.push_back({p, 0, true});
    std::vector<mesh::PolygonEdit> free = block;
    for (mesh::PolygonEdit& edit : free) edit.blocked = false;
    bool renumbered = false;
    for (int round = 0; round < 12 && !renumbered; ++round) {
        index = index.edited(round % 2 == 0 ? block : free).value();
        ASSERT_EQ(graph_fault(index.snapshot()), "");
        renumbered = index.snapshot().first_hng.from_scratch();
    }
    EXPECT_TRUE(renumbered);
}

}  // namespace
}  // namespace cairn::hna::test

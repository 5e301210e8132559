// cluster_fault() detects every changed cost and every changed hop in the rows of a cluster, except
// a hop that starts another path of the same cost.

#include "index_file/hna_parts.hpp"

#include <gtest/gtest.h>

#include "small_indexes.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::index_file::test {
namespace {

using cairn::test::random_mesh;
using hna::RowsView;
using mesh::Link;
using mesh::Mesh;

/// A copy of the rows of one cluster of level 1 that tests may change. It judges paths by the mesh
/// and the partition alone. Places, borders and hops are those of hna::RowsView.
struct Rows {
    Rows(const hna::Index& index, std::uint32_t cluster_id)
        : mesh(index.mesh()), snapshot(index.snapshot()), cluster(cluster_id) {
        const RowsView view = snapshot.rows.to_borders(cluster);
        borders = view.borders();
        for (std::uint32_t place = 0; place < view.portals(); ++place) {
            portals.push_back(view.portal(place));
            for (std::uint32_t b = 0; b < borders; ++b) costs.push_back(view.cost(place, b));
        }
        for (std::uint32_t b = 0; b < borders; ++b) {
            for (std::uint32_t place = 0; place < view.portals(); ++place)
                hops.push_back(view.hop(place, b));
        }
    }

    /// Whether the check finds a fault in the rows as they are.
    [[nodiscard]] bool refused() {
        snapshot.rows.towards = snapshot.rows.towards.with(std::vector{
            RecordStore::Change{cluster, RowsView::record(borders, portals, costs, hops)}});
        return !cluster_fault(snapshot, 1, cluster).empty();
    }

    /// The cost of the step that a hop makes from a place; kInfinity if there is no such step.
    [[nodiscard]] Cost step(std::uint32_t place, std::uint32_t hop) const {
        if (hop / 2 >= portals.size() || hop / 2 == place) return kInfinity;
        // The step crosses the polygon from the portal of `entered` to that of `left`.
        const Link left = 2 * portals[hop / 2] + hop % 2;
        const mesh::Polygon polygon = mesh.polygon_of(left);
        if (snapshot.partition().cluster(1, polygon) != cluster) return kInfinity;
        for (const Link entered : {2 * portals[place], 2 * portals[place] + 1}) {
            if (mesh.polygon_of(entered) != polygon) continue;
            if (!mesh.open(mesh::twin(entered)) || !mesh.open(left)) return kInfinity;
            return mesh.inside_cost(polygon, mesh.place(entered), mesh.place(left));
        }
        return kInfinity;
    }

    /// Whether the hops from a place lead to a border at the cost in the row.
    [[nodiscard]] bool hops_cost_as_stored(std::uint32_t place, std::uint32_t border) const {
        const Cost cost = costs[place * borders + border];
        Cost sum = 0;
        for (std::size_t steps = 0; place != border; ++steps) {
            const std::uint32_t hop = hops[border * portals.size() + place];
            const Cost next = step(place, hop);
            if (steps > portals.size() || next == kInfinity) return false;
            sum += next;
            place = hop / 2;
        }
        return sum == cost;
    }

    Mesh mesh;
    hna::Snapshot snapshot;
    std::uint32_t cluster;
    std::uint32_t borders = 0;
    std::vector<std::uint32_t> portals;  ///< of the mesh, by place
    std::vector<Cost> costs;             ///< by place, then by border
    std::vector<std::uint32_t> hops;     ///< by border, then by place
};

/// Expects that each wrong cost is refused.
void check_costs(Rows& rows) {
    for (Cost& cost : rows.costs) {
        const Cost original = cost;
        for (const Cost wrong : {original - 1, original + 1, original / 2, kInfinity, Cost{0}}) {
            cost = wrong;
            ASSERT_TRUE(wrong == original || rows.refused()) << wrong << " instead of " << original;
        }
        cost = original;
    }
}

/// Tries every other hop in each cell. Returns how many were on paths of the same cost.
int check_hops(Rows& rows) {
    int as_good = 0;
    for (std::uint32_t cell = 0; cell < rows.hops.size(); ++cell) {
        const auto portals = static_cast<std::uint32_t>(rows.portals.size());
        const std::uint32_t place = cell % portals;
        const std::uint32_t border = cell / portals;
        const std::uint32_t original = rows.hops[cell];
        for (std::uint32_t hop = 0; hop < 2 * portals; ++hop) {
            if (hop == original) continue;
            rows.hops[cell] = hop;
            const bool correct = rows.costs[place * rows.borders + border] != kInfinity &&
                                 place != border && rows.hops_cost_as_stored(place, border);
            EXPECT_EQ(rows.refused(), !correct)
                << cell << ": " << hop << " instead of " << original;
            as_good += correct ? 1 : 0;
        }
        rows.hops[cell] = original;
    }
    return as_good;
}

TEST(HnaClusterCheck, DetectsEveryWrongCostAndHop) {
    int as_good = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed) {
        hna::Options options;
        options.mu = 4;
        options.labels = false;
        const hna::Index index = build(random_mesh(seed), options);
        for (std::uint32_t cluster = 0; cluster < index.clusters(1); ++cluster) {
            Rows rows(index, cluster);
            ASSERT_FALSE(rows.refused());
            ASSERT_NO_FATAL_FAILURE(check_costs(rows)) << seed;
            as_good += check_hops(rows);
            if (HasFailure()) FAIL() << "seed " << seed << ", cluster " << cluster;
        }
    }
    EXPECT_GT(as_good, 0);
}

// Connections that begin at the same point are a unit apart, so hops that circle among them do not
// cost what is stored.
TEST(HnaClusterCheck, DetectsCirclesOfHopsAtOnePoint) {
    cairn::test::MeshParts parts = cairn::test::drawn_parts({"ab.c"});
    for (int i = 0; i < 3; ++i)
        parts.connections.push_back({1, 2, {1.5F, 0, 0.5F}, {3.5F, 0, 0.5F}, 0, true});
    hna::Options options;
    options.mu = 3;
    options.labels = false;
    options.partitioner = hna::Partitioner::growing;
    const hna::Index index = build(parts.build(), options);
    for (std::uint32_t cluster = 0; cluster < index.clusters(1); ++cluster) {
        Rows rows(index, cluster);
        ASSERT_FALSE(rows.refused());
        check_hops(rows);
    }
}

}  // namespace
}  // namespace cairn::index_file::test

// Gates and cut meshes of drawn and random meshes as hashes: the same for every compiler,
// optimisation level and machine. If an intended change alters them, put the hash that the failure
// prints here.

#include <gtest/gtest.h>

#include <bit>

#include "cairn/mesh/clearance.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "support/ascii_map.hpp"
#include "support/hash.hpp"
#include "support/random_meshes.hpp"

namespace cairn::mesh {
namespace {

using test::Hash;

void add(Hash& gates, Hash& meshes, const Mesh& mesh) {
    const auto clearance = Clearance::build(mesh).value();
    for (const Gate& gate : clearance.gates()) {
        for (const double number : {gate.begin_x, gate.begin_z, gate.end_x, gate.end_z, gate.width})
            gates.add(std::bit_cast<std::uint64_t>(number));
    }
    const Mesh& cut = clearance.mesh();
    meshes.add(cut.fingerprint());
    for (Polygon p = 0; p < cut.num_polygons(); ++p) meshes.add(clearance.origin(p));
}

TEST(ClearanceGolden, ADrawnMapIsCutTheSameEverywhere) {
    const auto map = test::ascii_map({
        "................",
        "..@@....@...@...",
        "..@.....@..@@...",
        "....@@..........",
        "@@..@@@@@..@....",
        "................",
        "...@....@@@@..@@",
        "...@.@..........",
    });
    Hash gates;
    Hash meshes;
    add(gates, meshes, mesh_from_grid(map).value());
    EXPECT_EQ(gates.text(), "565ca005a0fe8650");
    EXPECT_EQ(meshes.text(), "a73f66667c9917fb");
}

TEST(ClearanceGolden, RandomMeshesAreCutTheSameEverywhere) {
    Hash gates;
    Hash meshes;
    for (std::uint64_t seed = 0; seed < 200; ++seed) add(gates, meshes, test::random_mesh(seed));
    EXPECT_EQ(gates.text(), "13ddaf40172db5d4");
    EXPECT_EQ(meshes.text(), "f3db992466091e7f");
}

}  // namespace
}  // namespace cairn::mesh

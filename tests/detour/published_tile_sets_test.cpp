// The published tile sets: their meshes have the links of Detour, their files are written as read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "cairn/detour/tile_set.hpp"
#include "cairn/file.hpp"
#include "support/navmesh_files.hpp"

namespace cairn::detour {
namespace {

using mesh::kNone;
using mesh::Polygon;
using PublishedTileSets = test::NavmeshFiles;

TEST_F(PublishedTileSets, BecomeMeshes) {
    const std::map<std::string, std::uint32_t> expected_polygons{
        {"10c-Emergence.solo.bin", 10'635},
        {"10c-Emergence.tiled.bin", 15'490},
        {"dungeon.solo.bin", 118},
        {"dungeon.tiled.bin", 129},
        {"ons-reborn.solo.bin", 4'670},
        {"ons-reborn.tiled.bin", 6'408},
        {"ons-reborn-cs15.tiled.bin", 14'508}};
    std::size_t found = 0;
    for (const auto& path : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const auto converted = convert(**nav_mesh, dtQueryFilter());
        ASSERT_TRUE(converted) << path << ": " << converted.error().message;
        EXPECT_FALSE(converted->mesh.directed()) << path;
        const auto expected = expected_polygons.find(path.filename().string());
        if (expected == expected_polygons.end()) continue;
        EXPECT_EQ(converted->mesh.num_polygons(), expected->second) << path;
        ++found;
    }
    EXPECT_EQ(found, expected_polygons.size());
}

TEST_F(PublishedTileSets, MeshesHaveDetoursLinks) {
    for (const auto& path : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh);
        const auto [mesh, refs] = convert(**nav_mesh, dtQueryFilter()).value();
        for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
            const dtMeshTile* tile = nullptr;
            const dtPoly* poly = nullptr;
            ASSERT_TRUE(
                dtStatusSucceed((*nav_mesh)->getTileAndPolyByRef(refs.ref(p), &tile, &poly)));
            std::set<dtPolyRef> theirs;
            for (auto l = poly->firstLink; l != DT_NULL_LINK; l = tile->links[l].next)
                theirs.insert(tile->links[l].ref);
            std::set<dtPolyRef> ours;
            for (const mesh::Link link : mesh.links(p)) {
                if (mesh.open(link)) ours.insert(refs.ref(mesh.polygon_of(mesh::twin(link))));
            }
            ASSERT_EQ(ours, theirs) << path << " polygon " << p;
            EXPECT_EQ(refs.polygon(refs.ref(p)), p);
        }
    }
}

TEST_F(PublishedTileSets, ReadBackAsWritten) {
    for (const auto& path : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh);
        const std::string bytes = format_tile_set(**nav_mesh).value();
        EXPECT_EQ(bytes.size(), std::filesystem::file_size(path));
        const auto again = parse_tile_set(bytes, "again");
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(format_tile_set(**again).value(), bytes) << path;
        EXPECT_EQ(convert(**again, dtQueryFilter())->mesh,
                  convert(**nav_mesh, dtQueryFilter())->mesh);
    }
}

}  // namespace
}  // namespace cairn::detour

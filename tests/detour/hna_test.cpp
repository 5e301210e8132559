// HNA* on the published tile sets: every engine finds paths of the same cost as A*.

#include <gtest/gtest.h>

#include "cairn/detour/tile_set.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/navmesh_files.hpp"
#include "support/random_meshes.hpp"

namespace cairn::detour {
namespace {

class HnaOnTileSets : public test::NavmeshFiles {
protected:
    /// Compares the engines with A* on the published tile set whose file name ends in `ending`.
    void compare_on(const char* ending, const hna::Options& options,
                    const mesh::MeshOptions& mesh_options = {}) {
        const auto found = files("detour", ending);
        ASSERT_EQ(found.size(), 1U);
        const auto nav_mesh = read_tile_set(found.front());
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const mesh::Mesh mesh = convert(**nav_mesh, dtQueryFilter(), mesh_options).value().mesh;
        const auto index = hna::Index::build(mesh, options);
        ASSERT_TRUE(index) << index.error().message;
        ASSERT_TRUE(index->has_labels());
        test::RandomMaps random(23);
        hna::Query query;
        for (int pair = 0; pair < 200; ++pair) {
            query.start = test::random_place(mesh, random);
            query.goal = test::random_place(mesh, random);
            astar_.find_path(mesh, query.start, query.goal, path_);
            check_engines(*index, query);
            if (HasFatalFailure()) return;
        }
    }

private:
    void check_engines(const hna::Index& index, hna::Query query) {
        const test::MeshDijkstra oracle(index.mesh());
        for (const auto engine :
             {hna::Engine::astar, hna::Engine::cut_labels, hna::Engine::climb}) {
            query.engine = engine;
            searcher_.find(index, query, answer_);
            ASSERT_EQ(answer_.status, path_.status);
            ASSERT_EQ(answer_.cost, path_.cost) << static_cast<int>(engine);
            if (answer_.status != StatusCode::ok) continue;
            ASSERT_EQ(oracle.cost_of(query.start, query.goal, answer_.links), path_.cost);
        }
    }

    mesh::Astar astar_;
    mesh::Path path_;
    hna::Searcher searcher_;
    hna::Answer answer_;
};

TEST_F(HnaOnTileSets, EnginesAgreeOnDungeon) {
    hna::Options options;
    options.mu = 6;
    compare_on("dungeon.tiled.bin", options);
}

TEST_F(HnaOnTileSets, EnginesAgreeOnDungeonScoredByPortalParts) {
    hna::Options options;
    options.mu = 6;
    mesh::MeshOptions mesh_options;
    mesh_options.scoring = mesh::Scoring::portal_parts;
    compare_on("dungeon.tiled.bin", options, mesh_options);
}

TEST_F(HnaOnTileSets, EnginesAgreeOnOnsReborn) {
    hna::Options options;
    options.levels = 2;
    options.mu = 15;
    compare_on("ons-reborn.solo.bin", options);
}

}  // namespace
}  // namespace cairn::detour

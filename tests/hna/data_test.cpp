// HNA* on the published meshes of Polyanya's experiments, against A* over the polygons.

#include <gtest/gtest.h>

#include "cairn/formats/polyanya.hpp"
#include "cairn/mesh/astar.hpp"
#include "hna/verify.hpp"
#include "support/navmesh_files.hpp"

namespace cairn::hna::test {
namespace {

class HnaPublishedMeshes : public cairn::test::NavmeshFiles {
protected:
    /// The mesh is the only file whose name ends with `ending`.
    void check_costs(const char* ending, const Options& options) {
        const auto paths = files("polyanya", ending);
        ASSERT_EQ(paths.size(), 1U);
        const auto mesh = formats::load_polyanya(paths.front());
        ASSERT_TRUE(mesh) << mesh.error().message;
        const auto index = Index::build(*mesh, options);
        ASSERT_TRUE(index) << index.error().message;
        RandomMaps random(17);
        mesh::Astar astar;
        mesh::Path path;
        Searcher searcher;
        Answer answer;
        for (int pairs = 0; pairs < 200; ++pairs) {
            const Query query = random_query(*mesh, random);
            astar.find_path(*mesh, query.start, query.goal, path);
            ASSERT_EQ(fault_of_any_mode(*index, query, path.cost, searcher, answer), "");
        }
    }
};

TEST_F(HnaPublishedMeshes, AuroraHasTheCostsOfAstar) {
    Options options;
    options.levels = 2;
    options.mu = 20;
    check_costs("aurora-merged.mesh", options);
}

TEST_F(HnaPublishedMeshes, ArenaHasTheCostsOfAstar) {
    Options options;
    options.levels = 3;
    options.mu = 4;
    check_costs("arena.mesh", options);
}

}  // namespace
}  // namespace cairn::hna::test

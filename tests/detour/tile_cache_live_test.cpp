// An index that follows a dtTileCache whose obstacles come and go.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "cairn/detour/path_query.hpp"
#include "detour_query.hpp"
#include "same_answers.hpp"
#include "support/navmesh_files.hpp"
#include "support/scale.hpp"
#include "tile_caches.hpp"

namespace cairn::detour {
namespace {

/// Adds and removes obstacles of all three kinds around corners of a mesh.
class Obstacles {
public:
    Obstacles(dtTileCache& cache, const mesh::Mesh& mesh, std::mt19937& random)
        : cache_(cache), places_(mesh.vertices().begin(), mesh.vertices().end()), random_(random) {}

    void change() {
        constexpr std::size_t kMost = 12;
        if (!refs_.empty() && random_() % kMost < refs_.size()) {
            std::swap(refs_[random_() % refs_.size()], refs_.back());
            EXPECT_TRUE(dtStatusSucceed(cache_.removeObstacle(refs_.back())));
            refs_.pop_back();
            return;
        }
        std::array<float, 3> at = position(places_[random_() % places_.size()]);
        at[0] += along(-4, 4);
        at[2] += along(-4, 4);
        const std::array<float, 3> half{along(1, 4), 2, along(1, 4)};
        dtObstacleRef ref = 0;
        dtStatus added = 0;
        switch (random_() % 3) {
            case 0:
                added = cache_.addObstacle(at.data(), half[0], 2, &ref);
                break;
            case 1: {
                std::array<float, 3> low{};
                std::array<float, 3> high{};
                for (std::size_t i = 0; i < 3; ++i) {
                    low[i] = at[i] - half[i];
                    high[i] = at[i] + half[i];
                }
                added = cache_.addBoxObstacle(low.data(), high.data(), &ref);
                break;
            }
            default:
                added = cache_.addBoxObstacle(at.data(), half.data(), along(0, 3), &ref);
        }
        EXPECT_TRUE(dtStatusSucceed(added));
        refs_.push_back(ref);
    }

private:
    float along(int from, int to) {
        const auto steps = static_cast<unsigned>(to - from) * 16 + 1;
        return static_cast<float>(from) + static_cast<float>(random_() % steps) / 16;
    }

    dtTileCache& cache_;
    std::vector<mesh::Point> places_;
    std::mt19937& random_;
    std::vector<dtObstacleRef> refs_;
};

/// The references of all tiles, by which a change of the mesh shows.
std::vector<dtTileRef> tiles_of(const dtNavMesh& nav_mesh) {
    std::vector<dtTileRef> refs;
    for (int t = 0; t < nav_mesh.getMaxTiles(); ++t) {
        const dtMeshTile* const tile = nav_mesh.getTile(t);
        refs.push_back(tile->header == nullptr ? 0 : nav_mesh.getTileRef(tile));
    }
    return refs;
}

/// Changes obstacles for some frames, and compares the updated index of each frame in which the
/// mesh changes with one built anew.
void expect_followed(LayeredLevel& level, std::uint64_t frames) {
    std::mt19937 random(9);
    NavMesh nav_mesh;
    const auto cache = level.tile_cache(nav_mesh);
    const dtQueryFilter filter;
    const PathIndexOptions options{.hna = {.mu = 4}, .mesh = {.units_per_length = 256}};
    const auto build = [&] { return PathIndex::build(*nav_mesh, filter, options).value(); };
    PathQuery query(build());
    Obstacles obstacles(*cache, query.index().index().mesh(), random);
    std::vector<dtTileRef> tiles = tiles_of(*nav_mesh);
    std::uint64_t changes = 0;
    for (std::uint64_t frame = 0; frame < frames; ++frame) {
        SCOPED_TRACE(frame);
        if (random() % 3 == 0) obstacles.change();
        // Builds at most one tile again.
        ASSERT_TRUE(dtStatusSucceed(cache->update(0.03F, nav_mesh.get(), nullptr)));
        const std::vector<dtTileRef> now = tiles_of(*nav_mesh);
        const auto updated = query.index().updated(*nav_mesh);
        ASSERT_TRUE(updated) << updated.error().message;
        // What did not change is not copied.
        ASSERT_EQ(now == tiles,
                  updated->index().snapshot_id() == query.index().index().snapshot_id());
        if (now == tiles) continue;
        ++changes;
        tiles = now;
        const PathIndex anew = build();
        query.set_index(random() % 4 == 0 ? updated->with_labels().value() : *updated);
        ASSERT_NO_FATAL_FAILURE(check_refs(query.index(), anew));
        PathQuery query_anew(anew);
        ASSERT_NO_FATAL_FAILURE(check_answers(query, query_anew, 6, random));
        // As a game does now and then.
        if (updated->index().mesh().num_removed() > 5'000) query.set_index(anew);
    }
    EXPECT_GT(changes, frames / 4);
}

TEST(TileCacheLive, AnIndexFollowsObstaclesFor1000Frames) {
    LayeredLevel level(house_of_two_storeys(), 24);
    ASSERT_NO_FATAL_FAILURE(expect_followed(level, test::scaled(1'000)));
}

using TileCacheLivePublished = test::NavmeshFiles;

TEST_F(TileCacheLivePublished, AnIndexFollowsObstacles) {
    LayeredLevel level(read_obj(folder_ / "obj" / "oacmpdm10.obj").value());
    ASSERT_NO_FATAL_FAILURE(expect_followed(level, test::scaled(200)));
}

}  // namespace
}  // namespace cairn::detour

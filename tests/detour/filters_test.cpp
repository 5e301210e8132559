// Indexes of one dtNavMesh for agents of several kinds.

#include <fmt/format.h>
#include <gtest/gtest.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <chrono>
#include <limits>

#include "cairn/detour/tile_set.hpp"
#include "detour_query.hpp"
#include "mesh/mesh_data.hpp"
#include "small_tile_sets.hpp"
#include "support/navmesh_files.hpp"
#include "support/scale.hpp"

namespace cairn::detour {
namespace {

using mesh::Polygon;

/// Filters of three kinds: other flags, other costs, and both.
std::vector<dtQueryFilter> some_filters() {
    std::vector<dtQueryFilter> filters(3);
    filters[0].setExcludeFlags(2);
    filters[1].setAreaCost(1, 7);
    filters[2].setAreaCost(1, 0.5F);
    filters[2].setAreaCost(2, std::numeric_limits<float>::infinity());
    filters[2].setIncludeFlags(4);
    return filters;
}

void set_random_areas_and_flags(dtNavMesh& nav_mesh, std::mt19937& random) {
    const PolyRefs refs = PolyRefs::create(nav_mesh).value();
    for (Polygon p = 0; p < refs.num_polygons(); ++p) {
        nav_mesh.setPolyArea(refs.ref(p), static_cast<std::uint8_t>(random() % 3));
        nav_mesh.setPolyFlags(refs.ref(p), static_cast<std::uint16_t>(1 + random() % 7));
    }
}

/// Expects paths of equal cost; a path can leave a start whose area is closed, at infinite cost.
void expect_same_cost(const dtNavMesh& nav_mesh, const dtQueryFilter& filter, const Ends& ends,
                      const Found& found, const Found& expected) {
    const double cost = detour_cost(nav_mesh, filter, ends, found.path);
    const double expected_cost = detour_cost(nav_mesh, filter, ends, expected.path);
    if (std::isinf(expected_cost)) {
        EXPECT_EQ(cost, expected_cost);
    } else {
        EXPECT_NEAR(cost, expected_cost, 1e-3 * expected_cost + 1e-3);
    }
}

TEST(Filters, GiveIndexesThatEqualBuildsAnew) {
    const NavMesh nav_mesh = small_nav_mesh();
    std::mt19937 random(1);
    for (int round = 0; round < 20; ++round) {
        set_random_areas_and_flags(*nav_mesh, random);
        const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
        for (const dtQueryFilter& filter : some_filters()) {
            const PathIndex other = index.with_filter(*nav_mesh, filter).value();
            const PathIndex anew = index_of(*nav_mesh, filter);
            EXPECT_TRUE(other.index() == anew.index());
            EXPECT_EQ(other.index().has_labels(), anew.index().has_labels());
            EXPECT_TRUE(same_filter(other.filter(), filter));
            EXPECT_EQ(&other.refs(), &index.refs());
            EXPECT_EQ(other.index().mesh().data().topology, index.index().mesh().data().topology);
            PathQuery query(other);
            PathQuery query_anew(anew);
            for (int i = 0; i < 20; ++i) {
                const Ends ends = random_ends(anew, random);
                const Found found = find_path(query, ends, filter);
                const Found expected = find_path(query_anew, ends, filter);
                EXPECT_EQ(found.status, expected.status);
                expect_linked(*nav_mesh, filter, found.path);
                expect_same_cost(*nav_mesh, filter, ends, found, expected);
            }
            // And back.
            EXPECT_TRUE(other.with_filter(*nav_mesh, dtQueryFilter())->index() == index.index());
        }
        EXPECT_TRUE(index.index() == index_of(*nav_mesh, dtQueryFilter()).index());
    }
}

TEST(Filters, EachIndexFollowsChanges) {
    const NavMesh nav_mesh = small_nav_mesh();
    std::mt19937 random(2);
    set_random_areas_and_flags(*nav_mesh, random);
    PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    const dtQueryFilter filter = some_filters()[2];
    const PathIndex other = index.with_filter(*nav_mesh, filter).value();
    set_random_areas_and_flags(*nav_mesh, random);
    EXPECT_TRUE(other.updated(*nav_mesh)->index() == index_of(*nav_mesh, filter).index());
    // Areas and flags need not be up to date, but tiles must be.
    EXPECT_TRUE(index.with_filter(*nav_mesh, filter)->index() ==
                index_of(*nav_mesh, filter).index());
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(1, 0, 0), nullptr, nullptr)));
    EXPECT_EQ(index.with_filter(*nav_mesh, filter).error().code, StatusCode::stale_index);
    add_tile(*nav_mesh, {.x = 1, .y = 0});
    EXPECT_EQ(index.with_filter(*nav_mesh, filter).error().code, StatusCode::stale_index);
    index = index.updated(*nav_mesh).value();
    const PathIndex updated = other.updated(*nav_mesh).value();
    const PathIndex shared = index.with_filter(*nav_mesh, filter).value();
    const PathIndex anew = index_of(*nav_mesh, filter);
    for (Polygon a = 0; a < anew.refs().num_polygons(); ++a) {
        for (Polygon b = 0; b < anew.refs().num_polygons(); ++b) {
            const dtPolyRef from = anew.refs().ref(a);
            const dtPolyRef to = anew.refs().ref(b);
            EXPECT_EQ(shared.reachable(from, to), anew.reachable(from, to));
            EXPECT_EQ(updated.reachable(from, to), anew.reachable(from, to));
        }
    }
    const NavMesh another = nav_mesh_of({{.x = 0, .y = 0}});
    EXPECT_EQ(index.with_filter(*another, filter).error().code, StatusCode::stale_index);
}

TEST(Filters, BadCostsAndThreadsAreRefused) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    dtQueryFilter filter;
    filter.setAreaCost(3, 1e9F);
    EXPECT_EQ(index.with_filter(*nav_mesh, filter).error().code, StatusCode::bad_option);
}

/// Bytes that the program has allocated; 0 where that is not known.
std::size_t allocated_bytes() {
#if defined(__GLIBC__)
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

using FiltersPublished = test::NavmeshFiles;

TEST_F(FiltersPublished, ShareTheMesh) {
    for (const auto& file : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(file);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        std::mt19937 random(3);
        const PolyRefs refs = PolyRefs::create(**nav_mesh).value();
        for (Polygon p = 0; p < refs.num_polygons(); ++p) {
            (*nav_mesh)->setPolyArea(refs.ref(p), static_cast<std::uint8_t>(random() % 3));
            (*nav_mesh)->setPolyFlags(refs.ref(p), random() % 50 == 0 ? 7 : 5);
        }
        const PathIndex index = PathIndex::build(**nav_mesh, dtQueryFilter()).value();
        for (const dtQueryFilter& filter : some_filters()) {
            // Bytes and milliseconds of what `make` returns.
            const auto measure = [&](auto&& make) {
                const std::size_t before = allocated_bytes();
                const auto begin = std::chrono::steady_clock::now();
                const PathIndex made = make();
                const std::chrono::duration<double, std::milli> time =
                    std::chrono::steady_clock::now() - begin;
                return std::tuple(made, allocated_bytes() - before, time.count());
            };
            const auto [anew, bytes_anew, ms_anew] =
                measure([&] { return PathIndex::build(**nav_mesh, filter).value(); });
            const auto [other, bytes, ms] =
                measure([&] { return index.with_filter(**nav_mesh, filter).value(); });
            fmt::print(
                "{}: {} polygons; built {:.0f} bytes a polygon in {:.0f} ms, with_filter "
                "{:.0f} in {:.0f} ms\n",
                file.filename().string(), refs.num_polygons(),
                static_cast<double>(bytes_anew) / refs.num_polygons(), ms_anew,
                static_cast<double>(bytes) / refs.num_polygons(), ms);
            EXPECT_TRUE(other.index() == anew.index()) << file;
            PathQuery query(other);
            PathQuery query_anew(anew);
            for (std::uint64_t i = 0; i < test::scaled(200); ++i) {
                const Ends ends = random_ends(anew, random);
                const Found found = find_path(query, ends, filter);
                const Found expected = find_path(query_anew, ends, filter);
                ASSERT_EQ(found.status, expected.status) << file;
                expect_same_cost(**nav_mesh, filter, ends, found, expected);
            }
        }
    }
}

}  // namespace
}  // namespace cairn::detour

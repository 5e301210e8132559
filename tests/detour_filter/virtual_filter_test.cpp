// Filters whose classes override Detour's virtual functions. This program compiles Cairn's part
// with DT_VIRTUAL_QUERYFILTER. The installed Detour may be compiled without, so the test gives
// dtQueryFilter its functions itself, and passes no filter on to Detour.

#include <gtest/gtest.h>

#include <array>

#include "cairn/detour/path_query.hpp"
#include "detour/small_tile_sets.hpp"

dtQueryFilter::dtQueryFilter() : m_includeFlags(0xffff), m_excludeFlags(0) {
    for (float& cost : m_areaCost) cost = 1;
}
bool dtQueryFilter::passFilter(dtPolyRef, const dtMeshTile*, const dtPoly*) const {
    ADD_FAILURE() << "Cairn reads flags instead";
    return true;
}
float dtQueryFilter::getCost(const float*, const float*, dtPolyRef, const dtMeshTile*,
                             const dtPoly*, dtPolyRef, const dtMeshTile*, const dtPoly*, dtPolyRef,
                             const dtMeshTile*, const dtPoly*) const {
    ADD_FAILURE() << "Cairn reads area costs instead";
    return 1;
}

namespace cairn::detour {
namespace {

/// Lets agents walk nowhere, which its flags do not say.
struct ClosedFilter : dtQueryFilter {
    bool passFilter(dtPolyRef, const dtMeshTile*, const dtPoly*) const override { return false; }
};

TEST(VirtualFilter, IsRefusedByIndexes) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter plain;
    const ClosedFilter derived;
    EXPECT_TRUE(plain_filter(plain));
    EXPECT_FALSE(plain_filter(derived));
    EXPECT_FALSE(same_filter(plain, derived));
    EXPECT_FALSE(same_filter(derived, derived));
    const auto expect_unsupported = [](const auto& result) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, StatusCode::unsupported);
        EXPECT_FALSE(result.error().message.empty());
    };
    expect_unsupported(PathIndex::build(*nav_mesh, derived));
    expect_unsupported(convert(*nav_mesh, derived));
    const PathIndex index = index_of(*nav_mesh, plain);
    expect_unsupported(PathIndex::adopt(index.index(), *nav_mesh, derived));
    expect_unsupported(index.with_filter(*nav_mesh, derived));
    EXPECT_TRUE(index.with_filter(*nav_mesh, plain));
}

TEST(VirtualFilter, IsRefusedByQueries) {
    const NavMesh nav_mesh = small_nav_mesh();
    PathQuery query(index_of(*nav_mesh, dtQueryFilter()));
    const dtPolyRef start = query.index().refs().ref(0);
    const dtPolyRef end = query.index().refs().ref(15);
    const std::array<float, 3> from{1, 0, 1};
    const std::array<float, 3> to{19, 0, 19};
    std::array<dtPolyRef, 32> path{};
    int count = -1;
    const auto find = [&](const dtQueryFilter& filter) {
        return query.findPath(start, end, from.data(), to.data(), &filter, path.data(), &count, 32);
    };
    EXPECT_EQ(find(ClosedFilter()), DT_FAILURE | DT_INVALID_PARAM);
    EXPECT_EQ(count, 0);
    const ClosedFilter derived;
    EXPECT_EQ(query.initSlicedFindPath(start, end, from.data(), to.data(), &derived),
              DT_FAILURE | DT_INVALID_PARAM);
    EXPECT_FALSE(query.isValidPolyRef(start, &derived));
    const dtQueryFilter plain;
    EXPECT_EQ(find(plain), DT_SUCCESS);
    EXPECT_GT(count, 1);
    EXPECT_TRUE(query.isValidPolyRef(start, &plain));
}

}  // namespace
}  // namespace cairn::detour

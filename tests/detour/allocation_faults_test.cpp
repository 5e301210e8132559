// Whatever allocation fails in a call on Detour's meshes, the call says out_of_memory.

#include "support/allocation_faults.hpp"

#include <DetourStatus.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "cairn/detour/path_query.hpp"
#include "cairn/detour/recast_builder.hpp"
#include "cairn/detour/tile_set.hpp"
#include "small_tile_sets.hpp"
#include "tile_caches.hpp"

namespace cairn::detour {
namespace {

using cairn::test::expect_survives;

BuildControl on_one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

TEST(AllocationFaults, OfPathIndexesSayOutOfMemory) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter;
    const auto fingerprint = [](const auto& made) { return made->index().mesh().fingerprint(); };
    expect_survives(
        "convert", [&] { return convert(*nav_mesh, filter); },
        [](const auto& made) { return made->mesh.fingerprint(); });
    const BuildControl control = on_one_thread();
    const PathIndexOptions options{.hna = {.mu = 4}, .mesh = {}};
    expect_survives(
        "build", [&] { return PathIndex::build(*nav_mesh, filter, options, control); },
        fingerprint);
    const PathIndex index = PathIndex::build(*nav_mesh, filter, options, control).value();
    nav_mesh->setPolyFlags(index.refs().ref(1), 0);
    expect_survives(
        "updated", [&] { return index.updated(*nav_mesh); }, fingerprint);
    const std::array changed{index.refs().ref(1)};
    expect_survives(
        "updated for some polygons", [&] { return index.updated(*nav_mesh, changed); },
        fingerprint);
    dtQueryFilter other;
    other.setAreaCost(1, 3);
    expect_survives(
        "with_filter", [&] { return index.with_filter(*nav_mesh, other, control); }, fingerprint);
    const PathIndex updated = index.updated(*nav_mesh).value();
    expect_survives(
        "with_labels", [&] { return updated.with_labels(control); },
        [](const auto& made) { return made->index().has_labels(); });
    expect_survives(
        "format_tile_set", [&] { return format_tile_set(*nav_mesh); },
        [](const auto& bytes) { return *bytes; });
    // Detour's functions for layers allocate by functions of ours.
    const std::string layers = LayeredLevel(house_of_two_storeys(), 64, 0.6F).set();
    expect_survives(
        "parse_tile_set", [&] { return parse_tile_set(layers, "m"); },
        [](const auto& made) { return format_tile_set(**made).value(); });
}

TEST(AllocationFaults, OfPathQueriesSayOutOfMemory) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    const dtPolyRef start = index.refs().ref(0);
    const dtPolyRef end = index.refs().ref(15);
    const mesh::Point from = index.index().mesh().centre(0);
    const mesh::Point to = index.index().mesh().centre(15);
    hna::Answer answer;
    expect_survives(
        "find", [&] { return PathQuery(index).find(start, end, from, to, answer); },
        [&](StatusCode) { return answer.polygons; });
    const std::array<float, 3> start_at{from.x, from.y, from.z};
    const std::array<float, 3> end_at{to.x, to.y, to.z};
    std::array<dtPolyRef, 64> path{};
    int count = 0;
    const auto find_path = [&] {
        const dtStatus status =
            PathQuery(index).findPath(start, end, start_at.data(), end_at.data(), nullptr,
                                      path.data(), &count, static_cast<int>(path.size()));
        if (dtStatusSucceed(status)) return StatusCode::ok;
        return dtStatusDetail(status, DT_OUT_OF_MEMORY) ? StatusCode::out_of_memory
                                                        : StatusCode::unsupported;
    };
    expect_survives("findPath", find_path, [&](StatusCode) { return count; });
    std::array<float, 96> points{};
    int points_count = 0;
    const auto find_straight_path = [&] {
        const dtStatus status =
            PathQuery(index).findStraightPath(start_at.data(), end_at.data(), path.data(), count,
                                              points.data(), nullptr, nullptr, &points_count, 32);
        if (dtStatusSucceed(status)) return StatusCode::ok;
        return dtStatusDetail(status, DT_OUT_OF_MEMORY) ? StatusCode::out_of_memory
                                                        : StatusCode::unsupported;
    };
    expect_survives("findStraightPath", find_straight_path,
                    [&](StatusCode) { return points_count; });

    PathIndexOptions options;
    options.hna.labels = false;
    const PathIndex searched =
        PathIndex::build(*nav_mesh, dtQueryFilter(), options, on_one_thread()).value();
    const auto find_in_slices = [&] {
        PathQuery query(searched);
        dtStatus status =
            query.initSlicedFindPath(start, end, start_at.data(), end_at.data(), nullptr);
        while (dtStatusInProgress(status)) status = query.updateSlicedFindPath(1, nullptr);
        if (dtStatusSucceed(status)) status = query.finalizeSlicedFindPath(path.data(), &count, 64);
        if (dtStatusSucceed(status)) return StatusCode::ok;
        return dtStatusDetail(status, DT_OUT_OF_MEMORY) ? StatusCode::out_of_memory
                                                        : StatusCode::unsupported;
    };
    expect_survives("in slices", find_in_slices, [&](StatusCode) { return count; });
}

TEST(AllocationFaults, OfBuildingMeshesSayOutOfMemory) {
    const std::string obj = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3\nf 1 3 4\n";
    expect_survives(
        "parse_obj", [&] { return parse_obj(obj, "a.obj"); },
        [](const auto& made) { return made->corners.size(); });
    const Triangles triangles = parse_obj(obj, "a.obj").value();
    const BuildControl control = on_one_thread();
    expect_survives(
        "build_navmesh", [&] { return build_navmesh(triangles, {}, control); },
        [](const auto& made) { return (*made)->getMaxTiles(); });
}

}  // namespace
}  // namespace cairn::detour

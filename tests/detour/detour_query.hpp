#pragma once
// Detour's own path search, to compare with, and the cost of a path by Detour's rules.

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/path_query.hpp"

namespace cairn::detour {

struct FreeNavMeshQuery {
    void operator()(dtNavMeshQuery* query) const noexcept { dtFreeNavMeshQuery(query); }
};
using NavMeshQuery = std::unique_ptr<dtNavMeshQuery, FreeNavMeshQuery>;

/// A query of Detour with the largest node pool that it supports.
[[nodiscard]] inline NavMeshQuery detour_query(const dtNavMesh& nav_mesh) {
    NavMeshQuery query(dtAllocNavMeshQuery());
    EXPECT_TRUE(dtStatusSucceed(query->init(&nav_mesh, 65'535)));
    return query;
}

using Position = std::array<float, 3>;

/// The polygons that a path starts and ends in, and its first and last point.
struct Ends {
    dtPolyRef start = 0;
    dtPolyRef end = 0;
    Position from{};
    Position to{};
};

[[nodiscard]] inline Position position(const mesh::Point& point) {
    return {point.x, point.y, point.z};
}

[[nodiscard]] inline double distance(const Position& a, const Position& b) {
    const double x = double{a[0]} - double{b[0]};
    const double y = double{a[1]} - double{b[1]};
    const double z = double{a[2]} - double{b[2]};
    return std::sqrt(x * x + y * y + z * z);
}

/// A random point of a convex polygon: the mean of its corners with random weights.
[[nodiscard]] inline Position random_point(const mesh::Mesh& mesh, mesh::Polygon polygon,
                                           std::mt19937& random) {
    Position sum{};
    float weights = 0;
    for (const std::uint32_t corner : mesh.corners(polygon)) {
        const float weight = 1 + static_cast<float>(random() % 1000);
        const Position point = position(mesh.vertices()[corner]);
        for (std::size_t i = 0; i < 3; ++i) sum[i] += weight * point[i];
        weights += weight;
    }
    for (float& value : sum) value /= weights;
    return sum;
}

[[nodiscard]] inline Ends random_ends(const PathIndex& index, std::mt19937& random) {
    const mesh::Mesh& mesh = index.index().mesh();
    const auto start = static_cast<mesh::Polygon>(random() % mesh.num_polygons());
    const auto end = static_cast<mesh::Polygon>(random() % mesh.num_polygons());
    return {index.refs().ref(start), index.refs().ref(end), random_point(mesh, start, random),
            random_point(mesh, end, random)};
}

/// The status that findPath returned and the polygons that it wrote.
struct Found {
    dtStatus status = 0;
    std::vector<dtPolyRef> path;

    [[nodiscard]] bool complete() const {
        return dtStatusSucceed(status) && !dtStatusDetail(status, DT_PARTIAL_RESULT);
    }
};

/// Calls findPath of a dtNavMeshQuery or a PathQuery with room for `max_path` polygons.
template <class Query>
[[nodiscard]] Found find_path(Query& query, const Ends& ends, const dtQueryFilter& filter,
                              int max_path = 65'536) {
    Found found;
    found.path.resize(static_cast<std::size_t>(max_path));
    int count = -1;
    found.status = query.findPath(ends.start, ends.end, ends.from.data(), ends.to.data(), &filter,
                                  found.path.data(), &count, max_path);
    found.path.resize(static_cast<std::size_t>(count));
    return found;
}

/// Finds a path of a dtNavMeshQuery or a PathQuery in slices of `nodes` nodes. Ends it after
/// `updates` updates.
template <class Query>
[[nodiscard]] Found find_path_in_slices(Query& query, const Ends& ends, const dtQueryFilter& filter,
                                        int nodes, int updates = 1'000'000) {
    dtStatus status =
        query.initSlicedFindPath(ends.start, ends.end, ends.from.data(), ends.to.data(), &filter);
    for (; dtStatusInProgress(status) && updates > 0; --updates) {
        int done = -1;
        status = query.updateSlicedFindPath(nodes, &done);
        EXPECT_GE(done, 0);
        EXPECT_LE(done, nodes);
    }
    if (dtStatusFailed(status)) return {status, {}};
    Found found;
    found.path.resize(65'536);
    int count = -1;
    found.status = query.finalizeSlicedFindPath(found.path.data(), &count, 65'536);
    found.path.resize(static_cast<std::size_t>(count));
    return found;
}

struct TileAndPoly {
    const dtMeshTile* tile = nullptr;
    const dtPoly* poly = nullptr;
};

[[nodiscard]] inline TileAndPoly look_up(const dtNavMesh& nav_mesh, dtPolyRef ref) {
    TileAndPoly found;
    EXPECT_TRUE(dtStatusSucceed(nav_mesh.getTileAndPolyByRef(ref, &found.tile, &found.poly)));
    return found;
}

/// Detour's link from a polygon to another; null where there is none.
[[nodiscard]] inline const dtLink* link_between(const dtNavMesh& nav_mesh, dtPolyRef from,
                                                dtPolyRef to) {
    const auto [tile, poly] = look_up(nav_mesh, from);
    for (unsigned l = poly->firstLink; l != DT_NULL_LINK; l = tile->links[l].next) {
        if (tile->links[l].ref == to) return &tile->links[l];
    }
    return nullptr;
}

/// The midpoint of the portal between two linked polygons, as Detour's search computes it.
[[nodiscard]] inline Position middle(const dtNavMesh& nav_mesh, dtPolyRef from, dtPolyRef to) {
    const auto [tile, poly] = look_up(nav_mesh, from);
    const auto corner = [](const TileAndPoly& of, unsigned corner_index) {
        const float* v = &of.tile->verts[std::size_t{of.poly->verts[corner_index]} * 3];
        return Position{v[0], v[1], v[2]};
    };
    const dtLink& link = *link_between(nav_mesh, from, to);
    if (poly->getType() == DT_POLYTYPE_OFFMESH_CONNECTION) return corner({tile, poly}, link.edge);
    const TileAndPoly other = look_up(nav_mesh, to);
    if (other.poly->getType() == DT_POLYTYPE_OFFMESH_CONNECTION)
        return corner(other, link_between(nav_mesh, to, from)->edge);
    const Position a = corner({tile, poly}, link.edge);
    const Position b = corner({tile, poly}, (link.edge + 1U) % poly->vertCount);
    // A link to another tile covers the part from bmin/255 to bmax/255 of the edge.
    const bool to_other_tile = link.side != 0xff;
    const float fraction =
        to_other_tile ? (static_cast<float>(link.bmin) + static_cast<float>(link.bmax)) / 510
                      : 0.5F;
    Position result{};
    for (std::size_t i = 0; i < 3; ++i) result[i] = a[i] + (b[i] - a[i]) * fraction;
    return result;
}

/// The cost of a path by Detour's rule: the legs from portal midpoint to portal midpoint, each
/// times the area cost of its polygon.
[[nodiscard]] inline double detour_cost(const dtNavMesh& nav_mesh, const dtQueryFilter& filter,
                                        const Ends& ends, const std::vector<dtPolyRef>& path) {
    double cost = 0;
    Position at = ends.from;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Position next =
            i + 1 < path.size() ? middle(nav_mesh, path[i], path[i + 1]) : ends.to;
        const float factor = filter.getAreaCost(look_up(nav_mesh, path[i]).poly->getArea());
        cost += distance(at, next) * double{factor};
        at = next;
    }
    return cost;
}

/// Expects a link between each polygon and the next, and that the filter passes all but the first.
inline void expect_linked(const dtNavMesh& nav_mesh, const dtQueryFilter& filter,
                          const std::vector<dtPolyRef>& path) {
    for (std::size_t i = 1; i < path.size(); ++i) {
        EXPECT_NE(link_between(nav_mesh, path[i - 1], path[i]), nullptr) << "at " << i;
        EXPECT_TRUE(passes(filter, look_up(nav_mesh, path[i]).poly->flags)) << "at " << i;
    }
}

/// The length of Detour's straight path from ends.from to ends.to through a corridor of polygons.
[[nodiscard]] inline double straight_length(const dtNavMeshQuery& query, const Ends& ends,
                                            const std::vector<dtPolyRef>& path) {
    std::vector<float> points(3 * (2 * path.size() + 2));
    int count = 0;
    const dtStatus status = query.findStraightPath(
        ends.from.data(), ends.to.data(), path.data(), static_cast<int>(path.size()), points.data(),
        nullptr, nullptr, &count, static_cast<int>(points.size() / 3));
    EXPECT_TRUE(dtStatusSucceed(status));
    EXPECT_FALSE(dtStatusDetail(status, DT_PARTIAL_RESULT | DT_BUFFER_TOO_SMALL));
    double length = 0;
    const auto point = [&](int i) {
        const float* p = &points[3 * static_cast<std::size_t>(i)];
        return Position{p[0], p[1], p[2]};
    };
    for (int i = 1; i < count; ++i) length += distance(point(i - 1), point(i));
    return length;
}

}  // namespace cairn::detour

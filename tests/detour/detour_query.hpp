#pragma once
// Detour's own path finding, and what its paths cost by its rules.

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

/// With as many nodes as it can have.
[[nodiscard]] inline NavMeshQuery detour_query(const dtNavMesh& nav_mesh) {
    NavMeshQuery query(dtAllocNavMeshQuery());
    EXPECT_TRUE(dtStatusSucceed(query->init(&nav_mesh, 65'535)));
    return query;
}

using Position = std::array<float, 3>;

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

/// A point of a polygon: its corners' mean, with random weights.
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

/// What findPath says.
struct Found {
    dtStatus status = 0;
    std::vector<dtPolyRef> path;

    [[nodiscard]] bool complete() const {
        return dtStatusSucceed(status) && !dtStatusDetail(status, DT_PARTIAL_RESULT);
    }
};

/// Of either kind of query.
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

/// The middle of the portal between two polygons, as Detour's search has it.
[[nodiscard]] inline Position middle(const dtNavMesh& nav_mesh, dtPolyRef from, dtPolyRef to) {
    const auto [tile, poly] = look_up(nav_mesh, from);
    const auto corner = [](const TileAndPoly& of, unsigned place) {
        const float* v = &of.tile->verts[std::size_t{of.poly->verts[place]} * 3];
        return Position{v[0], v[1], v[2]};
    };
    const dtLink& link = *link_between(nav_mesh, from, to);
    if (poly->getType() == DT_POLYTYPE_OFFMESH_CONNECTION) return corner({tile, poly}, link.edge);
    const TileAndPoly other = look_up(nav_mesh, to);
    if (other.poly->getType() == DT_POLYTYPE_OFFMESH_CONNECTION)
        return corner(other, link_between(nav_mesh, to, from)->edge);
    const Position a = corner({tile, poly}, link.edge);
    const Position b = corner({tile, poly}, (link.edge + 1U) % poly->vertCount);
    const bool piece = link.side != 0xff;
    const float share =
        piece ? (static_cast<float>(link.bmin) + static_cast<float>(link.bmax)) / 510 : 0.5F;
    Position result{};
    for (std::size_t i = 0; i < 3; ++i) result[i] = a[i] + (b[i] - a[i]) * share;
    return result;
}

/// What a path costs by Detour's rule: from middle to middle, each way at the cost of its area.
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

/// Whether Detour itself could go along a path.
inline void expect_linked(const dtNavMesh& nav_mesh, const dtQueryFilter& filter,
                          const std::vector<dtPolyRef>& path) {
    for (std::size_t i = 1; i < path.size(); ++i) {
        EXPECT_NE(link_between(nav_mesh, path[i - 1], path[i]), nullptr) << "at " << i;
        EXPECT_TRUE(passes(filter, look_up(nav_mesh, path[i]).poly->flags)) << "at " << i;
    }
}

/// The length of Detour's straight path in a corridor; its last point into `end`.
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

#include "detour/tile_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "detour/detour_mesh.hpp"

namespace cairn::detour {
namespace {

// The flags of a detail triangle, one for each edge, that say that the edge is on the polygon's
// border.
constexpr std::uint32_t kBoundaryEdges = 1U << 0 | 1U << 2 | 1U << 4;

}  // namespace

Status TileChecker::check() {
    if (header_.magic != DT_NAVMESH_MAGIC) return corrupt("it does not begin with 'DNAV'");
    if (header_.version != DT_NAVMESH_VERSION) {
        return {StatusCode::wrong_version,
                fmt::format("version {}: only {} is known", header_.version, DT_NAVMESH_VERSION)};
    }
    using Check = Status (TileChecker::*)();
    constexpr std::array<Check, 7> kChecks{&TileChecker::counts,     &TileChecker::measures,
                                           &TileChecker::vertices,   &TileChecker::polygons,
                                           &TileChecker::details,    &TileChecker::tree,
                                           &TileChecker::connections};
    for (const Check part : kChecks) {
        if (Status s = (this->*part)(); !s.ok()) return s;
    }
    return {};
}

Status TileChecker::counts() {
    const dtMeshHeader& h = header_;
    for (const int count :
         {h.polyCount, h.vertCount, h.maxLinkCount, h.detailMeshCount, h.detailVertCount,
          h.detailTriCount, h.bvNodeCount, h.offMeshConCount, h.offMeshBase}) {
        if (count < 0) return corrupt(fmt::format("a count of {} in its header", count));
    }
    if (layout_.size() != tile_.size()) {
        return corrupt(
            fmt::format("its counts make {} bytes, but it has {}", layout_.size(), tile_.size()));
    }
    if (h.polyCount == 0) return corrupt("it has no polygons");
    if (h.maxLinkCount == 0) return corrupt("it has no room for links");
    if (std::int64_t{h.offMeshBase} + h.offMeshConCount != h.polyCount) {
        return corrupt(fmt::format("{} polygons from {} on for {} off-mesh connections",
                                   h.polyCount, h.offMeshBase, h.offMeshConCount));
    }
    if (h.detailMeshCount != num_ground()) {
        return corrupt(
            fmt::format("{} detail meshes for {} polygons", h.detailMeshCount, num_ground()));
    }
    return place();
}

Status TileChecker::place() const {
    // Detour adds 1 to the position and subtracts 1 from it to find the neighbours.
    constexpr int kMost = 1 << 30;
    if (std::abs(std::int64_t{header_.x}) <= kMost && std::abs(std::int64_t{header_.y}) <= kMost)
        return {};
    return corrupt(fmt::format("it lies at {}, {}", header_.x, header_.y));
}

Status TileChecker::measures() {
    const dtMeshHeader& h = header_;
    const bool valid = usable(h.bmin, 3) && usable(h.bmax, 3) && h.bmin[0] <= h.bmax[0] &&
                       h.bmin[1] <= h.bmax[1] && h.bmin[2] <= h.bmax[2];
    if (!valid) return corrupt("its bounds are not finite, beyond 1e7, or end before they begin");
    for (const float length : {h.walkableHeight, h.walkableRadius, h.walkableClimb}) {
        if (!usable(&length, 1) || length < 0)
            return corrupt("an agent's height, radius or climb is negative or not finite");
    }
    if (h.bvNodeCount == 0) return {};
    // Detour rounds lengths times bvQuantFactor to 16-bit integers.
    float longest = 0;
    for (int axis = 0; axis < 3; ++axis) longest = std::max(longest, h.bmax[axis] - h.bmin[axis]);
    if (h.bvQuantFactor >= 0 && h.bvQuantFactor * longest < 65535.0F) return {};
    return corrupt("its bounding volume tree does not span its bounds");
}

Status TileChecker::vertices() {
    for (const auto& [part, name] :
         {std::pair{&layout_.verts, "vertex"}, {&layout_.detail_verts, "detail vertex"}}) {
        for (std::uint64_t v = 0; v < part->count; ++v) {
            const auto point = item<std::array<float, 3>>(*part, v);
            if (usable(point.data(), 3)) continue;
            return corrupt(fmt::format("{} {} is not finite or lies beyond 1e7", name, v));
        }
    }
    return {};
}

Status TileChecker::polygons() {
    for (int p = 0; p < header_.polyCount; ++p) {
        if (Status s = polygon(p); !s.ok()) return s;
    }
    if (links_ <= static_cast<std::uint64_t>(header_.maxLinkCount)) return {};
    return corrupt(fmt::format("room for {} links, but {} edges with neighbours",
                               header_.maxLinkCount, links_));
}

Status TileChecker::polygon(int p) {
    const auto poly = item<dtPoly>(layout_.polys, p);
    const bool ground = p < num_ground();
    if (poly.getType() != (ground ? DT_POLYTYPE_GROUND : DT_POLYTYPE_OFFMESH_CONNECTION))
        return corrupt(fmt::format("polygon {} is of type {}", p, poly.getType()));
    const unsigned least = ground ? 3 : 2;
    const unsigned most = ground ? DT_VERTS_PER_POLYGON : 2;
    if (poly.vertCount < least || poly.vertCount > most)
        return corrupt(fmt::format("polygon {} has {} corners", p, poly.vertCount));
    for (unsigned c = 0; c < poly.vertCount; ++c) {
        if (poly.verts[c] >= header_.vertCount)
            return corrupt(fmt::format("polygon {}: there is no vertex {}", p, poly.verts[c]));
        if (ground && !count_edge(p, poly.neis[c])) {
            return corrupt(
                fmt::format("polygon {}: neighbour {:#x} does not exist", p, poly.neis[c]));
        }
    }
    if (!ground) links_ += 2;
    return {};
}

/// Adds an edge of a polygon to the counts. False if its neighbour does not exist.
bool TileChecker::count_edge(int polygon, std::uint16_t neighbour) {
    ++work_.edges;
    if (neighbour == 0) return true;
    ++links_;
    if ((neighbour & DT_EXT_LINK) == 0)
        return neighbour <= num_ground() && neighbour - 1 != polygon;
    const unsigned side = neighbour & ~unsigned{DT_EXT_LINK};  // of the tile: 0, 2, 4 or 6
    if (side > 6 || side % 2 != 0) return false;
    ++work_.outer_edges[side / 2];
    return true;
}

Status TileChecker::details() {
    for (int p = 0; p < num_ground(); ++p) {
        const auto poly = item<dtPoly>(layout_.polys, p);
        const auto detail = item<dtPolyDetail>(layout_.detail_meshes, p);
        const bool fits =
            std::uint64_t{detail.vertBase} + detail.vertCount <= layout_.detail_verts.count &&
            std::uint64_t{detail.triBase} + detail.triCount <= layout_.detail_tris.count;
        if (!fits) return corrupt(fmt::format("the detail mesh of polygon {} is not there", p));
        if (Status s = triangles(p, poly.vertCount + unsigned{detail.vertCount}, detail); !s.ok())
            return s;
    }
    return {};
}

/// Checks a detail mesh. Detour relies on a triangle with an edge on the polygon's border.
Status TileChecker::triangles(int p, unsigned corners, const dtPolyDetail& detail) const {
    bool boundary = false;
    for (std::uint64_t i = 0; i < detail.triCount; ++i) {
        const auto triangle =
            item<std::array<unsigned char, 4>>(layout_.detail_tris, detail.triBase + i);
        if (std::max({triangle[0], triangle[1], triangle[2]}) >= corners) {
            return corrupt(
                fmt::format("the detail mesh of polygon {}: triangle {} has a corner that "
                            "does not exist",
                            p, i));
        }
        boundary = boundary || (triangle[3] & kBoundaryEdges) != 0;
    }
    if (boundary) return {};
    return corrupt(fmt::format("the detail mesh of polygon {} has no edge on its border", p));
}

Status TileChecker::tree() {
    const auto count = static_cast<std::int64_t>(layout_.tree.count);
    for (std::int64_t n = 0; n < count; ++n) {
        const auto node = item<dtBVNode>(layout_.tree, n);
        // A leaf has a polygon; another node, negated, the number of nodes in its subtree.
        const bool valid = node.i >= 0 ? node.i < num_ground() : n - node.i <= count;
        if (valid) continue;
        return corrupt(fmt::format("node {} of its bounding volume tree leads to {}", n, node.i));
    }
    return {};
}

Status TileChecker::connections() {
    for (int i = 0; i < header_.offMeshConCount; ++i) {
        const auto connection = item<dtOffMeshConnection>(layout_.connections, i);
        if (!usable(connection.pos, 6) || !usable(&connection.rad, 1) || connection.rad < 0)
            return corrupt(fmt::format("off-mesh connection {} is not finite", i));
        if (connection.poly != header_.offMeshBase + i)
            return corrupt(fmt::format("off-mesh connection {} is of polygon {}, not {}", i,
                                       connection.poly, header_.offMeshBase + i));
        if (connection.side > 7 && connection.side != 0xff)
            return corrupt(
                fmt::format("off-mesh connection {} leads to side {}", i, connection.side));
    }
    return {};
}

}  // namespace cairn::detour

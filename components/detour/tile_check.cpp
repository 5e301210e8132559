#include "detour/tile_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "detour/tile_layout.hpp"

namespace cairn::detour {
namespace {

constexpr unsigned char kGround = DT_POLYTYPE_GROUND;
constexpr unsigned char kOffMesh = DT_POLYTYPE_OFFMESH_CONNECTION;
constexpr std::uint32_t kBoundaryEdges = 1U << 0 | 1U << 2 | 1U << 4;

Status corrupt(std::string message) { return {StatusCode::corrupt_file, std::move(message)}; }

class TileChecker {
public:
    explicit TileChecker(std::string_view tile)
        : tile_(tile), header_(header_of(tile)), layout_(header_) {}

    Result<TileWork> check() {
        using Check = Status (TileChecker::*)();
        constexpr std::array<Check, 7> kChecks{&TileChecker::counts,     &TileChecker::measures,
                                               &TileChecker::vertices,   &TileChecker::polygons,
                                               &TileChecker::details,    &TileChecker::tree,
                                               &TileChecker::connections};
        for (const Check part : kChecks) {
            if (Status s = (this->*part)(); !s.ok()) return tl::unexpected(std::move(s));
        }
        return work_;
    }

private:
    int num_ground() const { return header_.offMeshBase; }

    Status counts() {
        const dtMeshHeader& h = header_;
        for (const int count :
             {h.polyCount, h.vertCount, h.maxLinkCount, h.detailMeshCount, h.detailVertCount,
              h.detailTriCount, h.bvNodeCount, h.offMeshConCount, h.offMeshBase}) {
            if (count < 0) return corrupt(fmt::format("a count of {} in its header", count));
        }
        if (layout_.size() != tile_.size()) {
            return corrupt(fmt::format("its counts make {} bytes, but it has {}", layout_.size(),
                                       tile_.size()));
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

    Status place() const {
        // Detour looks at the tiles beside.
        constexpr int kMost = 1 << 30;
        if (std::abs(std::int64_t{header_.x}) <= kMost &&
            std::abs(std::int64_t{header_.y}) <= kMost)
            return {};
        return corrupt(fmt::format("it lies at {}, {}", header_.x, header_.y));
    }

    Status measures() {
        const dtMeshHeader& h = header_;
        const bool fine = usable(h.bmin, 3) && usable(h.bmax, 3) && h.bmin[0] <= h.bmax[0] &&
                          h.bmin[1] <= h.bmax[1] && h.bmin[2] <= h.bmax[2];
        if (!fine)
            return corrupt("its bounds are not finite, beyond 1e7, or end before they begin");
        for (const float length : {h.walkableHeight, h.walkableRadius, h.walkableClimb}) {
            if (!usable(&length, 1) || length < 0)
                return corrupt("an agent's height, radius or climb is negative or not finite");
        }
        if (h.bvNodeCount == 0) return {};
        // Detour makes 16-bit numbers of these products.
        float longest = 0;
        for (int axis = 0; axis < 3; ++axis)
            longest = std::max(longest, h.bmax[axis] - h.bmin[axis]);
        if (h.bvQuantFactor >= 0 && h.bvQuantFactor * longest < 65535.0F) return {};
        return corrupt("its bounding volume tree does not span its bounds");
    }

    Status vertices() {
        for (const auto& [part, what] :
             {std::pair{&layout_.verts, "vertex"}, {&layout_.detail_verts, "detail vertex"}}) {
            for (std::uint64_t v = 0; v < part->count; ++v) {
                const auto point = item_at<std::array<float, 3>>(tile_, *part, v);
                if (usable(point.data(), 3)) continue;
                return corrupt(fmt::format("{} {} is not finite or lies beyond 1e7", what, v));
            }
        }
        return {};
    }

    Status polygons() {
        for (int p = 0; p < header_.polyCount; ++p) {
            if (Status s = polygon(p); !s.ok()) return s;
        }
        if (links_ <= static_cast<std::uint64_t>(header_.maxLinkCount)) return {};
        return corrupt(fmt::format("room for {} links, but {} edges with neighbours",
                                   header_.maxLinkCount, links_));
    }

    Status polygon(int p) {
        const auto poly = item_at<dtPoly>(tile_, layout_.polys, static_cast<std::uint64_t>(p));
        const bool ground = p < num_ground();
        if (poly.getType() != (ground ? kGround : kOffMesh))
            return corrupt(fmt::format("polygon {} is of type {}", p, poly.getType()));
        const unsigned least = ground ? 3 : 2;
        const unsigned most = ground ? DT_VERTS_PER_POLYGON : 2;
        if (poly.vertCount < least || poly.vertCount > most)
            return corrupt(fmt::format("polygon {} has {} corners", p, poly.vertCount));
        for (unsigned c = 0; c < poly.vertCount; ++c) {
            if (poly.verts[c] >= header_.vertCount) {
                return corrupt(fmt::format("polygon {}: there is no vertex {}", p, poly.verts[c]));
            }
            if (ground && !neighbour(p, poly.neis[c])) {
                return corrupt(
                    fmt::format("polygon {}: neighbour {:#x} does not exist", p, poly.neis[c]));
            }
        }
        if (!ground) links_ += 2;
        return {};
    }

    bool neighbour(int polygon, std::uint16_t neighbour) {
        ++work_.edges;
        if (neighbour == 0) return true;
        ++links_;
        if ((neighbour & DT_EXT_LINK) == 0)
            return neighbour <= num_ground() && neighbour - 1 != polygon;
        const unsigned side = neighbour & ~unsigned{DT_EXT_LINK};
        if (side > 6 || side % 2 != 0) return false;
        ++work_.outer_edges[side / 2];
        return true;
    }

    Status details() {
        for (int p = 0; p < num_ground(); ++p) {
            const auto i = static_cast<std::uint64_t>(p);
            const auto poly = item_at<dtPoly>(tile_, layout_.polys, i);
            const auto detail = item_at<dtPolyDetail>(tile_, layout_.detail_meshes, i);
            const bool fits =
                std::uint64_t{detail.vertBase} + detail.vertCount <= layout_.detail_verts.count &&
                std::uint64_t{detail.triBase} + detail.triCount <= layout_.detail_tris.count;
            if (!fits) return corrupt(fmt::format("the detail mesh of polygon {} is not there", p));
            if (Status s = triangles(p, poly.vertCount + unsigned{detail.vertCount}, detail);
                !s.ok())
                return s;
        }
        return {};
    }

    /// Detour relies on a triangle with an edge on the polygon's border.
    Status triangles(int p, unsigned corners, const dtPolyDetail& detail) const {
        bool boundary = false;
        for (std::uint64_t i = 0; i < detail.triCount; ++i) {
            const auto triangle = item_at<std::array<unsigned char, 4>>(
                tile_, layout_.detail_tris, std::uint64_t{detail.triBase} + i);
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

    Status tree() {
        const auto count = static_cast<std::int64_t>(layout_.tree.count);
        for (std::int64_t n = 0; n < count; ++n) {
            const auto node = item_at<dtBVNode>(tile_, layout_.tree, static_cast<std::uint64_t>(n));
            const bool fine = node.i >= 0 ? node.i < num_ground() : n - node.i <= count;
            if (fine) continue;
            return corrupt(
                fmt::format("node {} of its bounding volume tree leads to {}", n, node.i));
        }
        return {};
    }

    Status connections() {
        for (int i = 0; i < header_.offMeshConCount; ++i) {
            const auto connection = item_at<dtOffMeshConnection>(tile_, layout_.connections,
                                                                 static_cast<std::uint64_t>(i));
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

    std::string_view tile_;
    dtMeshHeader header_;
    TileLayout layout_;
    TileWork work_;
    std::uint64_t links_ =
        0;  // a lower bound: one for each edge with a neighbour, two a connection
};

}  // namespace

bool usable(const float* values, int count) noexcept {
    // A comparison with NaN is false.
    return std::all_of(values, values + count,
                       [](float value) { return std::abs(value) <= kFarthest; });
}

dtMeshHeader header_of(std::string_view tile) noexcept {
    dtMeshHeader header;
    std::memcpy(&header, tile.data(), sizeof(header));
    return header;
}

Result<TileWork> check_tile(std::string_view tile) {
    if (tile.size() < sizeof(dtMeshHeader))
        return fail(StatusCode::corrupt_file,
                    fmt::format("{} bytes are too few for its header", tile.size()));
    const dtMeshHeader header = header_of(tile);
    if (header.magic != DT_NAVMESH_MAGIC)
        return fail(StatusCode::corrupt_file, "it does not begin with 'DNAV'");
    if (header.version != DT_NAVMESH_VERSION) {
        return fail(StatusCode::wrong_version, fmt::format("version {}: only {} is known",
                                                           header.version, DT_NAVMESH_VERSION));
    }
    return TileChecker(tile).check();
}

}  // namespace cairn::detour

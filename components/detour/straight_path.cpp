#include "detour/straight_path.hpp"

#include <DetourCommon.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "detour/detour_mesh.hpp"
#include "mesh/surface.hpp"

namespace cairn::detour {

using mesh::kNone;
using mesh::Link;
using mesh::Mesh;
using mesh::MeshData;
using mesh::MeshTopology;
using mesh::Point;
using mesh::Polygon;
using mesh::Waypoint;

namespace {

using Coordinates = std::array<float, 3>;

/// The point itself if the polygon contains it, seen from above; else the nearest of its border.
Point clamped(const Mesh& mesh, Polygon polygon, const Point& point) noexcept {
    if (mesh.is_connection(polygon)) return nearest_on_connection(mesh, polygon, point);
    if (mesh::contains(mesh.data(), polygon, point)) return point;
    return mesh::nearest_on_border(mesh.data(), polygon, point);
}

/// Points closer than this are one to Detour.
bool equal(const Point& a, const Point& b) noexcept {
    return dtVequal(Coordinates{a.x, a.y, a.z}.data(), Coordinates{b.x, b.y, b.z}.data());
}

/// Writes a point. If it is the last one again, that one gets the polygon, and the flags unless
/// they say nothing. False if there is room for no more.
bool append(const Point& point, unsigned char flags, dtPolyRef ref, StraightPathRoom& out) {
    const float* last = out.count > 0 ? out.points + 3 * std::ptrdiff_t{out.count - 1} : nullptr;
    const bool again = last != nullptr && equal(point_at(last), point);
    if (!again) {
        const Coordinates coordinates{point.x, point.y, point.z};
        std::copy(coordinates.begin(), coordinates.end(),
                  out.points + 3 * std::ptrdiff_t{out.count});
        ++out.count;
    }
    const int at = out.count - 1;
    if (out.flags != nullptr && !(again && flags == 0)) out.flags[at] = flags;
    if (out.refs != nullptr) out.refs[at] = ref;
    return out.count < out.room;
}

}  // namespace

Polygon StraightPath::follow(const MeshData& mesh, const PolyRefs& refs,
                             std::span<const dtPolyRef> corridor) {
    links_.clear();
    Polygon at = refs.polygon(corridor.front());
    for (const dtPolyRef ref : corridor.subspan(1)) {
        const Polygon next = refs.polygon(ref);
        const Link back = links_.empty() ? kNone : mesh::twin(links_.back());
        const Link link = link_between(mesh, at, next, back);
        if (link == kNone) break;
        links_.push_back(link);
        at = next;
    }
    return at;
}

Polygon StraightPath::entered(const MeshTopology& mesh, const Waypoint& at,
                              std::size_t& next) const noexcept {
    const auto found =
        std::find(links_.begin() + static_cast<std::ptrdiff_t>(next), links_.end(), at.link);
    if (found == links_.end()) return mesh.link_polygon[mesh::twin(at.link)];
    std::size_t place = static_cast<std::size_t>(found - links_.begin());
    next = place + 1;
    const auto behind = [&] { return mesh.link_polygon[mesh::twin(links_[place])]; };
    const auto has_end = [&](Link link) {
        const mesh::PortalEnds& ends = mesh.ends[mesh::portal_of(link)];
        return equal(ends.left, at.point) || equal(ends.right, at.point);
    };
    while (place + 1 < links_.size() && has_end(links_[place + 1]) && !mesh.is_connection(behind()))
        ++place;
    return behind();
}

dtStatus StraightPath::pull(const Mesh& mesh, const PolyRefs& refs, const Point& start,
                            const Point& goal, std::span<const dtPolyRef> corridor,
                            mesh::Crossings crossings, mesh::Funnel& funnel,
                            StraightPathRoom& out) {
    const Polygon first = refs.polygon(corridor.front());
    if (first == kNone || refs.polygon(corridor.back()) == kNone)
        return DT_FAILURE | DT_INVALID_PARAM;
    const MeshTopology& topology = *mesh.data().topology;
    const Polygon last = follow(mesh.data(), refs, corridor);
    const bool partial = links_.size() + 1 < corridor.size();
    const dtStatus done = DT_SUCCESS | (partial ? DT_PARTIAL_RESULT : 0);
    funnel.pull(mesh, clamped(mesh, first, start), clamped(mesh, last, goal), links_, string_,
                crossings);
    std::size_t next = 0;
    for (std::size_t i = 0; i < string_.size(); ++i) {
        const Waypoint& at = string_[i];
        unsigned char flags = 0;
        dtPolyRef ref = 0;
        if (i == 0) {
            flags = DT_STRAIGHTPATH_START;
            ref = corridor.front();
        } else if (at.link != kNone) {
            // With all crossings, the later portals of a corner have points of their own.
            const Polygon behind = crossings == mesh::Crossings::all
                                       ? topology.link_polygon[mesh::twin(at.link)]
                                       : entered(topology, at, next);
            flags = topology.is_connection(behind) ? DT_STRAIGHTPATH_OFFMESH_CONNECTION : 0;
            ref = refs.ref(behind);
        } else if (partial) {
            ref = refs.ref(last);
        } else {
            flags = DT_STRAIGHTPATH_END;
        }
        if (!append(at.point, flags, ref, out)) return done | DT_BUFFER_TOO_SMALL;
    }
    return done;
}

}  // namespace cairn::detour

#pragma once
// The string in a corridor of references, written as dtNavMeshQuery::findStraightPath writes it.

#include <DetourNavMesh.h>
#include <DetourStatus.h>

#include <cstddef>
#include <span>
#include <vector>

#include "cairn/detour/poly_refs.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::detour {

/// The arrays of a caller, with room for `room` points, which is at least 1. `flags` and `refs` may
/// be null.
struct StraightPathRoom {
    float* points = nullptr;
    unsigned char* flags = nullptr;
    dtPolyRef* refs = nullptr;
    int room = 0;
    int count = 0;  ///< of the points written
};

/// Pulls strings in corridors of references. Holds the working memory.
class StraightPath {
public:
    /// As PathQuery::findStraightPath, for points that are finite and a corridor of at least one
    /// polygon. May throw std::bad_alloc.
    dtStatus pull(const mesh::Mesh& mesh, const PolyRefs& refs, const mesh::Point& start,
                  const mesh::Point& goal, std::span<const dtPolyRef> corridor,
                  mesh::Crossings crossings, mesh::Funnel& funnel, StraightPathRoom& out);

private:
    /// Sets links_ as far as each polygon of the corridor is linked to the next one, and returns
    /// the last polygon so reached.
    mesh::Polygon follow(const mesh::MeshData& mesh, const PolyRefs& refs,
                         std::span<const dtPolyRef> corridor);
    /// The polygon that the string enters at a waypoint. Where several portals in a row have an end
    /// there, that is the polygon behind the last of them. `next` is the place in links_ behind the
    /// waypoint before, and becomes that behind this one.
    [[nodiscard]] mesh::Polygon entered(const mesh::MeshTopology& mesh, const mesh::Waypoint& at,
                                        std::size_t& next) const noexcept;

    std::vector<mesh::Link> links_;
    std::vector<mesh::Waypoint> string_;
};

}  // namespace cairn::detour

#pragma once
// An abstract path as the inter-edges that it crosses.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/navmesh/mesh.hpp"
#include "hna/hng.hpp"

namespace cairn::hna {

/// Over one inter-edge, out of one cluster and into the next.
struct Step {
    navmesh::Link exit = navmesh::kNone;
    std::uint32_t exit_slot = 0;   // in the cluster that is left
    std::uint32_t cluster = 0;     // that is entered
    std::uint32_t entry_slot = 0;  // there
};

/// The steps of a path over nodes of a level: an exit, its twin, the next exit, and so on.
void steps_from_nodes(const Overlay& overlay, int level, std::span<const navmesh::Link> nodes,
                      std::vector<Step>& steps);

/// The steps of a path over vertices of an HNG, from an end in cluster `start` to one in
/// `goal`. Where such a path touches an inter-edge without crossing it, the way past it costs no
/// more, and it is left out. False if that is no path, as forged labels may give.
[[nodiscard]] bool steps_from_vertices(const Hng& hng, std::span<const std::uint32_t> path,
                                       std::uint32_t start, std::uint32_t goal,
                                       std::vector<Step>& steps);

/// The nodes of a path's steps: the links left by and entered at.
void append_nodes(std::span<const Step> steps, std::vector<navmesh::Link>& nodes);

}  // namespace cairn::hna

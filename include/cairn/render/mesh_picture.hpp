#pragma once
// Pictures of navigation meshes, of their HNA* index and its answers, after Figure 2 of
// V. Rahmani, N. Pelechano, "Towards multi-agent path finding with hierarchical navigation meshes"
// (2020): polygons in the colours of their clusters, portals white and dotted, inter-edges red.
//
// Seen from above, x to the right and z downwards: a mesh made from a grid map looks like the map,
// and a level as RecastDemo shows it from above. Where polygons lie above each other, the upper one
// is visible.

#include <optional>
#include <string>

#include "cairn/hna/discs.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hna/query.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/render/hpa_picture.hpp"
#include "cairn/status.hpp"

namespace cairn::render {

/// A part of the plane, in the units of the mesh.
struct MeshWindow {
    double x = 0;  ///< of its left border
    double z = 0;  ///< of its upper border
    double width = 0;
    double depth = 0;
};

/// Which parts are drawn. All but `portals` need an index: draw_mesh leaves them out.
struct MeshLayers {
    /// The level whose clusters and edges are drawn; 0: the highest.
    int level = 0;
    bool clusters = true;     ///< polygons in the colours of their clusters
    bool portals = true;      ///< if they are large enough to be told apart
    bool inter_edges = true;  ///< portals between clusters
    /// Straight lines between the inter-edges of a cluster; arrows for one-way intra-edges. None if
    /// more than 300,000 would be visible, or if `automatic` ones would cover more than 4 % of the
    /// picture.
    IntraEdges intra_edges = IntraEdges::automatic;
};

/// An answer to draw. It needs to live only during the call and must be ok. Parts that its Detail
/// does not include are left out.
struct MeshRoute {
    const hna::Answer* answer = nullptr;
    bool corridor = true;       ///< tint its polygons
    bool abstract_path = true;  ///< a line over its inter-edges
    bool string = true;         ///< a line over its waypoints
};

/// What a picture shows of a mesh, and how.
struct MeshPicture {
    int longest_side = 0;                ///< of the window in pixels, 64 to 8192; 0: 1600
    std::optional<MeshWindow> window{};  ///< what is shown; the whole mesh if empty
    bool legend = true;
    std::string title{};
    MeshLayers layers{};
    std::optional<MeshRoute> route{};
};

/// The picture of a mesh. Blocked polygons are hatched, areas other than 0 tinted. Errors:
/// bad_option (names the option; a mesh without polygons; a route without an answer, or with one
/// that is not ok or belongs to another mesh). O(n log n) for n polygons. Thread-safe.
[[nodiscard]] Result<Drawing> draw_mesh(const mesh::Mesh& mesh,
                                        const MeshPicture& picture = {}) noexcept;

/// The picture of an index and its mesh. Errors: as draw_mesh; bad_option (a level that the index
/// does not have); stale_index (an answer of another snapshot). O(n log n + intra-edges).
/// Thread-safe.
[[nodiscard]] Result<Drawing> draw_hna(const hna::Index& index,
                                       const MeshPicture& picture = {}) noexcept;

/// The picture of a disc's path on the mesh of its index: the corridor, the band that the disc
/// covers, its line, and red the narrow places that it cannot pass. picture.route is not used.
/// Errors: as draw_mesh; bad_option (an answer that is not ok, or belongs to another mesh).
/// O(n log n). Thread-safe.
[[nodiscard]] Result<Drawing> draw_disc_path(const hna::DiscIndex& index,
                                             const hna::DiscQuery& query,
                                             const hna::DiscAnswer& answer,
                                             const MeshPicture& picture = {}) noexcept;

}  // namespace cairn::render

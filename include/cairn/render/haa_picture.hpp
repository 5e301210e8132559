#pragma once
// Pictures of a HAA* index as agents of one class meet it: terrain and clearance, the part of the
// annotated abstraction that serves them, and a path with all the cells that they cover on it.
//
// After the figures of: D. Harabor, A. Botea, "Hierarchical Path Planning for Multi-Size Agents in
// Heterogeneous Environments", CIG 2008: clearance values of a map, and the abstract graph with
// its annotated edges.

#include <cstdint>
#include <optional>

#include "cairn/haa/index.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/render/hpa_picture.hpp"
#include "cairn/render/map_picture.hpp"
#include "cairn/status.hpp"

namespace cairn::render {

/// How the clearance of the agent's capability is shown. Cells where the agent's capability may
/// stand but agents of its size may not are tinted in any case.
enum class ClearanceStyle : std::uint8_t {
    automatic,  ///< numbers in cells of at least 16 pixels, at most 10,000 of them; else shades
    none,
    shades,   ///< the less clearance there is, the darker
    numbers,  ///< in each cell its clearance; for at most 250,000 cells, or else shades
};

/// Which parts of the index are drawn.
struct HaaLayers {
    /// Of the agent's view: its clusters, entrances, nodes and inter-edges. Intra-edges of level 1
    /// are the annotated ones: between two nodes the one that the agent uses, coloured by the
    /// capability that it was made for. Those of higher levels are the view's.
    HpaLayers view{};
    /// Also what serves other agents only: pale nodes and inter-edges, and between two nodes of
    /// level 1 an intra-edge for each capability that has one.
    bool all_agents = false;
    ClearanceStyle clearance = ClearanceStyle::automatic;
    bool footprints = true;  ///< cells that the agent covers on its path, and at S and G
};

struct HaaPicture {
    MapPicture map{};
    haa::Agent agent{};
    HaaLayers layers{};
    /// Points are anchors; answers are those of haa::Searcher for the agent.
    std::optional<HpaRoute> route{};
};

/// The picture of an index for an agent; its view is made if there is none. Terrain that the agent
/// can stand on is light, other terrain dim, obstacles are dark. Errors: as draw_hpa, and as
/// haa::Index::view. O(cells + abstraction of the area), and the view. Thread-safe.
[[nodiscard]] Result<Drawing> draw_haa(const haa::Index& index, const HaaPicture& picture);

/// HAA* in four panels, two by two: terrain and clearance; the abstraction of all agents; what
/// serves the agent; the paths. Of `picture`, `layers` but for footprints and the title are not
/// used, and a cell size of 0 means one for panels of some 700 pixels. Errors: as draw_haa;
/// bad_option (no route).
[[nodiscard]] Result<Drawing> draw_haa_figure(const haa::Index& index, const HaaPicture& picture);

}  // namespace cairn::render

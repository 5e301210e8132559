#pragma once
// Pictures of a HAA* index for one agent class: terrain and clearance, the part of the annotated
// abstraction that the class uses, and a path with all cells that the agent covers on it.
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

/// How the clearance of the agent's capability is shown. Cells where the capability may stand, but
/// not an agent of this size, are always tinted.
enum class ClearanceStyle : std::uint8_t {
    automatic,  ///< numbers if a cell is at least 16 pixels wide and there are at most 10,000
                ///< cells; otherwise shades
    none,
    shades,   ///< darker for less clearance
    numbers,  ///< the clearance in each cell; shades if there are more than 250,000 cells
};

/// Which parts of the index are drawn.
struct HaaLayers {
    /// The agent's view: its clusters, entrances, nodes and inter-edges. Intra-edges of level 1 are
    /// the annotated ones that the agent uses, in the colour of its capability. Costs that are sums
    /// of others have none. Intra-edges of higher levels are those of the view.
    HpaLayers view{};
    /// Also the parts of level 1 that only other agents use: pale nodes and inter-edges, and
    /// between two nodes an intra-edge for each capability that uses one.
    bool all_agents = false;
    ClearanceStyle clearance = ClearanceStyle::automatic;
    bool footprints = true;  ///< cells that the agent covers on its path, and at S and G
};

/// What a picture shows of an index, and how.
struct HaaPicture {
    MapPicture map{};
    haa::Agent agent{};
    HaaLayers layers{};
    /// Points are anchors; answers are those of haa::Searcher for the agent.
    std::optional<HpaRoute> route{};
};

/// The picture of an index for an agent; the agent's view is made if there is none. Terrain that
/// the agent can stand on is light, other terrain dim, obstacles are dark. Errors: as draw_hpa, and
/// as haa::Index::view. O(cells + abstraction of the area), and the view. Thread-safe.
[[nodiscard]] Result<Drawing> draw_haa(const haa::Index& index, const HaaPicture& picture) noexcept;

/// HAA* in four panels, two by two: terrain and clearance; the abstraction of all agents; the part
/// that the agent uses; the paths. Of `picture`, the title, all `layers` except footprints, and
/// HpaRoute::connections are not used. If `cell` and `longest_side` are 0, panels have about 700
/// pixels a side. Errors: as draw_haa; bad_option (no route). Thread-safe.
[[nodiscard]] Result<Drawing> draw_haa_figure(const haa::Index& index,
                                              const HaaPicture& picture) noexcept;

}  // namespace cairn::render

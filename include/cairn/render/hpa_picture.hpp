#pragma once
// Pictures of an HPA* index and its answers, after the figures of A. Botea, M. Mueller,
// J. Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004: clusters, entrances, transitions,
// the abstract graph, S and G, the abstract, refined and smoothed path.

#include <cstdint>
#include <optional>

#include "cairn/hpa/index.hpp"
#include "cairn/hpa/query.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/render/map_picture.hpp"
#include "cairn/status.hpp"

namespace cairn::render {

/// Which intra-edges are drawn.
enum class IntraEdges : std::uint8_t {
    automatic,  ///< of levels whose intra-edges cover at most an eighth of the picture
    none,
    all,  ///< except on levels with more than 300,000 pairs of nodes; the legend then says so
};

/// Which parts of the index are drawn.
struct HpaLayers {
    /// The levels drawn, 1 to Options::levels of the index. 0 as the highest means the highest of
    /// the index. 0 as the lowest means the lowest whose clusters are at least 24 pixels wide, or
    /// highest_level if there is none below it.
    int lowest_level = 0;
    int highest_level = 0;
    bool clusters = true;     ///< borders, wider for higher levels
    bool entrances = true;    ///< free cells on both sides of borders
    bool nodes = true;        ///< coloured by their highest level
    bool inter_edges = true;  ///< coloured by their highest level
    IntraEdges intra_edges = IntraEdges::automatic;
};

/// A query and its answers. `abstract` is an answer without smoothing, `smoothed` one with; either
/// may be null, and both need to live only during the call.
struct HpaRoute {
    grid::Point start;
    grid::Point goal;
    const hpa::Answer* abstract = nullptr;
    const hpa::Answer* smoothed = nullptr;
    bool connections = true;    ///< S and G to the nodes of their clusters, on highest_level
    bool corridor = true;       ///< tint the clusters on the abstract path
    bool abstract_path = true;  ///< a line through the nodes of `abstract`
    bool refined_path = true;   ///< the cells of `abstract`
    bool smoothed_path = true;  ///< the cells of `smoothed`
};

/// What a picture shows of an index, and how.
struct HpaPicture {
    MapPicture map{};
    HpaLayers layers{};
    std::optional<HpaRoute> route{};
};

/// The picture of an index. Errors: as draw_map; bad_option (a level that the index does not have,
/// lowest above highest, a start or goal outside the map); stale_index (an answer of another
/// snapshot). O(cells + abstract graph of the area). Thread-safe.
[[nodiscard]] Result<Drawing> draw_hpa(const hpa::Index& index,
                                       const HpaPicture& picture = {}) noexcept;

/// HPA* in four panels, two by two: clusters and entrances; the level-1 graph; the highest level's
/// graph with S and G connected; the paths. Of `picture`, `layers`, the title and
/// HpaRoute::connections are not used. If `cell` and `longest_side` are 0, panels have about 700
/// pixels a side. Errors: as draw_hpa; bad_option (no route). Thread-safe.
[[nodiscard]] Result<Drawing> draw_hpa_figure(const hpa::Index& index,
                                              const HpaPicture& picture) noexcept;

}  // namespace cairn::render

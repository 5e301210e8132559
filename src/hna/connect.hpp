#pragma once
// The connect step: the costs between an end of a query and the inter-edges of its clusters (HNA*
// paper, linkNodeToGraph, and section 5).

#include <cstdint>
#include <vector>

#include "cairn/search_statistics.hpp"
#include "hna/cluster_search.hpp"
#include "hna/snapshot.hpp"
#include "overlay/endpoint.hpp"

namespace cairn::hna {

/// What connects an end to the top level, other than level by level.
enum class TopConnection : std::uint8_t {
    rows,     ///< those of the portals of its polygon
    centres,  ///< the row of its polygon's centre
    search,   ///< a search from the end inside the top cluster
};

/// A portal by which a start leaves its polygon, or a goal is entered.
struct Way {
    mesh::Link link = mesh::kNone;  ///< the one in the end's polygon
    Cost cost = kInfinity;          ///< between it and the end
};

/// An end of a query and its connections.
struct End {
    bool connected = false;  // from `place` to level 1 of the index that is asked
    mesh::Place place;
    std::vector<Way> ways;
    cairn::End<MeshBase> levels;  // connected by rows of level 1
    std::uint32_t top_cluster = 0;
    bool by_centre = false;       // top_costs are those of its polygon's centre
    std::vector<Cost> top_costs;  // per inter-edge of the top cluster
};

/// Puts an end at a place and connects it to level 1 by the rows of its polygon's portals, unless
/// it is connected from there. `backward` for a goal, of an end that is one always.
void connect_to_first_level(const Snapshot& snapshot, const mesh::Place& place, bool backward,
                            End& end);

/// Connects an end to the top level. The snapshot must have what that takes. `search` is scratch.
void connect_to_top(const Snapshot& snapshot, TopConnection connection, End& end,
                    ClusterSearch& search, SearchStatistics& effort);

}  // namespace cairn::hna

#pragma once
// The connect step: the costs between start or goal of a query and the inter-edges of its clusters
// (HNA* paper, linkNodeToGraph, and section 5).

#include <cstdint>
#include <vector>

#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "hna/cluster_search.hpp"
#include "hna/snapshot.hpp"
#include "overlay/endpoint.hpp"

namespace cairn::hna {

/// How an endpoint is connected to the top level, unless level by level.
enum class TopConnection : std::uint8_t {
    rows,     ///< the rows of the portals of its polygon
    centres,  ///< the row of its polygon's centre
    search,   ///< a search from the endpoint inside the top cluster
};

/// The start or goal of a query and its connections.
struct Endpoint {
    bool connected = false;  // from `place` to level 1 of the index that is asked
    mesh::Place place;
    std::vector<PortalCost> portals;   // by which a start leaves its polygon, or a goal is entered
    cairn::Endpoint<MeshBase> levels;  // connected by rows of level 1
    std::uint32_t top_cluster = 0;
    bool by_centre = false;       // top_costs are those of its polygon's centre
    std::vector<Cost> top_costs;  // per inter-edge of the top cluster

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(portals, levels, top_costs);
    }
};

/// Moves an endpoint to a place and connects it to level 1 by the rows of its polygon's portals,
/// unless it is connected already. `backward` is true for goals.
void connect_to_first_level(const Snapshot& snapshot, const mesh::Place& place, bool backward,
                            Endpoint& end);

/// Connects an endpoint to the top level. The snapshot must have the parts that `connection` needs.
/// `search` is scratch.
void connect_to_top(const Snapshot& snapshot, TopConnection connection, Endpoint& end,
                    ClusterSearch& search, SearchStatistics& effort);

}  // namespace cairn::hna

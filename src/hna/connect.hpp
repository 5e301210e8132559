#pragma once
// The connect step: the costs between a query's start or goal and the inter-edges of the clusters
// that hold it (HNA* paper, linkNodeToGraph, and section 5).

#include <cstdint>
#include <vector>

#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "hna/cluster_search.hpp"
#include "hna/snapshot.hpp"
#include "overlay/endpoint.hpp"

namespace cairn::hna {

/// How connect_to_top finds the costs of an endpoint.
enum class TopConnection : std::uint8_t {
    rows,     ///< the rows of the portals of its polygon
    centres,  ///< the row of its polygon's centre
    search,   ///< a search from the endpoint inside the top cluster
};

/// The start or goal of a query and its connections.
struct Endpoint {
    bool connected = false;  // `portals` and level 1 of `levels` hold for `place` and the index
    mesh::Place place;
    std::vector<PortalCost> portals;   // over which a start leaves its polygon, or a goal enters it
    cairn::Endpoint<MeshBase> levels;  // costs from level 1 up, where a search climbs the levels
    std::uint32_t top_cluster = 0;
    bool by_centre = false;       // top_costs are those of the polygon's centre
    std::vector<Cost> top_costs;  // per inter-edge of the top cluster

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(portals, levels, top_costs);
    }
};

/// Moves an endpoint to a place and connects it to level 1 by the rows of its polygon's portals. An
/// endpoint that is connected there already stays. `backward`: it is a goal.
void connect_to_first_level(const Snapshot& snapshot, const mesh::Place& place, bool backward,
                            Endpoint& end);

/// Connects an endpoint to the top level: fills top_cluster and top_costs. The snapshot must have
/// the rows that `connection` needs. `search` is working memory; its effort is added to `effort`.
void connect_to_top(const Snapshot& snapshot, TopConnection connection, Endpoint& end,
                    ClusterSearch& search, SearchStatistics& effort);

}  // namespace cairn::hna

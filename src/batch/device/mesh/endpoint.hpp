#pragma once
// The connect step on a mesh: the costs between a start or goal and the inter-edges of its cluster.

#include <algorithm>
#include <cstdint>
#include <span>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/hna_form.hpp"

namespace cairn::batch {

/// Scratch of one endpoint. A place is the index of a portal in the rows of its cluster; a slot is
/// that of an inter-edge. The inter-edges are the first portals, in order of their slots.
struct EndpointMemory {
    CAIRN_HOST_DEVICE EndpointMemory(std::uint32_t links, std::uint32_t borders,
                                     std::uint32_t portals, Carver& carver) noexcept
        : portal_costs(carver.take<Cost>(links)),
          costs(carver.take<Cost>(borders)),
          distances(carver.take<Cost>(portals)),
          shorter(carver.take<Cost>(portals)) {}
    Cost* portal_costs;  // per portal of the polygon; kInfinity where it cannot be crossed
    Cost* costs;         // by slot, to the inter-edges of the cluster
    // Of `search`, by place:
    Cost* distances;  // to the portals of the cluster
    Cost* shorter;    // the distances after the next round
};

enum class EndpointRole : std::uint8_t { start, goal };

/// The start or goal of a request. Costs are those of paths from the start, or to the goal.
struct MeshEndpoint {
    CAIRN_HOST_DEVICE MeshEndpoint(const HnaForm& form, const HnaLevelForm& of,
                                   const mesh::Place& at, EndpointRole role,
                                   const EndpointMemory& scratch) noexcept
        : level(of),
          place(at),
          backward(role == EndpointRole::goal),
          cluster(of.cluster[at.polygon]),
          rows(of.rows(cluster, backward)),
          links(form.mesh.links(at.polygon)),
          memory(scratch) {}

    /// Fills in memory.costs by the rows of the polygon's portals, an inter-edge a lane.
    template <class Team>
    CAIRN_HOST_DEVICE void connect(const HnaForm& form, const Team& team) const {
        find_portal_costs(form, team);
        for (std::uint32_t slot = team.lane(); slot < rows.borders(); slot += team.lanes())
            memory.costs[slot] = cheapest(slot).cost;
        team.sync();
    }

    /// Fills in the same costs by a search inside the cluster, as the paper's parallel connect
    /// (section 5.2). The paper runs an A* for each inter-edge. This is Bellman-Ford, a portal a
    /// lane: each round extends all paths by a polygon, until no distance gets shorter. A round
    /// reads one array and writes another, so the result does not depend on the order of the lanes.
    template <class Team>
    CAIRN_HOST_DEVICE void search(const HnaForm& form, const Team& team) const {
        find_portal_costs(form, team);
        for (std::uint32_t at = team.lane(); at < rows.portals(); at += team.lanes())
            memory.distances[at] = kInfinity;
        team.sync();
        for (std::uint32_t i = team.lane(); i < links.size(); i += team.lanes()) {
            // Only portals that can be crossed have a place.
            if (memory.portal_costs[i] < kInfinity)
                memory.distances[level.places[links[i]]] = memory.portal_costs[i];
        }
        team.sync();
        while (run_round(form, team)) {
        }
        for (std::uint32_t slot = team.lane(); slot < rows.borders(); slot += team.lanes())
            memory.costs[slot] = memory.distances[slot];
        team.sync();
    }

    struct Exit {
        mesh::Link link = mesh::kNone;  // of the endpoint's polygon
        Cost cost = kInfinity;          // from the endpoint by this link to the inter-edge
    };
    /// The link by which an inter-edge is reached at the least cost, the first of equals. Needs
    /// memory.portal_costs, which `connect` and `search` fill in.
    [[nodiscard]] CAIRN_HOST_DEVICE Exit cheapest(std::uint32_t slot) const noexcept {
        Exit best;
        for (std::uint32_t i = 0; i < links.size(); ++i) {
            if (memory.portal_costs[i] >= kInfinity) continue;
            const Cost inside = rows.cost(level.places[links[i]], slot);
            if (inside < kInfinity && memory.portal_costs[i] + inside < best.cost)
                best = {links[i], memory.portal_costs[i] + inside};
        }
        return best;
    }

private:
    template <class Team>
    CAIRN_HOST_DEVICE void find_portal_costs(const HnaForm& form, const Team& team) const {
        const mesh::Point anchor = form.mesh.anchor(place);
        for (std::uint32_t i = team.lane(); i < links.size(); i += team.lanes())
            memory.portal_costs[i] = can_leave(form, links[i])
                                         ? form.mesh.end_cost(place.polygon, anchor, links[i])
                                         : kInfinity;
        team.sync();
    }

    /// Whether a path may leave a link's polygon by the link; for the goal, whether it may enter.
    [[nodiscard]] CAIRN_HOST_DEVICE bool can_leave(const HnaForm& form,
                                                   mesh::Link link) const noexcept {
        return form.mesh.open[backward ? mesh::twin(link) : link] != 0;
    }

    /// Extends all paths by a polygon. False if no distance got shorter.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE bool run_round(const HnaForm& form, const Team& team) const {
        std::uint64_t unchanged = 1;
        for (std::uint32_t at = team.lane(); at < rows.portals(); at += team.lanes()) {
            const mesh::Portal portal = rows.portal(at);
            memory.shorter[at] = std::min(
                memory.distances[at],
                std::min(by_neighbours(form, 2 * portal), by_neighbours(form, 2 * portal + 1)));
            if (memory.shorter[at] < memory.distances[at]) unchanged = 0;
        }
        team.sync();
        for (std::uint32_t at = team.lane(); at < rows.portals(); at += team.lanes())
            memory.distances[at] = memory.shorter[at];
        unchanged = team.least(unchanged);
        team.sync();
        return unchanged == 0;
    }

    /// The least cost to a link's portal by the other portals of the link's polygon.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost by_neighbours(const HnaForm& form,
                                                       mesh::Link link) const noexcept {
        Cost best = kInfinity;
        const mesh::Polygon polygon = form.mesh.link_polygon[link];
        if (polygon == mesh::kNone || level.cluster[polygon] != cluster || !can_leave(form, link))
            return best;
        const auto others = form.mesh.links(polygon);
        const std::uint32_t at = form.mesh.link_place[link];
        CAIRN_NO_UNROLL
        for (std::uint32_t i = 0; i < others.size(); ++i) {
            if (i == at || !can_leave(form, mesh::twin(others[i]))) continue;
            const Cost before = memory.distances[level.places[others[i]]];
            if (before < kInfinity)
                best = std::min(best, before + form.mesh.inside_cost(polygon, i, at));
        }
        return best;
    }

public:
    const HnaLevelForm& level;
    mesh::Place place;
    bool backward;                      // whether this is the goal
    std::uint32_t cluster;              // of the level
    hna::RowsView rows;                 // of the cluster, in the direction of the path
    std::span<const mesh::Link> links;  // of the polygon
    EndpointMemory memory;
};

}  // namespace cairn::batch

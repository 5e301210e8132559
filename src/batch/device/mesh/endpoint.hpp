#pragma once
// The connect step of a team: the costs between the start or goal of a request and the inter-edges
// of its cluster, by the rows of its polygon's portals.

#include <algorithm>
#include <cstdint>
#include <span>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/hna_form.hpp"

namespace cairn::batch {

/// Scratch of one endpoint.
struct EndpointMemory {
    CAIRN_HOST_DEVICE EndpointMemory(const HnaForm& form, Carver& carver) noexcept
        : portal_costs(carver.take<Cost>(form.most_links)),
          costs(carver.take<Cost>(form.most_borders)),
          distances(carver.take<Cost>(form.most_portals)),
          shorter(carver.take<Cost>(form.most_portals)) {}
    Cost* portal_costs;  // to the portals of the polygon; kInfinity where they cannot be crossed
    Cost* costs;         // to the inter-edges of the cluster
    // For searches inside the cluster: to its portals, in the order of its rows
    Cost* distances;
    Cost* shorter;
};

struct MeshEndpoint {
    CAIRN_HOST_DEVICE MeshEndpoint(const HnaForm& form, const mesh::Place& at, bool back,
                                   const EndpointMemory& scratch) noexcept
        : place(at),
          backward(back),
          cluster(form.cluster[at.polygon]),
          rows(form.rows(cluster, back)),
          links(form.mesh.links(at.polygon)),
          memory(scratch) {}

    template <class Team>
    CAIRN_HOST_DEVICE void connect(const HnaForm& form, const Team& team) const {
        find_portal_costs(form, team);
        for (std::uint32_t slot = team.lane(); slot < rows.borders(); slot += team.lanes())
            memory.costs[slot] = cheapest(form, slot).cost;
        team.sync();
    }

    /// The same costs by a search inside the cluster: the paper's parallel connect (section 5.2),
    /// with a lane for each portal of the cluster instead of an A* for each inter-edge
    /// (Bellman-Ford). All distances are shortened by one polygon until none gets shorter. With
    /// many lanes that is the fastest, and the result does not depend on their order.
    template <class Team>
    CAIRN_HOST_DEVICE void search(const HnaForm& form, const Team& team) const {
        find_portal_costs(form, team);
        for (std::uint32_t x = team.lane(); x < rows.portals(); x += team.lanes())
            memory.distances[x] = kInfinity;
        team.sync();
        for (std::uint32_t i = team.lane(); i < links.size(); i += team.lanes()) {
            // Portals that cannot be crossed have no place.
            if (memory.portal_costs[i] < kInfinity)
                memory.distances[form.places[links[i]]] = memory.portal_costs[i];
        }
        team.sync();
        while (shorten(form, team)) {
        }
        for (std::uint32_t slot = team.lane(); slot < rows.borders(); slot += team.lanes())
            memory.costs[slot] = memory.distances[slot];
        team.sync();
    }

    struct Exit {
        mesh::Link link = mesh::kNone;
        Cost cost = kInfinity;
    };
    /// The portal by which an inter-edge is reached at the least cost, the first of equals.
    [[nodiscard]] CAIRN_HOST_DEVICE Exit cheapest(const HnaForm& form,
                                                  std::uint32_t slot) const noexcept {
        Exit best;
        for (std::uint32_t i = 0; i < links.size(); ++i) {
            if (memory.portal_costs[i] >= kInfinity) continue;
            const Cost rest = rows.cost(form.places[links[i]], slot);
            if (rest < kInfinity && memory.portal_costs[i] + rest < best.cost)
                best = {links[i], memory.portal_costs[i] + rest};
        }
        return best;
    }

private:
    template <class Team>
    CAIRN_HOST_DEVICE void find_portal_costs(const HnaForm& form, const Team& team) const {
        const mesh::Point anchor = form.mesh.anchor(place);
        for (std::uint32_t i = team.lane(); i < links.size(); i += team.lanes())
            memory.portal_costs[i] = leaves(form, links[i])
                                         ? form.mesh.end_cost(place.polygon, anchor, links[i])
                                         : kInfinity;
        team.sync();
    }

    /// Whether a path from a start may leave the polygon of a link by it, or a path to a goal enter
    /// it.
    [[nodiscard]] CAIRN_HOST_DEVICE bool leaves(const HnaForm& form,
                                                mesh::Link link) const noexcept {
        return form.mesh.open[backward ? mesh::twin(link) : link] != 0;
    }

    /// Extends all paths by a polygon. False if none got shorter.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE bool shorten(const HnaForm& form, const Team& team) const {
        std::uint64_t unchanged = 1;
        for (std::uint32_t x = team.lane(); x < rows.portals(); x += team.lanes()) {
            const mesh::Portal portal = rows.portal(x);
            memory.shorter[x] = std::min(
                memory.distances[x],
                std::min(by_neighbours(form, 2 * portal), by_neighbours(form, 2 * portal + 1)));
            if (memory.shorter[x] < memory.distances[x]) unchanged = 0;
        }
        team.sync();
        for (std::uint32_t x = team.lane(); x < rows.portals(); x += team.lanes())
            memory.distances[x] = memory.shorter[x];
        unchanged = team.least(unchanged);
        team.sync();
        return unchanged == 0;
    }

    /// The least cost to a portal by the others of its polygon on one side.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost by_neighbours(const HnaForm& form,
                                                       mesh::Link link) const noexcept {
        Cost best = kInfinity;
        const mesh::Polygon polygon = form.mesh.link_polygon[link];
        if (polygon == mesh::kNone || form.cluster[polygon] != cluster || !leaves(form, link))
            return best;
        const auto others = form.mesh.links(polygon);
        const std::uint32_t at = form.mesh.link_place[link];
        for (std::uint32_t i = 0; i < others.size(); ++i) {
            if (i == at || !leaves(form, mesh::twin(others[i]))) continue;
            const Cost before = memory.distances[form.places[others[i]]];
            if (before < kInfinity)
                best = std::min(best, before + form.mesh.inside_cost(polygon, i, at));
        }
        return best;
    }

public:
    mesh::Place place;
    bool backward;
    std::uint32_t cluster;
    hna::RowsView rows;
    std::span<const mesh::Link> links;
    EndpointMemory memory;
};

}  // namespace cairn::batch

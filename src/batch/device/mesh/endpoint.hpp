#pragma once
// The connect step of a team: the costs between an end of a trip and the inter-edges of its
// cluster, by the rows of its polygon's portals.

#include <algorithm>
#include <cstdint>
#include <span>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/hna_form.hpp"

namespace cairn::batch {

/// Scratch of one end.
struct EndMemory {
    CAIRN_HOST_DEVICE EndMemory(const HnaForm& form, Carver& carver) noexcept
        : ways(carver.take<Cost>(form.most_links)),
          costs(carver.take<Cost>(form.most_borders)),
          portals(carver.take<Cost>(form.most_portals)),
          nearer(carver.take<Cost>(form.most_portals)) {}
    Cost* ways;   // to the portals of the polygon; kInfinity where they cannot be crossed
    Cost* costs;  // to the inter-edges of the cluster
    // For searches inside the cluster: to its portals, in the order of its rows
    Cost* portals;
    Cost* nearer;
};

struct DeviceEnd {
    CAIRN_HOST_DEVICE DeviceEnd(const HnaForm& form, const mesh::Place& at, bool back,
                                const EndMemory& scratch) noexcept
        : place(at),
          backward(back),
          cluster(form.cluster[at.polygon]),
          rows(form.rows(cluster, back)),
          links(form.mesh.links(at.polygon)),
          memory(scratch) {}

    template <class Team>
    CAIRN_HOST_DEVICE void connect(const HnaForm& form, const Team& team) const {
        find_ways(form, team);
        for (std::uint32_t slot = team.lane(); slot < rows.borders(); slot += team.lanes())
            memory.costs[slot] = cheapest(form, slot).cost;
        team.sync();
    }

    /// The same costs by a search inside the cluster: the paper's parallel connect (section 5.2),
    /// with the portals of the cluster for its threads instead of an A* for each inter-edge. Ways
    /// are shortened until none is any more: where lanes are many that is the fastest, and the
    /// result does not depend on their order.
    template <class Team>
    CAIRN_HOST_DEVICE void search(const HnaForm& form, const Team& team) const {
        find_ways(form, team);
        for (std::uint32_t x = team.lane(); x < rows.portals(); x += team.lanes())
            memory.portals[x] = kInfinity;
        team.sync();
        for (std::uint32_t i = team.lane(); i < links.size(); i += team.lanes()) {
            // Portals that cannot be crossed have no place.
            if (memory.ways[i] < kInfinity) memory.portals[form.places[links[i]]] = memory.ways[i];
        }
        team.sync();
        while (shorten(form, team)) {
        }
        for (std::uint32_t slot = team.lane(); slot < rows.borders(); slot += team.lanes())
            memory.costs[slot] = memory.portals[slot];
        team.sync();
    }

    struct Way {
        mesh::Link link = mesh::kNone;
        Cost cost = kInfinity;
    };
    /// The portal by which an inter-edge is reached, the first of equals.
    [[nodiscard]] CAIRN_HOST_DEVICE Way cheapest(const HnaForm& form,
                                                 std::uint32_t slot) const noexcept {
        Way best;
        for (std::uint32_t i = 0; i < links.size(); ++i) {
            if (memory.ways[i] >= kInfinity) continue;
            const Cost rest = rows.cost(form.places[links[i]], slot);
            if (rest < kInfinity && memory.ways[i] + rest < best.cost)
                best = {links[i], memory.ways[i] + rest};
        }
        return best;
    }

private:
    template <class Team>
    CAIRN_HOST_DEVICE void find_ways(const HnaForm& form, const Team& team) const {
        const mesh::Point anchor = form.mesh.anchor(place);
        for (std::uint32_t i = team.lane(); i < links.size(); i += team.lanes())
            memory.ways[i] = leaves(form, links[i])
                                 ? form.mesh.end_cost(place.polygon, anchor, links[i])
                                 : kInfinity;
        team.sync();
    }

    /// Whether a way from a start may leave the polygon of a link by it, or one to a goal enter it.
    [[nodiscard]] CAIRN_HOST_DEVICE bool leaves(const HnaForm& form,
                                                mesh::Link link) const noexcept {
        return form.mesh.open[backward ? mesh::twin(link) : link] != 0;
    }

    /// Extends all ways by a polygon. False if none got shorter.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE bool shorten(const HnaForm& form, const Team& team) const {
        std::uint64_t unchanged = 1;
        for (std::uint32_t x = team.lane(); x < rows.portals(); x += team.lanes()) {
            const mesh::Portal portal = rows.portal(x);
            memory.nearer[x] = std::min(
                memory.portals[x],
                std::min(by_neighbours(form, 2 * portal), by_neighbours(form, 2 * portal + 1)));
            if (memory.nearer[x] < memory.portals[x]) unchanged = 0;
        }
        team.sync();
        for (std::uint32_t x = team.lane(); x < rows.portals(); x += team.lanes())
            memory.portals[x] = memory.nearer[x];
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
            const Cost before = memory.portals[form.places[others[i]]];
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
    EndMemory memory;
};

}  // namespace cairn::batch

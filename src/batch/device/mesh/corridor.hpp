#pragma once
// The refine step of a team: from the steps of an abstract path to the polygons of its corridor, as
// hna::Unpack does it. Different lanes follow the legs inside different clusters.

#include <cstdint>
#include <span>

#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "hna/steps.hpp"

namespace cairn::batch {

struct CorridorTask {
    const MeshEndpoint& start;
    const MeshEndpoint& goal;
    std::span<const hna::Step> steps;  // at least one
};

/// The legs of a corridor inside clusters. Leg 0 leaves the start's cluster, the last leg reaches
/// the goal. A leg gives the polygons that it enters.
class CorridorLegs {
public:
    CAIRN_HOST_DEVICE CorridorLegs(const HnaForm& form, const CorridorTask& task) noexcept
        : form_(form), task_(task) {}

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(task_.steps.size()) + 1;
    }

    /// Polygons of a leg.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t length(std::uint32_t leg) const noexcept {
        std::uint32_t links = 0;
        const auto tally = [&](mesh::Link) { ++links; };
        if (leg > 0 && leg < task_.steps.size()) {
            follow_inside(leg, tally);
            return links;
        }
        const EndLeg part = leg == 0 ? leaving() : reaching();
        if (part.link == mesh::kNone) return 0;
        follow_end(part, tally);
        // The last leg is followed backwards, and its inter-edge has been crossed already.
        return links + (part.touched ? 0 : 1) - (leg == 0 ? 0 : 1);
    }

    /// Writes the polygons of a leg, `length(leg)` of them.
    CAIRN_HOST_DEVICE void write(std::uint32_t leg, std::uint32_t count,
                                 mesh::Polygon* out) const noexcept {
        const std::span<const mesh::Polygon> polygon = form_.mesh.link_polygon;
        const auto enter = [&](mesh::Link link) { *out++ = polygon[mesh::twin(link)]; };
        if (leg > 0 && leg < task_.steps.size()) return follow_inside(leg, enter);
        const EndLeg part = leg == 0 ? leaving() : reaching();
        if (part.link == mesh::kNone) return;
        if (leg == 0) {
            if (!part.touched) enter(part.link);
            return follow_end(part, enter);
        }
        // Followed backwards: a polygon left on the way from the goal is entered on the way to it.
        const auto leave = [&](mesh::Link link) {
            if (count > 0) out[--count] = polygon[link];
        };
        if (!part.touched) leave(part.link);
        follow_end(part, leave);
    }

private:
    /// The leg between an endpoint and the inter-edge next to it, seen from the endpoint.
    struct EndLeg {
        const MeshEndpoint* endpoint = nullptr;
        mesh::Link link = mesh::kNone;  // the portal of the endpoint's polygon
        std::uint32_t slot = 0;
        bool touched = false;  // the endpoint lies on that portal, which is not crossed
    };

    [[nodiscard]] CAIRN_HOST_DEVICE EndLeg leaving() const noexcept {
        return end_leg(task_.start, task_.steps.front().exit_slot);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE EndLeg reaching() const noexcept {
        const std::uint32_t slot = task_.steps.back().entry_slot;
        const EndLeg leg = end_leg(task_.goal, slot);
        // Where the inter-edge is the goal's own, it has been crossed.
        const bool crossed = leg.link == mesh::kNone || form_.places[leg.link] == slot;
        return crossed ? EndLeg{} : leg;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE EndLeg end_leg(const MeshEndpoint& endpoint,
                                                   std::uint32_t slot) const noexcept {
        EndLeg leg{&endpoint, endpoint.cheapest(form_, slot).link, slot, false};
        if (leg.link == mesh::kNone) return leg;
        const std::uint32_t place = form_.places[leg.link];
        if (place == slot) return leg;
        const std::uint32_t hop = endpoint.rows.hop(place, slot);
        const mesh::Link next = 2 * endpoint.rows.portal(hop / 2) + hop % 2;
        leg.touched = form_.mesh.link_polygon[next] == form_.mesh.link_polygon[leg.link];
        return leg;
    }

    template <class Use>
    CAIRN_HOST_DEVICE void follow_end(const EndLeg& leg, Use&& use) const noexcept {
        leg.endpoint->rows.follow_path(form_.places[leg.link], leg.slot, use);
    }
    template <class Use>
    CAIRN_HOST_DEVICE void follow_inside(std::uint32_t leg, Use&& use) const noexcept {
        const hna::Step& entered = task_.steps[leg - 1];
        form_.towards[entered.cluster].follow_path(entered.entry_slot, task_.steps[leg].exit_slot,
                                                   use);
    }

    const HnaForm& form_;
    const CorridorTask& task_;
};

}  // namespace cairn::batch

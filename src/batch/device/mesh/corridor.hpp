#pragma once
// The refine step of a team: from the steps of an abstract path to the polygons of its corridor, as
// hna::Unpack does it. Different lanes follow the legs inside different clusters.

#include <cstddef>
#include <cstdint>
#include <span>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "core/labels/cut_labels_climb.hpp"
#include "hna/steps.hpp"

namespace cairn::batch {

/// The legs of a corridor inside clusters. Leg 0 leaves the start's cluster, the last leg reaches
/// the goal. A leg gives the polygons that it enters.
class CorridorLegs {
public:
    /// `steps`: at least one.
    CAIRN_HOST_DEVICE CorridorLegs(const HnaForm& form, const MeshEndpoint& start,
                                   const MeshEndpoint& goal,
                                   std::span<const hna::Step> steps) noexcept
        : form_(form), start_(start), goal_(goal), steps_(steps) {}

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(steps_.size()) + 1;
    }

    /// Polygons of a leg.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t length(std::uint32_t leg) const noexcept {
        std::uint32_t links = 0;
        const auto tally = [&](mesh::Link) { ++links; };
        if (leg > 0 && leg < steps_.size()) {
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
        if (leg > 0 && leg < steps_.size()) return follow_inside(leg, enter);
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
        return end_leg(start_, steps_.front().exit_slot);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE EndLeg reaching() const noexcept {
        const std::uint32_t slot = steps_.back().entry_slot;
        const EndLeg leg = end_leg(goal_, slot);
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
        const hna::Step& entered = steps_[leg - 1];
        form_.towards[entered.cluster].follow_path(entered.entry_slot, steps_[leg].exit_slot, use);
    }

    const HnaForm& form_;
    const MeshEndpoint& start_;
    const MeshEndpoint& goal_;
    std::span<const hna::Step> steps_;
};

/// A list of vertices of the HNG. A path has none twice.
[[nodiscard]] CAIRN_HOST_DEVICE inline FixedList carve_list(const HnaForm& form,
                                                            Carver& carver) noexcept {
    const std::size_t room = form.hng.count() + std::size_t{1};
    return {carver.take<std::uint32_t>(room), room};
}

/// Scratch for a path of a team.
struct PathMemory {
    CAIRN_HOST_DEVICE PathMemory(const HnaForm& form, Carver& carver) noexcept
        : vertices(carve_list(form, carver)),
          steps(carver.take<hna::Step>(vertices.room)),
          offsets(carver.take<std::uint32_t>(vertices.room + 2)) {}
    FixedList vertices;
    hna::Step* steps;
    std::uint32_t* offsets;
};

/// Writes the corridor along the first `count` vertices, which the first lane has put there and
/// counted. False if they are no path from start to goal, which forged labels may cause.
template <class Team>
[[nodiscard]] CAIRN_HOST_DEVICE bool refine(const HnaForm& form, const HnaTask& task,
                                            const Team& team, const MeshEndpoint& start,
                                            const MeshEndpoint& goal, const PathMemory& memory,
                                            std::size_t count, RequestAnswer& answer) {
    std::uint32_t steps = 0;
    if (team.lane() == 0) {
        const auto put = [&](const hna::Step& step) { memory.steps[steps++] = step; };
        if (!hna::for_each_step(form.hng, {memory.vertices.items, count}, start.cluster,
                                goal.cluster, put)) {
            steps = 0;
        }
    }
    steps = static_cast<std::uint32_t>(team.first(steps));
    team.sync();
    if (steps == 0) return false;
    const CorridorLegs legs(form, start, goal, {memory.steps, steps});
    write_path(task, team, start.place.polygon, legs, memory.offsets, answer);
    return true;
}

}  // namespace cairn::batch

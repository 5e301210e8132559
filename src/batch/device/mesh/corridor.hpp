#pragma once
// The refine step on a mesh: from an abstract path to the polygons of its corridor, which are those
// of hna::Unpack. Each lane follows the path inside other clusters.

#include <cstddef>
#include <cstdint>
#include <span>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "core/labels/hop_path.hpp"
#include "hna/steps.hpp"

namespace cairn::batch {

/// The legs of a corridor, one for each cluster that it passes: leg 0 lies in the start's cluster,
/// the last one in the goal's. The items of a leg are the polygons that it enters; all legs but the
/// last end by crossing an inter-edge.
class CorridorLegs {
public:
    /// `steps` must not be empty: start and goal lie in different clusters.
    CAIRN_HOST_DEVICE CorridorLegs(const HnaForm& form, const MeshEndpoint& start,
                                   const MeshEndpoint& goal,
                                   std::span<const hna::Step> steps) noexcept
        : form_(form), level_(start.level), start_(start), goal_(goal), steps_(steps) {}

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(steps_.size()) + 1;
    }

    /// How many polygons a leg enters.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t length(std::uint32_t leg) const noexcept {
        std::uint32_t links = 0;
        const auto count_link = [&](mesh::Link) { ++links; };
        if (leg > 0 && leg < steps_.size()) {
            follow_inside(leg, count_link);
            return links;
        }
        const EndLeg end = leg == 0 ? first_leg() : last_leg();
        if (end.link == mesh::kNone) return 0;
        follow_end(end, count_link);
        // The last leg is followed from the goal, up to the inter-edge that the leg before crossed.
        return links + (end.touched ? 0 : 1) - (leg == 0 ? 0 : 1);
    }

    /// Writes the polygons that a leg enters, in order. `count` is length(leg).
    CAIRN_HOST_DEVICE void write(std::uint32_t leg, std::uint32_t count,
                                 mesh::Polygon* out) const noexcept {
        const std::span<const mesh::Polygon> polygon = form_.mesh.link_polygon;
        const auto enter = [&](mesh::Link link) { *out++ = polygon[mesh::twin(link)]; };
        if (leg > 0 && leg < steps_.size()) return follow_inside(leg, enter);
        const EndLeg end = leg == 0 ? first_leg() : last_leg();
        if (end.link == mesh::kNone) return;
        if (leg == 0) {
            if (!end.touched) enter(end.link);
            return follow_end(end, enter);
        }
        // From the goal: a link that leaves a polygon on this way enters it on the way to the goal.
        const auto leave = [&](mesh::Link link) {
            if (count > 0) out[--count] = polygon[link];
        };
        if (!end.touched) leave(end.link);
        follow_end(end, leave);
    }

private:
    /// The leg between an endpoint and an inter-edge of its cluster, seen from the endpoint.
    struct EndLeg {
        const MeshEndpoint* endpoint = nullptr;
        mesh::Link link = mesh::kNone;  // of the endpoint's polygon; see MeshEndpoint::cheapest
        std::uint32_t slot = 0;         // of the inter-edge
        bool touched = false;  // the path touches the link's portal, but leaves by another one
    };

    [[nodiscard]] CAIRN_HOST_DEVICE EndLeg first_leg() const noexcept {
        return end_leg(start_, steps_.front().exit_slot);
    }
    /// Without a link if the inter-edge leads into the goal's polygon: there is no other to enter.
    [[nodiscard]] CAIRN_HOST_DEVICE EndLeg last_leg() const noexcept {
        EndLeg leg = end_leg(goal_, steps_.back().entry_slot);
        if (leg.link != mesh::kNone && level_.places[leg.link] == leg.slot) leg.link = mesh::kNone;
        return leg;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE EndLeg end_leg(const MeshEndpoint& endpoint,
                                                   std::uint32_t slot) const noexcept {
        EndLeg leg{&endpoint, endpoint.cheapest(slot).link, slot, false};
        if (leg.link == mesh::kNone) return leg;
        const std::uint32_t place = level_.places[leg.link];
        if (place == slot) return leg;
        const std::uint32_t hop = endpoint.rows.hop(place, slot);
        const mesh::Link next = 2 * endpoint.rows.portal(hop / 2) + hop % 2;
        leg.touched = form_.mesh.link_polygon[next] == form_.mesh.link_polygon[leg.link];
        return leg;
    }

    template <class Use>
    CAIRN_HOST_DEVICE void follow_end(const EndLeg& leg, Use&& use) const noexcept {
        leg.endpoint->rows.follow_path(level_.places[leg.link], leg.slot, use);
    }
    template <class Use>
    CAIRN_HOST_DEVICE void follow_inside(std::uint32_t leg, Use&& use) const noexcept {
        const hna::Step& entered = steps_[leg - 1];
        level_.towards[entered.cluster].follow_path(entered.entry_slot, steps_[leg].exit_slot, use);
    }

    const HnaForm& form_;
    const HnaLevelForm& level_;
    const MeshEndpoint& start_;
    const MeshEndpoint& goal_;
    std::span<const hna::Step> steps_;
};

/// Scratch for a path of vertices of an HNG, none of which it has twice. The HNG of level 1 has the
/// most: an inter-edge of a level is one of all levels below.
[[nodiscard]] CAIRN_HOST_DEVICE inline FixedList carve_list(const HnaForm& form,
                                                            Carver& carver) noexcept {
    const std::size_t room = form.first.hng.count() + std::size_t{1};
    return {carver.take<std::uint32_t>(room), room};
}

/// Scratch of `refine`.
struct PathMemory {
    CAIRN_HOST_DEVICE PathMemory(const HnaForm& form, Carver& carver) noexcept
        : vertices(carve_list(form, carver)),
          steps(carver.take<hna::Step>(vertices.room)),
          offsets(carver.take<std::uint32_t>(vertices.room + 2)) {}
    FixedList vertices;      // of the abstract path
    hna::Step* steps;        // the inter-edges that it crosses
    std::uint32_t* offsets;  // of write_path
};

/// Writes the corridor along the first `count` of memory.vertices; only lane 0 reads these. False
/// if they are not a path from start to goal, which forged labels may cause.
template <class Team>
[[nodiscard]] CAIRN_HOST_DEVICE bool refine(const HnaForm& form, const HnaTask& task,
                                            const Team& team, const MeshEndpoint& start,
                                            const MeshEndpoint& goal, const PathMemory& memory,
                                            std::size_t count, RequestAnswer& answer) {
    std::uint32_t steps = 0;
    if (team.lane() == 0) {
        const auto put = [&](const hna::Step& step) { memory.steps[steps++] = step; };
        if (!hna::for_each_step(start.level.hng, {memory.vertices.items, count}, start.cluster,
                                goal.cluster, put)) {
            steps = 0;
        }
    }
    steps = static_cast<std::uint32_t>(team.broadcast(steps));
    team.sync();
    if (steps == 0) return false;
    const CorridorLegs legs(form, start, goal, {memory.steps, steps});
    write_path(task, team, start.place.polygon, legs, memory.offsets, answer);
    return true;
}

}  // namespace cairn::batch

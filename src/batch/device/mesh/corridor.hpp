#pragma once
// The refine step of a team: from the steps of an abstract path to the polygons of its corridor, as
// hna::Unpack does it. The ways inside the clusters are followed by different lanes.

#include <cstdint>
#include <span>

#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "hna/steps.hpp"

namespace cairn::batch {

struct CorridorTask {
    const DeviceEnd& start;
    const DeviceEnd& goal;
    std::span<const hna::Step> steps;  // at least one
};

/// Gives the polygons entered on the ways inside clusters: way 0 leaves the start's, the last
/// reaches the goal.
class CorridorWays {
public:
    CAIRN_HOST_DEVICE CorridorWays(const HnaForm& form, const CorridorTask& task) noexcept
        : form_(form), task_(task) {}

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(task_.steps.size()) + 1;
    }

    /// Polygons of a way.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t length(std::uint32_t way) const noexcept {
        std::uint32_t links = 0;
        const auto tally = [&](mesh::Link) { ++links; };
        if (way > 0 && way < task_.steps.size()) {
            follow_inside(way, tally);
            return links;
        }
        const EndWay end = way == 0 ? leaving() : reaching();
        if (end.link == mesh::kNone) return 0;
        follow_end(end, tally);
        // The way to the goal is turned round, and its inter-edge has been crossed.
        return links + (end.touched ? 0 : 1) - (way == 0 ? 0 : 1);
    }

    /// Writes a way's polygons, `length(way)` of them.
    CAIRN_HOST_DEVICE void write(std::uint32_t way, std::uint32_t count,
                                 mesh::Polygon* out) const noexcept {
        const std::span<const mesh::Polygon> polygon = form_.mesh.link_polygon;
        const auto enter = [&](mesh::Link link) { *out++ = polygon[mesh::twin(link)]; };
        if (way > 0 && way < task_.steps.size()) return follow_inside(way, enter);
        const EndWay end = way == 0 ? leaving() : reaching();
        if (end.link == mesh::kNone) return;
        if (way == 0) {
            if (!end.touched) enter(end.link);
            return follow_end(end, enter);
        }
        // Turned round: what is left on the way from the goal is entered on the way there.
        const auto leave = [&](mesh::Link link) {
            if (count > 0) out[--count] = polygon[link];
        };
        if (!end.touched) leave(end.link);
        follow_end(end, leave);
    }

private:
    /// Between an end and the inter-edge next to it, from the end's side.
    struct EndWay {
        const DeviceEnd* end = nullptr;
        mesh::Link link = mesh::kNone;  // the portal in the end's polygon
        std::uint32_t slot = 0;
        bool touched = false;  // the end lies on that portal, which is not crossed
    };

    [[nodiscard]] CAIRN_HOST_DEVICE EndWay leaving() const noexcept {
        return end_way(task_.start, task_.steps.front().exit_slot);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE EndWay reaching() const noexcept {
        const std::uint32_t slot = task_.steps.back().entry_slot;
        const EndWay way = end_way(task_.goal, slot);
        // Where the inter-edge is the goal's own, it has been crossed.
        const bool crossed = way.link == mesh::kNone || form_.places[way.link] == slot;
        return crossed ? EndWay{} : way;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE EndWay end_way(const DeviceEnd& end,
                                                   std::uint32_t slot) const noexcept {
        EndWay way{&end, end.cheapest(form_, slot).link, slot, false};
        if (way.link == mesh::kNone) return way;
        const std::uint32_t place = form_.places[way.link];
        if (place == slot) return way;
        const std::uint32_t hop = end.rows.hop(place, slot);
        const mesh::Link next = 2 * end.rows.portal(hop / 2) + hop % 2;
        way.touched = form_.mesh.link_polygon[next] == form_.mesh.link_polygon[way.link];
        return way;
    }

    template <class Use>
    CAIRN_HOST_DEVICE void follow_end(const EndWay& way, Use&& use) const noexcept {
        way.end->rows.follow_way(form_.places[way.link], way.slot, use);
    }
    template <class Use>
    CAIRN_HOST_DEVICE void follow_inside(std::uint32_t way, Use&& use) const noexcept {
        const hna::Step& entered = task_.steps[way - 1];
        form_.towards[entered.cluster].follow_way(entered.entry_slot, task_.steps[way].exit_slot,
                                                  use);
    }

    const HnaForm& form_;
    const CorridorTask& task_;
};

}  // namespace cairn::batch

#pragma once
// From the vertices of an abstract path to a trip's corridor.

#include <cstddef>
#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/corridor.hpp"
#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "batch/device/route.hpp"
#include "hna/steps.hpp"

namespace cairn::batch {

/// Lists of a team's paths, which have no vertex twice.
struct PathMemory {
    CAIRN_HOST_DEVICE PathMemory(const HnaForm& form, Carver& carver) noexcept
        : room(form.hng.count() + std::size_t{1}),
          vertices(carver.take<std::uint32_t>(room)),
          steps(carver.take<hna::Step>(room)),
          offsets(carver.take<std::uint32_t>(room + 2)) {}
    std::size_t room;
    std::uint32_t* vertices;
    hna::Step* steps;
    std::uint32_t* offsets;
};

/// Writes the corridor along the first `count` vertices, which the first lane has put there and
/// counted. False if they are no path between the ends, as forged labels may have it.
template <class Team>
[[nodiscard]] CAIRN_HOST_DEVICE bool refine(const HnaForm& form, const HnaTask& task,
                                            const Team& team, const DeviceEnd& start,
                                            const DeviceEnd& goal, const PathMemory& memory,
                                            std::size_t count, TripAnswer& answer) {
    std::uint32_t steps = 0;
    if (team.lane() == 0) {
        const auto put = [&](const hna::Step& step) { memory.steps[steps++] = step; };
        if (!hna::for_each_step(form.hng, {memory.vertices, count}, start.cluster, goal.cluster,
                                put)) {
            steps = 0;
        }
    }
    steps = static_cast<std::uint32_t>(team.first(steps));
    team.sync();
    if (steps == 0) return false;
    const CorridorTask corridor{start, goal, {memory.steps, steps}};
    write_route(task, team, start.place.polygon, CorridorWays(form, corridor), memory.offsets,
                answer);
    return true;
}

}  // namespace cairn::batch

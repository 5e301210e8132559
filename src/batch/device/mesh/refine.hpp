#pragma once
// From the vertices of an abstract path to a request's corridor.

#include <cstddef>
#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/corridor.hpp"
#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "batch/device/route.hpp"
#include "hna/steps.hpp"

namespace cairn::batch {

/// Lists for a path of a team. A path has no vertex twice.
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
/// counted. False if they are no path from start to goal, which forged labels may cause.
template <class Team>
[[nodiscard]] CAIRN_HOST_DEVICE bool refine(const HnaForm& form, const HnaTask& task,
                                            const Team& team, const MeshEndpoint& start,
                                            const MeshEndpoint& goal, const PathMemory& memory,
                                            std::size_t count, RequestAnswer& answer) {
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
    write_path(task, team, start.place.polygon, CorridorLegs(form, corridor), memory.offsets,
               answer);
    return true;
}

}  // namespace cairn::batch

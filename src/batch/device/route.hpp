#pragma once
// Writes a path that consists of legs. A lane follows a leg by itself: once to count its items,
// once to write them in their place.

#include <cstddef>
#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "core/host_device.hpp"

namespace cairn::batch {

/// Claims room for a path and writes it: one item, then those of `legs`. There are
/// `legs.count()` legs of `legs.length(leg)` items each, which `legs.write(leg, length, out)`
/// writes. Where there is no room, only the length is counted. `offsets` is scratch for one number
/// more than there are legs.
template <class Form, class Team, class Legs>
CAIRN_HOST_DEVICE void write_path(const KernelTask<Form>& task, const Team& team,
                                  std::uint32_t begin, const Legs& legs, std::uint32_t* offsets,
                                  RequestAnswer& answer) {
    std::uint64_t length = 1;
    for (std::uint32_t base = 0; base < legs.count(); base += team.lanes()) {
        const std::uint32_t leg = base + team.lane();
        const std::uint64_t mine = leg < legs.count() ? legs.length(leg) : 0;
        const std::uint64_t before = team.before(mine);
        if (leg < legs.count()) offsets[leg] = static_cast<std::uint32_t>(length + before);
        length += team.sum(mine);
    }
    if (team.lane() == 0) offsets[legs.count()] = static_cast<std::uint32_t>(length);
    team.sync();
    answer.length = static_cast<std::uint32_t>(length);
    const std::uint64_t first = team.claim(*task.used, length);
    if (first + length > task.room) return;
    answer.first = first;
    std::uint32_t* const out = task.items + first;
    if (team.lane() == 0) *out = begin;
    for (std::uint32_t leg = team.lane(); leg < legs.count(); leg += team.lanes())
        legs.write(leg, offsets[leg + 1] - offsets[leg], out + offsets[leg]);
}

}  // namespace cairn::batch

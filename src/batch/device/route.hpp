#pragma once
// Writes a route that consists of ways, each of which a lane can follow by itself: once to count
// its items, once to write them in their place.

#include <cstddef>
#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "core/host_device.hpp"

namespace cairn::batch {

/// Claims room for a route and writes it: one item, then those of `ways`, which has `count()`, of
/// `length(way)` items each, that `write(way, length, out)` writes. Only its length if there is no
/// room. `offsets` is scratch, for one more than the ways.
template <class Form, class Team, class Ways>
CAIRN_HOST_DEVICE void write_route(const KernelTask<Form>& task, const Team& team,
                                   std::uint32_t begin, const Ways& ways, std::uint32_t* offsets,
                                   TripAnswer& answer) {
    std::uint64_t length = 1;
    for (std::uint32_t base = 0; base < ways.count(); base += team.lanes()) {
        const std::uint32_t way = base + team.lane();
        const std::uint64_t mine = way < ways.count() ? ways.length(way) : 0;
        const std::uint64_t before = team.before(mine);
        if (way < ways.count()) offsets[way] = static_cast<std::uint32_t>(length + before);
        length += team.sum(mine);
    }
    if (team.lane() == 0) offsets[ways.count()] = static_cast<std::uint32_t>(length);
    team.sync();
    answer.length = static_cast<std::uint32_t>(length);
    const std::uint64_t first = team.claim(*task.used, length);
    if (first + length > task.room) return;
    answer.first = first;
    std::uint32_t* const out = task.items + first;
    if (team.lane() == 0) *out = begin;
    for (std::uint32_t way = team.lane(); way < ways.count(); way += team.lanes())
        ways.write(way, offsets[way + 1] - offsets[way], out + offsets[way]);
}

}  // namespace cairn::batch

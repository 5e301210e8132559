#pragma once
// The lanes that answer one request together. A kernel is a template over its team: a warp on a
// GPU, a single lane on a processor, several threads in tests. All lanes of a team call the
// functions of a team, in the same order.

#include <cstdint>

#include "core/host_device.hpp"

namespace cairn::batch {

/// Of the lanes that have chosen something: how many before this one, and how many in all.
struct Chosen {
    std::uint32_t before = 0;
    std::uint32_t all = 0;
};

class OneLane {
public:
    [[nodiscard]] CAIRN_HOST_DEVICE static constexpr std::uint32_t lane() noexcept { return 0; }
    [[nodiscard]] CAIRN_HOST_DEVICE static constexpr std::uint32_t lanes() noexcept { return 1; }
    /// What lanes have written before, all of them may read after.
    CAIRN_HOST_DEVICE void sync() const noexcept {}
    /// The least of the lanes' values.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t least(std::uint64_t value) const noexcept {
        return value;
    }
    /// The sum of the values of the lanes before this one.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t before(std::uint64_t /*value*/) const noexcept {
        return 0;
    }
    /// The sum of all lanes' values.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t sum(std::uint64_t value) const noexcept {
        return value;
    }
    /// Counts the lanes that say yes.
    [[nodiscard]] CAIRN_HOST_DEVICE Chosen chosen(bool mine) const noexcept {
        return {0, mine ? 1U : 0U};
    }
    /// The value of the first lane.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t first(std::uint64_t value) const noexcept {
        return value;
    }
    /// Adds to a counter that all teams share, once for the team; what it was.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t claim(std::uint64_t& counter,
                                                        std::uint64_t count) const noexcept {
#ifdef __CUDA_ARCH__
        static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
        return atomicAdd(reinterpret_cast<unsigned long long*>(&counter),
                         static_cast<unsigned long long>(count));
#else
        return __atomic_fetch_add(&counter, count, __ATOMIC_RELAXED);
#endif
    }
};

}  // namespace cairn::batch

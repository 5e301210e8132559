#pragma once
// A team: the lanes that answer one request together. A kernel is a template over its team: a warp
// or a single thread on a GPU, a single lane on the host, several threads in tests. Every function
// of a team except lane() and lanes() is collective: all lanes of the team must call it, in the
// same order. None but sync() orders accesses to memory.

#include <cstdint>

#include "core/host_device.hpp"

namespace cairn::batch {

/// A count of lanes.
struct LaneCount {
    std::uint32_t before = 0;  ///< those with a lower number than this lane
    std::uint32_t all = 0;     ///< those of the whole team

    friend bool operator==(const LaneCount&, const LaneCount&) = default;
};

/// A sum over lanes.
struct LaneSum {
    std::uint64_t before = 0;  ///< the values of the lanes with a lower number than this lane
    std::uint64_t all = 0;     ///< those of the whole team

    friend bool operator==(const LaneSum&, const LaneSum&) = default;
};

/// A team of one lane. Its functions document those of all teams.
class OneLane {
public:
    /// The number of this lane, from 0.
    [[nodiscard]] CAIRN_HOST_DEVICE static constexpr std::uint32_t lane() noexcept { return 0; }
    [[nodiscard]] CAIRN_HOST_DEVICE static constexpr std::uint32_t lanes() noexcept { return 1; }
    /// A barrier: what any lane wrote to memory before it, all lanes may read after it.
    CAIRN_HOST_DEVICE void sync() const noexcept {}
    /// The least of the lanes' values.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t least(std::uint64_t value) const noexcept {
        return value;
    }
    /// Adds the lanes' values.
    [[nodiscard]] CAIRN_HOST_DEVICE LaneSum sum(std::uint64_t value) const noexcept {
        return {0, value};
    }
    /// Counts the lanes for which `condition` holds.
    [[nodiscard]] CAIRN_HOST_DEVICE LaneCount count(bool condition) const noexcept {
        return {0, condition ? 1U : 0U};
    }
    /// Gives all lanes the value of lane 0.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t broadcast(std::uint64_t value) const noexcept {
        return value;
    }
    /// Adds lane 0's `count` to a counter that all teams share: atomically, with relaxed order,
    /// once for the team. Gives all lanes the value that the counter had before.
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

#pragma once
// METIS draws from the C library's rand(): calls are seeded, and kept apart by this lock.

#include <metis.h>

#include <cstdint>
#include <mutex>

namespace cairn {

static_assert(sizeof(idx_t) == sizeof(std::int32_t), "METIS must be built with 32-bit indices");

[[nodiscard]] inline std::mutex& metis_lock() {
    static std::mutex lock;
    return lock;
}

}  // namespace cairn

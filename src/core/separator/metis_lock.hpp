#pragma once
// The lock that every call of METIS holds: METIS seeds the C library's rand() and draws from it.

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

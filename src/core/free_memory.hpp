#pragma once
// Memory that a long build has freed goes back to the system.

#include <cstddef>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace cairn {

/// Call it between the stages of a build: the C library keeps what a stage has freed in many small
/// pieces, and the next stage, which needs large arrays, takes new memory. `items`: nodes or
/// clusters of the stage; nothing is done for few.
inline void return_free_memory([[maybe_unused]] std::size_t items) noexcept {
#if defined(__GLIBC__)
    constexpr std::size_t kMany = 1 << 18;
    if (items >= kMany) static_cast<void>(malloc_trim(0));
#endif
}

}  // namespace cairn

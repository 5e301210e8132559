#pragma once
// Makes malloc, calloc, realloc and their like fail: those of the C libraries that Cairn uses, too.

#include <cstdint>

namespace cairn::test {

/// Whether this build can: with the GNU C library, and without sanitizers, whose malloc it is.
[[nodiscard]] bool can_fail_malloc() noexcept;

/// From now on the allocation number `first` fails (1 is the next), and those after it if
/// `all_later`. 0: none.
void fail_malloc(std::uint64_t first, bool all_later) noexcept;

/// Allocations since fail_malloc() was last called.
[[nodiscard]] std::uint64_t mallocs() noexcept;

}  // namespace cairn::test

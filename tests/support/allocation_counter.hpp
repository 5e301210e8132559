#pragma once
// Counts the heap allocations of a test program and their bytes. Tests show with it that warmed
// queries allocate nothing and that memory() is the number of bytes held.

#include <cstdint>

namespace cairn::test {

/// Whether allocations are counted. Sanitizers have their own operator new; under them both counts
/// stay 0, and tests that need a count skip.
[[nodiscard]] bool counts_allocations() noexcept;

/// Calls of operator new so far, by all threads.
[[nodiscard]] std::uint64_t allocations() noexcept;

/// Bytes allocated by operator new and not yet freed, by all threads.
[[nodiscard]] std::uint64_t allocated_bytes() noexcept;

}  // namespace cairn::test

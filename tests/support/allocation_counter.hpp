#pragma once
// Counts the program's heap allocations, to show that warmed queries make none.

#include <cstdint>

namespace cairn::test {

/// Whether allocations are counted: not under sanitizers, which have their own operator new. Tests
/// then skip.
[[nodiscard]] bool counts_allocations() noexcept;

/// Calls of operator new so far, by all threads.
[[nodiscard]] std::uint64_t allocations() noexcept;

}  // namespace cairn::test

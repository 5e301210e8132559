#pragma once
// Counts the program's heap allocations and their bytes, to show that warmed queries make none and
// that memory() counts what is held.

#include <cstdint>

namespace cairn::test {

/// Whether allocations are counted: not under sanitizers, which have their own operator new. Tests
/// then skip.
[[nodiscard]] bool counts_allocations() noexcept;

/// Calls of operator new so far, by all threads.
[[nodiscard]] std::uint64_t allocations() noexcept;

/// Bytes asked of operator new and not released yet, by all threads.
[[nodiscard]] std::uint64_t allocated_bytes() noexcept;

}  // namespace cairn::test

#pragma once
// Counts the heap allocations of a test program and their bytes, and makes them fail. Tests show
// with it that warmed queries allocate nothing, that memory() is the number of bytes held, and that
// calls survive when memory runs out.

#include <cstdint>

namespace cairn::test {

/// Whether allocations are counted. Sanitizers have their own operator new; under them both counts
/// stay 0, and tests that need a count skip.
[[nodiscard]] bool counts_allocations() noexcept;

/// Calls of operator new so far, by all threads.
[[nodiscard]] std::uint64_t allocations() noexcept;

/// Bytes allocated by operator new and not yet freed, by all threads.
[[nodiscard]] std::uint64_t allocated_bytes() noexcept;

/// Makes operator new fail while the object lives, on all threads, also under sanitizers, but not
/// under the thread sanitizer. There may be only one at a time.
class FailingAllocations {
public:
    /// The allocation number `first` from now on fails (1 is the next), and those after it if
    /// `all_later`.
    explicit FailingAllocations(std::uint64_t first, bool all_later = false) noexcept;
    ~FailingAllocations();
    FailingAllocations(const FailingAllocations&) = delete;
    FailingAllocations& operator=(const FailingAllocations&) = delete;

    /// How many allocations have failed.
    [[nodiscard]] std::uint64_t failed() const noexcept;
    /// How many succeeded before the first that fails.
    [[nodiscard]] std::uint64_t passed() const noexcept;

private:
    std::uint64_t first_;
};

}  // namespace cairn::test

// Replaces the global operator new and delete. Under sanitizers they call malloc and free, which
// the sanitizers watch, and count nothing. Not under the thread sanitizer, which allows no others
// than its own.

#include "support/allocation_counter.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define CAIRN_SANITIZED 1
#elif __has_feature(thread_sanitizer)
#define CAIRN_THREAD_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define CAIRN_SANITIZED 1
#elif defined(__SANITIZE_THREAD__)
#define CAIRN_THREAD_SANITIZED 1
#endif

namespace {

/// The number of the allocation that fails next, counted from now; 0 while none is to fail.
std::atomic<std::uint64_t> until_failure{0};
std::atomic<bool> fails_on{false};  ///< whether those after it fail, too
std::atomic<std::uint64_t> failures{0};

/// Throws where FailingAllocations says so.
[[maybe_unused]] void fail_if_asked() {
    std::uint64_t left = until_failure.load();
    while (left > 0) {
        const std::uint64_t next = left == 1 && fails_on ? 1 : left - 1;
        if (!until_failure.compare_exchange_weak(left, next)) continue;
        if (left > 1) return;
        ++failures;
        throw std::bad_alloc();
    }
}

}  // namespace

namespace cairn::test {

FailingAllocations::FailingAllocations(std::uint64_t first, bool all_later) noexcept
    : first_(first) {
    failures = 0;
    fails_on = all_later;
    until_failure = first;
}
FailingAllocations::~FailingAllocations() { until_failure = 0; }
std::uint64_t FailingAllocations::failed() const noexcept { return failures; }
std::uint64_t FailingAllocations::passed() const noexcept { return first_ - until_failure; }

}  // namespace cairn::test

#if defined(CAIRN_SANITIZED) || defined(CAIRN_THREAD_SANITIZED)

namespace cairn::test {

bool counts_allocations() noexcept { return false; }
std::uint64_t allocations() noexcept { return 0; }
std::uint64_t allocated_bytes() noexcept { return 0; }

}  // namespace cairn::test

#endif

#if defined(CAIRN_SANITIZED)

namespace {

void* allocate(std::size_t size) {
    fail_if_asked();
    void* const memory = std::malloc(std::max<std::size_t>(size, 1));
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void* allocate(std::size_t size, std::align_val_t alignment) {
    fail_if_asked();
    const auto unit = static_cast<std::size_t>(alignment);
    void* const memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, alignment);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

// The sanitizers have their own of these, which do not call those above.
void* operator new[](std::size_t size) { return ::operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return ::operator new(size, alignment);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return ::operator new(size, std::nothrow);
}
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

#elif !defined(CAIRN_THREAD_SANITIZED)

namespace {

std::atomic<std::uint64_t> count{0};
std::atomic<std::uint64_t> bytes{0};

constexpr std::size_t kLeastAlignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

// Each block begins with a header: padding, then the size of the memory behind it. The header is as
// long as the alignment, which keeps the memory aligned.
std::size_t header_bytes(std::align_val_t alignment) {
    return std::max(static_cast<std::size_t>(alignment), kLeastAlignment);
}

void* allocate(std::size_t size, std::align_val_t alignment) {
    fail_if_asked();
    const std::size_t header = header_bytes(alignment);
    auto* const block = static_cast<std::byte*>(
        std::aligned_alloc(header, (header + size + header - 1) / header * header));
    if (block == nullptr) throw std::bad_alloc();
    std::memcpy(block + header - sizeof size, &size, sizeof size);
    count.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(size, std::memory_order_relaxed);
    return block + header;
}

void release(void* memory, std::align_val_t alignment) noexcept {
    if (memory == nullptr) return;
    auto* const begin = static_cast<std::byte*>(memory);
    std::size_t size = 0;
    std::memcpy(&size, begin - sizeof size, sizeof size);
    bytes.fetch_sub(size, std::memory_order_relaxed);
    std::free(begin - header_bytes(alignment));
}

constexpr auto kDefaultAlignment = static_cast<std::align_val_t>(kLeastAlignment);

}  // namespace

namespace cairn::test {

bool counts_allocations() noexcept { return true; }
std::uint64_t allocations() noexcept { return count.load(std::memory_order_relaxed); }
std::uint64_t allocated_bytes() noexcept { return bytes.load(std::memory_order_relaxed); }

}  // namespace cairn::test

void* operator new(std::size_t size) { return allocate(size, kDefaultAlignment); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, alignment);
}
void operator delete(void* memory) noexcept { release(memory, kDefaultAlignment); }
void operator delete(void* memory, std::size_t) noexcept { release(memory, kDefaultAlignment); }
void operator delete(void* memory, std::align_val_t alignment) noexcept {
    release(memory, alignment);
}
void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept {
    release(memory, alignment);
}

#endif

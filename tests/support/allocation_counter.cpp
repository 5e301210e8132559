// Replaces the global operator new and delete, except under sanitizers.

#include "support/allocation_counter.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define CAIRN_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAIRN_SANITIZED 1
#endif

#ifdef CAIRN_SANITIZED

namespace cairn::test {

bool counts_allocations() noexcept { return false; }
std::uint64_t allocations() noexcept { return 0; }
std::uint64_t allocated_bytes() noexcept { return 0; }

}  // namespace cairn::test

#else

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

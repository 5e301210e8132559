#include "support/allocation_counter.hpp"

#include <atomic>
#include <cstdlib>
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

}  // namespace cairn::test

#else

namespace {

std::atomic<std::uint64_t> count{0};

void* counted(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    count.fetch_add(1, std::memory_order_relaxed);
    return memory;
}

}  // namespace

namespace cairn::test {

bool counts_allocations() noexcept { return true; }
std::uint64_t allocations() noexcept { return count.load(std::memory_order_relaxed); }

}  // namespace cairn::test

void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto a = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(a, (size + a - 1) / a * a));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif

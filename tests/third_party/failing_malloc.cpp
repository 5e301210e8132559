// Replaces malloc and its like, for the shared libraries that the program uses, too.

#include "third_party/failing_malloc.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define CAIRN_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAIRN_SANITIZED 1
#endif

#if defined(__GLIBC__) && !defined(CAIRN_SANITIZED)

namespace {

std::atomic<std::uint64_t> count{0};
std::atomic<std::uint64_t> first_failing{0};
std::atomic<bool> fails_on{false};

/// Whether the allocation that asks is to fail.
bool fails() noexcept {
    const std::uint64_t number = ++count;
    const std::uint64_t first = first_failing;
    if (first == 0 || number < first || (number > first && !fails_on)) return false;
    errno = ENOMEM;
    return true;
}

}  // namespace

namespace cairn::test {

bool can_fail_malloc() noexcept { return true; }
void fail_malloc(std::uint64_t first, bool all_later) noexcept {
    fails_on = all_later;
    count = 0;
    first_failing = first;
}
std::uint64_t mallocs() noexcept { return count; }

}  // namespace cairn::test

// The GNU C library's own, under the names by which it offers them to programs that replace malloc.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t number, std::size_t size) {
    return fails() ? nullptr : __libc_calloc(number, size);
}
void* realloc(void* memory, std::size_t size) {
    return fails() ? nullptr : __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    return fails() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    *memory = memalign(alignment, size);
    return *memory == nullptr ? ENOMEM : 0;
}
}
// NOLINTEND(bugprone-reserved-identifier)

#else

namespace cairn::test {

bool can_fail_malloc() noexcept { return false; }
void fail_malloc(std::uint64_t, bool) noexcept {}
std::uint64_t mallocs() noexcept { return 0; }

}  // namespace cairn::test

#endif

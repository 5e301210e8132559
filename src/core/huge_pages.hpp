#pragma once
// Large pages for memory that is written once from end to end. With pages of four kilobytes,
// clearing and mapping them takes longer than the writing.

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cairn {

/// Asks the system to map an array that is not yet written with large pages; arrays of a few
/// megabytes stay as they are. Only a hint. Where free memory is fragmented, making large pages may
/// take time at first; a user who asks again and again, as for a batch a frame, gets back the pages
/// that were freed before.
inline void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
    constexpr std::size_t kPage = 4096;
    constexpr std::size_t kWorthIt = std::size_t{4} << 20;
    if (bytes < kWorthIt) return;
    std::size_t room = bytes;
    if (std::align(kPage, kWorthIt / 2, memory, room) == nullptr) return;
    static_cast<void>(madvise(memory, room / kPage * kPage, MADV_HUGEPAGE));
#endif
}

/// An array of items that are not yet written.
template <class T>
[[nodiscard]] std::unique_ptr<T[]> unwritten_array(std::size_t count) {
    std::unique_ptr<T[]> items(new T[count]);  // libc++ 14 has no make_unique_for_overwrite
    ask_for_huge_pages(items.get(), count * sizeof(T));
    return items;
}

}  // namespace cairn

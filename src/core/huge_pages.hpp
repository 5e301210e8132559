#pragma once
// Huge pages for large arrays that are written once from end to end. With pages of 4 KiB, the
// system takes longer to clear and map them than the program takes to write.

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cairn {

/// Hints that an array not yet written should get huge pages; arrays below 4 MiB are left alone.
/// Where free memory is fragmented, the first array may be slow to get them. Later arrays, such as
/// those of a batch in every frame, reuse the pages that were freed.
inline void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
    constexpr std::size_t kPage = 4096;
    constexpr std::size_t kMinBytes = std::size_t{4} << 20;
    if (bytes < kMinBytes) return;
    std::size_t aligned_bytes = bytes;
    if (std::align(kPage, kPage, memory, aligned_bytes) == nullptr) return;
    static_cast<void>(madvise(memory, aligned_bytes / kPage * kPage, MADV_HUGEPAGE));
#endif
}

/// An array whose items are not initialised.
template <class T>
[[nodiscard]] std::unique_ptr<T[]> unwritten_array(std::size_t count) {
    std::unique_ptr<T[]> items(new T[count]);  // libc++ 14 has no make_unique_for_overwrite
    ask_for_huge_pages(items.get(), count * sizeof(T));
    return items;
}

}  // namespace cairn

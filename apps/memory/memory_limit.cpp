#include "memory/memory_limit.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace cairn::app {
namespace {

/// The arrays in the file. The whole of it is mapped once, at addresses that no other memory has,
/// so an address tells whether an array lies there. The records of arrays are small allocations,
/// which do not come here.
class ArrayFile {
public:
    /// Arrays of this size or more lie in the file.
    static constexpr std::size_t kLeast = std::size_t{1} << 20;

    /// 0, or the errno of the failure.
    [[nodiscard]] int open(const char* folder) noexcept {
        file_ = ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (file_ < 0) return errno;
        if (::fallocate(file_, 0, 0, kPage) != 0) return errno;
        void* const at =
            ::mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
        if (at == MAP_FAILED) return errno;
        begin_ = static_cast<char*>(at);
        return 0;
    }

    [[nodiscard]] bool holds(const void* array) const noexcept {
        const auto* const at = static_cast<const char*>(array);
        return begin_ != nullptr && at >= begin_ && at < begin_ + kMost;
    }

    /// Null if the disk has no room.
    [[nodiscard]] void* allocate(std::size_t bytes) {
        const std::size_t size = (bytes + kPage - 1) / kPage * kPage;
        const std::scoped_lock lock(mutex_);
        auto place = free_.begin();
        while (place != free_.end() && place->second < size) ++place;
        const bool reuse = place != free_.end();
        const std::size_t at = reuse ? place->first : end_;
        if (size > kMost - at ||
            ::fallocate(file_, 0, static_cast<off_t>(at), static_cast<off_t>(size)) != 0)
            return nullptr;
        arrays_.emplace(at, size);
        if (reuse) {
            const std::size_t left = place->second - size;
            free_.erase(place);
            if (left > 0) free_.emplace(at + size, left);
        } else {
            end_ += size;
        }
        return begin_ + at;
    }

    void free(void* array) {
        const std::scoped_lock lock(mutex_);
        const auto own = arrays_.find(static_cast<std::size_t>(static_cast<char*>(array) - begin_));
        auto [at, size] = *own;
        arrays_.erase(own);
        // What the disk held is given back; the addresses are used again.
        static_cast<void>(::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                      static_cast<off_t>(at), static_cast<off_t>(size)));
        const auto after = free_.find(at + size);
        if (after != free_.end()) {
            size += after->second;
            free_.erase(after);
        }
        if (const auto before = free_.lower_bound(at); before != free_.begin()) {
            const auto neighbour = std::prev(before);
            if (neighbour->first + neighbour->second == at) {
                neighbour->second += size;
                return;
            }
        }
        free_.emplace(at, size);
    }

    /// Drops the pages of all arrays. Their contents stay, in the system's cache or on disk.
    void drop() noexcept {
        std::size_t end = 0;
        {
            const std::scoped_lock lock(mutex_);
            end = end_;
        }
        static_cast<void>(::madvise(begin_, end, MADV_DONTNEED));
    }

private:
    static constexpr std::size_t kPage = 4096;
    static constexpr std::size_t kMost = std::size_t{1} << 40;  // addresses, not memory

    int file_ = -1;
    char* begin_ = nullptr;
    std::mutex mutex_;
    std::size_t end_ = 0;                        // of the addresses that were ever used
    std::map<std::size_t, std::size_t> free_;    // by offset: bytes, no two of them adjacent
    std::map<std::size_t, std::size_t> arrays_;  // by offset: bytes
};

/// Global, since operator new is. Never destroyed: arrays may outlive main().
std::atomic<ArrayFile*> array_file{nullptr};

/// The bytes that the program holds in memory; 0 if the system does not tell.
std::uint64_t resident(int statm) noexcept {
    std::array<char, 128> text{};
    if (::pread(statm, text.data(), text.size() - 1, 0) <= 0) return 0;
    char* next = nullptr;
    std::strtoull(text.data(), &next, 10);
    return std::strtoull(next, nullptr, 10) * 4096;
}

/// Looks every few milliseconds how much memory is held. What is left after pages were dropped may
/// be more than `most`: then they are dropped again only when a sixteenth of `most` was added.
void watch(ArrayFile& arrays, std::uint64_t most) {
    constexpr std::chrono::milliseconds kPause{10};
    const int statm = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (statm < 0) return;
    std::uint64_t bound = most;
    for (;;) {
        std::this_thread::sleep_for(kPause);
        if (resident(statm) <= bound) continue;
        arrays.drop();
        bound = std::max(most, resident(statm) + most / 16);
    }
}

}  // namespace

Status limit_memory(const std::string& folder, std::uint64_t most) noexcept try {
    auto* const arrays = new ArrayFile;
    if (const int error = arrays->open(folder.c_str()); error != 0) {
        delete arrays;
        return {StatusCode::io_error, fmt::format("{}: cannot make a file for large arrays: {}",
                                                  folder, std::generic_category().message(error))};
    }
    std::thread(watch, std::ref(*arrays), most).detach();
    array_file.store(arrays);
    return {};
} catch (...) {
    return {StatusCode::out_of_memory, {}};
}

}  // namespace cairn::app

void* operator new(std::size_t size) {
    using cairn::app::array_file;
    using cairn::app::ArrayFile;
    ArrayFile* const arrays = array_file.load(std::memory_order_relaxed);
    void* const memory = arrays != nullptr && size >= ArrayFile::kLeast
                             ? arrays->allocate(size)
                             : std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept {
    using cairn::app::array_file;
    auto* const arrays = array_file.load(std::memory_order_relaxed);
    if (arrays != nullptr && arrays->holds(memory)) {
        arrays->free(memory);
    } else {
        std::free(memory);
    }
}
void operator delete(void* memory, std::size_t /*size*/) noexcept { operator delete(memory); }

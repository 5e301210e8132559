#pragma once
// Memory for Detour that faults at an access beyond the end of an allocation or to freed memory.
// Sanitizers miss such an access in a library that is built without them.

#include <DetourAlloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <map>

namespace cairn::detour {

/// During its lifetime, each of Detour's allocations ends right before a page without access.
/// Detour must free them all within that lifetime. One thread only.
class GuardedMemory {
public:
    GuardedMemory() { dtAllocSetCustom(allocate, release); }
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;
    ~GuardedMemory() { dtAllocSetCustom(nullptr, nullptr); }

private:
    struct Mapping {
        void* base;
        std::size_t size;
    };
    static std::map<void*, Mapping>& mappings() {
        static std::map<void*, Mapping> all;
        return all;
    }

    static void* allocate(std::size_t size, dtAllocHint /*hint*/) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t rounded = (size + 3) / 4 * 4;  // Detour stores 4-byte values
        const std::size_t mapped = (rounded + page - 1) / page * page + page;
        void* base =
            mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (base == MAP_FAILED) return nullptr;
        char* guard = static_cast<char*>(base) + mapped - page;
        if (mprotect(guard, page, PROT_NONE) != 0) std::abort();
        mappings()[guard - rounded] = {base, mapped};
        return guard - rounded;
    }

    static void release(void* memory) {
        const auto found = mappings().find(memory);
        if (memory == nullptr) return;
        if (found == mappings().end()) std::abort();
        munmap(found->second.base, found->second.size);
        mappings().erase(found);
    }
};

}  // namespace cairn::detour

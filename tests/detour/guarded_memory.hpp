#pragma once
// Memory for Detour in which a step beyond an allocation's end, or into freed memory, is a fault
// of the machine: sanitizers do not see what a library built without them does.

#include <DetourAlloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <map>

namespace cairn::detour {

/// While it lives, all that Detour allocates ends right before a page that must not be touched.
/// Everything allocated meanwhile must be freed meanwhile; one thread only.
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
        const std::size_t used = (size + 3) / 4 * 4;
        const std::size_t whole = (used + page - 1) / page * page + page;
        void* base =
            mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (base == MAP_FAILED) return nullptr;
        char* guard = static_cast<char*>(base) + whole - page;
        if (mprotect(guard, page, PROT_NONE) != 0) std::abort();
        mappings()[guard - used] = {base, whole};
        return guard - used;
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

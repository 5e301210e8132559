#pragma once
// A text too large to be made of bytes.

#include <sys/mman.h>

#include <cstddef>
#include <string_view>

namespace cairn::test {

/// A text of `size` zero bytes, which take memory only where they are read.
class EmptyText {
public:
    explicit EmptyText(std::size_t size)
        : memory_(
              ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
          size_(size) {}
    EmptyText(const EmptyText&) = delete;
    EmptyText& operator=(const EmptyText&) = delete;
    ~EmptyText() {
        if (memory_ != MAP_FAILED) ::munmap(memory_, size_);
    }

    /// Empty if the system gave no addresses.
    [[nodiscard]] std::string_view view() const {
        if (memory_ == MAP_FAILED) return {};
        return {static_cast<const char*>(memory_), size_};
    }

private:
    void* memory_;
    std::size_t size_;
};

}  // namespace cairn::test

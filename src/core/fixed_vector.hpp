#pragma once
// A vector in memory of a fixed size, for GPUs.

#include <cstddef>

#include "core/host_device.hpp"

namespace cairn {

/// Items that do not fit are dropped; overflown() then says so.
template <class T>
class FixedVector {
public:
    FixedVector() = default;
    CAIRN_HOST_DEVICE FixedVector(T* items, std::size_t capacity) noexcept
        : items_(items), capacity_(capacity) {}

    CAIRN_HOST_DEVICE void push_back(const T& item) noexcept {
        if (count_ == capacity_) {
            overflown_ = true;
            return;
        }
        items_[count_++] = item;
    }
    CAIRN_HOST_DEVICE void pop_back() noexcept { --count_; }
    CAIRN_HOST_DEVICE void clear() noexcept { count_ = 0; }
    [[nodiscard]] CAIRN_HOST_DEVICE T* data() noexcept { return items_; }
    [[nodiscard]] CAIRN_HOST_DEVICE T& operator[](std::size_t i) noexcept { return items_[i]; }
    [[nodiscard]] CAIRN_HOST_DEVICE const T& front() const noexcept { return items_[0]; }
    [[nodiscard]] CAIRN_HOST_DEVICE const T& back() const noexcept { return items_[count_ - 1]; }
    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t size() const noexcept { return count_; }
    [[nodiscard]] CAIRN_HOST_DEVICE bool empty() const noexcept { return count_ == 0; }
    [[nodiscard]] CAIRN_HOST_DEVICE bool overflown() const noexcept { return overflown_; }

private:
    T* items_ = nullptr;
    std::size_t capacity_ = 0;
    std::size_t count_ = 0;
    bool overflown_ = false;
};

}  // namespace cairn

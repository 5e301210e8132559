#pragma once
// A value that one thread replaces while others take copies of the newest one.

#include <mutex>
#include <utility>

namespace cairn::test {

template <class T>
class Published {
public:
    explicit Published(T first) : newest_(std::move(first)) {}
    [[nodiscard]] T get() {
        const std::scoped_lock lock(mutex_);
        return newest_;
    }
    void set(T newest) {
        const std::scoped_lock lock(mutex_);
        newest_ = std::move(newest);
    }

private:
    std::mutex mutex_;
    T newest_;
};

}  // namespace cairn::test

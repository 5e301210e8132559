#include <algorithm>
#include <chrono>

#include "cairn/control.hpp"

namespace cairn {

std::int64_t Deadline::now() noexcept {
    using std::chrono::nanoseconds;
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<nanoseconds>(time).count();
}

Deadline Deadline::in_microseconds(std::uint64_t microseconds) noexcept {
    constexpr std::uint64_t kMost = 1'000'000'000'000'000;  // 30 years
    Deadline deadline;
    deadline.time_ = now() + static_cast<std::int64_t>(1000 * std::min(microseconds, kMost));
    return deadline;
}

}  // namespace cairn

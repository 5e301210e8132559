#pragma once
// Loops of the tool itself on several threads.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace cairn::app {

/// The number of threads for the option `threads`: 0 means one per processor, which is also the
/// most.
[[nodiscard]] inline std::size_t thread_count(int threads) {
    const auto most = std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
    return threads > 0 ? std::min(static_cast<std::size_t>(threads), most) : most;
}

/// Calls use(thread, i) for 0 to `count` - 1, on threads numbered from 0 to below
/// thread_count(threads). `use` must not throw.
template <class Use>
void for_each_on_threads(std::size_t count, int threads, Use&& use) {
    std::atomic<std::size_t> next{0};
    const auto work = [&](std::size_t thread) {
        for (std::size_t i = next++; i < count; i = next++) use(thread, i);
    };
    std::vector<std::thread> others;
    const std::size_t all = std::min(thread_count(threads), count);
    for (std::size_t thread = 1; thread < all; ++thread) others.emplace_back(work, thread);
    work(0);
    for (std::thread& thread : others) thread.join();
}

}  // namespace cairn::app

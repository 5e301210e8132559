#pragma once
// A team (batch/device/team.hpp) whose lanes are threads. It stands for a warp on a GPU, but its
// threads run freely between barriers, so that the thread sanitizer sees missing ones. As on a GPU
// only sync() orders accesses to memory: under that sanitizer the other functions use relaxed
// atomics alone.

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "batch/device/team.hpp"

namespace cairn::test {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#else
inline constexpr bool kThreadSanitizer = false;
#endif

class ThreadTeam {
public:
    /// What the lanes of a team share. Must outlive them.
    struct Shared {
        explicit Shared(std::uint32_t lanes)
            : barrier(static_cast<std::ptrdiff_t>(lanes)), values(lanes) {}
        std::barrier<> barrier;
        std::vector<std::atomic<std::uint64_t>> values;
        // Of a barrier that orders nothing.
        std::atomic<std::size_t> arrived{0};
        std::atomic<std::uint32_t> round{0};
    };

    ThreadTeam(Shared& shared, std::uint32_t lane) : shared_(&shared), lane_(lane) {}

    [[nodiscard]] std::uint32_t lane() const noexcept { return lane_; }
    [[nodiscard]] std::uint32_t lanes() const noexcept {
        return static_cast<std::uint32_t>(shared_->values.size());
    }
    void sync() const { shared_->barrier.arrive_and_wait(); }
    [[nodiscard]] std::uint64_t least(std::uint64_t value) const {
        return of_all(value, [](const auto& all) {
            std::uint64_t least = all[0];
            for (const std::uint64_t lane_value : all) least = std::min(least, lane_value);
            return least;
        });
    }
    [[nodiscard]] batch::LaneSum sum(std::uint64_t value) const {
        const auto sum_of_first = [&](std::uint32_t count) {
            return of_all(value, [count](const auto& all) {
                std::uint64_t sum = 0;
                for (std::uint32_t i = 0; i < count; ++i) sum += all[i];
                return sum;
            });
        };
        return {sum_of_first(lane_), sum_of_first(lanes())};
    }
    [[nodiscard]] batch::LaneCount count(bool condition) const {
        const batch::LaneSum lanes = sum(condition ? 1 : 0);
        return {static_cast<std::uint32_t>(lanes.before), static_cast<std::uint32_t>(lanes.all)};
    }
    [[nodiscard]] std::uint64_t broadcast(std::uint64_t value) const {
        return of_all(value, [](const auto& all) { return all[0]; });
    }
    [[nodiscard]] std::uint64_t claim(std::uint64_t& counter, std::uint64_t count) const {
        std::uint64_t before = 0;
        if (lane_ == 0)
            before = std::atomic_ref(counter).fetch_add(count, std::memory_order_relaxed);
        return broadcast(before);
    }

private:
    /// Every lane shares its value, then computes a result from the values of all lanes.
    template <class Compute>
    [[nodiscard]] std::uint64_t of_all(std::uint64_t value, Compute&& compute) const {
        shared_->values[lane_].store(value, std::memory_order_relaxed);
        meet();
        std::vector<std::uint64_t> all;
        all.reserve(lanes());
        for (const auto& each : shared_->values)
            all.push_back(each.load(std::memory_order_relaxed));
        const std::uint64_t result = compute(all);
        meet();
        return result;
    }

    // Waits until all lanes are here. The sanitizer must not see an order of accesses to memory;
    // the processor keeps one (relaxed operations of x86-64 are not reordered like this).
    void meet() const {
        if constexpr (!kThreadSanitizer) {
            sync();
        } else {
            constexpr auto kNoOrder = std::memory_order_relaxed;
            const std::uint32_t round = shared_->round.load(kNoOrder);
            if (shared_->arrived.fetch_add(1, kNoOrder) + 1 < lanes()) {
                while (shared_->round.load(kNoOrder) == round) std::this_thread::yield();
            } else {
                shared_->arrived.store(0, kNoOrder);
                shared_->round.store(round + 1, kNoOrder);
            }
        }
    }

    Shared* shared_;
    std::uint32_t lane_;
};

/// Calls work(team) on every lane of one team, each on its own thread, and waits for them.
template <class Work>
void run_team(std::uint32_t lanes, Work&& work) {
    ThreadTeam::Shared shared(lanes);
    std::vector<std::thread> threads;
    threads.reserve(lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
        threads.emplace_back([&, lane] { work(ThreadTeam(shared, lane)); });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace cairn::test

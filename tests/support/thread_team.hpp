#pragma once
// A team (batch/device/team.hpp) whose lanes are threads. It stands for a warp on a GPU, but its
// threads run freely between barriers, so that the thread sanitizer sees missing ones.

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

class ThreadTeam {
public:
    /// What the lanes of a team share. Must outlive them.
    struct Shared {
        explicit Shared(std::uint32_t lanes)
            : barrier(static_cast<std::ptrdiff_t>(lanes)), values(lanes) {}
        std::barrier<> barrier;
        std::vector<std::uint64_t> values;
    };

    ThreadTeam(Shared& shared, std::uint32_t lane) : shared_(&shared), lane_(lane) {}

    [[nodiscard]] std::uint32_t lane() const noexcept { return lane_; }
    [[nodiscard]] std::uint32_t lanes() const noexcept {
        return static_cast<std::uint32_t>(shared_->values.size());
    }
    void sync() const { shared_->barrier.arrive_and_wait(); }
    [[nodiscard]] std::uint64_t least(std::uint64_t value) const {
        return of_all(value, [](const auto& all) { return *std::ranges::min_element(all); });
    }
    [[nodiscard]] std::uint64_t sum_before(std::uint64_t value) const {
        return of_all(value, [this](const auto& all) {
            std::uint64_t sum = 0;
            for (std::uint32_t i = 0; i < lane_; ++i) sum += all[i];
            return sum;
        });
    }
    [[nodiscard]] std::uint64_t sum(std::uint64_t value) const {
        return of_all(value, [](const auto& all) {
            std::uint64_t sum = 0;
            for (const std::uint64_t lane_value : all) sum += lane_value;
            return sum;
        });
    }
    [[nodiscard]] batch::LaneCount count(bool condition) const {
        const std::uint64_t value = condition ? 1 : 0;
        return {static_cast<std::uint32_t>(sum_before(value)),
                static_cast<std::uint32_t>(sum(value))};
    }
    [[nodiscard]] std::uint64_t broadcast(std::uint64_t value) const {
        return of_all(value, [](const auto& all) { return all.front(); });
    }
    [[nodiscard]] std::uint64_t claim(std::uint64_t& counter, std::uint64_t count) const {
        std::uint64_t before = 0;
        if (lane_ == 0) before = std::atomic_ref(counter).fetch_add(count);
        return broadcast(before);
    }

private:
    /// Every lane shares its value, then computes a result from the values of all lanes.
    template <class Compute>
    [[nodiscard]] std::uint64_t of_all(std::uint64_t value, Compute&& compute) const {
        shared_->values[lane_] = value;
        sync();
        const std::uint64_t result = compute(shared_->values);
        sync();
        return result;
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

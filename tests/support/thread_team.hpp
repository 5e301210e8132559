#pragma once
// A team of threads: what a warp does on a GPU, done by threads that run freely between the points
// where lanes wait for each other.

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
    /// What the lanes of a team share.
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
            for (const std::uint64_t each : all) sum += each;
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
        std::uint64_t was = 0;
        if (lane_ == 0) was = std::atomic_ref(counter).fetch_add(count);
        return broadcast(was);
    }

private:
    template <class Use>
    [[nodiscard]] std::uint64_t of_all(std::uint64_t value, Use&& use) const {
        shared_->values[lane_] = value;
        sync();
        const std::uint64_t result = use(shared_->values);
        sync();
        return result;
    }

    Shared* shared_;
    std::uint32_t lane_;
};

/// Runs work(team) on all lanes of one team.
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

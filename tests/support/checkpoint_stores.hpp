#pragma once
// Stores of checkpoints for tests.

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/checkpoints.hpp"
#include "cairn/control.hpp"

namespace cairn::test {

/// Keeps checkpoints in memory, without a checksum.
class MemoryStore : public CheckpointStore {
public:
    [[nodiscard]] bool read(std::string_view name, std::string& bytes) noexcept override try {
        const std::scoped_lock lock(mutex_);
        const auto found = kept.find(std::string(name));
        if (found == kept.end()) return false;
        bytes = found->second;
        ++reads;
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
    [[nodiscard]] Status write(std::string_view name, std::string_view bytes) noexcept override
        try {
        const std::scoped_lock lock(mutex_);
        if (writes++ == most_writes) {
            if (cancel == nullptr) return {StatusCode::io_error, "the disk is full"};
            cancel->cancel();
        }
        kept[std::string(name)] = bytes;
        return {};
    } catch (const std::bad_alloc&) {
        return {StatusCode::out_of_memory, {}};
    }

    std::map<std::string, std::string> kept;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t most_writes = UINT64_MAX;  ///< one more fails, or sets `cancel`
    CancelFlag* cancel = nullptr;

private:
    std::mutex mutex_;
};

/// Where the processes of a team meet: threads, in a test.
class MeetingPlace {
public:
    explicit MeetingPlace(int team) : team_(team) {}

    Status meet(Status own) {
        std::unique_lock lock(mutex_);
        if (!own.ok() && failure_.ok()) failure_ = std::move(own);
        const std::size_t round = outcomes_.size();
        if (++here_ == team_) {
            here_ = 0;
            outcomes_.push_back(failure_);
            all_here_.notify_all();
        } else {
            all_here_.wait(lock, [&] { return outcomes_.size() > round; });
        }
        return outcomes_[round];
    }

private:
    std::mutex mutex_;
    std::condition_variable all_here_;
    int team_;
    int here_ = 0;
    Status failure_;
    std::vector<Status> outcomes_;  ///< by meeting
};

/// A process of a team that shares a store.
class TeamStore : public CheckpointStore {
public:
    TeamStore(CheckpointStore& shared, MeetingPlace& place, int rank, int team)
        : shared_(shared), place_(place), rank_(rank), team_(team) {}

    [[nodiscard]] bool read(std::string_view name, std::string& bytes) noexcept override {
        return shared_.read(name, bytes);
    }
    [[nodiscard]] Status write(std::string_view name, std::string_view bytes) noexcept override {
        return shared_.write(name, bytes);
    }
    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int team() const noexcept override { return team_; }
    [[nodiscard]] Status meet(Status own) noexcept override { return place_.meet(std::move(own)); }

private:
    CheckpointStore& shared_;
    MeetingPlace& place_;
    int rank_;
    int team_;
};

}  // namespace cairn::test

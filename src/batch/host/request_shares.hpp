#pragma once
// Which process answers which request, when several processes answer a batch together.
//
// The batch order (request_order.hpp) is cut into blocks, and the processes get blocks in turn.
// Within a block requests are near each other, so one process connects a goal for all of them. A
// process has many blocks all over the map, so the work of all processes is about the same. The
// blocks begin at keys of a sample of the requests: no process has to know, or sort, all of them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "batch/host/request_order.hpp"

namespace cairn::batch {

/// Consecutive items of a list.
struct Slice {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
    friend bool operator==(const Slice&, const Slice&) = default;
};

/// The slice of process `number` of `processes`, if all get as many items as the others, or one
/// more. `items` * `processes` is below 2^64.
[[nodiscard]] constexpr Slice slice_of(std::uint64_t items, std::uint64_t processes,
                                       std::uint64_t number) noexcept {
    return {items * number / processes, items * (number + 1) / processes};
}

/// How many of a process's keys are in the sample.
[[nodiscard]] constexpr std::size_t sample_size(std::size_t keys) noexcept {
    constexpr std::size_t kMost = 16384;
    return std::min(kMost, keys);
}

/// Sets `sample` to a sample of a process's keys, spread over all of them. It depends only on the
/// keys.
inline void sample_keys(std::span<const RequestKey> keys, std::vector<RequestKey>& sample) {
    sample.resize(sample_size(keys.size()));
    std::uint32_t random = 1;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        // Any of the i-th part: requests may repeat a pattern.
        const Slice part = slice_of(keys.size(), sample.size(), i);
        random = random * 1'664'525U + 1'013'904'223U;
        sample[i] = keys[part.begin + (std::uint64_t{random} * part.size() >> 32)];
    }
}

/// The blocks of the batch order, and the processes that answer them.
class RequestShares {
public:
    /// `sample`: the samples of all processes, in any order; it gets sorted. Blocks are empty if
    /// there are fewer keys than blocks.
    RequestShares(std::span<RequestKey> sample, std::size_t processes) : processes_(processes) {
        std::sort(sample.begin(), sample.end());
        if (processes == 1) return;
        const std::size_t blocks = std::min(kBlocks * processes, sample.size());
        for (std::size_t block = 1; block < blocks; ++block)
            begins_.push_back(sample[slice_of(sample.size(), blocks, block).begin]);
    }

    /// The process that answers a request. O(log blocks).
    [[nodiscard]] std::size_t process_of(const RequestKey& key) const noexcept {
        const auto next = std::upper_bound(begins_.begin(), begins_.end(), key);
        return static_cast<std::size_t>(next - begins_.begin()) % processes_;
    }

    /// The requests of a process, by the processes that answer them.
    struct Dealt {
        std::vector<std::uint32_t> order;   ///< indices of keys: those of process 0 first
        std::vector<std::uint32_t> counts;  ///< by process
    };
    [[nodiscard]] Dealt deal(std::span<const RequestKey> keys, const BuildControl& control) const {
        constexpr std::size_t kGrain = 256;
        Dealt out{std::vector<std::uint32_t>(keys.size()), std::vector<std::uint32_t>(processes_)};
        std::vector<std::uint32_t> process(keys.size());
        for_each_index(keys.size(), kGrain, control, [&](std::size_t, std::size_t i) {
            process[i] = static_cast<std::uint32_t>(process_of(keys[i]));
        });
        for (const std::uint32_t p : process) ++out.counts[p];
        std::vector<std::uint32_t> next(processes_);
        for (std::size_t p = 1; p < processes_; ++p) next[p] = next[p - 1] + out.counts[p - 1];
        for (std::size_t i = 0; i < keys.size(); ++i)
            out.order[next[process[i]]++] = static_cast<std::uint32_t>(i);
        return out;
    }

private:
    static constexpr std::size_t kBlocks = 64;  // for each process

    std::vector<RequestKey> begins_;  // the first keys of all blocks but the first
    std::size_t processes_;
};

}  // namespace cairn::batch

#pragma once
// Which process answers which request, when several processes answer a batch together.
//
// The batch order (request_order.hpp) is cut into blocks by the first bits of its keys: the part of
// the map where a request starts, and the region of its goal. A block's requests go to one process,
// which connects a shared goal for all of them. There are far more blocks than processes. They go,
// in their order, to the process that has the fewest requests, so that each process has blocks all
// over the map, and all have about the same work. No process has to know, or sort, the requests of
// the others: the sizes of blocks are enough.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <utility>
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

inline constexpr int kBlockBits = 16;
inline constexpr std::size_t kBlocks = std::size_t{1} << kBlockBits;

/// The block of a request.
[[nodiscard]] inline std::size_t block_of(const RequestKey& key) noexcept {
    return static_cast<std::size_t>(key.endpoints >> (kPartBits + 2 * kPlaceBits - kBlockBits));
}

/// Counts the requests of each block.
[[nodiscard]] inline std::vector<std::uint64_t> sizes_of_blocks(std::span<const RequestKey> keys) {
    std::vector<std::uint64_t> sizes(kBlocks);
    for (const RequestKey& key : keys) ++sizes[block_of(key)];
    return sizes;
}

/// The blocks of each process.
class RequestShares {
public:
    /// `sizes`: of the blocks, over all processes. O(kBlocks log processes).
    RequestShares(std::span<const std::uint64_t> sizes, std::uint32_t processes)
        : owners_(sizes.size()), processes_(processes) {
        // A block that is large beside a process's share is dealt to all, request by request.
        constexpr std::uint64_t kMostOfShare = 16;
        const std::uint64_t all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
        const std::uint64_t large = std::max<std::uint64_t>(all / processes / kMostOfShare, 1);
        using Load = std::pair<std::uint64_t, std::uint32_t>;  // requests of a process
        std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
        for (std::uint32_t process = 0; process < processes; ++process) loads.push({0, process});
        for (std::size_t block = 0; block < sizes.size(); ++block) {
            if (sizes[block] > large) {
                owners_[block] = kAll;
                continue;
            }
            auto [load, process] = loads.top();
            owners_[block] = process;
            if (sizes[block] == 0) continue;
            loads.pop();
            loads.push({load + sizes[block], process});
        }
    }

    /// The process that answers a request. O(1).
    [[nodiscard]] std::uint32_t process_of(const RequestKey& key) const noexcept {
        const std::uint32_t owner = owners_[block_of(key)];
        if (owner != kAll) return owner;
        constexpr std::uint64_t kGoldenRatio =
            0x9E37'79B9'7F4A'7C15;  // requests may have a pattern
        const std::uint64_t random = key.request * kGoldenRatio >> 32;
        return static_cast<std::uint32_t>(random * processes_ >> 32);
    }

    /// The requests of a process, by the processes that answer them.
    struct Dealt {
        std::vector<std::uint32_t> order;   ///< indices of keys: those of process 0 first
        std::vector<std::uint32_t> counts;  ///< by process
    };
    [[nodiscard]] Dealt deal(std::span<const RequestKey> keys) const {
        Dealt out{std::vector<std::uint32_t>(keys.size()), std::vector<std::uint32_t>(processes_)};
        for (const RequestKey& key : keys) ++out.counts[process_of(key)];
        std::vector<std::uint32_t> next(processes_);
        std::exclusive_scan(out.counts.begin(), out.counts.end(), next.begin(), 0U);
        for (std::size_t i = 0; i < keys.size(); ++i)
            out.order[next[process_of(keys[i])]++] = static_cast<std::uint32_t>(i);
        return out;
    }

private:
    static constexpr std::uint32_t kAll = 0xffff'ffff;

    std::vector<std::uint32_t> owners_;  // of blocks; kAll: all processes
    std::uint32_t processes_;
};

}  // namespace cairn::batch

#pragma once
// Checks many clusters in parallel. The fault reported does not depend on the threads.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/parallel_loop.hpp"

namespace cairn::index_file {

struct ClusterFault {
    std::uint32_t cluster;
    std::string_view what;
};

/// The first of the clusters 0 to `count` - 1 with a fault, if there is one. fault_of(worker,
/// cluster) says what is wrong with one, or nothing, the same each time it is asked; each worker
/// of the loop has its own from new_worker().
template <class NewWorker, class FaultOf>
[[nodiscard]] std::optional<ClusterFault> first_fault(std::uint32_t count, NewWorker&& new_worker,
                                                      FaultOf&& fault_of) {
    std::atomic<std::uint32_t> first{count};
    const BuildControl control;
    PerWorker<decltype(new_worker())> workers;
    workers.begin(control);
    for_each_range(count, 32, control, [&](std::size_t worker, std::size_t begin, std::size_t end) {
        auto& own = workers.of(worker, new_worker);
        for (auto id = static_cast<std::uint32_t>(begin); id < end && id < first; ++id) {
            if (fault_of(own, id).empty()) continue;
            std::uint32_t known = first;
            while (id < known && !first.compare_exchange_weak(known, id)) {
            }
        }
    });
    if (first == count) return std::nullopt;
    return ClusterFault{first, fault_of(workers.of(0, new_worker), first)};
}

}  // namespace cairn::index_file

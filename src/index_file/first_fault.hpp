#pragma once
// Checks many clusters at once, and tells of the same fault whatever the threads did.

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::index_file {

struct ClusterFault {
    std::uint32_t cluster;
    std::string_view what;
};

/// The first of the clusters 0 to `count` - 1 with a fault, if there is one. fault_of(worker,
/// cluster) says what is wrong with one, or nothing, the same each time it is asked; each thread
/// has a worker of its own from new_worker().
template <class NewWorker, class FaultOf>
[[nodiscard]] std::optional<ClusterFault> first_fault(std::uint32_t count, NewWorker&& new_worker,
                                                      FaultOf&& fault_of) {
    std::atomic<std::uint32_t> first{count};
    oneapi::tbb::enumerable_thread_specific<decltype(new_worker())> workers(new_worker);
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<std::uint32_t>(0, count, 32), [&](const auto& range) {
            auto& worker = workers.local();
            for (std::uint32_t id = range.begin(); id != range.end() && id < first; ++id) {
                if (fault_of(worker, id).empty()) continue;
                std::uint32_t known = first;
                while (id < known && !first.compare_exchange_weak(known, id)) {
                }
            }
        });
    if (first == count) return std::nullopt;
    return ClusterFault{first, fault_of(workers.local(), first)};
}

}  // namespace cairn::index_file

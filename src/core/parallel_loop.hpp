#pragma once
// Work on many items, as the clusters of a level or the trips of a batch, on all cores, watched and
// stopped by a BuildControl.

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "cairn/control.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// Reports the share of items done, over all loops of a build.
class Progress {
public:
    /// `total`: items of all loops, at least 1.
    Progress(const BuildControl& control, std::size_t total) : control_(&control), total_(total) {}
    void add(std::size_t done) {
        const std::size_t sum = done_.fetch_add(done) + done;
        if (!control_->progress) return;
        const std::scoped_lock lock(mutex_);
        const std::size_t percent = 100 * std::max(sum, reported_) / total_;
        if (percent == 100 * reported_ / total_) return;
        reported_ = sum;
        control_->progress(static_cast<double>(sum) / static_cast<double>(total_));
    }

private:
    const BuildControl* control_;
    std::size_t total_;
    std::atomic<std::size_t> done_{0};
    std::mutex mutex_;
    std::size_t reported_ = 0;
};

/// ok, or bad_option.
[[nodiscard]] inline Status check_threads(const BuildControl& control) {
    if (control.threads >= 0) return {};
    return {StatusCode::bad_option,
            fmt::format("threads {}: must be 0 (all) or more", control.threads)};
}

/// What work() gives, run on as many threads as the control says. A thread that waits in there
/// takes up no work from elsewhere, which might ask again what it is about to answer.
template <class Work>
[[nodiscard]] auto on_threads(const BuildControl& control, Work&& work) {
    if (control.threads == 0) return oneapi::tbb::this_task_arena::isolate(work);
    return oneapi::tbb::task_arena(control.threads).execute(work);
}

/// Calls make(worker, item) for the items 0 to `count` - 1; each thread has a worker of its own
/// from new_worker(). A thread that waits here takes up no work from elsewhere, so the caller may
/// hold locks. Returns ok or cancelled.
template <class NewWorker, class Make>
[[nodiscard]] Status for_each_item(std::uint32_t count, const BuildControl& control,
                                   Progress& progress, NewWorker&& new_worker, Make&& make) {
    using Range = oneapi::tbb::blocked_range<std::uint32_t>;
    using Worker = decltype(new_worker());
    oneapi::tbb::enumerable_thread_specific<Worker> workers(new_worker);
    const auto part = [&](const Range& range) {
        Worker& worker = workers.local();
        for (std::uint32_t id = range.begin(); id != range.end() && !control.cancelled(); ++id) {
            make(worker, id);
        }
        progress.add(range.size());
    };
    oneapi::tbb::this_task_arena::isolate(
        [&] { oneapi::tbb::parallel_for(Range(0, count), part); });
    if (!control.cancelled()) return {};
    return {StatusCode::cancelled, std::string(describe(StatusCode::cancelled))};
}

}  // namespace cairn

#pragma once
// Parallel loops, with the number of workers, the progress and the cancel flag of a BuildControl. A
// worker is one task of a loop: it takes one range of items after another until none is left. Each
// worker has a number and may have a value of its own, so loops need no thread-local variables.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "core/memory.hpp"
#include "core/mutex.hpp"
#include "core/threads.hpp"

namespace cairn {

/// The control for one part of a build, whose progress is reported to `control` as `from` to `to`.
[[nodiscard]] inline BuildControl part_of(const BuildControl& control, double from, double to) {
    BuildControl part = control;
    if (control.progress) {
        part.progress = [report = control.progress, from, to](double done) {
            report(from + (to - from) * done);
        };
    }
    return part;
}

/// Reports the share of items done, over all loops of a build. Thread-safe.
class Progress {
public:
    /// `total`: items of all loops, at least 1.
    Progress(const BuildControl& control, std::size_t total) : control_(&control), total_(total) {}
    void add(std::size_t done) {
        const std::size_t sum = done_.fetch_add(done) + done;
        if (!control_->progress) return;
        const ScopedLock lock(mutex_);
        const std::size_t percent = 100 * std::max(sum, reported_) / total_;
        if (percent == 100 * reported_ / total_) return;
        reported_ = sum;
        control_->progress(static_cast<double>(sum) / static_cast<double>(total_));
    }

private:
    const BuildControl* control_;
    std::size_t total_;
    std::atomic<std::size_t> done_{0};
    Mutex mutex_;
    std::size_t reported_ = 0;  ///< items done at the last report
};

/// One T for each worker, made by the worker when it first needs it and kept from loop to loop.
template <class T>
class PerWorker {
public:
    /// Makes room for the workers of a loop, before it begins.
    void begin(const BuildControl& control) {
        if (const std::size_t workers = num_workers(control); workers > values_.size())
            values_.resize(workers);
    }
    /// The value of a worker; new_worker() makes a missing one. Thread-safe for different workers.
    template <class NewWorker>
    [[nodiscard]] T& of(std::size_t worker, NewWorker&& new_worker) {
        std::unique_ptr<T>& value = values_[worker];
        if (value == nullptr) value.reset(new T(new_worker()));
        return *value;
    }
    [[nodiscard]] T& of(std::size_t worker) {
        return of(worker, [] { return T(); });
    }
    /// Calls use(T&) for all values. Not while a loop runs.
    template <class Use>
    void for_each(Use&& use) {
        for (const std::unique_ptr<T>& value : values_) {
            if (value != nullptr) use(*value);
        }
    }
    template <class Use>
    void for_each(Use&& use) const {
        for (const std::unique_ptr<T>& value : values_) {
            if (value != nullptr) use(std::as_const(*value));
        }
    }
    /// Bytes held now, if values have memory(). Not while a loop runs.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(values_); }

private:
    std::vector<std::unique_ptr<T>> values_;  ///< by worker; null until its first use
};

/// Calls use(worker, begin, end) for ranges [begin, end) that together cover 0 to `count` - 1. Each
/// has at least `grain` items, except the last. Workers are numbered 0 to num_workers(control) - 1.
/// Ranges begin in ascending order and get shorter: long ranges keep neighbouring items on one
/// worker, and short ones let all workers end at about the same time.
template <class Use>
void for_each_range(std::size_t count, std::size_t grain, const BuildControl& control, Use&& use) {
    struct Loop {
        std::remove_reference_t<Use>& use;
        std::size_t count;
        std::size_t grain;
        std::size_t max_range;  // items of the longest range
        std::size_t workers;
        std::atomic<std::size_t> next{0};  // the first item that no worker has taken

        void work(std::size_t worker) {
            for (std::size_t begin = next.load(std::memory_order_relaxed); begin < count;) {
                // A quarter of the worker's equal share of the items that are left.
                const std::size_t share = (count - begin) / (4 * workers);
                const std::size_t end = begin + std::clamp(share, grain, max_range);
                if (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed)) continue;
                use(worker, begin, std::min(end, count));
                begin = next.load(std::memory_order_relaxed);
            }
        }
    };
    constexpr std::size_t kMinRanges = 64;  // of a long loop: for_each_item reports after each
    if (count == 0) return;
    const std::size_t max_ranges = (count - 1) / grain + 1;
    const std::size_t workers = std::min(num_workers(control), max_ranges);
    Loop loop{use, count, grain, std::max(grain, count / kMinRanges), workers};
    run_tasks(
        control, workers,
        [](void* data, std::size_t worker) { static_cast<Loop*>(data)->work(worker); }, &loop);
}

/// The same loop, item by item: calls use(worker, i) for the items 0 to `count` - 1.
template <class Use>
void for_each_index(std::size_t count, std::size_t grain, const BuildControl& control, Use&& use) {
    for_each_range(count, grain, control, [&](std::size_t worker, std::size_t i, std::size_t end) {
        for (; i < end; ++i) use(worker, i);
    });
}

/// Calls make(value, item) for items 0 to `count` - 1; new_worker() makes each worker's `value`. A
/// waiting thread runs no tasks of other loops, so the caller may hold locks. Errors: cancelled.
template <class NewWorker, class Make>
[[nodiscard]] Status for_each_item(std::uint32_t count, const BuildControl& control,
                                   Progress& progress, NewWorker&& new_worker, Make&& make) {
    PerWorker<decltype(new_worker())> workers;
    workers.begin(control);
    for_each_range(count, 1, control, [&](std::size_t worker, std::size_t begin, std::size_t end) {
        auto& value = workers.of(worker, new_worker);
        for (std::size_t i = begin; i < end && !control.cancelled(); ++i)
            make(value, static_cast<std::uint32_t>(i));
        progress.add(end - begin);
    });
    if (!control.cancelled()) return {};
    return {StatusCode::cancelled, std::string(describe(StatusCode::cancelled))};
}

/// Sorts items. No two may be equal: the order of equal items depends on the number of workers.
template <class T>
void sort_in_parallel(std::span<T> items, const BuildControl& control) {
    constexpr std::size_t kMinPart = 4096;  // items; smaller parts are not worth a worker
    std::size_t parts = 1;
    while (2 * parts <= num_workers(control) && 2 * parts * kMinPart <= items.size()) parts *= 2;
    const auto begin_of = [&](std::size_t part) {
        return items.begin() + static_cast<std::ptrdiff_t>(items.size() * part / parts);
    };
    for_each_index(parts, 1, control, [&](std::size_t, std::size_t part) {
        std::sort(begin_of(part), begin_of(part + 1));
    });
    for (std::size_t width = 1; width < parts; width *= 2) {  // parts in a sorted run
        for_each_index(parts / (2 * width), 1, control, [&](std::size_t, std::size_t pair) {
            const std::size_t first = 2 * width * pair;
            std::inplace_merge(begin_of(first), begin_of(first + width),
                               begin_of(first + 2 * width));
        });
    }
}

}  // namespace cairn

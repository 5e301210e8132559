#pragma once
// Loops whose work is shared among workers. A BuildControl gets their progress and can cancel them.
// A worker is one task of a loop: it takes one range of items after another until none is left, and
// has memory of its own, so loops need no thread-local variables.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "core/memory.hpp"
#include "core/threads.hpp"

namespace cairn {

/// The control of a part of the work, which reports progress from `from` to `to` of the whole.
[[nodiscard]] inline BuildControl part_of(const BuildControl& control, double from, double to) {
    BuildControl part = control;
    if (control.progress) {
        part.progress = [report = control.progress, from, to](double done) {
            report(from + (to - from) * done);
        };
    }
    return part;
}

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

/// A value of its own for each worker of a loop, made by the worker. It is kept from loop to loop.
template <class T>
class PerWorker {
public:
    /// Makes room for the workers of a loop, before it begins.
    void begin(const BuildControl& control) {
        if (const std::size_t workers = num_workers(control); workers > made_.size())
            made_.resize(workers);
    }
    /// The value of a worker, made by new_worker() if there is none yet. Threads may call this at
    /// once for different workers.
    template <class NewWorker>
    [[nodiscard]] T& of(std::size_t worker, NewWorker&& new_worker) {
        std::unique_ptr<T>& own = made_[worker];
        if (own == nullptr) own.reset(new T(new_worker()));
        return *own;
    }
    [[nodiscard]] T& of(std::size_t worker) {
        return of(worker, [] { return T(); });
    }
    /// Calls use(T&) for all values. Not while a loop runs.
    template <class Use>
    void for_each(Use&& use) {
        for (const std::unique_ptr<T>& own : made_) {
            if (own != nullptr) use(*own);
        }
    }
    template <class Use>
    void for_each(Use&& use) const {
        for (const std::unique_ptr<T>& own : made_) {
            if (own != nullptr) use(std::as_const(*own));
        }
    }
    /// Bytes held now, if values have memory(). Not while a loop runs.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(made_); }

private:
    std::vector<std::unique_ptr<T>> made_;
};

/// Calls use(worker, begin, end) for ranges that together are 0 to `count` - 1, each of `grain`
/// items or more, except the last. Workers are numbered from 0 to below num_workers(control).
/// Ranges are begun in ascending order and get shorter: most neighbours go to one worker, and all
/// workers end at about the same time.
template <class Use>
void for_each_range(std::size_t count, std::size_t grain, const BuildControl& control, Use&& use) {
    struct Loop {
        std::remove_reference_t<Use>& use;
        std::size_t count;
        std::size_t grain;
        std::size_t most;     // items of a range
        std::size_t workers;  // that share the work
        std::atomic<std::size_t> next{0};

        void work(std::size_t worker) {
            for (std::size_t begin = next.load(std::memory_order_relaxed); begin < count;) {
                const std::size_t share = (count - begin) / (4 * workers);
                const std::size_t end = begin + std::clamp(share, grain, most);
                if (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed)) continue;
                use(worker, begin, std::min(end, count));
                begin = next.load(std::memory_order_relaxed);
            }
        }
    };
    constexpr std::size_t kLeastRanges = 64;  // of a loop that is that long: for progress
    if (count == 0) return;
    const std::size_t ranges = (count - 1) / grain + 1;
    const std::size_t workers = std::min(num_workers(control), ranges);
    Loop loop{use, count, grain, std::max(grain, count / kLeastRanges), workers};
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

/// Calls make(own, item) for the items 0 to `count` - 1; new_worker() makes an `own` for each
/// worker. A thread that waits here does no work of other loops, so the caller may hold locks.
/// Returns ok or cancelled.
template <class NewWorker, class Make>
[[nodiscard]] Status for_each_item(std::uint32_t count, const BuildControl& control,
                                   Progress& progress, NewWorker&& new_worker, Make&& make) {
    PerWorker<decltype(new_worker())> workers;
    workers.begin(control);
    for_each_range(count, 1, control, [&](std::size_t worker, std::size_t begin, std::size_t end) {
        auto& own = workers.of(worker, new_worker);
        for (std::size_t i = begin; i < end && !control.cancelled(); ++i)
            make(own, static_cast<std::uint32_t>(i));
        progress.add(end - begin);
    });
    if (!control.cancelled()) return {};
    return {StatusCode::cancelled, std::string(describe(StatusCode::cancelled))};
}

/// Sorts items of which no two are equal.
template <class T>
void sort_in_parallel(std::span<T> items, const BuildControl& control) {
    constexpr std::size_t kWorthIt = 4096;  // items for a worker
    std::size_t parts = 1;
    while (2 * parts <= num_workers(control) && 2 * parts * kWorthIt <= items.size()) parts *= 2;
    const auto at = [&](std::size_t part) {
        return items.begin() + static_cast<std::ptrdiff_t>(items.size() * part / parts);
    };
    for_each_index(parts, 1, control,
                   [&](std::size_t, std::size_t part) { std::sort(at(part), at(part + 1)); });
    for (std::size_t run = 1; run < parts; run *= 2) {
        for_each_index(parts / (2 * run), 1, control, [&](std::size_t, std::size_t pair) {
            const std::size_t p = 2 * run * pair;
            std::inplace_merge(at(p), at(p + run), at(p + 2 * run));
        });
    }
}

}  // namespace cairn

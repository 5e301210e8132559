#pragma once
// The workers that answer batches, for any planner: one for each thread. They and the memory of the
// largest batch are kept for the next batch.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "batch/host/request_order.hpp"
#include "batch/host/result_lists.hpp"
#include "batch/host/worker.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/control.hpp"
#include "core/memory.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

/// Answers batches of requests to the planner P.
template <class P>
class WorkerPool {
public:
    using Request = typename P::Request;
    using Paths = typename P::Paths;

    struct Batch {
        std::span<const Request> requests;
        const Options& options;
        const BuildControl& control;
    };

    [[nodiscard]] Status run(const typename P::Index& index, const typename P::Query& model,
                             const Batch& batch, Paths& paths) {
        if (Status status = check(batch); !status.ok()) return status;
        return on_threads(batch.control, [&] {
            Run run(*this, index, model, batch, paths);
            return run.answer_all();
        });
    }

    /// Bytes held now. Not while a batch runs.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(order_, spent_, workers_) +
               std::apply([](const auto&... each) { return memory_of(each...); }, lists_);
    }

private:
    /// The result lists of P's answers, one kind for each list of an answer.
    template <class Spans>
    struct ListsOf;
    template <class... T>
    struct ListsOf<std::tuple<std::span<const T>...>> {
        using Type = std::tuple<ResultLists<T>...>;
        using Stores = std::tuple<typename ResultLists<T>::Store*...>;
        using Kept = std::tuple<Pieces<T>...>;
    };
    using Spans = typename RequestSearcher<P>::Spans;
    using AllLists = ListsOf<Spans>;

    struct Worker {
        RequestSearcher<P> searcher;
        typename AllLists::Stores stores{};
        std::uint64_t batch = 0;  // the number of the batch that it is prepared for
        // The last request, its answer and its lists: an equal request that follows takes them.
        std::optional<Request> request;
        StatusCode status = StatusCode::ok;
        Cost cost = kInfinity;
        std::uint64_t spent = 0;
        typename AllLists::Kept lists;
        std::uint64_t bytes = 0;  // of lists that the batch does not count yet

        [[nodiscard]] std::size_t memory() const noexcept { return searcher.memory(); }
    };

    /// What a request of a window spends, and the bytes of its lists.
    struct Spent {
        std::uint64_t effort = 0;
        std::uint64_t bytes = 0;
    };

    /// A request's key, status and cost, and for each of its lists where it lies in a store and in
    /// the result.
    static constexpr std::uint64_t kBytesOfRequest = 24 + 32 * std::tuple_size_v<Spans>;
    /// A request's memory is prefetched this many requests ahead.
    static constexpr std::size_t kAhead = 8;
    /// A thread adds its bytes to the shared counter when it has this many: one that all threads
    /// wrote to at each request would slow them down.
    static constexpr std::uint64_t kCountedBytes = std::uint64_t{1} << 16;
    /// With a budget, requests are answered in windows of this size, in order, and charged after
    /// each window. So which of them the budget pays for does not depend on the threads.
    static constexpr std::size_t kWindow = 4096;

    static constexpr auto kEach = std::make_index_sequence<std::tuple_size_v<Spans>>{};

    [[nodiscard]] static Status check(const Batch& batch) {
        if (Status status = check_threads(batch.control); !status.ok()) return status;
        if (batch.requests.size() > std::numeric_limits<std::uint32_t>::max())
            return {StatusCode::too_large,
                    fmt::format("{} requests: too many for one batch", batch.requests.size())};
        return {};
    }

    class Run;

    std::uint64_t batches_ = 0;
    std::vector<RequestKey> order_;
    typename AllLists::Type lists_;
    std::vector<Spent> spent_;
    PerWorker<Worker> workers_;
};

/// One batch.
template <class P>
class WorkerPool<P>::Run {
public:
    Run(WorkerPool& pool, const typename P::Index& index, const typename P::Query& model,
        const Batch& batch, Paths& paths)
        : pool_(pool),
          index_(index),
          model_(model),
          requests_(batch.requests),
          options_(batch.options),
          control_(batch.control),
          paths_(paths),
          left_(batch.options.max_spent) {}

    [[nodiscard]] Status answer_all() {
        bytes_ = kBytesOfRequest * requests_.size();
        if (over()) return too_large();
        ++pool_.batches_;
        paths_.status.assign(requests_.size(), StatusCode::cancelled);
        paths_.cost.assign(requests_.size(), kInfinity);
        sort_requests(requests_, control_, pool_.order_);
        std::apply([&](auto&... each) { (each.begin(requests_.size()), ...); }, pool_.lists_);
        if (Status status = answer_in_order(); !status.ok()) return status;
        put_in_order(RequestSearcher<P>::places(paths_), kEach);
        return {};
    }

private:
    [[nodiscard]] Status answer_in_order() {
        Progress progress(control_, std::max<std::size_t>(requests_.size(), 1));
        const std::size_t window = limited() ? kWindow : requests_.size();
        std::size_t done = 0;
        while (done < requests_.size() && left_ > 0 && !control_.cancelled()) {
            const std::size_t count = std::min(window, requests_.size() - done);
            if (limited()) pool_.spent_.assign(count, {});
            // Where the batch is cancelled, requests keep the status cancelled.
            pool_.workers_.begin(control_);
            for_each_range(count, 1, control_,
                           [&](std::size_t number, std::size_t begin, std::size_t end) {
                               Worker& worker = prepared_worker(number);
                               for (std::size_t i = begin; i < end && !control_.cancelled(); ++i)
                                   answer(worker, done, i);
                               progress.add(end - begin);
                           });
            if (limited()) charge(done);
            pool_.workers_.for_each([&](Worker& worker) {
                if (worker.batch == pool_.batches_) count_bytes(worker);
            });
            if (over()) return too_large();
            done += count;
        }
        if (left_ == 0) {
            for (; done < requests_.size(); ++done) leave_out(done);
        }
        return {};
    }

    [[nodiscard]] Worker& prepared_worker(std::size_t number) {
        Worker& worker = pool_.workers_.of(number);
        if (worker.batch == pool_.batches_) return worker;
        worker.batch = pool_.batches_;
        worker.request.reset();
        worker.bytes = 0;
        add_stores(worker, kEach);
        worker.searcher.prepare(index_, model_, options_.cells);
        return worker;
    }

    /// The request at place `first` + i of the order.
    void answer(Worker& worker, std::size_t first, std::size_t i) {
        if (!limited() && over()) return;
        const std::size_t place = first + i;
        prefetch(place + kAhead);
        if (out_of_time()) return leave_out(place);
        const std::uint32_t request = pool_.order_[place].request;
        ask(worker, requests_[request]);
        paths_.status[request] = worker.status;
        paths_.cost[request] = worker.cost;
        set_lists(place, worker.lists, kEach);
        const std::uint64_t bytes = std::apply(
            [](const auto&... list) {
                return (std::uint64_t{0} + ... + (2 * list.size() * sizeof(*list.head)));
            },
            worker.lists);
        if (limited()) {
            pool_.spent_[i] = {worker.spent, bytes};
        } else {
            worker.bytes += bytes;
            if (worker.bytes >= kCountedBytes) count_bytes(worker);
        }
    }

    /// Prefetches the request at a place of the order and its places in the result: these arrays
    /// are not in that order. Inlined, as g++ drops a call that seems to have no effect.
    [[gnu::always_inline]] void prefetch(std::size_t place) const noexcept {
        if (place >= requests_.size()) return;
        const std::uint32_t request = pool_.order_[place].request;
        __builtin_prefetch(&requests_[request]);
        __builtin_prefetch(&paths_.status[request], 1);
        __builtin_prefetch(&paths_.cost[request], 1);
    }

    void count_bytes(Worker& worker) noexcept {
        bytes_.fetch_add(worker.bytes, std::memory_order_relaxed);
        worker.bytes = 0;
    }

    /// Charges a window's requests, in order, to the budget; those after its end get no answer.
    void charge(std::size_t first) {
        for (std::size_t i = 0; i < pool_.spent_.size(); ++i) {
            if (left_ == 0) {
                leave_out(first + i);
                continue;
            }
            left_ -= std::min(left_, pool_.spent_[i].effort);
            bytes_ += pool_.spent_[i].bytes;
        }
    }

    void leave_out(std::size_t place) {
        const std::uint32_t request = pool_.order_[place].request;
        paths_.status[request] = StatusCode::budget_exhausted;
        paths_.cost[request] = kInfinity;
        set_lists(place, {}, kEach);
    }

    void ask(Worker& worker, const Request& request) {
        if (worker.request == request) return;
        const auto& answer = worker.searcher.answer(request);
        worker.request = request;
        worker.status = answer.status;
        worker.cost = answer.cost;
        worker.spent = 1 + worker.searcher.expanded();
        keep_lists(worker, worker.searcher.lists(), kEach);
    }

    template <std::size_t... I>
    void add_stores(Worker& worker, std::index_sequence<I...> /*each*/) {
        ((std::get<I>(worker.stores) = &std::get<I>(pool_.lists_).store()), ...);
    }
    template <std::size_t... I>
    static void keep_lists(Worker& worker, const Spans& lists, std::index_sequence<I...> /*each*/) {
        ((std::get<I>(worker.lists) = std::get<I>(worker.stores)->keep(std::get<I>(lists))), ...);
    }
    template <std::size_t... I>
    void set_lists(std::size_t place, const typename AllLists::Kept& lists,
                   std::index_sequence<I...> /*each*/) {
        (std::get<I>(pool_.lists_).set(place, std::get<I>(lists)), ...);
    }
    template <class To, std::size_t... I>
    void put_in_order(To to, std::index_sequence<I...> /*each*/) const {
        (std::get<I>(pool_.lists_).put_in_order(pool_.order_, control_, std::get<I>(to)), ...);
    }

    [[nodiscard]] bool limited() const noexcept {
        return options_.max_spent < std::numeric_limits<std::uint64_t>::max();
    }
    [[nodiscard]] bool out_of_time() const noexcept {
        return options_.max_seconds < std::numeric_limits<double>::infinity() &&
               std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count() >=
                   options_.max_seconds;
    }
    [[nodiscard]] bool over() const noexcept {
        return bytes_.load(std::memory_order_relaxed) > options_.max_bytes;
    }
    [[nodiscard]] Status too_large() const {
        return {StatusCode::too_large,
                fmt::format("the paths of {} requests take more than {} bytes: ask for fewer at a "
                            "time, or for less of each",
                            requests_.size(), options_.max_bytes)};
    }

    WorkerPool& pool_;
    const typename P::Index& index_;
    const typename P::Query& model_;
    std::span<const Request> requests_;
    const Options& options_;
    const BuildControl& control_;
    Paths& paths_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    std::atomic<std::uint64_t> bytes_{0};
    std::uint64_t left_;  // of max_spent
};

}  // namespace cairn::batch

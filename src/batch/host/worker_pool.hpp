#pragma once
// What batches for all planners have in common: workers, one for each thread, and what they leave.
// They and the memory of the largest batch are kept for the next.

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
#include "core/parallel_loop.hpp"

namespace cairn::batch {

/// Answers batches of requests to the planner P.
template <class P>
class Crew {
public:
    using Trip = typename P::Request;
    using Routes = typename P::Paths;

    struct Batch {
        std::span<const Trip> trips;
        const Options& options;
        const BuildControl& control;
    };

    [[nodiscard]] Status run(const typename P::Index& index, const typename P::Query& model,
                             const Batch& batch, Routes& routes) {
        if (Status status = check(batch); !status.ok()) return status;
        return on_threads(batch.control, [&] {
            Run run(*this, index, model, batch, routes);
            return run.answer_all();
        });
    }

private:
    /// The lists of all answers, gathered.
    template <class Spans>
    struct GatheredOf;
    template <class... T>
    struct GatheredOf<std::tuple<std::span<const T>...>> {
        using Type = std::tuple<Gathered<T>...>;
        using Stores = std::tuple<typename Gathered<T>::Store*...>;
        using Kept = std::tuple<Pieces<T>...>;
    };
    using Spans = typename batch::Worker<P>::Spans;
    using AllGathered = GatheredOf<Spans>;

    struct Worker {
        batch::Worker<P> one;
        typename AllGathered::Stores stores{};
        std::uint64_t batch = 0;  // that it was prepared for
        // The last trip, its answer and its lists, for one that asks the same.
        std::optional<Trip> trip;
        StatusCode status = StatusCode::ok;
        Cost cost = kInfinity;
        std::uint64_t spent = 0;
        typename AllGathered::Kept lists;
        std::uint64_t bytes = 0;  // of lists, that the batch does not count yet
    };

    /// What a trip of a window has spent, and the bytes of its lists.
    struct Spent {
        std::uint64_t effort = 0;
        std::uint64_t bytes = 0;
    };

    /// Its key, status and cost; and for each of its lists where that lies, gathered and in order.
    static constexpr std::uint64_t kBytesOfTrip = 24 + 32 * std::tuple_size_v<Spans>;
    /// A trip is asked for while so many before it are answered.
    static constexpr std::size_t kAhead = 8;
    /// Threads count so many bytes on their own: what all of them write at each trip is waited for.
    static constexpr std::uint64_t kCountedBytes = std::uint64_t{1} << 16;
    /// With a budget trips are answered by so many at a time, in order, and then settled: which of
    /// them it lasts for does not depend on which thread was first.
    static constexpr std::size_t kWindow = 4096;

    static constexpr auto kEach = std::make_index_sequence<std::tuple_size_v<Spans>>{};

    [[nodiscard]] static Status check(const Batch& batch) {
        if (Status status = check_threads(batch.control); !status.ok()) return status;
        if (batch.trips.size() > std::numeric_limits<std::uint32_t>::max())
            return {StatusCode::too_large,
                    fmt::format("{} trips: too many for one batch", batch.trips.size())};
        return {};
    }

    class Run;

    std::uint64_t batches_ = 0;
    std::vector<TripKey> order_;
    typename AllGathered::Type gathered_;
    std::vector<Spent> spent_;
    PerWorker<Worker> workers_;
};

/// One batch.
template <class P>
class Crew<P>::Run {
public:
    Run(Crew& crew, const typename P::Index& index, const typename P::Query& model,
        const Batch& batch, Routes& routes)
        : crew_(crew),
          index_(index),
          model_(model),
          trips_(batch.trips),
          options_(batch.options),
          control_(batch.control),
          routes_(routes),
          left_(batch.options.max_spent) {}

    [[nodiscard]] Status answer_all() {
        bytes_ = kBytesOfTrip * trips_.size();
        if (over()) return too_large();
        ++crew_.batches_;
        routes_.status.assign(trips_.size(), StatusCode::cancelled);
        routes_.cost.assign(trips_.size(), kInfinity);
        sort_trips(trips_, control_, crew_.order_);
        std::apply([&](auto&... each) { (each.begin(trips_.size()), ...); }, crew_.gathered_);
        if (Status status = answer_in_order(); !status.ok()) return status;
        put_in_order(batch::Worker<P>::places(routes_), kEach);
        return {};
    }

private:
    [[nodiscard]] Status answer_in_order() {
        Progress progress(control_, std::max<std::size_t>(trips_.size(), 1));
        const std::size_t window = limited() ? kWindow : trips_.size();
        std::size_t done = 0;
        while (done < trips_.size() && left_ > 0 && !control_.cancelled()) {
            const std::size_t count = std::min(window, trips_.size() - done);
            if (limited()) crew_.spent_.assign(count, {});
            // What is cancelled says so by the statuses of its trips.
            crew_.workers_.begin(control_);
            for_each_range(count, 1, control_,
                           [&](std::size_t number, std::size_t begin, std::size_t end) {
                               Worker& worker = prepared_worker(number);
                               for (std::size_t i = begin; i < end && !control_.cancelled(); ++i)
                                   answer(worker, done, i);
                               progress.add(end - begin);
                           });
            if (limited()) settle(done);
            crew_.workers_.for_each([&](Worker& worker) {
                if (worker.batch == crew_.batches_) count_bytes(worker);
            });
            if (over()) return too_large();
            done += count;
        }
        if (left_ == 0) {
            for (; done < trips_.size(); ++done) leave_out(done);
        }
        return {};
    }

    [[nodiscard]] Worker& prepared_worker(std::size_t number) {
        Worker& worker = crew_.workers_.of(number);
        if (worker.batch == crew_.batches_) return worker;
        worker.batch = crew_.batches_;
        worker.trip.reset();
        worker.bytes = 0;
        add_stores(worker, kEach);
        worker.one.prepare(index_, model_, options_.cells);
        return worker;
    }

    /// The trip at place `first` + i of the order.
    void answer(Worker& worker, std::size_t first, std::size_t i) {
        if (!limited() && over()) return;
        const std::size_t place = first + i;
        prefetch(place + kAhead);
        if (out_of_time()) return leave_out(place);
        const std::uint32_t trip = crew_.order_[place].trip;
        ask(worker, trips_[trip]);
        routes_.status[trip] = worker.status;
        routes_.cost[trip] = worker.cost;
        set_lists(place, worker.lists, kEach);
        const std::uint64_t bytes = std::apply(
            [](const auto&... list) {
                return (std::uint64_t{0} + ... + (2 * list.size() * sizeof(*list.head)));
            },
            worker.lists);
        if (limited()) {
            crew_.spent_[i] = {worker.spent, bytes};
        } else {
            worker.bytes += bytes;
            if (worker.bytes >= kCountedBytes) count_bytes(worker);
        }
    }

    /// Asks for what the trip at a place of the order is read from and written to, all over arrays
    /// that are in another order. Inlined, or g++ takes a call for one without effect.
    [[gnu::always_inline]] void prefetch(std::size_t place) const noexcept {
        if (place >= trips_.size()) return;
        const std::uint32_t trip = crew_.order_[place].trip;
        __builtin_prefetch(&trips_[trip]);
        __builtin_prefetch(&routes_.status[trip], 1);
        __builtin_prefetch(&routes_.cost[trip], 1);
    }

    void count_bytes(Worker& worker) noexcept {
        bytes_.fetch_add(worker.bytes, std::memory_order_relaxed);
        worker.bytes = 0;
    }

    void settle(std::size_t first) {
        for (std::size_t i = 0; i < crew_.spent_.size(); ++i) {
            if (left_ == 0) {
                leave_out(first + i);
                continue;
            }
            left_ -= std::min(left_, crew_.spent_[i].effort);
            bytes_ += crew_.spent_[i].bytes;
        }
    }

    void leave_out(std::size_t place) {
        const std::uint32_t trip = crew_.order_[place].trip;
        routes_.status[trip] = StatusCode::budget_exhausted;
        routes_.cost[trip] = kInfinity;
        set_lists(place, {}, kEach);
    }

    void ask(Worker& worker, const Trip& trip) {
        if (worker.trip == trip) return;
        const auto& answer = worker.one.answer(trip);
        worker.trip = trip;
        worker.status = answer.status;
        worker.cost = answer.cost;
        worker.spent = 1 + worker.one.expanded();
        keep_lists(worker, worker.one.lists(), kEach);
    }

    template <std::size_t... I>
    void add_stores(Worker& worker, std::index_sequence<I...> /*each*/) {
        ((std::get<I>(worker.stores) = &std::get<I>(crew_.gathered_).store()), ...);
    }
    template <std::size_t... I>
    static void keep_lists(Worker& worker, const Spans& lists, std::index_sequence<I...> /*each*/) {
        ((std::get<I>(worker.lists) = std::get<I>(worker.stores)->keep(std::get<I>(lists))), ...);
    }
    template <std::size_t... I>
    void set_lists(std::size_t place, const typename AllGathered::Kept& lists,
                   std::index_sequence<I...> /*each*/) {
        (std::get<I>(crew_.gathered_).set(place, std::get<I>(lists)), ...);
    }
    template <class To, std::size_t... I>
    void put_in_order(To to, std::index_sequence<I...> /*each*/) const {
        (std::get<I>(crew_.gathered_).put_in_order(crew_.order_, control_, std::get<I>(to)), ...);
    }

    [[nodiscard]] bool limited() const noexcept {
        return options_.max_spent < std::numeric_limits<std::uint64_t>::max();
    }
    [[nodiscard]] bool out_of_time() const noexcept {
        return options_.max_time < std::chrono::nanoseconds::max() &&
               std::chrono::steady_clock::now() - begun_ >= options_.max_time;
    }
    [[nodiscard]] bool over() const noexcept {
        return bytes_.load(std::memory_order_relaxed) > options_.max_bytes;
    }
    [[nodiscard]] Status too_large() const {
        return {StatusCode::too_large,
                fmt::format("the paths of {} trips take more than {} bytes: ask for fewer at a "
                            "time, or for less of each",
                            trips_.size(), options_.max_bytes)};
    }

    Crew& crew_;
    const typename P::Index& index_;
    const typename P::Query& model_;
    std::span<const Trip> trips_;
    const Options& options_;
    const BuildControl& control_;
    Routes& routes_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    std::atomic<std::uint64_t> bytes_{0};
    std::uint64_t left_;  // of max_spent
};

}  // namespace cairn::batch

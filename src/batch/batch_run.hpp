#pragma once
// What batches for all planners have in common.

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>

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

#include "batch/gathered.hpp"
#include "batch/trip_order.hpp"
#include "cairn/batch/routes.hpp"
#include "cairn/control.hpp"
#include "core/parallel_loop.hpp"
#include "core/within_memory.hpp"

namespace cairn::batch {

/// Answers a batch. An Asker answers one trip after another for one thread:
///
///   Trip, Routes                        as in cairn/batch/find_paths.hpp
///   const auto& ask(const Trip&)        with `status` and `cost`
///   uint64_t expanded()                 by the last answer's main search
///   auto lists()                        a tuple of spans: the lists of the last answer
///   static auto lists_of(Routes&)       a tuple of references: where such lists go
template <class Asker>
class BatchRun {
public:
    using Trip = typename Asker::Trip;
    using Routes = typename Asker::Routes;

    /// All must outlive the run.
    BatchRun(std::span<const Trip> trips, const Options& options, const BuildControl& control)
        : trips_(trips), options_(options), control_(control), left_(options.max_spent) {}

    /// `new_asker()` makes an asker, on any thread.
    template <class NewAsker>
    [[nodiscard]] Result<Routes> run(NewAsker&& new_asker) {
        if (Status status = check(); !status.ok()) return tl::unexpected(std::move(status));
        return within_memory(
            "batch", [&] { return on_threads(control_, [&] { return answer_all(new_asker); }); });
    }

private:
    /// The lists of Asker::lists, gathered.
    template <class Spans>
    struct GatheredOf;
    template <class... T>
    struct GatheredOf<std::tuple<std::span<const T>...>> {
        using Type = std::tuple<Gathered<T>...>;
        using Stores = std::tuple<typename Gathered<T>::Store*...>;
        using Kept = std::tuple<Pieces<T>...>;
        [[nodiscard]] static Type make(std::size_t trips) {
            return Type{(static_cast<void>(sizeof(T)), trips)...};
        }
    };
    using Spans = decltype(std::declval<Asker&>().lists());
    using AllGathered = GatheredOf<Spans>;

    struct Worker {
        Asker asker;
        typename AllGathered::Stores stores;
        // The last trip, its answer and its lists, for one that asks the same.
        std::optional<Trip> trip;
        StatusCode status = StatusCode::ok;
        Cost cost = kInfinity;
        std::uint64_t spent = 0;
        typename AllGathered::Kept lists;
        std::uint64_t bytes = 0;  // of lists, that bytes_ does not count yet
    };

    /// Its key, status and cost; and for each of its lists where that lies, gathered and in order.
    static constexpr std::uint64_t kBytesOfTrip = 24 + 32 * std::tuple_size_v<Spans>;

    [[nodiscard]] Status check() const {
        if (Status status = check_threads(control_); !status.ok()) return status;
        if (trips_.size() >= std::numeric_limits<std::uint32_t>::max())
            return {StatusCode::too_large,
                    fmt::format("{} trips: too many for one batch", trips_.size())};
        return {};
    }

    /// A trip is asked for while so many before it are answered.
    static constexpr std::size_t kAhead = 8;
    /// Threads count so many bytes on their own: what all of them write at each trip is waited for.
    static constexpr std::uint64_t kCountedBytes = std::uint64_t{1} << 16;

    /// What a trip of a window has spent, and the bytes of its lists.
    struct Spent {
        std::uint64_t effort = 0;
        std::uint64_t bytes = 0;
    };
    /// With a budget trips are answered by so many at a time, in order, and then settled: which of
    /// them it lasts for does not depend on which thread was first.
    static constexpr std::size_t kWindow = 4096;

    template <class NewAsker>
    [[nodiscard]] Result<Routes> answer_all(NewAsker& new_asker) {
        bytes_ = kBytesOfTrip * trips_.size();
        if (over()) return too_large();
        Routes routes;
        routes.status.assign(trips_.size(), StatusCode::cancelled);
        routes.cost.assign(trips_.size(), kInfinity);
        order_ = trip_order(trips_);
        auto gathered = AllGathered::make(trips_.size());
        oneapi::tbb::enumerable_thread_specific<Worker> workers([&] {
            const auto stores = std::apply(
                [](auto&... each) { return std::tuple(&each.new_store()...); }, gathered);
            return Worker{new_asker(), stores, std::nullopt, StatusCode::ok, kInfinity, 0, {}, 0};
        });
        Progress progress(control_, std::max<std::size_t>(trips_.size(), 1));
        const std::size_t window = limited() ? kWindow : trips_.size();
        std::size_t done = 0;
        while (done < trips_.size() && left_ > 0 && !control_.cancelled()) {
            const std::size_t count = std::min(window, trips_.size() - done);
            if (limited()) spent_.assign(count, {});
            // What is cancelled says so by the statuses of its trips.
            static_cast<void>(for_each_item(
                static_cast<std::uint32_t>(count), control_, progress,
                [&] { return &workers.local(); },
                [&](Worker* worker, std::uint32_t i) {
                    answer(*worker, done, i, routes, gathered);
                }));
            if (limited()) settle(done, routes, gathered);
            for (Worker& worker : workers) count_bytes(worker);
            if (over()) return too_large();
            done += count;
        }
        if (left_ == 0) {
            for (; done < trips_.size(); ++done) leave_out(done, routes, gathered);
        }
        put_in_order(gathered, Asker::lists_of(routes), kEach);
        return routes;
    }

    /// The trip at place `first` + i of the order.
    void answer(Worker& worker, std::size_t first, std::size_t i, Routes& routes,
                typename AllGathered::Type& gathered) {
        if (!limited() && over()) return;
        const std::size_t place = first + i;
        prefetch(place + kAhead, routes);
        if (out_of_time()) return leave_out(place, routes, gathered);
        const std::uint32_t trip = order_[place].trip;
        ask(worker, trips_[trip]);
        routes.status[trip] = worker.status;
        routes.cost[trip] = worker.cost;
        set_lists(gathered, place, worker.lists, kEach);
        const std::uint64_t bytes = std::apply(
            [](const auto&... list) {
                return (std::uint64_t{0} + ... + (2 * list.size() * sizeof(*list.head)));
            },
            worker.lists);
        if (limited()) {
            spent_[i] = {worker.spent, bytes};
        } else {
            worker.bytes += bytes;
            if (worker.bytes >= kCountedBytes) count_bytes(worker);
        }
    }

    /// Asks for what the trip at a place of the order is read from and written to, all over arrays
    /// that are in another order.
    void prefetch(std::size_t place, const Routes& routes) const noexcept {
        if (place >= order_.size()) return;
        const std::uint32_t trip = order_[place].trip;
        __builtin_prefetch(&trips_[trip]);
        __builtin_prefetch(&routes.status[trip], 1);
        __builtin_prefetch(&routes.cost[trip], 1);
    }

    void count_bytes(Worker& worker) noexcept {
        bytes_.fetch_add(worker.bytes, std::memory_order_relaxed);
        worker.bytes = 0;
    }

    void settle(std::size_t first, Routes& routes, typename AllGathered::Type& gathered) {
        for (std::size_t i = 0; i < spent_.size(); ++i) {
            if (left_ == 0) {
                leave_out(first + i, routes, gathered);
                continue;
            }
            left_ -= std::min(left_, spent_[i].effort);
            bytes_ += spent_[i].bytes;
        }
    }

    void leave_out(std::size_t place, Routes& routes, typename AllGathered::Type& gathered) const {
        routes.status[order_[place].trip] = StatusCode::budget_exhausted;
        routes.cost[order_[place].trip] = kInfinity;
        set_lists(gathered, place, {}, kEach);
    }

    void ask(Worker& worker, const Trip& trip) {
        if (worker.trip == trip) return;
        const auto& answer = worker.asker.ask(trip);
        worker.trip = trip;
        worker.status = answer.status;
        worker.cost = answer.cost;
        worker.spent = 1 + worker.asker.expanded();
        keep_lists(worker, worker.asker.lists(), kEach);
    }

    static constexpr auto kEach = std::make_index_sequence<std::tuple_size_v<Spans>>{};

    template <std::size_t... I>
    static void keep_lists(Worker& worker, const Spans& lists, std::index_sequence<I...> /*each*/) {
        ((std::get<I>(worker.lists) = std::get<I>(worker.stores)->keep(std::get<I>(lists))), ...);
    }
    template <std::size_t... I>
    static void set_lists(typename AllGathered::Type& gathered, std::size_t place,
                          const typename AllGathered::Kept& lists,
                          std::index_sequence<I...> /*each*/) {
        (std::get<I>(gathered).set(place, std::get<I>(lists)), ...);
    }
    template <class To, std::size_t... I>
    void put_in_order(const typename AllGathered::Type& gathered, To to,
                      std::index_sequence<I...> /*each*/) const {
        ((std::get<I>(to) = std::get<I>(gathered).in_order(order_)), ...);
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
    [[nodiscard]] auto too_large() const {
        return fail(StatusCode::too_large,
                    fmt::format("the paths of {} trips take more than {} bytes: ask for fewer at a "
                                "time, or for less of each",
                                trips_.size(), options_.max_bytes));
    }

    std::span<const Trip> trips_;
    const Options& options_;
    const BuildControl& control_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    std::vector<TripKey> order_;
    std::atomic<std::uint64_t> bytes_{0};
    std::uint64_t left_;  // of max_spent
    std::vector<Spent> spent_;
};

}  // namespace cairn::batch

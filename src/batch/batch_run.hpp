#pragma once
// What batches for all planners have in common.

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

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
///   auto lists()                        a tuple of spans: the lists of the last answer
///   static auto lists_of(Routes&)       a tuple of references: where such lists go
template <class Asker>
class BatchRun {
public:
    using Trip = typename Asker::Trip;
    using Routes = typename Asker::Routes;

    /// All must outlive the run.
    BatchRun(std::span<const Trip> trips, const Options& options, const BuildControl& control)
        : trips_(trips), options_(options), control_(control) {}

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
        Spans lists;
    };

    /// Its key, status and cost; and for each of its lists where that lies, gathered and in order.
    static constexpr std::uint64_t kBytesOfTrip = 40 + 24 * std::tuple_size_v<Spans>;

    [[nodiscard]] Status check() const {
        if (Status status = check_threads(control_); !status.ok()) return status;
        if (trips_.size() >= std::numeric_limits<std::uint32_t>::max())
            return {StatusCode::too_large,
                    fmt::format("{} trips: too many for one batch", trips_.size())};
        return {};
    }

    template <class NewAsker>
    [[nodiscard]] Result<Routes> answer_all(NewAsker& new_asker) {
        bytes_ = kBytesOfTrip * trips_.size();
        if (over()) return too_large();
        Routes routes;
        routes.status.assign(trips_.size(), StatusCode::cancelled);
        routes.cost.assign(trips_.size(), kInfinity);
        const std::vector<TripKey> order = trip_order(trips_);
        auto gathered = AllGathered::make(trips_.size());
        const auto new_worker = [&] {
            const auto stores = std::apply(
                [](auto&... each) { return std::tuple(&each.new_store()...); }, gathered);
            return Worker{new_asker(), stores, std::nullopt, StatusCode::ok, kInfinity, Spans{}};
        };
        const auto answer = [&](Worker& worker, std::uint32_t i) {
            if (over()) return;
            const std::uint32_t trip = order[i].trip;
            ask(worker, trips_[trip]);
            routes.status[trip] = worker.status;
            routes.cost[trip] = worker.cost;
            set_lists(gathered, trip, worker.lists, kEach);
        };
        Progress progress(control_, std::max<std::size_t>(trips_.size(), 1));
        // What is cancelled says so by the statuses of its trips.
        static_cast<void>(for_each_item(static_cast<std::uint32_t>(order.size()), control_,
                                        progress, new_worker, answer));
        if (over()) return too_large();
        put_in_order(gathered, Asker::lists_of(routes), kEach);
        return routes;
    }

    void ask(Worker& worker, const Trip& trip) {
        if (worker.trip != trip) {
            const auto& answer = worker.asker.ask(trip);
            worker.trip = trip;
            worker.status = answer.status;
            worker.cost = answer.cost;
            keep_lists(worker, worker.asker.lists(), kEach);
        }
        const auto bytes = [](const auto&... list) {
            return (std::uint64_t{0} + ... + (2 * list.size_bytes()));
        };
        const std::uint64_t added = std::apply(bytes, worker.lists);
        if (added > 0) bytes_.fetch_add(added, std::memory_order_relaxed);
    }

    static constexpr auto kEach = std::make_index_sequence<std::tuple_size_v<Spans>>{};

    template <std::size_t... I>
    static void keep_lists(Worker& worker, const Spans& lists, std::index_sequence<I...> /*each*/) {
        ((std::get<I>(worker.lists) = std::get<I>(worker.stores)->keep(std::get<I>(lists))), ...);
    }
    template <std::size_t... I>
    static void set_lists(typename AllGathered::Type& gathered, std::size_t trip,
                          const Spans& lists, std::index_sequence<I...> /*each*/) {
        (std::get<I>(gathered).set(trip, std::get<I>(lists)), ...);
    }
    template <class To, std::size_t... I>
    static void put_in_order(const typename AllGathered::Type& gathered, To to,
                             std::index_sequence<I...> /*each*/) {
        ((std::get<I>(to) = std::get<I>(gathered).in_order()), ...);
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
    std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace cairn::batch

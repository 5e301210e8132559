#pragma once
// What the host does of a portion of a batch: it looks at the ends of all trips, and answers those
// that are not for a device.
//
// How, says `Host`: its Form and Arrays; begin(index, query); settle(trip), which says what is
// known of a trip at once, and moves its ends to where they are meant; and a Worker for each
// worker of a loop, whose `answer` to a trip says status, cost and the items of the route.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/status.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

/// What is known of a trip before it is searched for.
struct Settled {
    StatusCode status = StatusCode::ok;  ///< else that is its answer
    bool for_device = true;
};

/// The host's answer to a trip.
struct HostAnswer {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;
    std::span<const std::uint32_t> items;
};

template <class Host>
class HostShare {
public:
    using Form = typename Host::Form;
    using Trip = typename Form::Trip;

    /// Prepares for a portion, and for the workers of `control`. The index must outlive it.
    void begin(const typename Host::Arrays::Index& index, const typename Form::Query& query,
               std::size_t trips, const BuildControl& control) {
        host_.begin(index, query);
        workers_.begin(control);
        lengths_.assign(trips, 0);
        workers_.for_each([](Worker& worker) {
            worker.routes.clear();
            worker.items.clear();
            worker.answered = 0;
        });
    }

    /// Looks at trip i of the portion, for a worker. True if it is for the device; else `status`
    /// and `cost` are its answer.
    [[nodiscard]] bool settle(std::size_t number, std::uint32_t i, Trip& trip, StatusCode& status,
                              Cost& cost) {
        const Settled settled = host_.settle(trip);
        status = settled.status;
        cost = kInfinity;
        if (status != StatusCode::ok) return false;
        if (!settled.for_device) answer(number, i, trip, status, cost);
        return settled.for_device;
    }

    /// Answers a trip itself, for a worker.
    void answer(std::size_t number, std::uint32_t i, const Trip& trip, StatusCode& status,
                Cost& cost) {
        Worker& worker = workers_.of(number);
        const HostAnswer found = worker.asker.answer(host_, trip);
        status = found.status;
        cost = found.cost;
        lengths_[i] = static_cast<std::uint32_t>(found.items.size());
        ++worker.answered;
        if (found.items.empty()) return;
        worker.routes.push_back({i, lengths_[i], worker.items.size()});
        worker.items.insert(worker.items.end(), found.items.begin(), found.items.end());
    }

    /// Items of the route of a trip that was answered here; else 0.
    [[nodiscard]] std::uint32_t length(std::uint32_t i) const noexcept { return lengths_[i]; }
    /// How many trips were answered here.
    [[nodiscard]] std::size_t answered() const {
        std::size_t count = 0;
        workers_.for_each([&](const Worker& worker) { count += worker.answered; });
        return count;
    }
    /// Writes all routes that were found here: trip i's to items[first[i]].
    void write(std::span<const std::uint64_t> first, std::uint32_t* items) const {
        workers_.for_each([&](const Worker& worker) {
            for (const Route& route : worker.routes)
                std::copy_n(worker.items.data() + route.first, route.length,
                            items + first[route.trip]);
        });
    }

private:
    struct Route {
        std::uint32_t trip = 0;
        std::uint32_t length = 0;
        std::size_t first = 0;  // in items
    };
    struct Worker {
        typename Host::Worker asker;
        std::vector<Route> routes;
        std::vector<std::uint32_t> items;
        std::size_t answered = 0;
    };

    Host host_;
    std::vector<std::uint32_t> lengths_;
    PerWorker<Worker> workers_;
};

}  // namespace cairn::batch

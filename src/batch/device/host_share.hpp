#pragma once
// The host's part of a chunk of a batch: it checks and locates the start and goal of every request,
// and answers the requests that are not for a device.
//
// `Host` has a planner's part: its Form and Arrays; begin(index, query); prepare(request), which
// locates start and goal and tells whether the request is for the device; and a Worker for each
// worker of a loop, whose `answer` to a request has status, cost and the items of the path.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/status.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

/// What is known of a request before any search.
struct Prepared {
    StatusCode status = StatusCode::ok;  ///< if not ok, the answer
    bool for_device = true;
};

/// The host's answer to a request.
struct HostAnswer {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;
    std::span<const std::uint32_t> items;
};

template <class Host>
class HostShare {
public:
    using Form = typename Host::Form;
    using Request = typename Form::Request;

    /// Prepares for a chunk, and for the workers of `control`. The index must outlive it.
    void begin(const typename Host::Arrays::Index& index, const typename Form::Query& query,
               std::size_t requests, const BuildControl& control) {
        host_.begin(index, query);
        workers_.begin(control);
        lengths_.assign(requests, 0);
        workers_.for_each([](Worker& worker) {
            worker.paths.clear();
            worker.items.clear();
            worker.answered = 0;
        });
    }

    /// Prepares request i of the chunk, on worker `number`. True if it is for the device; else
    /// `status` and `cost` are its answer.
    [[nodiscard]] bool prepare(std::size_t number, std::uint32_t i, Request& request,
                               StatusCode& status, Cost& cost) {
        const Prepared prepared = host_.prepare(request);
        status = prepared.status;
        cost = kInfinity;
        if (status != StatusCode::ok) return false;
        if (!prepared.for_device) answer(number, i, request, status, cost);
        return prepared.for_device;
    }

    /// Answers request i of the chunk, on worker `number`.
    void answer(std::size_t number, std::uint32_t i, const Request& request, StatusCode& status,
                Cost& cost) {
        Worker& worker = workers_.of(number);
        const HostAnswer found = worker.searcher.answer(host_, request);
        status = found.status;
        cost = found.cost;
        lengths_[i] = static_cast<std::uint32_t>(found.items.size());
        ++worker.answered;
        if (found.items.empty()) return;
        worker.paths.push_back({i, lengths_[i], worker.items.size()});
        worker.items.insert(worker.items.end(), found.items.begin(), found.items.end());
    }

    /// Items of the path of a request that was answered here; else 0.
    [[nodiscard]] std::uint32_t length(std::uint32_t i) const noexcept { return lengths_[i]; }
    /// How many requests were answered here.
    [[nodiscard]] std::size_t answered() const {
        std::size_t count = 0;
        workers_.for_each([&](const Worker& worker) { count += worker.answered; });
        return count;
    }
    /// Writes all paths that were found here: request i's to items[first[i]].
    void write(std::span<const std::uint64_t> first, std::uint32_t* items) const {
        workers_.for_each([&](const Worker& worker) {
            for (const Path& path : worker.paths)
                std::copy_n(worker.items.data() + path.first, path.length,
                            items + first[path.request]);
        });
    }

private:
    struct Path {
        std::uint32_t request = 0;
        std::uint32_t length = 0;
        std::size_t first = 0;  // in items
    };
    struct Worker {
        typename Host::Worker searcher;
        std::vector<Path> paths;
        std::vector<std::uint32_t> items;
        std::size_t answered = 0;
    };

    Host host_;
    std::vector<std::uint32_t> lengths_;
    PerWorker<Worker> workers_;
};

}  // namespace cairn::batch

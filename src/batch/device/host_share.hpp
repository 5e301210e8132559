#pragma once
// The host's part of a chunk of a batch: it checks and locates the start and goal of every request,
// and answers the requests that are not for a device.
//
// `Host` has a planner's part: its Form, Index and Arrays; begin(index, query); locate(request),
// which returns a status other than ok if that is the answer; answers(request), whether a located
// request is not for the device; and a Worker for each worker of a loop, whose `answer` to a
// request has status, cost and the items of the path.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "batch/host/result_lists.hpp"
#include "cairn/cost.hpp"
#include "cairn/status.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

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
    void begin(const typename Host::Index& index, const typename Form::Query& query,
               std::size_t requests, const BuildControl& control) {
        host_.begin(index, query);
        workers_.begin(control);
        paths_.assign(requests, {});
        workers_.for_each([](Worker& worker) {
            worker.store.rewind();
            worker.answered = 0;
        });
    }

    /// Prepares request i of the chunk, on worker `number`. True if it is for the device; else
    /// `status` and `cost` are its answer.
    [[nodiscard]] bool prepare(std::size_t number, std::uint32_t i, Request& request,
                               StatusCode& status, Cost& cost) {
        status = host_.locate(request);
        cost = kInfinity;
        if (status != StatusCode::ok) return false;
        if (!host_.answers(request)) return true;
        answer(number, i, request, status, cost);
        return false;
    }

    /// Answers request i of the chunk, on worker `number`.
    void answer(std::size_t number, std::uint32_t i, const Request& request, StatusCode& status,
                Cost& cost) {
        Worker& worker = workers_.of(number);
        const HostAnswer found = worker.searcher.answer(host_, request);
        status = found.status;
        cost = found.cost;
        ++worker.answered;
        if (found.items.empty()) return;
        worker.store.keep(found.items);
        paths_[i] = worker.store.last();
    }

    /// Items of the path of a request that was answered here; else 0.
    [[nodiscard]] std::uint32_t length(std::uint32_t i) const noexcept {
        return static_cast<std::uint32_t>(paths_[i].size());
    }
    /// How many requests were answered here.
    [[nodiscard]] std::size_t answered() const {
        std::size_t count = 0;
        workers_.for_each([&](const Worker& worker) { count += worker.answered; });
        return count;
    }
    /// Writes all paths that were found here: request i's to items[first[i]].
    void write(std::span<const std::uint64_t> first, std::uint32_t* items) const {
        for (std::size_t i = 0; i < paths_.size(); ++i) paths_[i].write(items + first[i]);
    }

private:
    struct Worker {
        typename Host::Worker searcher;
        ListStore<std::uint32_t> store;
        std::size_t answered = 0;
    };

    Host host_;
    std::vector<Pieces<std::uint32_t>> paths_;
    PerWorker<Worker> workers_;
};

}  // namespace cairn::batch

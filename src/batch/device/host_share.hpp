#pragma once
// The host's part of a chunk: it locates the start and goal of every request, and answers the
// requests that are not for the device.
//
// `Host` is a planner's part of this, such as HnaHost:
//
//   begin(index, query)   called before each chunk
//   locate(request)       locates start and goal; a status other than ok is the answer
//   answers(request)      whether the host answers a located request
//   Worker                one for each worker of a loop; answer(host, request) gives a HostAnswer

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "batch/host/result_lists.hpp"
#include "cairn/cost.hpp"
#include "cairn/status.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

/// The host's answer to a request. The items of its path belong to the Host::Worker.
struct HostAnswer {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;
    std::span<const std::uint32_t> items;
};

/// Workers of a loop may call `prepare`, `answer` and `write` at once for different requests.
template <class Host>
class HostShare {
public:
    using Form = typename Host::Form;
    using Request = typename Form::Request;

    /// Prepares for a chunk of `requests` requests, each of which is then passed to `prepare`. The
    /// index and `control` must outlive the chunk.
    void begin(const typename Host::Index& index, const typename Form::Query& query,
               std::size_t requests, const BuildControl& control) {
        control_ = &control;
        host_.begin(index, query);
        workers_.begin(control);
        paths_.resize(requests);
        workers_.for_each([](Worker& worker) {
            worker.store.rewind();
            worker.answered = 0;
        });
    }

    /// Locates request i of the chunk. True if it is for the device. Else the host has answered it,
    /// or left status and cost as they were because the batch is cancelled.
    [[nodiscard]] bool prepare(std::size_t worker, std::uint32_t i, Request& request,
                               StatusCode& status, Cost& cost) {
        paths_[i] = {};
        if (control_->cancelled()) return false;
        status = host_.locate(request);
        cost = kInfinity;
        if (status != StatusCode::ok) return false;
        if (!host_.answers(request)) return true;
        answer(worker, i, request, status, cost);
        return false;
    }

    /// Answers request i of the chunk, which is located.
    void answer(std::size_t worker, std::uint32_t i, const Request& request, StatusCode& status,
                Cost& cost) {
        Worker& own = workers_.of(worker);
        const HostAnswer found = own.searcher.answer(host_, request);
        status = found.status;
        cost = found.cost;
        ++own.answered;
        if (found.items.empty()) return;
        own.store.keep(found.items);
        paths_[i] = own.store.last();
    }

    /// How many items request i's path has; 0 if the host did not answer it.
    [[nodiscard]] std::uint32_t length(std::uint32_t i) const noexcept {
        return static_cast<std::uint32_t>(paths_[i].size());
    }
    /// How many requests of the chunk the host answered, without those that `locate` refused.
    [[nodiscard]] std::size_t answered() const {
        std::size_t count = 0;
        workers_.for_each([&](const Worker& worker) { count += worker.answered; });
        return count;
    }
    /// Writes request i's path, if the host answered it.
    void write(std::uint32_t i, std::uint32_t* to) const { paths_[i].write(to); }

private:
    struct Worker {
        typename Host::Worker searcher;
        ListStore<std::uint32_t> store;
        std::size_t answered = 0;
    };

    const BuildControl* control_ = nullptr;
    Host host_;
    std::vector<Pieces<std::uint32_t>> paths_;  // per request of the chunk
    PerWorker<Worker> workers_;
};

}  // namespace cairn::batch

#pragma once
// A chunk: some of the requests of a batch, which go through a device together.

#include <cstdint>
#include <memory>

#include "batch/device/host_share.hpp"
#include "batch/device/machine.hpp"

namespace cairn::batch {

template <class Host>
struct Chunk {
    using Form = typename Host::Form;
    using Request = typename Form::Request;

    explicit Chunk(Machine& machine)
        : queue(machine.new_queue()),
          requests(machine),
          answers(machine),
          unordered(machine),
          ordered(machine),
          first(machine),
          used(machine),
          host_requests(machine),
          host_answers(machine),
          host_used(machine) {}

    /// Makes room for `most` requests, and for kernels over them. False if there is not enough.
    [[nodiscard]] bool reserve(std::uint32_t most, const Form& form,
                               const typename Form::Query& query) {
        return requests.reserve(most) && answers.reserve(most) &&
               first.reserve(std::size_t{most} + 1) && used.reserve(1) &&
               host_requests.reserve(most) && host_answers.reserve(most) && host_used.reserve(1) &&
               queue->reserve(form, query, most);
    }

    /// Gives all of the device's memory back.
    void clear() noexcept {
        requests.clear();
        answers.clear();
        unordered.clear();
        ordered.clear();
        first.clear();
        used.clear();
        queue->give_back();
    }

    /// Waits for the queue, and copies no paths back.
    void drain() {
        copying_back = false;
        static_cast<void>(queue->wait());
    }

    std::unique_ptr<Queue> queue;
    // The device's
    MachineArray<Request> requests;
    MachineArray<RequestAnswer> answers;
    MachineArray<std::uint32_t> unordered;  // items of paths as teams claimed room for them
    MachineArray<std::uint32_t> ordered;    // the same in the order of the requests
    MachineArray<std::uint64_t> first;
    MachineArray<std::uint64_t> used;
    // The host's
    MachineArray<Request, true> host_requests;  // located; left out where the host answers
    MachineArray<RequestAnswer, true> host_answers;
    MachineArray<std::uint64_t, true> host_used;
    HostShare<Host> share;
    // Of the batch
    std::size_t begin = 0;
    std::uint32_t count = 0;
    bool on_device = false;     // whether any request is
    bool copying_back = false;  // paths are being copied to the host
};

}  // namespace cairn::batch

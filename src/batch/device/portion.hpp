#pragma once
// Some of the trips of a batch, on their way through a device.

#include <cstdint>
#include <memory>

#include "batch/device/host_share.hpp"
#include "batch/device/machine.hpp"

namespace cairn::batch {

template <class Host>
struct Portion {
    using Form = typename Host::Form;
    using Trip = typename Form::Trip;

    explicit Portion(Machine& machine)
        : queue(machine.new_queue()),
          trips(machine),
          answers(machine),
          gathered(machine),
          ordered(machine),
          first(machine),
          used(machine),
          host_trips(machine),
          host_answers(machine),
          host_used(machine) {}

    /// Makes room for so many trips, and for kernels over them. False if there is not enough.
    [[nodiscard]] bool reserve(std::uint32_t most, const Form& form,
                               const typename Form::Query& query) {
        return trips.reserve(most) && answers.reserve(most) &&
               first.reserve(std::size_t{most} + 1) && used.reserve(1) &&
               host_trips.reserve(most) && host_answers.reserve(most) && host_used.reserve(1) &&
               queue->reserve(form, query, most);
    }

    /// Gives all of the device's memory back.
    void clear() noexcept {
        trips.clear();
        answers.clear();
        gathered.clear();
        ordered.clear();
        first.clear();
        used.clear();
        queue->give_back();
    }

    /// Waits for what is under way, and forgets it.
    void rest() {
        copying_back = false;
        static_cast<void>(queue->wait());
    }

    std::unique_ptr<Queue> queue;
    // The device's
    MachineArray<Trip> trips;
    MachineArray<TripAnswer> answers;
    MachineArray<std::uint32_t> gathered;
    MachineArray<std::uint32_t> ordered;
    MachineArray<std::uint64_t> first;
    MachineArray<std::uint64_t> used;
    // The host's
    MachineArray<Trip, true> host_trips;  // located; left out where the host answers
    MachineArray<TripAnswer, true> host_answers;
    MachineArray<std::uint64_t, true> host_used;
    HostShare<Host> share;
    // Of the batch
    std::size_t begin = 0;
    std::uint32_t count = 0;
    bool on_device = false;     // some trip is
    bool copying_back = false;  // routes are on their way to the host
};

}  // namespace cairn::batch

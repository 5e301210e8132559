#pragma once
// What kernels are given and what they leave, as it lies in a device's memory.

#include <cstddef>
#include <cstdint>

#include "cairn/cost.hpp"
#include "core/host_device.hpp"

namespace cairn::batch {

/// Of one trip.
struct TripAnswer {
    static constexpr std::uint64_t kNotWritten = ~std::uint64_t{0};
    std::uint64_t first = kNotWritten;  ///< index of its first item
    Cost cost = kInfinity;              ///< kInfinity: the host has to answer
    std::uint32_t length = 0;           ///< items of its route, also where not written
};

/// A launch over an index of some form: the ends of the trips are located, and trips that the host
/// answers are left out (Form::leave_out). Routes consist of items: polygons, or cells.
template <class Form>
struct KernelTask {
    const typename Form::Trip* trips = nullptr;
    std::uint32_t count = 0;
    typename Form::Query query;
    TripAnswer* answers = nullptr;
    std::uint32_t* items = nullptr;  ///< of all routes, in no order
    std::uint64_t room = 0;          ///< for so many
    std::uint64_t* used = nullptr;   ///< so many are claimed, perhaps more than there is room
};

/// Leaves what `find(ends, answer)` finds for a trip, unless that is the host's. All lanes call
/// this with the same trip, and the first lane's answer counts.
template <class Form, class Team, class Find>
CAIRN_HOST_DEVICE void answer_trip(const KernelTask<Form>& task, std::uint32_t trip,
                                   const Team& team, Find&& find) {
    const typename Form::Trip& ends = task.trips[trip];
    TripAnswer answer;
    if (Form::is_asked(ends)) find(ends, answer);
    if (team.lane() == 0) task.answers[trip] = answer;
    team.sync();
}

/// Puts the routes of a launch in the order of the trips.
struct LayOutTask {
    const TripAnswer* answers = nullptr;
    std::uint32_t count = 0;
    const std::uint64_t* first = nullptr;  ///< per trip, where its items belong
    std::uint64_t base = 0;                ///< what `first` says of the first item of `ordered`
    const std::uint32_t* items = nullptr;
    std::uint32_t* ordered = nullptr;
};

template <class Team>
CAIRN_HOST_DEVICE void lay_out_trip(const LayOutTask& task, std::uint32_t trip, const Team& team) {
    const TripAnswer& answer = task.answers[trip];
    if (answer.first == TripAnswer::kNotWritten) return;
    const std::uint32_t* const from = task.items + answer.first;
    std::uint32_t* const to = task.ordered + (task.first[trip] - task.base);
    for (std::uint32_t i = team.lane(); i < answer.length; i += team.lanes()) to[i] = from[i];
}

/// Cuts a team's scratch memory into arrays; from null, to know how many bytes they take.
class Carver {
public:
    CAIRN_HOST_DEVICE explicit Carver(std::byte* memory) noexcept : memory_(memory) {}
    template <class T>
    [[nodiscard]] CAIRN_HOST_DEVICE T* take(std::size_t count) noexcept {
        T* const array = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + bytes_);
        bytes_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
        return array;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t bytes() const noexcept { return bytes_; }

private:
    static constexpr std::size_t kAlignment = 16;
    std::byte* memory_;
    std::size_t bytes_ = 0;
};

/// Bytes that a kernel's Scratch carves out.
template <class Scratch, class Form>
[[nodiscard]] std::size_t carved_bytes(const Form& form) noexcept {
    Carver carver(nullptr);
    static_cast<void>(Scratch(form, carver));
    return carver.bytes();
}

}  // namespace cairn::batch

#pragma once
// The input and output of kernels in device memory, and the parts that all kernels share: the loop
// over requests, scratch memory and the writing of paths.

#include <cstddef>
#include <cstdint>

#include "batch/device/team.hpp"
#include "cairn/cost.hpp"
#include "core/host_device.hpp"

namespace cairn::batch {

/// The answer of a kernel to a request.
struct RequestAnswer {
    static constexpr std::uint64_t kNotWritten = ~std::uint64_t{0};
    std::uint64_t first = kNotWritten;  ///< index in KernelTask::items of the path's first item
    Cost cost = kInfinity;              ///< kInfinity: the host has to answer
    std::uint32_t length = 0;           ///< items of the path, even if there was no room for it
};

/// The arguments of a launch over an index of some form. The starts and goals of requests are
/// located; kernels skip requests that the host marked by Form::leave_out. Paths consist of items:
/// polygons or cells. All pointers are to device memory.
template <class Form>
struct KernelTask {
    const typename Form::Request* requests = nullptr;
    std::uint32_t count = 0;
    typename Form::Query query;
    RequestAnswer* answers = nullptr;
    std::uint32_t* items = nullptr;  ///< of all paths, in the order in which teams claim room
    std::uint64_t room = 0;          ///< the capacity of `items`
    std::uint64_t* used = nullptr;   ///< counter of claimed items; may exceed `room`
};

/// The arguments of the kernel that copies the paths of a launch into the order of the requests.
struct LayOutTask {
    const RequestAnswer* answers = nullptr;
    std::uint32_t count = 0;
    const std::uint64_t* first = nullptr;  ///< per request: index of its first item in the batch
    std::uint64_t base = 0;                ///< index in the batch of ordered[0]
    const std::uint32_t* items = nullptr;  ///< KernelTask::items
    std::uint32_t* ordered = nullptr;      ///< receives the items
};

/// Copies the path of one request, an item a lane.
template <class Team>
CAIRN_HOST_DEVICE void lay_out_request(const LayOutTask& task, std::uint32_t number,
                                       const Team& team) {
    const RequestAnswer& answer = task.answers[number];
    if (answer.first == RequestAnswer::kNotWritten) return;
    const std::uint32_t* const from = task.items + answer.first;
    std::uint32_t* const to = task.ordered + (task.first[number] - task.base);
    for (std::uint32_t i = team.lane(); i < answer.length; i += team.lanes()) to[i] = from[i];
}

/// Cuts a team's scratch memory into arrays. If `memory` is null, the arrays are null too, and only
/// their bytes are counted. Else it must be aligned to 16 bytes.
class Carver {
public:
    CAIRN_HOST_DEVICE explicit Carver(std::byte* memory) noexcept : memory_(memory) {}
    /// The next `count` items, uninitialised.
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

/// The bytes of uninitialised scratch memory that a kernel needs for each team; a multiple of 16.
template <class Kernel, class Form>
[[nodiscard]] std::size_t scratch_bytes(const Form& form) noexcept {
    Carver carver(nullptr);
    static_cast<void>(typename Kernel::Scratch(form, carver));
    return carver.bytes();
}

/// Answers every `step`-th request from `begin` to `end` - 1, except those that the host answers.
/// All lanes of a team call this with the same arguments.
///
/// A `Kernel` is made of the form, the task, the team and its Scratch. All lanes call its
/// find(request, answer), each with an answer of its own; that of lane 0 is stored.
template <class Kernel, class Form, class Team>
CAIRN_HOST_DEVICE void answer_requests(const Form& form, const KernelTask<Form>& task,
                                       const Team& team, std::byte* scratch, std::uint32_t begin,
                                       std::uint32_t end, std::uint32_t step = 1) {
    Carver carver(scratch);
    Kernel kernel(form, task, team, typename Kernel::Scratch(form, carver));
    for (std::uint32_t number = begin; number < end; number += step) {
        const typename Form::Request& request = task.requests[number];
        RequestAnswer answer;
        if (Form::is_for_device(request)) kernel.find(request, answer);
        if (team.lane() == 0) task.answers[number] = answer;
        team.sync();
    }
}

/// Claims room for a path and writes it: the first item, then those of `legs`. There are
/// legs.count() legs; each is written by one lane. legs.length(leg) gives the items of a leg, and
/// legs.write(leg, length, out) writes them. If there is no room, only answer.length is set.
/// `offsets` is scratch for legs.count() + 1 numbers.
template <class Form, class Team, class Legs>
CAIRN_HOST_DEVICE void write_path(const KernelTask<Form>& task, const Team& team,
                                  std::uint32_t first_item, const Legs& legs,
                                  std::uint32_t* offsets, RequestAnswer& answer) {
    std::uint64_t length = 1;
    for (std::uint32_t base = 0; base < legs.count(); base += team.lanes()) {
        const std::uint32_t leg = base + team.lane();
        const std::uint64_t mine = leg < legs.count() ? legs.length(leg) : 0;
        const LaneSum sum = team.sum(mine);
        if (leg < legs.count()) offsets[leg] = static_cast<std::uint32_t>(length + sum.before);
        length += sum.all;
    }
    if (team.lane() == 0) offsets[legs.count()] = static_cast<std::uint32_t>(length);
    team.sync();
    answer.length = static_cast<std::uint32_t>(length);
    const std::uint64_t first = team.claim(*task.used, length);
    if (first + length > task.room) return;
    answer.first = first;
    std::uint32_t* const out = task.items + first;
    if (team.lane() == 0) *out = first_item;
    for (std::uint32_t leg = team.lane(); leg < legs.count(); leg += team.lanes())
        legs.write(leg, offsets[leg + 1] - offsets[leg], out + offsets[leg]);
}

}  // namespace cairn::batch

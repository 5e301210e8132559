#pragma once
// The input and output of kernels, as it lies in a device's memory, and what all kernels do.

#include <cstddef>
#include <cstdint>

#include "cairn/cost.hpp"
#include "core/host_device.hpp"

namespace cairn::batch {

/// The answer to a request.
struct RequestAnswer {
    static constexpr std::uint64_t kNotWritten = ~std::uint64_t{0};
    std::uint64_t first = kNotWritten;  ///< index of its first item
    Cost cost = kInfinity;              ///< kInfinity: the host has to answer
    std::uint32_t length = 0;           ///< items of its path, also where not written
};

/// A launch over an index of some form. Starts and goals are located, and requests that the host
/// answers are left out (Form::leave_out). Paths consist of items: polygons, or cells.
template <class Form>
struct KernelTask {
    const typename Form::Request* requests = nullptr;
    std::uint32_t count = 0;
    typename Form::Query query;
    RequestAnswer* answers = nullptr;
    std::uint32_t* items = nullptr;  ///< of all paths, in no order
    std::uint64_t room = 0;          ///< how many items there is room for
    std::uint64_t* used = nullptr;   ///< items claimed, perhaps more than there is room for
};

/// Puts the paths of a launch in the order of the requests.
struct LayOutTask {
    const RequestAnswer* answers = nullptr;
    std::uint32_t count = 0;
    const std::uint64_t* first = nullptr;  ///< per request, where its items go
    std::uint64_t base = 0;                ///< what `first` says of the first item of `ordered`
    const std::uint32_t* items = nullptr;
    std::uint32_t* ordered = nullptr;
};

template <class Team>
CAIRN_HOST_DEVICE void lay_out_request(const LayOutTask& task, std::uint32_t number,
                                       const Team& team) {
    const RequestAnswer& answer = task.answers[number];
    if (answer.first == RequestAnswer::kNotWritten) return;
    const std::uint32_t* const from = task.items + answer.first;
    std::uint32_t* const to = task.ordered + (task.first[number] - task.base);
    for (std::uint32_t i = team.lane(); i < answer.length; i += team.lanes()) to[i] = from[i];
}

/// Cuts a team's scratch memory into arrays. Begun at null, it only counts their bytes.
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

/// Bytes of scratch memory, of any content, that a kernel needs for each team.
template <class Kernel, class Form>
[[nodiscard]] std::size_t scratch_bytes(const Form& form) noexcept {
    Carver carver(nullptr);
    static_cast<void>(typename Kernel::Scratch(form, carver));
    return carver.bytes();
}

/// Answers every `step`-th request from `begin` to before `end`, unless the host answers it. All
/// lanes of a team call this with the same numbers.
///
/// A kernel keeps the form, the task, the team and its scratch memory. Its find(request, answer) is
/// called by all lanes, and the first lane's answer counts.
template <class Kernel, class Form, class Team>
CAIRN_HOST_DEVICE void answer_requests(const Form& form, const KernelTask<Form>& task,
                                       const Team& team, std::byte* memory, std::uint32_t begin,
                                       std::uint32_t end, std::uint32_t step = 1) {
    Carver carver(memory);
    Kernel kernel(form, task, team, typename Kernel::Scratch(form, carver));
    for (std::uint32_t number = begin; number < end; number += step) {
        const typename Form::Request& request = task.requests[number];
        RequestAnswer answer;
        if (Form::is_asked(request)) kernel.find(request, answer);
        if (team.lane() == 0) task.answers[number] = answer;
        team.sync();
    }
}

/// Claims room for a path and writes it, each leg by a lane of its own: one item, then those of
/// `legs`. There are `legs.count()` legs of `legs.length(leg)` items each, which `legs.write(leg,
/// length, out)` writes. Where there is no room, only the length is counted. `offsets` is scratch
/// for one number more than there are legs.
template <class Form, class Team, class Legs>
CAIRN_HOST_DEVICE void write_path(const KernelTask<Form>& task, const Team& team,
                                  std::uint32_t begin, const Legs& legs, std::uint32_t* offsets,
                                  RequestAnswer& answer) {
    std::uint64_t length = 1;
    for (std::uint32_t base = 0; base < legs.count(); base += team.lanes()) {
        const std::uint32_t leg = base + team.lane();
        const std::uint64_t mine = leg < legs.count() ? legs.length(leg) : 0;
        const std::uint64_t before = team.before(mine);
        if (leg < legs.count()) offsets[leg] = static_cast<std::uint32_t>(length + before);
        length += team.sum(mine);
    }
    if (team.lane() == 0) offsets[legs.count()] = static_cast<std::uint32_t>(length);
    team.sync();
    answer.length = static_cast<std::uint32_t>(length);
    const std::uint64_t first = team.claim(*task.used, length);
    if (first + length > task.room) return;
    answer.first = first;
    std::uint32_t* const out = task.items + first;
    if (team.lane() == 0) *out = begin;
    for (std::uint32_t leg = team.lane(); leg < legs.count(); leg += team.lanes())
        legs.write(leg, offsets[leg + 1] - offsets[leg], out + offsets[leg]);
}

}  // namespace cairn::batch

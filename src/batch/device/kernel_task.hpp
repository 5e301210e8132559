#pragma once
// The input and output of kernels, as it lies in a device's memory.

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

/// Stores what `find(request, answer)` finds for request `number`, unless the host answers it. All
/// lanes call this with the same number, and the first lane's answer counts.
template <class Form, class Team, class Find>
CAIRN_HOST_DEVICE void answer_request(const KernelTask<Form>& task, std::uint32_t number,
                                      const Team& team, Find&& find) {
    const typename Form::Request& request = task.requests[number];
    RequestAnswer answer;
    if (Form::is_asked(request)) find(request, answer);
    if (team.lane() == 0) task.answers[number] = answer;
    team.sync();
}

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

/// Bytes that a kernel's Scratch carves out.
template <class Scratch, class Form>
[[nodiscard]] std::size_t carved_bytes(const Form& form) noexcept {
    Carver carver(nullptr);
    static_cast<void>(Scratch(form, carver));
    return carver.bytes();
}

}  // namespace cairn::batch

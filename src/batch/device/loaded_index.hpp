#pragma once
// An index whose arrays lie in device memory.

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/grid/subgoal_form.hpp"
#include "batch/device/machine.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "cairn/batch/device.hpp"

namespace cairn::batch {

/// An index, and the copy of its arrays on a device. `Arrays` makes the form of an index in host
/// memory: HnaArrays, SubgoalArrays or HpaArrays.
template <class Arrays>
struct LoadedIndex {
    using Form = typename Arrays::Form;
    using Index = typename Arrays::Index;
    LoadedIndex(const Device& on, const Index& of) : device(on), index(of), memory(*on.machine()) {}

    /// Copies all arrays of the form to the device. Call it once. Errors: out_of_memory;
    /// device_failed; unsupported, with what to do, if the index lacks something that kernels need.
    [[nodiscard]] Status load() {
        if constexpr (requires { Arrays::check(index); }) {
            if (Status status = Arrays::check(index); !status.ok()) return status;
        }
        if (Status status = device.machine()->failure(); !status.ok()) return status;
        const Arrays arrays(index);
        form = arrays.form();
        // What cudaMalloc guarantees: each array is aligned as if it were allocated alone.
        constexpr std::size_t kAlignment = 256;
        const auto rounded = [](std::size_t bytes) {
            return (bytes + kAlignment - 1) / kAlignment * kAlignment;
        };
        std::size_t bytes = 0;
        for_each_array(form, [&](const auto& span) { bytes += rounded(span.size_bytes()); });
        Status reserved = memory.reserve(bytes);
        if (reserved.code == StatusCode::out_of_memory)
            reserved.message = fmt::format(
                "the index takes {} bytes of device memory: not so much is left", bytes);
        if (!reserved.ok()) return reserved;
        std::unique_ptr<Queue<Form>> queue;
        device.machine()->make_queue(queue);
        std::byte* at = memory.data();
        for_each_array(form, [&]<class T>(std::span<const T>& span) {
            if (!span.empty()) queue->copy(at, span.data(), span.size_bytes());
            span = {reinterpret_cast<const T*>(at), span.size()};
            at += rounded(span.size_bytes());
        });
        return queue->wait();
    }

    Device device;
    Index index;
    Form form;                       // its spans point into `memory`
    MachineArray<std::byte> memory;  // the arrays, one after another
};

struct DeviceIndex::Data : LoadedIndex<HnaArrays> {
    using LoadedIndex::LoadedIndex;
};
/// An index of one of the two grid planners.
struct DeviceGridIndex::Data {
    Data(const Device& device, const subgoal::Index& index)
        : loaded(std::in_place_type<LoadedIndex<SubgoalArrays>>, device, index) {}
    Data(const Device& device, const hpa::Index& index)
        : loaded(std::in_place_type<LoadedIndex<HpaArrays>>, device, index) {}
    [[nodiscard]] Status load() {
        return std::visit([](auto& each) { return each.load(); }, loaded);
    }

    std::variant<LoadedIndex<SubgoalArrays>, LoadedIndex<HpaArrays>> loaded;
};

}  // namespace cairn::batch

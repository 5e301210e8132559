#pragma once
// An index in a device's memory.

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

/// `Arrays` gives the form of an index in the host's memory.
template <class Arrays>
struct LoadedIndex {
    using Form = typename Arrays::Form;
    using Index = typename Arrays::Index;
    LoadedIndex(const Device& on, const Index& of) : device(on), index(of), memory(*on.machine()) {}

    /// Copies all arrays of the form to the device. To be called once. Errors: out_of_memory;
    /// device_failed; unsupported, with what to do, if the index lacks something.
    [[nodiscard]] Status load() {
        if constexpr (requires { Arrays::check(index); }) {
            if (Status status = Arrays::check(index); !status.ok()) return status;
        }
        const Arrays arrays(index);
        form = arrays.form();
        // Arrays begin at addresses that suit copies and kernels best.
        constexpr std::size_t kAlignment = 256;
        const auto rounded = [](std::size_t bytes) {
            return (bytes + kAlignment - 1) / kAlignment * kAlignment;
        };
        std::size_t bytes = 0;
        for_each_array(form, [&](const auto& span) { bytes += rounded(span.size_bytes()); });
        if (!memory.reserve(bytes))
            return {StatusCode::out_of_memory,
                    fmt::format("the index takes {} bytes of the device's memory, which has not "
                                "that much left",
                                bytes)};
        std::unique_ptr<Queue<Form>> queue;
        device.machine()->make(queue);
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
    Form form;                       // in the device's memory
    MachineArray<std::byte> memory;  // which holds its arrays
};

struct DeviceIndex::Data : LoadedIndex<HnaArrays> {
    using LoadedIndex::LoadedIndex;
};
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

#pragma once
// An index in a device's memory.

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/grid/subgoal_form.hpp"
#include "batch/device/machine.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "cairn/batch/device.hpp"

namespace cairn::batch {

/// `Arrays` holds an index and gives its form in the host's memory.
template <class Arrays>
struct LoadedIndex {
    using Form = typename Arrays::Form;
    LoadedIndex(const Device& on, const typename Arrays::Index& index)
        : device(on), arrays(index), form(arrays.form()), memory(*on.machine()) {}

    /// Copies all arrays of the form to the device. To be called once. Errors: out_of_memory;
    /// device_failed.
    [[nodiscard]] Status load();

    Device device;
    Arrays arrays;                   // in the host's memory
    Form form;                       // in the device's
    MachineArray<std::byte> memory;  // which holds its arrays
};

struct DeviceIndex::Data : LoadedIndex<HnaArrays> {
    using LoadedIndex::LoadedIndex;
};
/// One of the indexes.
struct DeviceGridIndex::Data {
    Device device;
    grid::Map map;
    std::size_t bytes = 0;
    std::unique_ptr<LoadedIndex<SubgoalArrays>> subgoal;
    std::unique_ptr<LoadedIndex<HpaArrays>> hpa;
};

template <class Arrays>
Status LoadedIndex<Arrays>::load() {
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
    const std::unique_ptr<Queue> queue = device.machine()->new_queue();
    std::byte* at = memory.data();
    for_each_array(form, [&]<class T>(std::span<const T>& span) {
        if (!span.empty()) queue->copy_in(at, span.data(), span.size_bytes());
        span = {reinterpret_cast<const T*>(at), span.size()};
        at += rounded(span.size_bytes());
    });
    return queue->wait();
}

}  // namespace cairn::batch

#pragma once
// An index in a device's memory.

#include <cstddef>

#include "batch/device/hna_form.hpp"
#include "batch/device/machine.hpp"
#include "cairn/batch/device.hpp"

namespace cairn::batch {

struct DeviceIndex::Data {
    Data(const Device& on, const hna::Index& index)
        : device(on), arrays(index), form(arrays.form()), memory(*on.machine()) {}

    Device device;
    HnaArrays arrays;                // in the host's memory
    HnaForm form;                    // in the device's
    MachineArray<std::byte> memory;  // which holds its arrays
};

}  // namespace cairn::batch

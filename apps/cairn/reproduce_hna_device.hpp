#pragma once
// The HNA* paper's crowds on a device: section 6 as it is meant.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "reproduce_exhibit.hpp"
#include "reproduce_hna_run.hpp"

namespace cairn::app {

/// A crowd's corridors by one engine of a device.
struct HnaDeviceTime {
    std::string engine;
    std::size_t agents = 0;
    double seconds = 0;         ///< until all corridors are in the host's memory
    double bytes = 0;           ///< copied to and fro, an agent
    std::uint64_t on_host = 0;  ///< agents whose ends lie in one cluster
    std::uint64_t wrong = 0;    ///< answers that differ from those of a batch on the processors
};

struct HnaDevice {
    std::string mesh;
    std::string device;
    std::size_t index_bytes = 0;  ///< of the device's memory
    std::vector<HnaDeviceTime> times;
};

/// Errors: no_device, out_of_memory, cancelled.
[[nodiscard]] Result<HnaDevice> measure_device(const std::string& mesh, const hna::Index& index,
                                               std::span<const mesh::Request> trips,
                                               batch::DeviceKind kind, const HnaControl& control);

[[nodiscard]] Exhibit hna_crowd_device(const std::vector<HnaDevice>& devices);

}  // namespace cairn::app

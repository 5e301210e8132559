#pragma once
// Crowds on grids asked of a device, by turns with the host's batches that ask the same.

#include <cstddef>
#include <cstdint>
#include <span>

#include "bench_batch_planner.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/control.hpp"
#include "cairn/status.hpp"

namespace cairn::app {

/// One planner, one crowd and one form of answer on a device. Times are until all answers are in
/// the host's memory.
struct DeviceRun {
    double us = 0;       ///< an agent
    double host_us = 0;  ///< an agent, the same asked of the host, in batches on all threads
    double bytes = 0;    ///< copied to the device and back, an agent
    double on_host = 0;  ///< the share of the agents whose answers are the host's searches'
    std::size_t index_bytes = 0;  ///< of the device's memory
    std::uint64_t wrong = 0;      ///< answers that differ from the host's
};

/// Asks for a crowd in batches of `portion`, of each the best of so many rounds. Errors: those of
/// batches, on the device too; cancelled.
[[nodiscard]] Result<DeviceRun> measure_on_device(const DeviceTwin& twin,
                                                  std::span<const grid::Request> trips,
                                                  std::size_t portion, PathForm form, int rounds,
                                                  const BuildControl& control);

}  // namespace cairn::app

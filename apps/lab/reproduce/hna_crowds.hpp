#pragma once
// The experiments of the HNA* paper's sections 6 and 7.2, many agents at once, on any meshes: on
// the processors, and on a device.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "lab.hpp"
#include "reproduce/hna.hpp"

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
                                               std::span<const mesh::Request> requests,
                                               batch::DeviceKind kind, const HnaControl& control);

/// Seconds in which every agent of a crowd gets its corridor, by one way of asking.
struct HnaCrowdTime {
    double loop = 0;        ///< one query after another by a searcher; 0: not measured
    double one_thread = 0;  ///< a batch on one thread; 0: not measured
    double threads = 0;     ///< a batch on all threads
};

struct HnaCrowd {
    int agents = 0;
    bool compared = false;  ///< in all ways of asking
    HnaCrowdTime astar;     ///< over the polygons; of large crowds a part is measured and scaled up
    HnaCrowdTime pccp;      ///< A* on the HNG, connected by PCCP
    HnaCrowdTime labels;    ///< cut labels
    HnaCrowdTime shared;    ///< cut labels, a hundred agents heading for each goal
    std::uint64_t wrong = 0;
};

struct HnaCrowds {
    std::string name;
    std::size_t polygons = 0;
    std::vector<HnaCrowd> crowds;
    std::optional<HnaDevice> device{};  ///< the largest one, if a device was asked for
};

/// Agents of the crowds up to a largest one, ascending: those of the paper, whose largest is
/// 500,000, and of which 65,535 fitted into one launch.
[[nodiscard]] std::vector<int> crowd_sizes(int largest);

/// Level 1, mu 20, scored by centres: the paper's best for one of its maps. Errors: cancelled;
/// those of building an index and of batches.
[[nodiscard]] Result<HnaCrowds> measure_crowds(const HnaMesh& mesh, int largest, std::uint64_t seed,
                                               const HnaControl& control);

/// Rows of the sheets "crowds", one for each way of asking, and "device".
[[nodiscard]] Status add_rows(const HnaCrowds& mesh, Sheets& sheets);

}  // namespace cairn::app

#pragma once
// The experiments of sections 6 and 7.2 of the HNA* paper, many agents at once, on any meshes, on
// the processors and on a device.

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
    double bytes = 0;           ///< copied to the device and back, for each agent
    std::uint64_t on_host = 0;  ///< agents with start and goal in one cluster
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

/// Seconds in which every agent of a crowd gets its corridor, with one method.
struct HnaCrowdTime {
    double loop = 0;        ///< one query after another by a searcher; 0: not measured
    double one_thread = 0;  ///< a batch on one thread; 0: not measured
    double threads = 0;     ///< a batch on all threads
};

struct HnaCrowd {
    int agents = 0;
    bool compared = false;  ///< all methods were compared
    HnaCrowdTime astar;     ///< over the polygons; scaled up from a part of large crowds
    HnaCrowdTime pccp;      ///< A* on the HNG, connected by PCCP
    HnaCrowdTime labels;    ///< cut labels
    HnaCrowdTime shared;    ///< cut labels, a hundred agents to each goal
    std::uint64_t wrong = 0;
};

struct HnaCrowds {
    std::string name;
    std::size_t polygons = 0;
    std::vector<HnaCrowd> crowds;
    std::optional<HnaDevice> device{};  ///< the largest one, if a device was used
};

/// The numbers of agents of crowds up to `largest`, ascending. They are the paper's, whose largest
/// is 500,000; 65,535 agents fitted into one launch there.
[[nodiscard]] std::vector<int> crowd_sizes(int largest);

/// Measures crowds with level 1, mu 20 and scoring by centres, the paper's best for one of its
/// maps. Errors: cancelled; those of building an index and of batches.
[[nodiscard]] Result<HnaCrowds> measure_crowds(const HnaMesh& mesh, int largest, std::uint64_t seed,
                                               const HnaControl& control);

/// Rows of the sheets "crowds", one for each method, and "device".
[[nodiscard]] Status add_rows(const HnaCrowds& mesh, Sheets& sheets);

}  // namespace cairn::app

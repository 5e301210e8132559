#pragma once
// The experiments of the HNA* paper's sections 6 and 7.2, many agents at once, on any meshes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reproduce_exhibit.hpp"
#include "reproduce_hna_device.hpp"
#include "reproduce_hna_run.hpp"

namespace cairn::app {

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

[[nodiscard]] Exhibit hna_figure_11(const std::vector<HnaCrowds>& meshes);      ///< time by agents
[[nodiscard]] Exhibit hna_figure_12(const std::vector<HnaCrowds>& meshes);      ///< speed by mesh
[[nodiscard]] Exhibit hna_crowd_frames(const std::vector<HnaCrowds>& meshes);   ///< Table 3
[[nodiscard]] Exhibit hna_crowd_threads(const std::vector<HnaCrowds>& meshes);  ///< scaling

}  // namespace cairn::app

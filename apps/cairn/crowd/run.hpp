#pragma once
// The simulation of `cairn crowd`: runs a crowd frame by frame and measures its times.

#include <cstdint>
#include <string>
#include <vector>

#include "command.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

struct CrowdPlan {
    int agents = 1000;
    double seconds = 10;  ///< simulated
    double rate = 1;      ///< queries of an agent a second, to renew its path
    double edits = 1;     ///< a second
    int edit_frames = 1;  ///< edits due in this many frames are made together, in the last
    int goals = 0;        ///< shared by all agents; 0: each draws its own
    double speed = 5;     ///< cells, or units of length, a second
    int label_frames = CrowdControl{}.label_frames;
    std::uint64_t seed = 1;
    std::string frames;  ///< prefix of the file names of pictures of agents; empty: no pictures

    [[nodiscard]] int num_frames() const noexcept {
        return static_cast<int>(seconds * kFramesASecond + 0.5);
    }
};

/// The times of one method.
struct WayTimes {
    std::string name;
    std::vector<double>
        frames;          ///< seconds, sorted; scaled up from a sample if only that was queried
    double queries = 0;  ///< of those frames, those left out of a sample included
    std::uint64_t asked = 0;

    [[nodiscard]] double total() const noexcept;
};

struct CrowdFigures {
    int frames = 0;
    bool stopped = false;            ///< by Ctrl-C
    double start_seconds = 0;        ///< for the first paths of all agents
    std::uint64_t queries = 0;       ///< in frames
    std::uint64_t arrived = 0;       ///< of these, those for a new goal
    std::uint64_t cut = 0;           ///< those after an edit had cut the path
    std::uint64_t no_path = 0;       ///< those without one
    std::uint64_t label_frames = 0;  ///< frames with labels or levels
    std::uint64_t steps = 0;
    std::uint64_t illegal = 0;    ///< steps that were not allowed
    std::uint64_t blocked = 0;    ///< frames in which an agent stood on something blocked
    std::uint64_t refused = 0;    ///< queries whose status is neither ok nor no_path
    std::uint64_t differing = 0;  ///< costs or statuses that contradict each other
    std::uint64_t compared = 0;
    std::uint64_t trace = 0;  ///< a hash of the positions of all agents in each frame
    WayTimes walked;          ///< the batches whose paths agents follow
    std::vector<WayTimes> ways;

    [[nodiscard]] std::uint64_t wrong() const noexcept {
        return illegal + blocked + refused + differing;
    }
};

/// Runs the plan, until Ctrl-C. Errors: those of the world; cancelled (before the first frame);
/// io_error (pictures).
[[nodiscard]] Result<CrowdFigures> run_crowd(CrowdWorld& world, const CrowdPlan& plan,
                                             const Context& context);

/// The output of `cairn crowd`.
[[nodiscard]] std::string crowd_text(const CrowdWorld& world, const CrowdPlan& plan,
                                     const CrowdFigures& figures);
[[nodiscard]] Json crowd_json(const CrowdWorld& world, const CrowdPlan& plan,
                              const CrowdFigures& figures);

}  // namespace cairn::app

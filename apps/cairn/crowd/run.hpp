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
    double rate = 1;      ///< queries per agent and second, to renew its path
    double edits = 1;     ///< per second
    int edit_frames = 1;  ///< the edits due in so many frames are made together in the last one
    int goals = 0;        ///< shared by all agents; 0: each draws its own
    double speed = 5;     ///< in cells, or in units of length, per second
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
        frames;               ///< seconds, sorted; scaled up from a sample if only that was queried
    double queries = 0;       ///< in those frames, including those left out of a sample
    std::uint64_t asked = 0;  ///< queries that were measured

    [[nodiscard]] double total() const noexcept;
};

struct CrowdFigures {
    int frames = 0;
    bool stopped = false;            ///< by Ctrl-C
    double start_seconds = 0;        ///< for the first paths of all agents
    std::uint64_t queries = 0;       ///< in all frames, not at the start
    std::uint64_t arrived = 0;       ///< of these, those of agents that had arrived
    std::uint64_t cut = 0;           ///< of these, those of agents whose path an edit had cut
    std::uint64_t no_path = 0;       ///< of these, those without a path
    std::uint64_t label_frames = 0;  ///< frames in which labels or levels were ready
    std::uint64_t steps = 0;
    std::uint64_t illegal = 0;  ///< steps that were not allowed
    std::uint64_t blocked = 0;  ///< agents that stood on something blocked, summed over all frames
    std::uint64_t refused = 0;  ///< queries that gave neither a path nor "no path"
    std::uint64_t differing = 0;  ///< costs or statuses that contradict each other
    std::uint64_t compared = 0;
    std::uint64_t trace = 0;  ///< a hash of the positions of all agents in each frame
    WayTimes walked;          ///< the batches whose paths agents follow
    std::vector<WayTimes> ways;

    [[nodiscard]] std::uint64_t wrong() const noexcept {
        return illegal + blocked + refused + differing;
    }
};

/// Runs the plan to its end, or until Ctrl-C. Errors: those of the world; cancelled (before the
/// first frame); io_error (pictures).
[[nodiscard]] Result<CrowdFigures> run_crowd(CrowdWorld& world, const CrowdPlan& plan,
                                             const Context& context);

/// The output of `cairn crowd`.
[[nodiscard]] std::string crowd_text(const CrowdWorld& world, const CrowdPlan& plan,
                                     const CrowdFigures& figures);
[[nodiscard]] Json crowd_json(const CrowdWorld& world, const CrowdPlan& plan,
                              const CrowdFigures& figures);

}  // namespace cairn::app

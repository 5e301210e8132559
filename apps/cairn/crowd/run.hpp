#pragma once
// The simulation of `cairn crowd`: its plan, its run frame by frame, its figures and their output.

#include <cstdint>
#include <string>
#include <vector>

#include "command.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

/// The options of a run.
struct CrowdPlan {
    int agents = 1000;
    double seconds = 10;  ///< simulated
    double rate = 1;      ///< queries of each agent per second that renew its path
    double edits = 1;     ///< changes per second
    int edit_frames = 1;  ///< the changes due in this many frames are one edit, in the last one
    int goals = 0;        ///< shared by all agents; 0: each agent draws its own
    double speed = 5;     ///< in cells, or in units of length, per second
    std::uint64_t seed = 1;
    std::string frames;  ///< the prefix of the pictures' file names; empty: no pictures

    [[nodiscard]] int num_frames() const noexcept {
        return static_cast<int>(seconds * kFramesPerSecond + 0.5);
    }
};

/// The times of one method.
struct MethodTimes {
    std::string name;
    /// Seconds of each frame in which it answered, sorted; those of a sample of the queries are
    /// scaled up to all of them.
    std::vector<double> frames;
    double queries = 0;          ///< of these frames, whether sampled or not
    std::uint64_t measured = 0;  ///< queries that it answered

    /// The sum of `frames`.
    [[nodiscard]] double total() const noexcept;
};

/// The results of a run.
struct CrowdFigures {
    int frames = 0;
    bool stopped = false;       ///< by Ctrl-C
    double start_seconds = 0;   ///< for the first paths of all agents
    std::uint64_t queries = 0;  ///< in all frames, not at the start
    // Some of these queries.
    std::uint64_t arrived = 0;  ///< of agents that had arrived and got a new goal
    std::uint64_t cut = 0;      ///< of agents whose path an edit had cut
    std::uint64_t no_path = 0;  ///< without a path
    std::uint64_t refused = 0;  ///< neither a path nor "no path", also at the start

    std::uint64_t label_frames = 0;  ///< frames in which labels were ready
    std::uint64_t steps = 0;
    std::uint64_t illegal = 0;    ///< steps that were not allowed
    std::uint64_t blocked = 0;    ///< agents on a blocked spot, summed over all frames
    std::uint64_t compared = 0;   ///< answers compared with those that agents follow
    std::uint64_t differing = 0;  ///< of these, answers that contradict each other
    std::uint64_t trace = 0;      ///< a hash of the positions of all agents in each frame
    MethodTimes walked;           ///< of the batches whose paths agents follow
    std::vector<MethodTimes> methods;

    /// The number of faults of any kind.
    [[nodiscard]] std::uint64_t wrong() const noexcept {
        return illegal + blocked + refused + differing;
    }
};

/// Runs the plan to its end, or until Ctrl-C. Errors: those of the world; cancelled (Ctrl-C before
/// the first frame); io_error (pictures).
[[nodiscard]] Result<CrowdFigures> run_crowd(CrowdWorld& world, const CrowdPlan& plan,
                                             const Context& context);

/// The output of `cairn crowd`.
[[nodiscard]] std::string crowd_text(const CrowdWorld& world, const CrowdPlan& plan,
                                     const CrowdFigures& figures);
[[nodiscard]] Json crowd_json(const CrowdWorld& world, const CrowdPlan& plan,
                              const CrowdFigures& figures);

}  // namespace cairn::app

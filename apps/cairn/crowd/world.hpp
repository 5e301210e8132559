#pragma once
// The world of `cairn crowd`, a grid map or a mesh: places, paths between them, and edits.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/status.hpp"

namespace cairn::app {

/// A cell or a polygon.
using Spot = std::uint32_t;

/// An agent of the crowd.
struct Walker {
    std::uint32_t kind = 0;  ///< the kind of agent, if the planner has several
    Spot goal = 0;
    std::vector<Spot> spots;  ///< its path, never empty; it stands on spots[at]
    /// On meshes the points where it enters each of the spots, and its end point: one more than
    /// spots.
    std::vector<mesh::Waypoint> crossings;
    std::size_t at = 0;
    double done = 0;     ///< of the length from there to the next
    bool walks = false;  ///< has not arrived yet
    bool lost = false;   ///< no path to its goal; it waits for its next query

    [[nodiscard]] Spot spot() const noexcept { return spots[at]; }
};

/// Times of edits in seconds.
struct EditTimes {
    std::vector<double> edited;  ///< per edit
    std::vector<double> closed;  ///< until the worker had rebuilt the labels
    std::uint64_t late = 0;      ///< times that it took longer than the frames allowed
    std::uint64_t blocked = 0;
    std::uint64_t freed = 0;
    std::uint64_t skipped = 0;  ///< no place without an agent was found
};

/// A random edit.
template <class Edit>
struct DrawnEdit {
    Edit edit;
    bool frees = false;  ///< frees what an earlier edit has blocked
};

/// The counts of one frame of walking.
struct Walked {
    std::uint64_t steps = 0;    ///< from spot to spot
    std::uint64_t illegal = 0;  ///< steps that the frame's snapshot does not allow
    std::uint64_t blocked = 0;  ///< agents on a blocked spot
};

/// The answers to the queries of some walkers.
struct Answers {
    double seconds = 0;
    std::vector<StatusCode> status;
    std::vector<Cost> cost;
    std::uint64_t differing = 0;  ///< answers of a device that differ from the host's
};

/// A method to answer queries, such as labels.
struct Way {
    std::string name;
    bool waits = false;      ///< unavailable after edits until a worker has finished
    bool on_device = false;  ///< answers all queries of a frame, but no agent follows its paths
};

/// Time and memory of copying labels to a device.
struct DeviceTimes {
    std::string name;
    std::size_t bytes = 0;       ///< of its memory: the last index
    std::vector<double> loaded;  ///< seconds, per index
};

struct CrowdControl {
    const CancelFlag* cancel = nullptr;
    int threads = 0;
    int label_frames = 1;  ///< after this many frames the index of a worker is used
    std::optional<batch::Device> device{};  ///< that also answers the queries
};

/// The frames of a simulated second.
inline constexpr int kFramesASecond = 25;

using CrowdRandom = std::mt19937_64;

/// The state of a world, without its times, depends only on the calls and not on threads: the index
/// of a worker is taken over a fixed number of frames after an edit, and paths are found by a named
/// engine, as engines differ in which path of least cost they find.
class CrowdWorld {
public:
    virtual ~CrowdWorld() = default;

    /// "hpa", "subgoal", "haa" or "hna".
    [[nodiscard]] virtual const char* planner() const noexcept = 0;
    /// The word for spots, in the plural, and their number.
    [[nodiscard]] virtual const char* spot_word() const noexcept = 0;
    [[nodiscard]] virtual std::size_t spots() const noexcept = 0;
    /// Whether all methods give the same cost. If not, none is below the cost of the last.
    [[nodiscard]] virtual bool exact() const noexcept = 0;

    /// The last is the baseline: A* for each agent, without an index. The others are in ascending
    /// order of preference, except the one on a device.
    [[nodiscard]] virtual const std::vector<Way>& ways() const noexcept = 0;
    [[nodiscard]] virtual bool ready(std::size_t way) const noexcept = 0;

    /// Places agents on the largest component, with `goals` shared goals, or one for each if 0.
    /// Errors: no_path (nowhere to go).
    [[nodiscard]] virtual Status settle(std::span<Walker> walkers, int goals,
                                        CrowdRandom& random) = 0;
    virtual void draw_goal(Walker& walker, CrowdRandom& random) = 0;

    /// Finds the paths of some walkers in one batch; with `take` they follow them.
    [[nodiscard]] virtual Result<Answers> ask(std::size_t way, std::span<Walker> walkers,
                                              std::span<const std::uint32_t> who, bool take) = 0;
    /// Moves every walking agent on by `length`.
    virtual Walked walk(std::span<Walker> walkers, double length) = 0;

    /// Takes over the index of a worker if it is due in this frame. Errors: cancelled.
    [[nodiscard]] virtual Status begin_frame(int frame) = 0;
    /// Makes `count` edits and starts a worker. Errors: unsupported (nothing can be blocked); those
    /// of the index's `edited`.
    [[nodiscard]] virtual Status edit(int count, int frame, std::span<const Walker> walkers,
                                      CrowdRandom& random) = 0;
    /// Whether an edit has cut its path; the walker then stops before it.
    [[nodiscard]] virtual bool cut(Walker& walker) const = 0;
    [[nodiscard]] virtual const EditTimes& edit_times() const noexcept = 0;
    /// Null if no device is used.
    [[nodiscard]] virtual const DeviceTimes* device_times() const noexcept = 0;

    /// A picture of the world with the flows so far, or with its agents.
    [[nodiscard]] virtual Result<render::Drawing> draw_flow(const std::string& title) const = 0;
    [[nodiscard]] virtual Result<render::Drawing> draw_agents(std::span<const Walker> walkers,
                                                              const std::string& title) const = 0;
};

/// The world of an index. `control.cancel` must outlive it. Of HAA* the agents are of all classes
/// in turn, and their views are prepared first. Errors: those of preparing views; with a device,
/// those of loading an index there; bad_option (HAA* with a device).
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> make_world(const AnyIndex& index,
                                                             const CrowdControl& control);
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> make_world(const hna::Index& index,
                                                             const CrowdControl& control);

}  // namespace cairn::app

#pragma once
// The world of `cairn crowd`: a map or a mesh with its index, on which agents find paths and walk
// while edits change it.

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
#include "cairn/world/world.hpp"

namespace cairn::app {

/// A cell of the map or a polygon of the mesh.
using Spot = std::uint32_t;

/// An agent of the crowd.
struct Walker {
    std::uint32_t kind = 0;  ///< the agent class with HAA*, else 0
    Spot goal = 0;
    std::vector<Spot> spots;  ///< its path, never empty
    /// On meshes, the start of the path, the points where it enters each later spot, and its end:
    /// one more than spots. Without a path only the agent's position.
    std::vector<mesh::Waypoint> crossings;
    std::size_t at = 0;    ///< it stands on spots[at]
    double progress = 0;   ///< the length walked since it entered spots[at]
    bool walking = false;  ///< has not reached the end of its path
    bool lost = false;     ///< its last query found no path; it waits for the next

    [[nodiscard]] Spot spot() const noexcept { return spots[at]; }
};

/// What edits did, and the work that they left.
struct EditFigures {
    std::vector<double> edited;  ///< seconds of each edit of the world
    // The changes of these edits.
    std::uint64_t blocked = 0;
    std::uint64_t freed = 0;
    std::uint64_t skipped = 0;  ///< left out: no place without an agent was found
    double left = 0;            ///< seconds that the work left at the end took
    Status work;                ///< World::work_status after that
};

/// A random change of the map or mesh.
template <class Edit>
struct DrawnEdit {
    Edit edit;
    bool frees = false;  ///< it frees what an earlier one blocked; else it blocks
};

/// The counts of one frame of walking.
struct WalkCounts {
    std::uint64_t steps = 0;    ///< from spot to spot
    std::uint64_t illegal = 0;  ///< steps that the frame's map or mesh does not allow
    std::uint64_t blocked = 0;  ///< agents on a blocked spot
};

/// The answers to one batch of queries.
struct Answers {
    double seconds = 0;
    std::vector<StatusCode> status;  ///< by query
    std::vector<Cost> cost;          ///< by query
    std::uint64_t differing = 0;     ///< answers of a device that differ from the host's
};

/// A method that is measured, such as labels.
struct Method {
    std::string name;
    bool on_device = false;  ///< answers all queries of a frame, not only some
};

/// Time and memory of copying labels to a device.
struct DeviceTimes {
    std::string name;
    std::size_t bytes = 0;       ///< of the device's memory, for the last index
    std::vector<double> loaded;  ///< seconds, by index
};

/// What a world takes besides its index.
struct CrowdControl {
    const CancelFlag* cancel = nullptr;
    int threads = 0;                        ///< for queries; 0: one per processor
    std::optional<batch::Device> device{};  ///< answers the queries too
    WorldOptions world{};                   ///< only order_edits can change the paths
};

/// Frames in a simulated second.
inline constexpr int kFramesPerSecond = 25;

using CrowdRandom = std::mt19937_64;

/// A map or a mesh with the agents' paths on it, kept by a cairn::World. The paths depend only on
/// the calls, not on threads or speed.
class CrowdWorld {
public:
    virtual ~CrowdWorld() = default;

    /// "hpa", "subgoal", "haa" or "hna".
    [[nodiscard]] virtual const char* planner() const noexcept = 0;
    /// "cells" or "polygons".
    [[nodiscard]] virtual const char* spot_word() const noexcept = 0;
    [[nodiscard]] virtual std::size_t num_spots() const noexcept = 0;
    /// Whether all methods give the same cost. If not, no cost is below the last method's.
    [[nodiscard]] virtual bool exact() const noexcept = 0;

    /// The engines of the index; the device, if there is one; and last the baseline: A* for each
    /// agent, without an index.
    [[nodiscard]] virtual const std::vector<Method>& methods() const noexcept = 0;
    /// Takes the newest snapshot for the next two functions: labels may be ready that were not.
    virtual void take_snapshot() = 0;
    /// Whether a method can answer. `method`: a position in methods().
    [[nodiscard]] virtual bool ready(std::size_t method) const noexcept = 0;
    [[nodiscard]] virtual bool has_labels() const noexcept = 0;

    /// Puts each agent on a random spot of the largest component for its kind, and draws its goal:
    /// one of `goals` shared goals, or one of its own if `goals` is 0. Errors: no_path (no agent
    /// can go anywhere).
    [[nodiscard]] virtual Status place_agents(std::span<Walker> walkers, int goals,
                                              CrowdRandom& random) = 0;
    virtual void draw_goal(Walker& walker, CrowdRandom& random) = 0;

    /// Finds the paths of the agents at positions `chosen` in one batch. Errors: those of batches.
    [[nodiscard]] virtual Result<Answers> find_paths(std::span<const Walker> walkers,
                                                     std::span<const std::uint32_t> chosen) = 0;
    /// The same by a method that is ready, for its times and costs: nobody follows these paths.
    [[nodiscard]] virtual Result<Answers> measure(std::size_t method,
                                                  std::span<const Walker> walkers,
                                                  std::span<const std::uint32_t> chosen) = 0;
    /// Lets agents follow the paths that the last call of find_paths has found for them.
    virtual void follow_paths(std::span<Walker> walkers, std::span<const std::uint32_t> chosen) = 0;
    /// Moves every walking agent on by `length`, in cells or in units of the mesh.
    virtual WalkCounts walk(std::span<Walker> walkers, double length) = 0;

    /// Makes an edit of up to `count` changes that block no agent and no shared goal. Errors:
    /// unsupported (nothing can be blocked); those of World::edit.
    [[nodiscard]] virtual Status edit(int count, std::span<const Walker> walkers,
                                      CrowdRandom& random) = 0;
    /// Whether the last edit has cut the rest of the agent's path. On grids, an agent in the middle
    /// of a step that is not legal returns to the step's start. The agent's next query decides
    /// whether it walks on. Call it for all agents after each edit.
    [[nodiscard]] virtual bool stop_if_cut(Walker& walker) = 0;
    /// Does the work that edits have left, until Ctrl-C.
    virtual void finish_work() = 0;
    [[nodiscard]] virtual const EditFigures& edit_figures() const noexcept = 0;
    /// Null if no device is used.
    [[nodiscard]] virtual const DeviceTimes* device_times() const noexcept = 0;

    /// A picture of how many agents have passed each spot.
    [[nodiscard]] virtual Result<render::Drawing> draw_flow(const std::string& title) const = 0;
    /// A picture of where the agents are.
    [[nodiscard]] virtual Result<render::Drawing> draw_agents(std::span<const Walker> walkers,
                                                              const std::string& title) const = 0;
};

/// The world of an index. `control.cancel` must outlive it. With HAA* the agents take the agent
/// classes in turn, whose views are made first. Errors: those of making views; with a device, those
/// of loading the index there; bad_option (HAA* with a device).
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> make_world(const AnyIndex& index,
                                                             const CrowdControl& control);
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> make_world(const hna::Index& index,
                                                             const CrowdControl& control);

}  // namespace cairn::app

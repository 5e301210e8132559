#pragma once
// The world of `cairn crowd`: places to be, ways between them, and edits; a grid map or a mesh.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::app {

/// A cell or a polygon.
using Spot = std::uint32_t;

/// One of the crowd.
struct Walker {
    std::uint32_t kind = 0;  ///< of which agents, where a planner knows several
    Spot goal = 0;
    std::vector<Spot> spots;  ///< its way, never empty; it stands on spots[at]
    /// On meshes where it enters each of the spots, and where it ends: one more.
    std::vector<mesh::Waypoint> crossings;
    std::size_t at = 0;
    double done = 0;     ///< of the length from there to the next
    bool walks = false;  ///< not there yet
    bool lost = false;   ///< no path to its goal: has to wait for its turn

    [[nodiscard]] Spot spot() const noexcept { return spots[at]; }
};

/// Times of edits in seconds.
struct EditTimes {
    std::vector<double> edited;  ///< per edit
    std::vector<double> closed;  ///< until the worker had labels again
    std::uint64_t late = 0;      ///< times that it took longer than the frames it had
    std::uint64_t blocked = 0;
    std::uint64_t freed = 0;
    std::uint64_t skipped = 0;  ///< no place without an agent was found
};

/// An edit drawn by chance.
template <class Edit>
struct DrawnEdit {
    Edit edit;
    bool frees = false;  ///< what another has blocked
};

/// What a frame of walking came to.
struct Walked {
    std::uint64_t steps = 0;    ///< from spot to spot
    std::uint64_t illegal = 0;  ///< steps that the frame's snapshot does not allow
    std::uint64_t blocked = 0;  ///< agents on a blocked spot
};

/// The answers to some walkers' questions.
struct Answers {
    double seconds = 0;
    std::vector<StatusCode> status;
    std::vector<Cost> cost;
    std::uint64_t differing = 0;  ///< of a device: answers unlike the host's, whole paths compared
};

/// A way of asking, such as by labels.
struct Way {
    std::string name;
    bool waits = false;      ///< after edits, until a worker is done
    bool on_device = false;  ///< asked for all whom a frame asks for, but nobody walks by it
};

/// What it took to have labels on a device.
struct DeviceTimes {
    std::string name;
    std::size_t bytes = 0;       ///< of its memory: the last index
    std::vector<double> loaded;  ///< seconds, per index
};

struct CrowdControl {
    const CancelFlag* cancel = nullptr;
    int threads = 0;
    int label_frames = 1;  ///< after which what a worker makes of an edited index is taken over
    std::optional<batch::Device> device{};  ///< that is asked, too
};

/// The frames of a simulated second.
inline constexpr int kFramesASecond = 25;

using CrowdRandom = std::mt19937_64;

/// A world's state but for the time that things take depends only on the calls, not on threads:
/// what a worker makes of an edited index is taken over a fixed number of frames later, and paths
/// are found by a named engine, since engines differ in which path of one cost they find.
class CrowdWorld {
public:
    virtual ~CrowdWorld() = default;

    /// "hpa", "subgoal", "haa" or "hna".
    [[nodiscard]] virtual const char* planner() const noexcept = 0;
    /// What spots are, in the plural; and how many there are.
    [[nodiscard]] virtual const char* spot_word() const noexcept = 0;
    [[nodiscard]] virtual std::size_t spots() const noexcept = 0;
    /// Whether all ways give one cost. If not, none is below the last one's.
    [[nodiscard]] virtual bool exact() const noexcept = 0;

    /// The last is the yardstick: A* for each agent, without an index. Of the others later ones are
    /// better, but for the one on a device.
    [[nodiscard]] virtual const std::vector<Way>& ways() const noexcept = 0;
    [[nodiscard]] virtual bool ready(std::size_t way) const noexcept = 0;

    /// Puts agents on the largest component, `goals` to share, or with 0 one for each. Errors:
    /// no_path (nowhere to go).
    [[nodiscard]] virtual Status settle(std::span<Walker> walkers, int goals,
                                        CrowdRandom& random) = 0;
    virtual void draw_goal(Walker& walker, CrowdRandom& random) = 0;

    /// Asks for some walkers' ways in one batch; `take` has them walk these.
    [[nodiscard]] virtual Result<Answers> ask(std::size_t way, std::span<Walker> walkers,
                                              std::span<const std::uint32_t> who, bool take) = 0;
    /// Every agent that walks goes on for `length`.
    virtual Walked walk(std::span<Walker> walkers, double length) = 0;

    /// Takes over in its frame what a worker has made. Errors: cancelled.
    [[nodiscard]] virtual Status begin_frame(int frame) = 0;
    /// Makes `count` edits and starts a worker. Errors: unsupported (nothing can be blocked); those
    /// of the index's `edited`.
    [[nodiscard]] virtual Status edit(int count, int frame, std::span<const Walker> walkers,
                                      CrowdRandom& random) = 0;
    /// Whether an edit has cut its way; it stops before.
    [[nodiscard]] virtual bool cut(Walker& walker) const = 0;
    [[nodiscard]] virtual const EditTimes& edit_times() const noexcept = 0;
    /// None if no device is asked.
    [[nodiscard]] virtual const DeviceTimes* device_times() const noexcept = 0;

    /// The world with the flows so far, or with its agents.
    [[nodiscard]] virtual Result<render::Drawing> draw_flow(const std::string& title) const = 0;
    [[nodiscard]] virtual Result<render::Drawing> draw_agents(std::span<const Walker> walkers,
                                                              const std::string& title) const = 0;
};

/// Worlds by their index. `control.cancel` must outlive them. Errors: with a device, those of
/// loading an index there; bad_option (HAA*, whose agents are of several classes).
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> make_world(const hpa::Index& index,
                                                             const CrowdControl& control);
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> make_world(const subgoal::Index& index,
                                                             const CrowdControl& control);
/// Agents of all classes in turn, whose views are prepared first. Errors: those of that, too.
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> make_world(const haa::Index& index,
                                                             const CrowdControl& control);
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> make_world(const hna::Index& index,
                                                             const CrowdControl& control);

}  // namespace cairn::app

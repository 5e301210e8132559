#pragma once
// Plans the paths of a dtCrowd's agents in place of the crowd's own dtPathQueue.
//
//   CrowdPaths paths(index);      // once
//   paths.answer(crowd);          // each frame, before the crowd's update
//   crowd.update(dt, nullptr);
//
// Everything else stays as it is: requestMoveTarget, resetMoveTarget, steering, avoidance. The
// functions that need libDetourCrowd are inline here, so that only programs with a crowd link it.

#include <DetourCrowd.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "cairn/detour/path_index.hpp"
#include "cairn/detour/path_query.hpp"

namespace cairn::detour {

/// Answers the agents of a crowd that wait for a path. An agent is served by the index set for its
/// dtCrowdAgentParams::queryFilterType. Agents without an index, and those whose own or whose
/// target's polygon the index refuses, are left to the crowd, which plans for them or moves their
/// target as without this class. Use one object per thread.
class CrowdPaths {
public:
    /// Serves no agent yet.
    CrowdPaths() = default;
    /// Serves the agents of filter 0, which is every agent's unless changed.
    explicit CrowdPaths(PathIndex index) noexcept { set_index(std::move(index)); }

    /// Uses an index from now on for the agents of a filter of the crowd, for instance an updated
    /// one. Its filter must be the crowd's (same_filter): as long as it is not, these agents are
    /// left to the crowd. The next `answer` also plans anew for the agents whose corridor can no
    /// longer be walked as a whole, and for those whose path is partial. Returns ok, or bad_option
    /// if `filter` is not from 0 to DT_CROWD_MAX_QUERY_FILTER_TYPE - 1. O(1).
    StatusCode set_index(PathIndex index, int filter = 0) noexcept;

    /// Gives a path to every agent whose move request is new or waits in the crowd's queue, or
    /// whose corridor was too short for its whole path and nears its end. Call it before each
    /// update of the crowd, on the same thread. Returns how many agents got one. If memory runs
    /// out, the others are left to the crowd. An agent whose target cannot be reached walks to the
    /// nearest point that can be, has dtCrowdAgent::partial, and is not planned for again before
    /// its target or the index changes. O(agents), and findPath for each that gets a path.
    int answer(dtCrowd& crowd) noexcept;

private:
    /// A corridor for an agent.
    struct Corridor {
        std::span<const dtPolyRef> path;
        std::array<float, 3> target{};
        bool partial = false;
    };
    /// The query for an agent; null if it is left to the crowd.
    [[nodiscard]] PathQuery* query_of(const dtCrowdAgent& agent) noexcept;
    [[nodiscard]] bool wants_path(const dtCrowdAgent& agent) const noexcept;
    /// False if the agent is left to the crowd.
    [[nodiscard]] bool plan(const dtCrowdAgent& agent, PathQuery& query,
                            Corridor& corridor) noexcept;
    static void set(dtCrowdAgent& agent, const Corridor& corridor) noexcept;

    struct ByFilter {
        std::optional<PathQuery> query;
        bool is_crowds = false;  // in this call: whether the crowd has the index's filter
        bool is_new = false;     // whether corridors must be checked against the index
    };
    std::array<ByFilter, DT_CROWD_MAX_QUERY_FILTER_TYPE> filters_;
    /// A dtCrowd's corridors have room for 256 polygons, but setCorridor takes one less.
    std::array<dtPolyRef, 255> path_{};
};

inline void CrowdPaths::set(dtCrowdAgent& agent, const Corridor& corridor) noexcept {
    // A partial path stays partial: the crowd must not try again after a second.
    constexpr float kNever = -1e30F;
    agent.corridor.setCorridor(corridor.target.data(), corridor.path.data(),
                               static_cast<int>(corridor.path.size()));
    agent.boundary.reset();
    agent.partial = corridor.partial;
    agent.targetState = DT_CROWDAGENT_TARGET_VALID;
    agent.targetPathqRef = DT_PATHQ_INVALID;
    agent.targetReplan = false;
    agent.targetReplanTime = corridor.partial ? kNever : 0;
}

inline int CrowdPaths::answer(dtCrowd& crowd) noexcept {
    for (std::size_t i = 0; i < filters_.size(); ++i) {
        ByFilter& by = filters_[i];
        by.is_crowds = by.query && same_filter(by.query->index().filter(),
                                               *crowd.getFilter(static_cast<int>(i)));
    }
    int answered = 0;
    for (int i = 0; i < crowd.getAgentCount(); ++i) {
        dtCrowdAgent& agent = *crowd.getEditableAgent(i);
        PathQuery* const query = query_of(agent);
        Corridor corridor;
        if (query == nullptr || !wants_path(agent) || !plan(agent, *query, corridor)) continue;
        set(agent, corridor);
        ++answered;
    }
    for (ByFilter& by : filters_) by.is_new &= !by.is_crowds;
    return answered;
}

}  // namespace cairn::detour

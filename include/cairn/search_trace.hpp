#pragma once
// What a search did, step by step: the nodes that it expanded and generated, in their order.
// Searcher::trace records it; formats::format_trace makes a file of it for the visualiser Posthoc.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"

namespace cairn {

/// A place seen from above: on a grid the column and the row of a cell, on a mesh x and z.
struct TracePoint {
    double x = 0;
    double y = 0;
    friend bool operator==(const TracePoint&, const TracePoint&) = default;
};

/// What happens to a node.
enum class TraceStep : std::uint8_t {
    source,       ///< the start of the query
    destination,  ///< its goal
    generating,   ///< a path to the node has been found: the first one, or a cheaper one
    expanding,    ///< the node is taken from the open list
    closing,      ///< all successors of the node have been generated
    end,          ///< the search has found the goal
};

/// One step of a search.
struct TraceEvent {
    /// Nodes that stand for the start and the goal themselves.
    static constexpr std::uint32_t kStart = 0xffff'ffff;
    static constexpr std::uint32_t kGoal = 0xffff'fffe;

    TraceStep step = TraceStep::source;
    /// The level of the graph that is searched: 0 for cells, and for the portals that A* on a mesh
    /// searches; from 1 on for abstract graphs; 1 for subgoals.
    std::uint8_t level = 0;
    /// Counts the searches of the query: each has nodes of its own. HPA* has one for each level
    /// that it searches, and those that connect start and goal to the levels above.
    std::uint16_t search = 0;
    /// A cell, a portal, or kStart or kGoal.
    std::uint32_t node = kStart;
    /// The node of the same search from which this one was reached; the node itself for source and
    /// destination.
    std::uint32_t parent = kStart;
    Cost g = 0;  ///< cost from the start
    Cost f = 0;  ///< g and the heuristic; g <= f
    TracePoint place;

    friend bool operator==(const TraceEvent&, const TraceEvent&) = default;
};

/// The steps of one query.
struct SearchTrace {
    /// Set by the caller: no more events are kept. The search goes on.
    std::size_t max_events = 100'000;

    std::vector<TraceEvent> events;
    std::uint64_t left_out = 0;    ///< events that came after max_events
    std::vector<TracePoint> path;  ///< of the answer, if it holds cells, polygons or waypoints
    double unit = 1;               ///< the cost of length 1: TraceEvent::g / unit is a length
    bool cells = true;             ///< places are those of cells, one unit wide; false on meshes
};

}  // namespace cairn

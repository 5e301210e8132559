#pragma once
// The search step: A* on the stored subgoal graph, cut labels and climbing. The engine `levels`, A*
// on the N-level graph, is core/nlevel/n_level_search.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/subgoal/query.hpp"
#include "core/connector_search.hpp"
#include "core/memory.hpp"
#include "core/trace_recorder.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

/// The cell of a subgoal. A* keeps it, because SubgoalBits::point is slow.
struct CellNote {
    grid::Cell cell = 0;
};

/// A* on the simple subgoal graph (section 15.3.2). Needs no engines. One object per thread.
class GraphSearch : public ConnectorSearch<CellNote> {
public:
    /// Prepares a search for paths that cost less than `bound`. The connectors are those of
    /// Connections::all. The snapshot must outlive the search.
    /// `trace`: where to record the search; may be null.
    void begin(const Snapshot& snapshot, grid::Point goal, std::span<const Connector> from,
               std::span<const Connector> to, Cost bound, TraceRecorder* trace);
    /// Expands up to `budget` more subgoals; true if the search is not finished.
    bool advance(std::uint64_t budget);

    /// After the end, appends the cells of the subgoals on the best path.
    void append_path(std::vector<grid::Cell>& out) const;

private:
    template <class Observer>
    void offer(std::uint32_t node, grid::Point p, Cost g, std::uint32_t parent,
               const Observer& observer);

    const Snapshot* snapshot_ = nullptr;
    TraceRecorder* trace_ = nullptr;
    grid::Point goal_;
};

/// The search by cut labels or by climbing. Leaves out connectors that cannot win. One object per
/// thread.
class LabelSearch {
public:
    /// The least cost of a path between two different endpoints by their connectors, which are
    /// those of Connections::taut; kInfinity if there is none. If `nodes` is not null, replaces it
    /// by the subgoals of such a path, the same for both engines. The snapshot needs labels, or
    /// their closure for Engine::climb.
    [[nodiscard]] Cost run(const Snapshot& snapshot, Engine engine, const Endpoint& start,
                           const Endpoint& goal, std::vector<std::uint32_t>* nodes);

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(start_.bound, start_.kept, goal_.bound, goal_.kept, scratch_);
    }

private:
    /// Scratch for the connectors of the start or of the goal.
    struct Side {
        std::vector<Cost> bound;      // per connector: a lower bound on the cost of a path by it
        std::size_t best = 0;         // the connector with the least bound, the first of equals
        std::vector<Connector> kept;  // those that may be on a shortest path
    };
    /// Finds the bounds; `other` is the cell of the other endpoint.
    static void find_bounds(const grid::Map& map, const Endpoint& end, grid::Point other,
                            Side& side);
    /// Keeps the connectors whose bound is at most `cost`, and the best one.
    static void keep_within(Cost cost, const Endpoint& end, Side& side);
    [[nodiscard]] Cost by_labels(const Snapshot& snapshot, const Endpoint& start,
                                 const Endpoint& goal, std::vector<std::uint32_t>* nodes);

    Side start_;
    Side goal_;
    CutLabels::Scratch scratch_;
};

}  // namespace cairn::subgoal

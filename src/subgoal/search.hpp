#pragma once
// The search step: A* on the subgoal graph as it is stored, and two-hop labels.
//
// A* on its N-level graph is NLevelSearch; both are the A* of core/connector_search.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "core/connector_search.hpp"
#include "core/memory.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

/// The cell of a subgoal, which A* keeps, as computing it from the number takes a while.
struct CellNote {
    grid::Cell cell = 0;
};

/// A* on the simple subgoal graph, so on any snapshot (section 15.3.2). One per thread.
class GraphSearch : public ConnectorSearch<CellNote> {
public:
    /// Prepares a search for paths that cost less than `bound`; connectors of all kinds. The
    /// snapshot must outlive it.
    void begin(const Snapshot& snapshot, grid::Point goal, std::span<const Connector> from,
               std::span<const Connector> to, Cost bound);
    /// Expands up to `budget` subgoals more; true if that was not enough.
    bool advance(std::uint64_t budget);

    /// After the end, appends the cells of the subgoals on the best path.
    void append_path(std::vector<grid::Cell>& out) const;

private:
    void offer(std::uint32_t node, grid::Point p, Cost g, std::uint32_t parent);

    const Snapshot* snapshot_ = nullptr;
    grid::Point goal_;
};

/// The search by cut labels, with the connectors left out that cannot be on a shortest path. One
/// per thread.
class LabelSearch {
public:
    /// The least cost of a path between different start and goal by their taut connectors;
    /// kInfinity if there is none. If `nodes` is given, also the subgoals of such a path; emptied
    /// if there is none. The snapshot needs labels.
    [[nodiscard]] Cost run(const Snapshot& snapshot, const Endpoint& start, const Endpoint& goal,
                           std::vector<std::uint32_t>* nodes);

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(start_.bound, start_.kept, goal_.bound, goal_.kept, scratch_);
    }

private:
    /// The connectors of start or goal, with the least cost of a path by each without obstacles.
    struct Side {
        std::vector<Cost> bound;
        std::size_t best = 0;
        std::vector<Connector> kept;
    };
    static void measure(const grid::Map& map, const Endpoint& end, grid::Point other, Side& side);
    static void keep(const Endpoint& end, Cost below, Side& side);

    Side start_;
    Side goal_;
    CutLabels::Scratch scratch_;
};

}  // namespace cairn::subgoal

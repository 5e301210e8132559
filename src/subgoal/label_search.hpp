#pragma once
// The search step by cut labels, with the connectors that cannot be on a shortest path left out.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "subgoal/connect.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

class LabelSearch {
public:
    /// The least cost of a way between two different ends by their taut connectors; kInfinity if
    /// there is none. If `nodes` is given, also the subgoals of such a way; emptied if there is
    /// none. The snapshot needs labels.
    [[nodiscard]] Cost run(const Snapshot& snapshot, const End& start, const End& goal,
                           std::vector<std::uint32_t>* nodes);

private:
    /// The connectors of one end with the least cost of a path by each, were there no obstacles.
    struct Side {
        std::vector<Cost> bound;
        std::size_t best = 0;
        std::vector<Connector> kept;
    };
    static void measure(const grid::Map& map, const End& end, grid::Point other, Side& side);
    static void keep(const End& end, Cost below, Side& side);

    Side start_;
    Side goal_;
    CutLabels::Scratch scratch_;
};

}  // namespace cairn::subgoal

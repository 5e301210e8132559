#pragma once
// A shortest path around cells that stand in the way of one request.

#include <cstddef>
#include <cstdint>

#include "cairn/subgoal/subgoal.hpp"
#include "grid/blocked_bits.hpp"
#include "grid/jump_search.hpp"

namespace cairn::subgoal {

/// Jump point search on the map with these cells as walls. Its bound is the octile distance: with
/// the cost without the cells, by labels, it expands fewer nodes, but looking that up takes longer
/// than the nodes it saves (docs/changing-maps.md).
struct Detour {
    grid::BlockedBits blocked;
    grid::JumpSearch search;
    bool found = false;

    /// Begins the search. `blocked` must have the cells of the query.
    void begin(const grid::Map& map, const Query& query) {
        search.begin(map, blocked.rows(), blocked.columns(), query.start, query.goal,
                     query.limits.max_cost);
        found = false;
    }
    /// Expands up to `budget` jump points; true while unfinished.
    bool advance(std::uint64_t budget) {
        const Outcome outcome = search.expand(budget);
        found = outcome == Outcome::found;
        return outcome == Outcome::running;
    }
    [[nodiscard]] std::size_t memory() const noexcept { return blocked.memory() + search.memory(); }
};

}  // namespace cairn::subgoal

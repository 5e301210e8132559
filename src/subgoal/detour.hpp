#pragma once
// A shortest path around cells that stand in the way of one request.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "grid/blocked_bits.hpp"
#include "grid/jump_search.hpp"
#include "subgoal/query_run.hpp"

namespace cairn::subgoal {

/// The cost to the goal without the blocked cells, by labels or climbing. Blocked cells only make
/// paths longer, so it is a lower bound; and a consistent one, since it is a distance.
class UnblockedCost {
public:
    static constexpr bool kBetter = true;

    void begin(const Index& index, const Query& query) {
        index_ = &index;
        query_ = {};
        query_.goal = query.goal;
        query_.detail = Detail::cost;
        query_.engine = query.engine;
    }
    [[nodiscard]] Cost operator()(grid::Point from) {
        query_.start = from;
        run_.begin(*index_, query_, answer_);
        while (run_.advance(std::numeric_limits<std::uint64_t>::max())) {
        }
        return answer_.cost;
    }
    [[nodiscard]] std::size_t memory() const noexcept { return run_.memory(); }

private:
    static constexpr std::size_t kEndpoints = 8;

    const Index* index_ = nullptr;
    Query query_;
    Answer answer_;
    QueryRun run_{kEndpoints};
};

struct Detour {
    grid::BlockedBits blocked;
    grid::JumpSearch<UnblockedCost> search;
    bool found = false;

    /// Begins the search. `blocked` must have the cells of the query.
    void begin(const Index& index, const Query& query) {
        search.better_bound().begin(index, query);
        search.begin(index.map(), blocked.rows(), blocked.columns(), query.start, query.goal,
                     query.limits.max_cost);
        found = false;
    }
    /// Expands up to `budget` jump points; true while unfinished.
    bool advance(std::uint64_t budget) {
        const Outcome outcome = search.expand(budget);
        found = outcome == Outcome::found;
        return outcome == Outcome::running;
    }
    [[nodiscard]] std::size_t memory() const noexcept {
        return blocked.memory() + search.memory() + search.better_bound().memory();
    }
};

}  // namespace cairn::subgoal

#pragma once
// What the tests of all planners share. The checks in planner_*.hpp are written for any planner P
// and run for one by INSTANTIATE_TYPED_TEST_SUITE_P(Its, Suite, P), where P has
//
//   types Index, Query, Answer, Searcher, Engine, Random (a RandomMaps)
//   kEngines, kSearching, kLabels    all engines; those that expand nodes; the one with labels
//   kVariants                        numbers of options that differ in all that matters
//   Options variant(number)
//   Index build(map, options)        by the calling thread alone; aborts where there is none
//   Index any_index(random, map)     of any options
//   Index with_labels(index)           an edited one, with all its engines
//   Index rebuilt(index)             its map and options, built afresh
//   any_map(random, size)            a map that the planner serves, of a type that `build` takes
//   byte terrain(index, cell)        what the index's map has there
//   edits(random, index)             changes of that map
//   Query query(start, goal, engine) for every cell of the path that the search finds
//   Query any_query(random, index, start, goal)   any that the index can answer, without limits
//   uint64 expanded(answer)          all that counts towards max_expanded
//   essence(answer)                  a tuple of all that must not depend on how it was found
//   string fault(index, query, answer, optimum)   what is wrong with it; empty if nothing
//   bool agrees(index, searcher, query, answer)   whether another engine or index finds it, too
//   BatchSearcher                    as batch::Searcher<P>
//   bool complete(index)             whether it finds a path wherever there is one
//   string describe(index, query)

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/planner.hpp"
#include "cairn/searcher.hpp"
#include "cairn/status.hpp"

namespace cairn::test {

/// What the traits of a planner take from the planner itself.
template <Planner P>
struct PlannerTraits {
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Answer = typename P::Answer;
    using Searcher = cairn::Searcher<P>;
    using BatchSearcher = batch::Searcher<P>;
    using Engine = typename P::Engine;
};

/// The answer to a query by a fresh searcher.
template <class P>
[[nodiscard]] typename P::Answer answer_to(const typename P::Index& index,
                                           const typename P::Query& query) {
    typename P::Searcher searcher;
    typename P::Answer answer;
    searcher.find(index, query, answer);
    return answer;
}

template <class P>
[[nodiscard]] typename P::Engine any_engine(typename P::Random& random,
                                            const typename P::Index& index) {
    const auto last = static_cast<int>(P::kEngines.size()) - 1;
    for (;;) {
        const auto engine = P::kEngines[static_cast<std::size_t>(random.number(0, last))];
        if (engine != P::kLabels || index.has_labels()) return engine;
    }
}

/// A query between any two cells. The start is drawn first.
template <class P>
[[nodiscard]] typename P::Query any_query(typename P::Random& random,
                                          const typename P::Index& index) {
    const grid::Point start = random.point(index.map());
    const grid::Point goal = random.point(index.map());
    return P::any_query(random, index, start, goal);
}

/// For builds by the calling thread alone: of thousands of small indexes, where waking workers
/// takes longer than the work.
[[nodiscard]] inline BuildControl one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

/// The value; else fails the test and ends the program.
template <class T>
[[nodiscard]] T value_or_abort(Result<T> result) {
    if (!result) {
        ADD_FAILURE() << result.error().message;
        std::abort();
    }
    return *std::move(result);
}

/// What is wrong with a path of `cells` that is said to lead from `start` to `goal` at `cost`.
[[nodiscard]] std::string fault_of_cells(const grid::Map& map, const std::vector<grid::Cell>& cells,
                                         grid::Point start, grid::Point goal, Cost cost);

/// The map in letters, for a failure's message: '@' blocked, '.' free, 2 to 9 by weight, '+' for
/// more. Nothing of a map of more than 130 columns or rows.
[[nodiscard]] std::string drawn(const grid::Map& map);

}  // namespace cairn::test

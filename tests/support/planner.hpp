#pragma once
// What the tests of all planners on grids share. The suites in planner_*.hpp are written for any
// traits P of a planner and instantiated by INSTANTIATE_TYPED_TEST_SUITE_P(Name, Suite, P), where P
// has the members of PlannerTraits and
//
//   Random                           RandomMaps, or a class derived from it
//   kEngines                         all engines
//   kSearching                       the engines that expand nodes
//   kLabels                          the engine that uses labels
//   kClimb                           the engine that uses their closure
//   kVariants                        the numbers of some very different options
//   Options variant(number)          the options of a number
//   Index build(map, options)        on the calling thread alone; aborts on an error
//   Index any_index(random, map)     with random options
//   Index with_labels(index)         an edited index, with its labels built
//   Index rebuilt(index)             built afresh from the index's map and options
//   any_map(random, size)            a map that the planner can use, of a type that `build` takes
//   byte terrain(index, cell)        the terrain of a cell in the index's map
//   edits(random, index)             random edits of that map
//   Query query(start, goal, engine) asks for the path as found, with all its cells
//   Query any_query(random, index, start, goal)   any that the index can answer, without limits
//   uint64 expanded(answer)          all expansions that count towards max_expanded
//   essence(answer)                  a tuple of what may depend only on the index and the query
//   string fault(index, query, answer, optimum)   what is wrong with an answer; empty if nothing
//   bool agrees(index, searcher, query, answer)   whether another way to answer agrees
//   bool complete(index)             whether the index finds a path wherever there is one
//   string describe(index, query)    for a failure's message

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

/// The members of P that the planner itself gives.
template <Planner P>
struct PlannerTraits {
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Answer = typename P::Answer;
    using Searcher = cairn::Searcher<P>;
    using BatchSearcher = batch::Searcher<P>;
    using Engine = typename P::Engine;
    static constexpr bool kExact = P::kExact;
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

/// A random engine; labels and climbing only if the index has what they need.
template <class P>
[[nodiscard]] typename P::Engine any_engine(typename P::Random& random,
                                            const typename P::Index& index) {
    const auto last = static_cast<int>(P::kEngines.size()) - 1;
    for (;;) {
        const auto engine = P::kEngines[static_cast<std::size_t>(random.number(0, last))];
        if (engine == P::kLabels && !index.has_labels()) continue;
        if (engine == P::kClimb && !index.has_closure()) continue;
        return engine;
    }
}

/// A random query between any two cells, free or not.
template <class P>
[[nodiscard]] typename P::Query any_query(typename P::Random& random,
                                          const typename P::Index& index) {
    // Drawn one by one: compilers evaluate arguments in any order.
    const grid::Point start = random.point(index.map());
    const grid::Point goal = random.point(index.map());
    return P::any_query(random, index, start, goal);
}

/// For builds on the calling thread alone. Tests build thousands of small indexes, and waking
/// workers takes longer than such a build.
[[nodiscard]] inline BuildControl one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

/// The value of a result. On an error fails the test and aborts the program.
template <class T>
[[nodiscard]] T value_or_abort(Result<T> result) {
    if (!result) {
        ADD_FAILURE() << result.error().message;
        std::abort();
    }
    return *std::move(result);
}

/// What is wrong with a path of `cells` said to lead from `start` to `goal` at `cost`; empty if
/// nothing.
[[nodiscard]] std::string fault_of_cells(const grid::Map& map, const std::vector<grid::Cell>& cells,
                                         grid::Point start, grid::Point goal, Cost cost);

/// The map as text, for a failure's message: '@' is blocked, '.' has weight 1, '2' to '9' are
/// weights and '+' is more. Empty for a map of more than 130 columns or rows.
[[nodiscard]] std::string map_text(const grid::Map& map);

}  // namespace cairn::test

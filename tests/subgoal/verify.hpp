#pragma once
// Checks of answers of subgoal graphs against the least cost of a path, and helpers that the tests
// of subgoal graphs share.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "cairn/grid/map.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/query.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "support/random_maps.hpp"

namespace cairn::subgoal::test {

using cairn::test::free_points;
using cairn::test::RandomMaps;

/// All engines that `automatic` may choose. An index refuses those that it does not have.
inline constexpr std::array kEngines{Engine::astar, Engine::levels, Engine::cut_labels,
                                     Engine::climb};

/// The options with this number, below kVariants: every combination of pruning, levels, extra edges
/// and edges. The order of contraction changes with the number.
[[nodiscard]] Options variant(int number);
inline constexpr int kDirectVariants = 2 * 4 * 2;  ///< variants below this have Edges::direct
inline constexpr int kVariants = 2 * kDirectVariants;

/// The size of a long narrow map: `length` cells wide if `wide`, otherwise high.
[[nodiscard]] constexpr RandomMaps::Size strip(bool wide, int length, int breadth) noexcept {
    return wide ? RandomMaps::Size{length, breadth} : RandomMaps::Size{breadth, length};
}

/// The bits of a grid of `cells` cells, for small_map. Over i = 0 to 2^cells - 1 each grid comes
/// once, and dense and sparse ones alternate: Knuth's multiplicative hash. Its multiplier is odd.
[[nodiscard]] constexpr std::uint64_t mixed_grid(std::uint64_t i, int cells) noexcept {
    return i * 0x9E37'79B1 % (std::uint64_t{1} << cells);
}

/// What is wrong with an answer; empty if nothing is. `optimum` is the least cost of a path, or
/// kInfinity if there is no path. The query must have no limits, lead between free cells, and use
/// an engine that the index has.
[[nodiscard]] std::string fault_of(const Index& index, const Query& query, const Answer& answer,
                                   Cost optimum);

/// The cost of octile lines from stop to stop.
[[nodiscard]] Cost cost_over(const grid::Map& map, std::span<const grid::Point> stops);

/// The options, the query and a drawing of the map, for the message of a failure.
[[nodiscard]] std::string describe(const Index& index, const Query& query);

/// The index of a map, built by the calling thread alone: tests build thousands of small indexes,
/// and waking worker threads for each takes longer than the work. Fails the test and ends the
/// program if the map or the options are refused.
[[nodiscard]] Index build(const grid::Map& map, const Options& options = {});

/// An edited index with its engines, which the calling thread alone builds.
[[nodiscard]] Index with_labels(const Index& index);

[[nodiscard]] Query query_of(grid::Point start, grid::Point goal, Engine engine = Engine::automatic,
                             Detail detail = Detail::path);

/// The answer to a query by a fresh Searcher.
[[nodiscard]] Answer answer_to(const Index& index, const Query& query);

/// Finds the path between two free cells by every engine that the index has, and the cost alone.
/// Returns the first fault with a description of the case; empty if there is none.
[[nodiscard]] std::string fault_of_pair(const Index& index, Searcher& searcher, grid::Point start,
                                        grid::Point goal, Cost optimum);

/// The same for all pairs of free cells, each in one of its two orders, by all `indexes` of one
/// map.
[[nodiscard]] std::string fault_of_all_pairs(std::span<const Index> indexes);

}  // namespace cairn::subgoal::test

#pragma once
// What every answer of a subgoal graph must be, whatever was asked: checked against the optimum.

#include <gtest/gtest.h>

#include <array>
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

/// All that search; those an index has not are for it to refuse.
inline constexpr std::array kEngines{Engine::astar, Engine::levels, Engine::cut_labels};

/// Options that cover every combination of edges, pruning, levels and extra edges, and in turn
/// every order: the same for the same `number`. Those below 16 have direct edges.
inline constexpr int kVariants = 2 * 2 * 4 * 2;
[[nodiscard]] Options variant(int number);

/// What is wrong with an answer, where the cheapest path costs `optimum` (kInfinity: there is
/// none); empty if nothing. For queries without limits whose ends are on free cells, but for those
/// that the index has no engine for.
[[nodiscard]] std::string fault_of(const Index& index, const Query& query, const Answer& answer,
                                   Cost optimum);

/// The index's options, the query and the map in words and letters, for a failure's message.
[[nodiscard]] std::string describe(const Index& index, const Query& query);

/// The index of a map, built by the calling thread alone: thousands of small ones are, and waking
/// workers for each takes longer than the work. Fails the test if there is none.
[[nodiscard]] Index build(const grid::Map& map, const Options& options = {});

/// An index with its engines, by the calling thread alone.
[[nodiscard]] Index with_labels(const Index& index);

[[nodiscard]] Query query_of(grid::Point start, grid::Point goal, Engine engine = Engine::automatic,
                             Detail detail = Detail::path);

/// The answer to a query by a fresh Searcher.
[[nodiscard]] Answer answer_to(const Index& index, const Query& query);

/// Asks every engine that the index has for the way between two free cells, and in all details.
/// Returns the first fault with the case's description; empty if there is none.
[[nodiscard]] std::string fault_of_pair(const Index& index, Searcher& searcher, grid::Point start,
                                        grid::Point goal, Cost optimum);

/// Asks for all pairs of free cells of a map on all `indexes` of it, one order each.
[[nodiscard]] std::string fault_of_all_pairs(std::span<const Index> indexes);

}  // namespace cairn::subgoal::test

#pragma once
// The traits of subgoal graphs for the tests of all planners (support/planner.hpp).

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "cairn/subgoal/subgoal.hpp"
#include "subgoal/verify.hpp"
#include "support/planner.hpp"

namespace cairn::subgoal::test {

struct Planner : cairn::test::PlannerTraits<subgoal::Planner> {
    using Random = RandomMaps;

    static constexpr std::array kEngines{Engine::automatic, Engine::astar, Engine::levels,
                                         Engine::cut_labels, Engine::climb};
    static constexpr std::array kSearching{Engine::astar, Engine::levels};
    static constexpr Engine kLabels = Engine::cut_labels;
    static constexpr Engine kClimb = Engine::climb;
    /// Pruned or not, of one to three levels, with and without extra edges, of both kinds of edges.
    static constexpr std::array kVariants{0, 1, 2, 4, 10, 20};

    [[nodiscard]] static Options variant(int number) { return test::variant(number); }
    [[nodiscard]] static Index build(const grid::Map& map, const Options& options) {
        return test::build(map, options);
    }
    [[nodiscard]] static Index any_index(Random& random, const grid::Map& map) {
        return test::build(map, test::variant(random.number(0, subgoal::test::kVariants - 1)));
    }
    [[nodiscard]] static Index with_labels(const Index& index) { return test::with_labels(index); }
    [[nodiscard]] static Index rebuilt(const Index& index) {
        return test::build(index.map(), index.options());
    }
    [[nodiscard]] static grid::Map any_map(Random& random, const Random::Size& size) {
        return random.uniform_map(size);
    }
    [[nodiscard]] static std::uint8_t terrain(const Index& index, grid::Cell cell) {
        return index.map().terrain(cell);
    }
    [[nodiscard]] static std::vector<grid::TerrainEdit> edits(cairn::test::RandomMaps& random,
                                                              const Index& index) {
        return random.edits(index.map());
    }

    [[nodiscard]] static Query query(grid::Point start, grid::Point goal, Engine engine) {
        return query_of(start, goal, engine);
    }
    [[nodiscard]] static Query any_query(Random& random, const Index& index, grid::Point start,
                                         grid::Point goal) {
        Query query = query_of(start, goal);
        if (index.complete()) query.engine = static_cast<Engine>(random.number(0, 4));
        query.detail = random.chance(70) ? Detail::path : static_cast<Detail>(random.number(0, 2));
        return query;
    }

    [[nodiscard]] static std::uint64_t expanded(const Answer& answer) {
        return answer.statistics.search.expanded;
    }
    [[nodiscard]] static auto essence(const Answer& a) {
        return std::tie(a.status, a.cost, a.engine, a.h_reachable, a.subgoals, a.cells,
                        a.statistics.start_connectors, a.statistics.goal_connectors,
                        a.statistics.search.expanded);
    }
    [[nodiscard]] static std::string fault(const Index& index, const Query& query,
                                           const Answer& answer, Cost optimum) {
        return fault_of(index, query, answer, optimum);
    }
    [[nodiscard]] static bool agrees(const Index& index, Searcher& searcher, Query query,
                                     const Answer& answer) {
        query.engine = Engine::astar;
        Answer other;
        searcher.find(index, query, other);
        return other.status == answer.status && other.cost == answer.cost;
    }
    [[nodiscard]] static bool complete(const Index&) { return true; }
    [[nodiscard]] static std::string describe(const Index& index, const Query& query) {
        return test::describe(index, query);
    }
};

}  // namespace cairn::subgoal::test

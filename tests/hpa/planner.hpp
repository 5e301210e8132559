#pragma once
// The traits of HPA* for the tests of all planners (support/planner.hpp).

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "cairn/hpa/hpa.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/planner.hpp"

namespace cairn::hpa::test {

struct Planner : cairn::test::PlannerTraits<hpa::Planner> {
    using Random = RandomCases;

    static constexpr std::array kEngines{Engine::automatic, Engine::astar, Engine::levels,
                                         Engine::cut_labels, Engine::climb};
    static constexpr std::array kSearching{Engine::astar, Engine::levels};
    static constexpr Engine kLabels = Engine::cut_labels;
    static constexpr Engine kClimb = Engine::climb;
    static constexpr std::array kVariants{0, 1, 2, 3, 4, 5};

    /// Clusters of 2, 6 or 10 cells a side, with or without move tables, of one or three levels.
    [[nodiscard]] static Options variant(int number) {
        Options options;
        options.cluster_size = 2 + number % 3 * 4;
        options.move_tables = number % 2 == 0;
        options.levels = number / 2 % 2 == 0 ? 3 : 1;
        return options;
    }
    [[nodiscard]] static Index build(const grid::Map& map, const Options& options) {
        return test::build(map, options);
    }
    [[nodiscard]] static Index any_index(Random& random, const grid::Map& map) {
        return test::build(map, random.options());
    }
    [[nodiscard]] static Index with_labels(const Index& index) { return test::with_labels(index); }
    [[nodiscard]] static Index rebuilt(const Index& index) {
        return test::build(index.map(), index.options());
    }
    [[nodiscard]] static grid::Map any_map(Random& random, const Random::Size& size) {
        return random.map(size, kAllRules[random.number(0, 3)]);
    }
    [[nodiscard]] static std::uint8_t terrain(const Index& index, grid::Cell cell) {
        return index.map().terrain(cell);
    }
    [[nodiscard]] static std::vector<grid::TerrainEdit> edits(cairn::test::RandomMaps& random,
                                                              const Index& index) {
        return random.edits(index.map());
    }

    [[nodiscard]] static Query query(grid::Point start, grid::Point goal, Engine engine) {
        return unsmoothed(start, goal, engine);
    }
    [[nodiscard]] static Query any_query(Random& random, const Index& index, grid::Point start,
                                         grid::Point goal) {
        return random.query(start, goal, index.has_labels());
    }

    [[nodiscard]] static std::uint64_t expanded(const Answer& answer) {
        return answer.statistics.connect.expanded + answer.statistics.search.expanded;
    }
    [[nodiscard]] static auto essence(const Answer& a) {
        return std::tie(a.status, a.cost, a.abstract_cost, a.lower_bound, a.abstract_nodes, a.cells,
                        a.statistics.search.expanded);
    }
    [[nodiscard]] static std::string fault(const Index& index, const Query& query,
                                           const Answer& answer, Cost optimum) {
        return fault_of(index, query, answer, optimum);
    }
    [[nodiscard]] static bool agrees(const Index& index, const Searcher&, const Query& query,
                                     const Answer& answer) {
        return (index.reachable(query.start, answer.goal) == StatusCode::ok) ==
               (answer.status == StatusCode::ok);
    }
    [[nodiscard]] static bool complete(const Index& index) { return test::complete(index); }
    [[nodiscard]] static std::string describe(const Index& index, const Query& query) {
        return test::describe(index, query);
    }
};

}  // namespace cairn::hpa::test

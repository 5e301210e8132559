// Shorter paths for more time. Smoothing straightens the path. An exact search close to the path,
// or in the clusters around it, finds a shorter one, and gives a bound on how far this is above the
// optimum.

#include <algorithm>
#include <cstdio>

#include "cairn/formats/movingai.hpp"
#include "cairn/hpa/hpa.hpp"

using namespace cairn;

int main() {
    const auto map = formats::load_map("maps/caves.map");
    const auto index = map ? hpa::Index::build(*map) : fail(StatusCode::bad_option);
    const auto scenario = formats::load_scenario("maps/caves.map.scen");
    constexpr std::size_t kProblem = 170;  // a long one
    if (!index || !scenario || scenario->problems.size() <= kProblem) return 1;
    const formats::ScenarioProblem& problem = scenario->problems[kProblem];

    struct Method {
        const char* name;
        hpa::Smoothing smoothing;
        int ring;
    };
    std::printf("%-24s %8s %18s %8s\n", "", "length", "above optimum", "at most");
    hpa::Searcher searcher;
    hpa::Answer answer;
    for (const Method& method : {Method{"as refined", hpa::Smoothing::none, 0},
                                 Method{"smoothed", hpa::Smoothing::straight_lines, 0},
                                 Method{"band", hpa::Smoothing::band, 0},
                                 Method{"corridor, no ring", hpa::Smoothing::corridor, 0},
                                 Method{"corridor, one ring", hpa::Smoothing::corridor, 1},
                                 Method{"corridor, eight rings", hpa::Smoothing::corridor, 8}}) {
        hpa::Query query;
        query.start = problem.start;
        query.goal = problem.goal;
        query.smoothing = method.smoothing;
        query.corridor_ring = method.ring;
        query.try_direct_line = false;  // a free straight line leaves nothing to improve
        if (searcher.find(*index, query, answer) != StatusCode::ok) return 1;
        const double length = path_length(*map, answer.cells);
        // The scenario's optimum is rounded; an optimal path may come out shorter.
        std::printf("%-24s %8.2f %16.2f %% %6.2f %%\n", method.name, length,
                    100 * std::max(0.0, length / problem.optimal_length - 1),
                    100 * (static_cast<double>(answer.cost) / answer.lower_bound - 1));
    }
    return 0;
}

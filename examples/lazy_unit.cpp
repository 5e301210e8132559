// A unit walks a path that is refined step by step. Halfway a wall is built across the path. The
// unit finds that its path is stale, and gets a new one from its cell (HPA* paper, section 3.2.2).

#include <array>
#include <cstdio>

#include "cairn/grid/generate.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/hpa/lazy_path.hpp"

using namespace cairn;

int main() {
    const grid::ExampleProblem example = grid::worked_example().value();
    const auto map = grid::make_map(example.image);
    auto index = map ? hpa::Index::build(*map) : fail(StatusCode::bad_option);
    if (!index) return 1;

    hpa::Searcher searcher;
    hpa::Answer answer;
    hpa::LazyPath path;
    const auto plan = [&](grid::Point from) {
        hpa::Query query;
        query.start = from;
        query.goal = example.goal;
        query.detail = hpa::Detail::abstract_path;  // no cells yet
        searcher.find(*index, query, answer);
        const StatusCode code = path.begin(*index, answer);
        std::printf("at %d,%d: %zu abstract nodes to go, cost %u (%s)\n", from.x, from.y,
                    answer.abstract_nodes.size(), path.cost(), name(code).data());
        return code == StatusCode::ok;
    };

    grid::Point unit = example.start;
    if (!plan(unit)) return 1;
    int steps = 0;
    int plans = 1;
    while (const auto cell = path.next()) {
        const grid::Point ahead = map->point(*cell);
        if (ahead == unit) continue;  // a path begins with the cell where the unit stands
        if (!index->map().passable(*cell)) {
            std::printf("at %d,%d: the path is blocked at %d,%d; is the path stale? %s\n", unit.x,
                        unit.y, ahead.x, ahead.y, path.stale(*index) ? "yes" : "no");
            if (!plan(unit)) return 1;
            ++plans;
            continue;
        }
        unit = ahead;
        if (++steps == 10) {
            // The wall goes across the open ground below the start, and leaves a gap.
            const std::array wall{grid::TerrainEdit{{1, 15, 18, 1}, '@'}};
            auto edited = index->edited(wall);
            if (!edited) return 1;
            index = std::move(edited);
            std::printf("step %d: a wall of 18 cells goes up\n", steps);
        }
    }
    std::printf("arrived at %d,%d after %d steps and %d plans\n", unit.x, unit.y, steps, plans);
    return unit == example.goal ? 0 : 1;
}

#include "bench/edits.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "cairn/hpa/index.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "checks/random_edit.hpp"

namespace cairn::app {
namespace {

constexpr int kSide = 8;

void add_percentiles(const std::string& what, std::vector<double> seconds, Row& row) {
    if (seconds.empty()) seconds.push_back(0);
    std::ranges::sort(seconds);
    const auto at = [&](std::size_t percent) {
        return 1e6 * seconds[seconds.size() * percent / 100];
    };
    row.emplace_back(what + "median_us", at(50));
    row.emplace_back(what + "p99_us", at(99));
    row.emplace_back(what + "max_us", 1e6 * seconds.back());
}

}  // namespace

Status measure_edits(const grid::Map& map, hpa::Options options, int count, std::uint64_t seed,
                     const MeasureOptions& measure, const Row& key, Sheets& sheets) {
    options.labels = false;
    const auto index = hpa::Index::build(map, options, control_of(measure));
    if (!index) return index.error();
    std::vector<grid::Cell> cells[2];  // blocked, free
    for (grid::Cell c = 0; c < map.size(); ++c) cells[map.passable(c) ? 1 : 0].push_back(c);

    std::vector<double> seconds;
    std::mt19937_64 random(seed);
    for (int i = 0; i < count; ++i) {
        if (control_of(measure).cancelled()) return fail(StatusCode::cancelled).value();
        const auto& kind = cells[i % 2].empty() ? cells[1 - i % 2] : cells[i % 2];
        const grid::Cell cell = kind[random() % kind.size()];
        const grid::Point p = map.point(cell);
        const grid::TerrainEdit edit{{p.x, p.y, 1, 1},
                                     static_cast<std::uint8_t>(map.passable(cell) ? '@' : '.')};
        const double start = now();
        const auto edited = index->edited({&edit, 1});
        seconds.push_back(now() - start);
        if (!edited) return edited.error();
    }
    Row row = key;
    row.emplace_back("levels", options.levels);
    row.emplace_back("edits", seconds.size());
    add_percentiles("", std::move(seconds), row);
    return sheets.add("edits", row);
}

Status measure_subgoal_edits(const grid::Map& map, std::span<const Problem> problems,
                             const PlannerSpec& spec, int count, std::uint64_t seed,
                             const MeasureOptions& measure, const Row& key, Sheets& sheets) {
    const BuildControl control = control_of(measure);
    const auto index = subgoal::Index::build(map, spec.options_of<subgoal::Planner>(), control);
    if (!index) return index.error();

    std::vector<double> edited_times;
    std::vector<double> first_query;
    std::vector<double> completed_times;
    RandomEdits random(seed, kSide);
    subgoal::Query query;
    query.engine = subgoal::Engine::astar;
    subgoal::Searcher searcher(0);
    subgoal::Answer answer;
    for (int i = 0; i < count; ++i) {
        if (control.cancelled()) return fail(StatusCode::cancelled).value();
        const grid::TerrainEdit edit = random.next(map);
        double begin = now();
        const auto edited = index->edited({&edit, 1});
        edited_times.push_back(now() - begin);
        if (!edited) return edited.error();

        if (!problems.empty()) {
            const Problem& p = problems[static_cast<std::size_t>(i) % problems.size()];
            query.start = p.start;
            query.goal = p.goal;
            begin = now();
            searcher.find(*edited, query, answer);
            first_query.push_back(now() - begin);
        }
        begin = now();
        const auto completed = edited->with_labels(control);
        completed_times.push_back(now() - begin);
        if (!completed) return completed.error();
    }
    Row row = key;
    row.emplace_back("planner", spec.name);
    row.emplace_back("edits", edited_times.size());
    add_percentiles("edited_", std::move(edited_times), row);
    add_percentiles("completed_", std::move(completed_times), row);
    add_percentiles("first_query_", std::move(first_query), row);
    return sheets.add("subgoal_edits", row);
}

}  // namespace cairn::app

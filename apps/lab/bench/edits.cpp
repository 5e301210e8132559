// cairn-lab bench --edits: the times of edits of an index.

#include <random>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "checks/random_edit.hpp"

namespace cairn::app {
namespace {

constexpr int kSide = 8;  // of a square of cells that an edit of a subgoal graph changes

Row percentiles(const std::string& prefix, const std::vector<double>& seconds) {
    return {{prefix + "median_us", 1e6 * percentile(seconds, 50)},
            {prefix + "p99_us", 1e6 * percentile(seconds, 99)},
            {prefix + "max_us", 1e6 * percentile(seconds, 100)}};
}

}  // namespace

Status measure_edits(const grid::Map& map, hpa::Options wanted, int count, std::uint64_t seed,
                     const MeasureOptions& options, const Row& key, Sheets& sheets) {
    wanted.labels = false;
    const auto index = hpa::Index::build(map, wanted, options.control());
    if (!index) return index.error();
    std::vector<grid::Cell> cells[2];  // blocked, free
    for (grid::Cell c = 0; c < map.size(); ++c) cells[map.passable(c) ? 1 : 0].push_back(c);

    std::vector<double> seconds;
    std::mt19937_64 random(seed);
    for (int i = 0; i < count; ++i) {
        if (options.cancelled()) return fail(StatusCode::cancelled).value();
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
    sheets.add("edits", joined(joined(key, {{"levels", wanted.levels}, {"edits", seconds.size()}}),
                               percentiles("", seconds)));
    return {};
}

Status measure_subgoal_edits(const grid::Map& map, std::span<const Problem> problems,
                             const PlannerSpec& spec, int count, std::uint64_t seed,
                             const MeasureOptions& options, const Row& key, Sheets& sheets) {
    const auto index =
        subgoal::Index::build(map, spec.options_of<subgoal::Planner>(), options.control());
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
        if (options.cancelled()) return fail(StatusCode::cancelled).value();
        const grid::TerrainEdit edit = random.next(map);
        double begin = now();
        const auto edited = index->edited({&edit, 1});
        edited_times.push_back(now() - begin);
        if (!edited) return edited.error();

        if (!problems.empty()) {
            const Problem& p = problems[static_cast<std::size_t>(i) % problems.size()];
            assign(p, query);
            begin = now();
            searcher.find(*edited, query, answer);
            first_query.push_back(now() - begin);
        }
        begin = now();
        const auto completed = edited->with_labels(options.control());
        completed_times.push_back(now() - begin);
        if (!completed) return completed.error();
    }
    Row row = joined(key, {{"planner", spec.name}, {"edits", edited_times.size()}});
    row = joined(std::move(row), percentiles("edited_", edited_times));
    row = joined(std::move(row), percentiles("completed_", completed_times));
    sheets.add("subgoal_edits", joined(std::move(row), percentiles("first_query_", first_query)));
    return {};
}

}  // namespace cairn::app

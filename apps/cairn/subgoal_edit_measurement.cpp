#include "subgoal_edit_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "random_edit.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

constexpr int kSide = 8;

double percentile(const std::vector<double>& sorted, std::size_t percent) {
    return sorted.empty() ? 0 : sorted[sorted.size() * percent / 100];
}

}  // namespace

Result<SubgoalEditRun> measure_subgoal_edits(const grid::Map& map,
                                             std::span<const BenchProblem> problems,
                                             const PlannerSpec& spec, int count, std::uint64_t seed,
                                             const MeasureOptions& options) {
    BuildControl control;
    control.threads = options.threads;
    control.cancel = options.cancel;
    const auto index = subgoal::Index::build(map, spec.subgoal_index, control);
    if (!index) return tl::unexpected(index.error());

    SubgoalEditRun run;
    run.planner = spec.name;
    RandomEdits random(seed, kSide);
    subgoal::Query query;
    query.engine = subgoal::Engine::astar;
    subgoal::Searcher searcher(0);
    subgoal::Answer answer;
    for (int i = 0; i < count; ++i) {
        const grid::TerrainEdit edit = random.next(map);
        double begin = now();
        const auto edited = index->edited({&edit, 1});
        run.edited.push_back(now() - begin);
        if (!edited) return tl::unexpected(edited.error());

        if (!problems.empty()) {
            const BenchProblem& p = problems[static_cast<std::size_t>(i) % problems.size()];
            query.start = p.start;
            query.goal = p.goal;
            begin = now();
            searcher.find(*edited, query, answer);
            run.first_query.push_back(now() - begin);
        }
        begin = now();
        const auto completed = edited->with_labels(control);
        run.completed.push_back(now() - begin);
        if (!completed) return tl::unexpected(completed.error());
    }
    for (auto* times : {&run.edited, &run.completed, &run.first_query})
        std::sort(times->begin(), times->end());
    return run;
}

std::string format_edits(const std::vector<SubgoalEditRun>& runs) {
    Table table({"edits of 8 x 8 cells", "planner", "edits", "edited us", "p99 us", "completed us",
                 "p99 us", "first query us", "p99 us"});
    for (const SubgoalEditRun& run : runs) {
        std::vector<std::string> row{run.map, run.planner, std::to_string(run.edited.size())};
        for (const auto* times : {&run.edited, &run.completed, &run.first_query}) {
            for (const std::size_t percent : {50, 99})
                row.push_back(fmt::format("{:.1f}", 1e6 * percentile(*times, percent)));
        }
        table.add(std::move(row));
    }
    return table.text();
}

Json edits_json(const std::vector<SubgoalEditRun>& runs) {
    Json list = Json::array();
    for (const SubgoalEditRun& run : runs) {
        const auto figures = [](const std::vector<double>& times) {
            return Json{{"median_us", 1e6 * percentile(times, 50)},
                        {"p99_us", 1e6 * percentile(times, 99)}};
        };
        list.push_back({{"map", run.map},
                        {"planner", run.planner},
                        {"edits", run.edited.size()},
                        {"edited", figures(run.edited)},
                        {"completed", figures(run.completed)},
                        {"first_query", figures(run.first_query)}});
    }
    return list;
}

}  // namespace cairn::app

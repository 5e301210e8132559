#include "reproduce_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/hpa/hpa.hpp"
#include "command.hpp"
#include "for_each_on_threads.hpp"

namespace cairn::app {
namespace {

constexpr int kRounds = 3;

/// Runs `work` on every map, several at a time; the first error wins.
Status for_each_map(std::vector<PaperMap>& maps, const PaperControl& control,
                    const std::function<Status(PaperMap&)>& work) {
    Status first;
    std::mutex mutex;
    for_each_on_threads(maps.size(), control.threads, [&](std::size_t, std::size_t i) {
        if (control.cancelled()) return;
        Status status = work(maps[i]);
        const std::lock_guard lock(mutex);
        if (!status.ok() && first.ok()) first = std::move(status);
        if (control.step) control.step();
    });
    if (control.cancelled()) return {StatusCode::cancelled, "stopped by Ctrl-C"};
    return first;
}

/// The paths of Cairn's engines, which must cost what the textbook's do, and their smoothing.
Status smooth_queries(PaperMap& m) {
    grid::Smoother smoother;
    std::vector<grid::Cell> smoothed;
    hpa::Searcher searcher(0);
    hpa::Answer answer;
    for (int levels = 1; levels <= kPaperLevels; ++levels) {
        const auto index =
            hpa::Index::build(*m.map, paper_index_options(levels), {nullptr, nullptr, 1});
        if (!index) return index.error();
        for (std::size_t i = 0; i < m.problems.size(); ++i) {
            PaperQuery& q = m.queries[i];
            hpa::Query query = paper_query();
            query.start = m.problems[i].start;
            query.goal = m.problems[i].goal;
            searcher.find(*index, query, answer);
            const PaperAnswer& textbook = q.levels[static_cast<std::size_t>(levels - 1)];
            if (answer.cost != textbook.cost || textbook.refined != textbook.cost ||
                answer.cost < q.optimum || path_cost(*m.map, answer.cells) != answer.cost) {
                ++m.wrong;
            }
            if (levels > 1) continue;
            q.length = answer.cost;
            const auto smooth = [&](grid::SmoothEffort effort) {
                return grid::smooth(*m.map, answer.cells, answer.cost, smoother, smoothed,
                                    {effort});
            };
            q.paper_smoothed = smooth(grid::SmoothEffort::paper);
            q.smoothed = smooth(grid::SmoothEffort::standard);
        }
    }
    return {};
}

Status map_effort(PaperMap& m, const PaperControl& control) {
    m.queries.assign(m.problems.size(), {});
    grid::Astar astar;
    grid::Path path;
    for (std::size_t i = 0; i < m.problems.size(); ++i) {
        astar.find_path(*m.map, m.problems[i].start, m.problems[i].goal, path);
        m.queries[i].optimum = path.cost;
        m.queries[i].astar = path.statistics;
    }
    for (int levels = 1; levels <= kPaperLevels; ++levels) {
        const auto slot = static_cast<std::size_t>(levels - 1);
        PaperHpa textbook(*m.map, kPaperClusterSize, levels);
        m.sizes[slot] = textbook.sizes();
        for (std::size_t i = 0; i < m.problems.size() && !control.cancelled(); ++i) {
            m.queries[i].levels[slot] =
                textbook.find(m.problems[i].start, m.problems[i].goal, true);
        }
    }
    return smooth_queries(m);
}

Status map_cluster_sizes(PaperMap& m, const PaperControl& control) {
    for (std::size_t s = 0; s < kClusterSizes.size(); ++s) {
        PaperHpa textbook(*m.map, kClusterSizes[s], 1);
        m.size_sg[s] = m.size_main[s] = {};
        for (const BenchProblem& p : m.problems) {
            if (control.cancelled()) return {};
            const PaperAnswer answer = textbook.find(p.start, p.goal, false);
            m.size_sg[s] += answer.sg;
            m.size_main[s] += answer.main;
        }
    }
    return {};
}

template <class Ask>
void time_queries(PaperMap& m, std::size_t technique, const Ask& ask) {
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < m.problems.size(); ++i) {
            const double start = now();
            ask(m.problems[i]);
            double& least = m.seconds[i][technique];
            least = std::min(least, now() - start);
        }
    }
}

Status map_times(PaperMap& m) {
    std::array<double, kTimed> never{};
    never.fill(std::numeric_limits<double>::infinity());
    m.seconds.assign(m.problems.size(), never);
    grid::Astar astar;
    grid::Path path;
    time_queries(m, 0,
                 [&](const BenchProblem& p) { astar.find_path(*m.map, p.start, p.goal, path); });
    for (std::size_t technique = 1; technique < kTimed; ++technique) {
        const bool paper = technique <= kPaperLevels;
        const auto index = hpa::Index::build(
            *m.map, paper ? paper_index_options(static_cast<int>(technique)) : hpa::Options{});
        if (!index) return index.error();
        hpa::Query query = paper ? paper_query() : hpa::Query{};
        hpa::Searcher searcher(0);
        hpa::Answer answer;
        time_queries(m, technique, [&](const BenchProblem& p) {
            query.start = p.start;
            query.goal = p.goal;
            searcher.find(*index, query, answer);
        });
    }
    return {};
}

}  // namespace

grid::MapOptions paper_map_options() {
    grid::MapOptions options;
    options.rules.corner = grid::CornerRule::both_blocked;
    options.costs = CostModel::paper();
    return options;
}

grid::MapOptions example_map_options() {
    grid::MapOptions options = paper_map_options();
    options.rules.neighbourhood = grid::Neighbourhood::four;
    return options;
}

hpa::Options paper_index_options(int levels) {
    hpa::Options options;
    options.cluster_size = kPaperClusterSize;
    options.levels = levels;
    options.diagonals = hpa::DiagonalCrossings::none;
    options.move_tables = false;
    options.labels = false;
    return options;
}

hpa::Query paper_query() {
    hpa::Query query;
    query.smoothing = hpa::Smoothing::none;
    query.engine = hpa::Engine::levels;
    query.try_direct_line = false;
    return query;
}

Result<std::vector<PaperMap>> load_paper_maps(std::span<const std::filesystem::path> files,
                                              int pairs, std::uint64_t seed) {
    std::vector<PaperMap> maps(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        auto map = formats::load_map(files[i], paper_map_options());
        if (!map) return tl::unexpected(map.error());
        auto problems = random_problems(*map, pairs, seed);
        if (!problems) {
            return fail(problems.error().code,
                        fmt::format("{}: {}", files[i].string(), problems.error().message));
        }
        maps[i].name = files[i].stem().string();
        maps[i].map = std::move(*map);
        maps[i].problems = std::move(*problems);
    }
    return maps;
}

Status measure_effort(std::vector<PaperMap>& maps, const PaperControl& control) {
    return for_each_map(maps, control, [&](PaperMap& m) { return map_effort(m, control); });
}

Status measure_cluster_sizes(std::vector<PaperMap>& maps, const PaperControl& control) {
    return for_each_map(maps, control, [&](PaperMap& m) { return map_cluster_sizes(m, control); });
}

Status measure_times(std::vector<PaperMap>& maps, const PaperControl& control) {
    PaperControl alone = control;
    alone.threads = 1;
    return for_each_map(maps, alone, [](PaperMap& m) { return map_times(m); });
}

}  // namespace cairn::app

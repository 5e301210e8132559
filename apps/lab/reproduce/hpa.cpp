#include "reproduce/hpa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/hpa/hpa.hpp"
#include "command.hpp"
#include "for_each_on_threads.hpp"
#include "reproduce/reproduce.hpp"

namespace cairn::app {

namespace {

/// Runs `work` on every map, several at a time. Returns the first error.
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

/// Finds and smooths the paths of Cairn's engines, which must cost as much as the textbook's.
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
        for (const Problem& p : m.problems) {
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
    time_queries(m, 0, [&](const Problem& p) { astar.find_path(*m.map, p.start, p.goal, path); });
    for (std::size_t technique = 1; technique < kTimed; ++technique) {
        const bool paper = technique <= kPaperLevels;
        const auto index = hpa::Index::build(
            *m.map, paper ? paper_index_options(static_cast<int>(technique)) : hpa::Options{});
        if (!index) return index.error();
        hpa::Query query = paper ? paper_query() : hpa::Query{};
        hpa::Searcher searcher(0);
        hpa::Answer answer;
        time_queries(m, technique, [&](const Problem& p) {
            query.start = p.start;
            query.goal = p.goal;
            searcher.find(*index, query, answer);
        });
    }
    return {};
}

constexpr int kExampleLevels = 2;

struct Example {
    grid::Map map;
    grid::Point start;
    grid::Point goal;
    grid::Path optimum;
    std::array<PaperAnswer, kExampleLevels> textbook;
    std::array<std::vector<PaperLevelSize>, kExampleLevels> sizes;
    std::array<hpa::Answer, kExampleLevels> cairn;
    std::array<hpa::IndexStatistics, kExampleLevels> index;
};

Result<Example> run_example() {
    const grid::ExampleProblem problem = grid::worked_example();
    auto map = grid::make_map(problem.image, example_map_options());
    if (!map) return tl::unexpected(map.error());
    Example e{std::move(*map), problem.start, problem.goal, {}, {}, {}, {}, {}};
    grid::Astar astar;
    astar.find_path(e.map, e.start, e.goal, e.optimum);
    for (int levels = 1; levels <= kExampleLevels; ++levels) {
        const auto slot = static_cast<std::size_t>(levels - 1);
        PaperHpa textbook(e.map, kPaperClusterSize, levels);
        e.sizes[slot] = textbook.sizes();
        e.textbook[slot] = textbook.find(e.start, e.goal, true);
        const auto index = hpa::Index::build(e.map, paper_index_options(levels));
        if (!index) return tl::unexpected(index.error());
        e.index[slot] = index->statistics();
        hpa::Query query = paper_query();
        query.start = e.start;
        query.goal = e.goal;
        hpa::Searcher().find(*index, query, e.cairn[slot]);
    }
    return e;
}

Status add_example(Sheets& sheets) {
    const auto example = run_example();
    if (!example) return example.error();
    const Example& e = *example;
    const PaperLevelSize& first = e.sizes[0][0];
    const std::pair<const char*, std::uint64_t> sizes[] = {
        {"free tiles", e.index[0].map_nodes},
        {"edges between tiles", e.index[0].map_edges},
        {"clusters of 10 x 10", e.index[0].levels[0].clusters},
        {"abstract nodes, with S and G", e.textbook[0].top_nodes},
        {"inter-edges", first.inter_edges},
        {"intra-edges", first.intra_edges},
        {"edges that link S and G", e.textbook[0].border_edges},
        {"nodes of level 2, with S and G", e.textbook[1].top_nodes}};
    for (const auto& [what, count] : sizes) {
        if (Status s = sheets.add("example_sizes", {{"what", what}, {"measured", count}}); !s.ok())
            return s;
    }
    const auto steps = [&](Cost cost) { return cost / e.map.options().costs.straight; };
    const auto add = [&](int levels, const char* source, std::uint64_t sg, std::uint64_t failed,
                         std::uint64_t main, std::uint64_t refine, Cell searches, Cost cost) {
        return sheets.add("example", {{"levels", levels},
                                      {"source", source},
                                      {"sg", sg},
                                      {"sg_failed", failed},
                                      {"main", main},
                                      {"refine", refine},
                                      {"refine_searches", std::move(searches)},
                                      {"length", steps(cost)}});
    };
    Status status =
        add(0, "textbook", 0, 0, e.optimum.statistics.expanded, 0, Cell(), e.optimum.cost);
    for (int l = 0; l < kExampleLevels && status.ok(); ++l) {
        const auto slot = static_cast<std::size_t>(l);
        const PaperAnswer& t = e.textbook[slot];
        const hpa::QueryStatistics& c = e.cairn[slot].statistics;
        status = add(l + 1, "textbook", t.sg.expanded, t.sg_failed.expanded, t.main.expanded,
                     t.refine.expanded, t.refine_searches, t.cost);
        if (!status.ok()) break;
        status = add(l + 1, "engine", c.connect.expanded, 0, c.search.expanded, c.refine.expanded,
                     Cell(), e.cairn[slot].cost);
    }
    return status;
}

/// Adds rows of sizes and expanded nodes.
Status add_effort(const std::vector<PaperMap>& maps, Sheets& sheets) {
    for (const PaperMap& m : maps) {
        const auto size = [&](std::size_t levels, std::size_t level, std::size_t nodes,
                              std::size_t inter, std::size_t intra) {
            return sheets.add("sizes",
                              {{"map", m.name},
                               {"levels", levels},
                               {"level", level},
                               {"nodes", nodes},
                               {"inter_edges", inter},
                               {"intra_edges", intra}},
                              true);
        };
        Status status = size(0, 0, m.map->free_cells(), m.map->edge_count(), 0);
        for (std::size_t g = 0; g < m.sizes.size(); ++g) {
            for (std::size_t l = 0; l < m.sizes[g].size() && status.ok(); ++l) {
                const PaperLevelSize& s = m.sizes[g][l];
                status = size(g + 1, l + 1, s.nodes, s.inter_edges, s.intra_edges);
            }
        }
        if (!status.ok()) return status;
    }
    for (const PaperMap& m : maps) {
        for (std::size_t i = 0; i < m.queries.size(); ++i) {
            const PaperQuery& q = m.queries[i];
            Status status = sheets.add("queries",
                                       {{"map", m.name},
                                        {"query", i},
                                        {"unit", m.map->options().costs.straight},
                                        {"optimum", q.optimum},
                                        {"length", q.length},
                                        {"paper_smoothed", q.paper_smoothed},
                                        {"smoothed", q.smoothed}},
                                       true);
            const auto search = [&](std::size_t levels, const char* part,
                                    const grid::SearchStatistics& s) {
                if (!status.ok()) return;
                status = sheets.add("searches",
                                    {{"map", m.name},
                                     {"query", i},
                                     {"levels", levels},
                                     {"part", part},
                                     {"expanded", s.expanded},
                                     {"open_sum", s.open_sum}},
                                    true);
            };
            search(0, "low level", q.astar);
            for (std::size_t l = 0; l < q.levels.size(); ++l) {
                search(l + 1, "main", q.levels[l].main);
                search(l + 1, "sg", q.levels[l].sg);
                search(l + 1, "refine", q.levels[l].refine);
            }
            if (!status.ok()) return status;
        }
    }
    for (const PaperMap& m : maps) {
        Status status = sheets.add(
            "checks", {{"map", m.name}, {"queries", m.queries.size()}, {"wrong", m.wrong}});
        if (!status.ok()) return status;
    }
    return {};
}

Status add_times(const std::vector<PaperMap>& maps, Sheets& sheets) {
    constexpr std::array<const char*, kTimed> kNames{"astar", "1 level", "2 levels", "3 levels",
                                                     "cairn"};
    for (const PaperMap& m : maps) {
        for (std::size_t i = 0; i < m.seconds.size(); ++i) {
            for (std::size_t k = 0; k < kTimed; ++k) {
                Status status = sheets.add("times",
                                           {{"map", m.name},
                                            {"query", i},
                                            {"technique", kNames[k]},
                                            {"us", 1e6 * m.seconds[i][k]}},
                                           true);
                if (!status.ok()) return status;
            }
        }
    }
    return {};
}

Status add_cluster_sizes(const std::vector<PaperMap>& maps, Sheets& sheets) {
    for (const PaperMap& m : maps) {
        for (std::size_t s = 0; s < kClusterSizes.size(); ++s) {
            Status status = sheets.add("cluster_sizes",
                                       {{"map", m.name},
                                        {"cluster_size", kClusterSizes[s]},
                                        {"queries", m.problems.size()},
                                        {"sg", m.size_sg[s].expanded},
                                        {"main", m.size_main[s].expanded}},
                                       true);
            if (!status.ok()) return status;
        }
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

Status reproduce_hpa(const Request& request, Context& context, Sheets& sheets) {
    if (Status status = add_example(sheets); !status.ok() || request.built_in) return status;
    std::string folder = request.maps;
    if (folder.empty()) {
        const auto found = data_folder(
            request.data, std::filesystem::path("grid") / "bg_orig",
            "--maps: name the folder of the 120 Baldur's Gate maps (MovingAI's set 'bg', original "
            "size), or set CAIRN_DATA to a folder with grid/bg_orig, or try --example-only");
        if (!found) return found.error();
        folder = found->string();
    }
    const auto files = expand_maps({folder}, request.max_maps);
    if (!files) return files.error();
    auto maps = load_paper_maps(*files, request.pairs, request.seed);
    if (!maps) return maps.error();
    ProgressBar bar("reproduce");
    std::mutex mutex;
    double done = 0;
    double weight = 2;  // of a step, as the phases differ in length
    PaperControl control;
    control.cancel = &context.cancel;
    control.threads = request.threads;
    const double steps = 10.0 * static_cast<double>(maps->size());
    control.step = [&] {
        const std::lock_guard lock(mutex);
        done += weight;
        bar.show(done / steps);
    };
    Status status = measure_effort(*maps, control);
    if (status.ok()) status = add_effort(*maps, sheets);
    weight = 3;
    if (status.ok()) status = measure_times(*maps, control);
    if (status.ok()) status = add_times(*maps, sheets);
    weight = 5;
    if (status.ok()) status = measure_cluster_sizes(*maps, control);
    if (status.ok()) status = add_cluster_sizes(*maps, sheets);
    return status;
}

}  // namespace cairn::app

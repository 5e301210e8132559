#include "reproduce/hpa.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <new>
#include <thread>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/hpa/hpa.hpp"
#include "inputs.hpp"
#include "map_sets.hpp"
#include "reproduce/reproduce.hpp"

namespace cairn::app {

namespace {

namespace fs = std::filesystem;

/// Runs `work` on every map, several at a time. Returns the first error.
Status for_each_map(std::vector<PaperMap>& maps, const MeasureOptions& options,
                    const std::function<Status(PaperMap&)>& work) {
    Status first;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    const auto work_on = [&] {
        for (std::size_t i = next++; i < maps.size() && !options.cancelled(); i = next++) {
            Status status = work(maps[i]);
            const std::lock_guard lock(mutex);
            if (first.ok()) first = std::move(status);
            if (options.step) options.step();
        }
    };
    const int processors = std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
    const int threads = options.threads > 0 ? std::min(options.threads, processors) : processors;
    std::vector<std::thread> workers;
    for (int i = 1; i < threads; ++i) workers.emplace_back(work_on);
    work_on();
    for (std::thread& thread : workers) thread.join();
    return options.cancelled() ? stopped() : first;
}

/// The name of a rule in CSV files.
const char* name_of(EntranceRule rule) { return rule == EntranceRule::text ? "text" : "program"; }

/// Fills the lengths of `queries` by Cairn's engines, whose paths must cost as much as PaperHpa's.
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
            assign(m.problems[i], query);
            searcher.find(*index, query, answer);
            const PaperAnswer& textbook = q.answers[0][static_cast<std::size_t>(levels - 1)];
            if (answer.cost != textbook.cost || textbook.refined != textbook.cost ||
                answer.cost < q.optimum || path_cost(*m.map, answer.cells) != answer.cost) {
                ++m.wrong;
            }
            if (levels > 1) continue;
            q.length = answer.cost;
            const auto smooth = [&](grid::SmoothEffort effort) {
                Cost cost = answer.cost;
                const StatusCode status =
                    grid::smooth(*m.map, answer.cells, cost, smoother, smoothed, {effort});
                if (status != StatusCode::ok) throw std::bad_alloc();
                return cost;
            };
            q.paper_smoothed = smooth(grid::SmoothEffort::paper);
            q.smoothed = smooth(grid::SmoothEffort::standard);
        }
    }
    return {};
}

/// Checks an answer with EntranceRule::program, and smooths the first of a problem.
void check_program(PaperMap& m, std::size_t problem, const PaperAnswer& answer) {
    PaperQuery& q = m.queries[problem];
    if (q.program_length == kInfinity && !answer.cells.empty()) {
        grid::Smoother smoother;
        std::vector<grid::Cell> smoothed;
        q.program_length = q.program_smoothed = answer.cost;
        const StatusCode status = grid::smooth(*m.map, answer.cells, q.program_smoothed, smoother,
                                               smoothed, {grid::SmoothEffort::paper});
        if (status != StatusCode::ok) throw std::bad_alloc();
    }
    if (answer.cost == kInfinity || answer.cost != q.program_length || answer.cost < q.optimum ||
        answer.refined != answer.cost || path_cost(*m.map, answer.cells) != answer.cost)
        ++m.wrong;
}

/// The sizes and the queries of one map, on one thread.
Status map_effort(PaperMap& m, const MeasureOptions& options) {
    m.queries.assign(m.problems.size(), {});
    grid::Astar astar;
    grid::Path path;
    for (std::size_t i = 0; i < m.problems.size(); ++i) {
        astar.find_path(*m.map, m.problems[i].start, m.problems[i].goal, path);
        m.queries[i].optimum = path.cost;
        m.queries[i].astar = path.statistics;
    }
    for (std::size_t rule = 0; rule < kEntranceRules.size(); ++rule) {
        for (std::size_t l = 0; l < kPaperLevels; ++l) {
            PaperHpa textbook(*m.map, kPaperClusterSize, static_cast<int>(l) + 1,
                              kEntranceRules[rule]);
            m.sizes[rule][l] = textbook.sizes();
            for (std::size_t i = 0; i < m.problems.size() && !options.cancelled(); ++i) {
                PaperAnswer& answer = m.queries[i].answers[rule][l];
                answer = textbook.find(m.problems[i].start, m.problems[i].goal, /*refine=*/true);
                if (kEntranceRules[rule] == EntranceRule::program) check_program(m, i, answer);
                answer.cells = {};
            }
        }
    }
    return smooth_queries(m);
}

/// Abstract searches with other cluster sizes. Maps in parallel.
Status measure_cluster_sizes(std::vector<PaperMap>& maps, const MeasureOptions& options,
                             Sheets& sheets) {
    std::vector<std::vector<Row>> rows(maps.size());  // of each map
    Status status = for_each_map(maps, options, [&](PaperMap& m) -> Status {
        for (const EntranceRule rule : kEntranceRules) {
            for (const int size : kClusterSizes) {
                PaperHpa textbook(*m.map, size, 1, rule);
                std::uint64_t sg = 0;
                std::uint64_t main = 0;
                for (const Problem& p : m.problems) {
                    if (options.cancelled()) return {};
                    const PaperAnswer answer = textbook.find(p.start, p.goal, /*refine=*/false);
                    sg += answer.sg.expanded;
                    main += answer.main.expanded;
                }
                rows[static_cast<std::size_t>(&m - maps.data())].push_back(
                    {{"map", m.name},
                     {"rule", name_of(rule)},
                     {"cluster_size", size},
                     {"queries", m.problems.size()},
                     {"sg", sg},
                     {"main", main}});
            }
        }
        return {};
    });
    if (!status.ok()) return status;
    for (const std::vector<Row>& of_map : rows) {
        for (const Row& row : of_map) sheets.add_detail("cluster_sizes", row);
    }
    return {};
}

/// The worked example, with one and with two levels.
Status add_example(Sheets& sheets) {
    const grid::ExampleProblem problem = grid::worked_example().value();
    const auto map = grid::make_map(problem.image, example_map_options());
    if (!map) return map.error();
    grid::Path optimum;
    grid::Astar().find_path(*map, problem.start, problem.goal, optimum);
    std::vector<hpa::IndexStatistics> graphs;
    std::vector<PaperAnswer> textbook;
    std::vector<hpa::Answer> engine(2);
    for (hpa::Answer& answer : engine) {
        const int levels = static_cast<int>(graphs.size()) + 1;
        const auto index = hpa::Index::build(*map, paper_index_options(levels));
        if (!index) return index.error();
        graphs.push_back(index->statistics().value());
        textbook.push_back(PaperHpa(*map, kPaperClusterSize, levels)
                               .find(problem.start, problem.goal, /*refine=*/true));
        hpa::Query query = paper_query();
        assign(problem, query);
        hpa::Searcher().find(*index, query, answer);
    }
    const PaperLevelSize first = PaperHpa(*map, kPaperClusterSize, 1).sizes().front();
    const std::pair<const char*, std::uint64_t> sizes[] = {
        {"free tiles", graphs[0].map_nodes},
        {"edges between tiles", graphs[0].map_edges},
        {"clusters of 10 x 10", graphs[0].levels[0].clusters},
        {"abstract nodes, with S and G", textbook[0].top_nodes},
        {"inter-edges", first.inter_edges},
        {"intra-edges", first.intra_edges},
        {"edges that link S and G", textbook[0].border_edges},
        {"nodes of level 2, with S and G", textbook[1].top_nodes}};
    for (const auto& [what, count] : sizes)
        sheets.add("example_sizes", {{"what", what}, {"measured", count}});
    const auto add = [&](std::size_t levels, const char* source, std::uint64_t sg,
                         std::uint64_t failed, std::uint64_t main, std::uint64_t refine,
                         const Cell& searches, Cost cost) {
        sheets.add("example", {{"levels", levels},
                               {"source", source},
                               {"sg", sg},
                               {"sg_failed", failed},
                               {"main", main},
                               {"refine", refine},
                               {"refine_searches", searches},
                               {"length", cost / map->options().costs.straight}});
    };
    add(0, "textbook", 0, 0, optimum.statistics.expanded, 0, Cell(), optimum.cost);
    for (std::size_t l = 0; l < engine.size(); ++l) {
        const PaperAnswer& t = textbook[l];
        const hpa::QueryStatistics& c = engine[l].statistics;
        add(l + 1, "textbook", t.sg.expanded, t.sg_failed.expanded, t.main.expanded,
            t.refine.expanded, t.refine_searches, t.cost);
        add(l + 1, "engine", c.connect.expanded, 0, c.search.expanded, c.refine.expanded, Cell(),
            engine[l].cost);
    }
    return {};
}

/// Adds rows of sizes and expanded nodes.
void add_effort(const std::vector<PaperMap>& maps, Sheets& sheets) {
    for (const PaperMap& m : maps) {
        const auto size = [&](const char* rule, std::size_t levels, std::size_t level,
                              const PaperLevelSize& s) {
            sheets.add_detail("sizes", {{"map", m.name},
                                        {"rule", rule},
                                        {"levels", levels},
                                        {"level", level},
                                        {"nodes", s.nodes},
                                        {"inter_edges", s.inter_edges},
                                        {"intra_edges", s.intra_edges}});
        };
        size("", 0, 0, {m.map->free_cells(), m.map->edge_count(), 0});
        for (std::size_t rule = 0; rule < kEntranceRules.size(); ++rule) {
            const auto& graphs = m.sizes[rule];
            for (std::size_t g = 0; g < graphs.size(); ++g) {
                for (std::size_t l = 0; l < graphs[g].size(); ++l)
                    size(name_of(kEntranceRules[rule]), g + 1, l + 1, graphs[g][l]);
            }
        }
    }
    for (const PaperMap& m : maps) {
        for (std::size_t i = 0; i < m.queries.size(); ++i) {
            const PaperQuery& q = m.queries[i];
            sheets.add_detail("queries", {{"map", m.name},
                                          {"query", i},
                                          {"unit", m.map->options().costs.straight},
                                          {"optimum", q.optimum},
                                          {"length", q.length},
                                          {"paper_smoothed", q.paper_smoothed},
                                          {"smoothed", q.smoothed},
                                          {"program_length", q.program_length},
                                          {"program_smoothed", q.program_smoothed}});
            const auto search = [&](const char* rule, std::size_t levels, const char* part,
                                    const grid::SearchStatistics& s) {
                sheets.add_detail("searches", {{"map", m.name},
                                               {"query", i},
                                               {"rule", rule},
                                               {"levels", levels},
                                               {"part", part},
                                               {"expanded", s.expanded},
                                               {"open_sum", s.open_sum}});
            };
            search("", 0, "low level", q.astar);
            for (std::size_t rule = 0; rule < kEntranceRules.size(); ++rule) {
                const char* const of_rule = name_of(kEntranceRules[rule]);
                for (std::size_t l = 0; l < kPaperLevels; ++l) {
                    const PaperAnswer& answer = q.answers[rule][l];
                    search(of_rule, l + 1, "main", answer.main);
                    search(of_rule, l + 1, "sg", answer.sg);
                    search(of_rule, l + 1, "refine", answer.refine);
                }
            }
        }
    }
    for (const PaperMap& m : maps)
        sheets.add("checks", {{"map", m.name}, {"queries", m.queries.size()}, {"wrong", m.wrong}});
}

/// The files of --maps, or of the paper's set in --data.
Result<FileSet> paper_maps(const ExperimentOptions& experiment) {
    if (!experiment.maps.empty()) return expand_maps(experiment.maps, experiment.max_maps);
    const auto root = data_folder(experiment.data, kPaperMaps);
    if (!root) return tl::unexpected(root.error());
    const auto sets = find_map_sets(*root);
    if (!sets) return tl::unexpected(sets.error());
    const FileSet files = chosen_maps(*root, *sets, is_paper_set);
    if (files.empty()) {
        return fail(StatusCode::bad_option,
                    fmt::format("{}: no folder of maps without trees, all sides 50 to 320, is "
                                "there: name one with --maps",
                                root->string()));
    }
    return spread(files, experiment.max_maps);
}

/// Reads the maps and draws solvable problems on each. Errors: those of formats::load_map, and
/// no_path for a map without two connected cells.
Result<std::vector<PaperMap>> load_paper_maps(const ExperimentOptions& experiment) {
    const auto files = paper_maps(experiment);
    if (!files) return tl::unexpected(files.error());
    std::vector<PaperMap> maps;
    for (const fs::path& file : *files) {
        auto map = formats::load_map(file, paper_map_options());
        if (!map) return tl::unexpected(map.error());
        auto problems = random_problems(*map, experiment.pairs, experiment.seed);
        if (!problems) return tl::unexpected(of_file(file, problems.error()));
        PaperMap& m = maps.emplace_back();
        m.name = file.stem().string();
        m.map = std::move(*map);
        m.problems = std::move(*problems);
    }
    return maps;
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
    options.transitions = hpa::Transitions::by_width;
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

Status measure_effort(std::vector<PaperMap>& maps, const MeasureOptions& options) {
    return for_each_map(maps, options, [&](PaperMap& m) { return map_effort(m, options); });
}

Status measure_times(const std::vector<PaperMap>& maps, const MeasureOptions& options,
                     Sheets& sheets) {
    constexpr std::array<const char*, kTimed> kNames{"astar", "1 level", "2 levels", "3 levels",
                                                     "cairn"};
    for (const PaperMap& m : maps) {
        const auto least = [&](const auto& solve) {
            return least_seconds({m.problems.size(), [&](std::size_t i) { solve(m.problems[i]); }},
                                 options);
        };
        grid::Astar astar;
        grid::Path path;
        std::vector<std::vector<double>> seconds{
            least([&](const Problem& p) { astar.find_path(*m.map, p.start, p.goal, path); })};
        for (std::size_t technique = 1; technique < kTimed; ++technique) {
            const bool paper = technique <= kPaperLevels;
            const auto index = hpa::Index::build(
                *m.map, paper ? paper_index_options(static_cast<int>(technique)) : hpa::Options{});
            if (!index) return index.error();
            hpa::Query query = paper ? paper_query() : hpa::Query{};
            hpa::Searcher searcher(0);
            hpa::Answer answer;
            seconds.push_back(least([&](const Problem& p) {
                assign(p, query);
                searcher.find(*index, query, answer);
            }));
        }
        if (options.cancelled()) return stopped();
        for (std::size_t i = 0; i < m.problems.size(); ++i) {
            for (std::size_t k = 0; k < kTimed; ++k) {
                sheets.add_detail("times", {{"map", m.name},
                                            {"query", i},
                                            {"technique", kNames[k]},
                                            {"us", 1e6 * seconds[k][i]}});
            }
        }
        if (options.step) options.step();
    }
    return sheets.status();
}

Status reproduce_hpa(const ExperimentOptions& experiment, Context& context, Sheets& sheets) {
    if (Status status = add_example(sheets); !status.ok() || experiment.built_in) return status;
    auto maps = load_paper_maps(experiment);
    if (!maps) return maps.error();
    Steps steps(10 * maps->size());
    double weight = 2;  // a map's share of ten steps, by phase: 2, 3 and 5
    const MeasureOptions options{.threads = experiment.threads,
                                 .cancel = &context.cancel,
                                 .step = [&] { steps.add(weight); }};
    if (Status s = measure_effort(*maps, options); !s.ok()) return s;
    add_effort(*maps, sheets);
    weight = 3;
    if (Status s = measure_times(*maps, options, sheets); !s.ok()) return s;
    weight = 5;
    return measure_cluster_sizes(*maps, options, sheets);
}

}  // namespace cairn::app

#include "reproduce/subgoal.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <map>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "command.hpp"
#include "reproduce/reproduce.hpp"

namespace cairn::app {

namespace {

namespace fs = std::filesystem;

constexpr int kRoomsSide = 192;

/// The paper's graphs: all direct edges, subgoals in the order of their cells.
subgoal::Options paper_options(std::uint32_t levels) {
    subgoal::Options options;
    options.prune = false;
    options.labels = false;
    options.levels = levels;
    options.order = ContractionOrder::number;
    return options;
}

subgoal::Options taut_options(std::uint32_t levels) {
    subgoal::Options options;
    options.labels = false;
    options.levels = levels;
    return options;
}

/// The sum over all problems of the least time of three rounds each.
template <class Ask>
double time_problems(const std::vector<Problem>& problems, const Ask& ask) {
    std::vector<double> least(problems.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const double start = now();
            ask(i);
            least[i] = std::min(least[i], now() - start);
        }
    }
    double sum = 0;
    for (const double seconds : least) sum += seconds;
    return sum;
}

Result<std::vector<Problem>> problems_of(const fs::path& file, const grid::Map& map, int pairs,
                                         std::uint64_t seed) {
    const fs::path scenario = file.string() + ".scen";
    std::error_code error;
    return fs::exists(scenario, error) ? scenario_problems(scenario, map, pairs)
                                       : random_problems(map, pairs, seed);
}

bool is_shortest(const SubgoalMap& m, std::size_t i, const subgoal::Answer& answer) {
    const grid::Map& map = *m.map;
    return answer.status == StatusCode::ok && answer.cost == m.optima[i] && !answer.cells.empty() &&
           answer.cells.front() == map.cell(m.problems[i].start) &&
           answer.cells.back() == map.cell(m.problems[i].goal) &&
           path_cost(map, answer.cells) == answer.cost;
}

Result<SubgoalRun> run_variant(const SubgoalMap& m, const SubgoalVariant& variant,
                               const SubgoalControl& control) {
    SubgoalRun run;
    const std::clock_t start = std::clock();
    const auto index = subgoal::Index::build(*m.map, variant.options, {{}, control.cancel, 1});
    run.build_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!index) {
        return fail(index.error().code,
                    fmt::format("{}, {}: {}", m.name, variant.name, index.error().message));
    }
    run.size = index->statistics();
    subgoal::Searcher searcher(0);
    subgoal::Answer answer;
    subgoal::Query query;
    query.engine = index->has_labels() || variant.engine != subgoal::Engine::cut_labels
                       ? variant.engine
                       : subgoal::Engine::automatic;
    const auto ask = [&](std::size_t i) {
        query.start = m.problems[i].start;
        query.goal = m.problems[i].goal;
        searcher.find(*index, query, answer);
    };
    for (std::size_t i = 0; i < m.problems.size(); ++i) {
        ask(i);
        run.expanded += answer.statistics.search.expanded;
        if (!is_shortest(m, i, answer)) ++run.wrong;
    }
    run.seconds = time_problems(m.problems, ask);
    return run;
}

/// The number of queries of a map, for means.
double count_of(const SubgoalMap& m) {
    return static_cast<double>(std::max<std::size_t>(m.problems.size(), 1));
}

/// Table 15.1: Dragon Age: Origins, StarCraft, Warcraft III, Baldur's Gate II.
constexpr std::array<const char*, 4> kSets{"dao", "sc1", "wc3maps512", "bg512"};

Result<std::vector<SubgoalMap>> load(const Request& request) {
    if (request.built_in) return built_in_subgoal_maps(request.pairs, request.seed);
    if (!request.maps.empty()) {
        const fs::path folder(request.maps);
        const fs::path name = folder.has_filename() ? folder.filename() : folder.parent_path();
        return load_subgoal_maps(name.string(), folder, request.max_maps, request.pairs,
                                 request.seed);
    }
    const auto folder =
        data_folder(request.data, "grid",
                    "--data: name the folder of MovingAI's sets dao, sc1, wc3maps512 and bg512, or "
                    "set CAIRN_DATA, or give any folder with --maps, or try --example-only");
    if (!folder) return tl::unexpected(folder.error());
    std::vector<SubgoalMap> all;
    for (const char* set : kSets) {
        auto maps =
            load_subgoal_maps(set, *folder / set, request.max_maps, request.pairs, request.seed);
        if (!maps) return maps;
        std::move(maps->begin(), maps->end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace

std::vector<SubgoalVariant> table_variants() {
    subgoal::Options labels = taut_options(1);
    labels.labels = true;
    return {{"SSG", paper_options(1), subgoal::Engine::levels},
            {"TSG", paper_options(2), subgoal::Engine::levels},
            {"N-level", paper_options(0), subgoal::Engine::levels},
            {"SSG in tiles", paper_options(1), subgoal::Engine::astar},
            {"taut SSG", taut_options(1), subgoal::Engine::levels},
            {"taut TSG", taut_options(2), subgoal::Engine::levels},
            {"taut N-level", taut_options(0), subgoal::Engine::levels},
            {"cut labels", labels, subgoal::Engine::cut_labels}};
}

std::vector<SubgoalVariant> edge_variants() {
    std::vector<SubgoalVariant> out;
    for (const auto edges : {subgoal::Edges::h_reachable, subgoal::Edges::direct}) {
        subgoal::Options options = taut_options(1);
        options.edges = edges;
        out.push_back({edges == subgoal::Edges::direct ? "direct" : "h-reachable", options,
                       subgoal::Engine::astar});
    }
    return out;
}

std::vector<SubgoalVariant> order_variants() {
    const std::vector<std::pair<const char*, ContractionOrder>> orders{
        {"number", ContractionOrder::number},
        {"ascending degree", ContractionOrder::ascending_degree},
        {"descending degree", ContractionOrder::descending_degree},
        {"fewest extra edges", ContractionOrder::fewest_extra_edges},
        {"random", ContractionOrder::random}};
    std::vector<SubgoalVariant> out;
    for (const bool prune : {false, true}) {
        subgoal::Options options = taut_options(1);
        options.prune = prune;
        out.push_back({"no levels", options});
        options.levels = 0;
        for (const auto& [name, order] : orders) {
            options.order = order;
            out.push_back({name, options});
        }
    }
    return out;
}

Result<std::vector<SubgoalMap>> load_subgoal_maps(const std::string& set, const fs::path& folder,
                                                  int most, int pairs, std::uint64_t seed) {
    const auto files = expand_maps({folder.string()}, most);
    if (!files) return tl::unexpected(files.error());
    std::vector<SubgoalMap> maps;
    for (const fs::path& file : *files) {
        auto map = formats::load_map(file);
        if (!map) return tl::unexpected(map.error());
        auto problems = problems_of(file, *map, pairs, seed);
        if (!problems && problems.error().code == StatusCode::no_path) continue;
        if (!problems) {
            return fail(problems.error().code,
                        fmt::format("{}: {}", file.string(), problems.error().message));
        }
        maps.push_back({set, file.stem().string(), std::move(*map), std::move(*problems), {}});
    }
    return maps;
}

Result<std::vector<SubgoalMap>> built_in_subgoal_maps(int pairs, std::uint64_t seed) {
    std::vector<SubgoalMap> maps;
    for (const auto kind :
         {grid::MapKind::rooms, grid::MapKind::caves, grid::MapKind::city, grid::MapKind::forest}) {
        grid::GenerateOptions options;
        options.kind = kind;
        options.width = options.height = kRoomsSide;
        const auto image = grid::generate(options);
        if (!image) return tl::unexpected(image.error());
        auto map = grid::make_map(*image);
        if (!map) return tl::unexpected(map.error());
        auto problems = random_problems(*map, pairs, seed);
        if (!problems) return tl::unexpected(problems.error());
        const std::string name(grid::name(kind));
        maps.push_back({name, name, std::move(*map), std::move(*problems), {}});
    }
    return maps;
}

std::vector<const SubgoalMap*> sample(std::span<const SubgoalMap> maps, int most) {
    std::map<std::string, std::size_t> size;
    for (const SubgoalMap& m : maps) ++size[m.set];
    std::map<std::string, std::size_t> seen;
    std::vector<const SubgoalMap*> out;
    for (const SubgoalMap& m : maps) {
        // Every (size / kept)th, the first among them.
        const std::size_t n = size[m.set];
        const std::size_t kept = most > 0 ? std::min(n, static_cast<std::size_t>(most)) : n;
        const std::size_t i = seen[m.set]++;
        if (i == 0 || i * kept / n != (i - 1) * kept / n) out.push_back(&m);
    }
    return out;
}

Status solve_by_astar(std::span<SubgoalMap> maps, const SubgoalControl& control) {
    grid::Astar astar;
    grid::Path path;
    for (SubgoalMap& m : maps) {
        if (control.cancelled()) return {StatusCode::cancelled, "stopped by Ctrl-C"};
        m.optima.clear();
        m.astar_expanded = 0;
        std::vector<Problem> solvable;
        for (const Problem& p : m.problems) {
            astar.find_path(*m.map, p.start, p.goal, path);
            if (path.cost >= kInfinity) continue;
            solvable.push_back(p);
            m.optima.push_back(path.cost);
            m.astar_expanded += path.statistics.expanded;
        }
        m.problems = std::move(solvable);
        if (control.step) control.step();
    }
    return {};
}

Result<SubgoalExperiment> measure_variants(std::vector<SubgoalVariant> variants,
                                           std::vector<const SubgoalMap*> maps,
                                           const SubgoalControl& control) {
    SubgoalExperiment out{std::move(variants), std::move(maps), {}, {}};
    out.runs.resize(out.variants.size());
    grid::Astar astar;
    grid::Path path;
    for (const SubgoalMap* m : out.maps) {
        out.astar_seconds.push_back(time_problems(m->problems, [&](std::size_t i) {
            astar.find_path(*m->map, m->problems[i].start, m->problems[i].goal, path);
        }));
        for (std::size_t v = 0; v < out.variants.size(); ++v) {
            if (control.cancelled()) return fail(StatusCode::cancelled, "stopped by Ctrl-C");
            auto run = run_variant(*m, out.variants[v], control);
            if (!run) return tl::unexpected(run.error());
            out.runs[v].push_back(std::move(*run));
            if (control.step) control.step();
        }
    }
    return out;
}

Status add_rows(const char* study, const SubgoalExperiment& measured, Sheets& sheets) {
    for (std::size_t i = 0; i < measured.maps.size(); ++i) {
        const SubgoalMap& m = *measured.maps[i];
        for (std::size_t v = 0; v < measured.variants.size(); ++v) {
            const SubgoalVariant& variant = measured.variants[v];
            const SubgoalRun& run = measured.runs[v][i];
            const subgoal::IndexStatistics& s = run.size;
            const auto& levels = s.levels.levels;
            const bool layered = !levels.empty();
            const std::size_t searched = variant.engine == subgoal::Engine::astar ? s.graph_bytes
                                         : variant.engine == subgoal::Engine::levels
                                             ? s.level_bytes
                                             : s.label_bytes;
            const Row key{{"study", study},
                          {"set", m.set},
                          {"map", m.name},
                          {"graph", variant.name},
                          {"edge_set", variant.options.prune ? "taut" : "all"},
                          {"level_option", variant.options.levels}};
            Row row = key;
            const Row figures{
                {"us", 1e6 * run.seconds / count_of(m)},
                {"astar_us", 1e6 * measured.astar_seconds[i] / count_of(m)},
                {"build_ms", 1e3 * run.build_seconds},
                {"expanded", static_cast<double>(run.expanded) / count_of(m)},
                {"astar_expanded", static_cast<double>(m.astar_expanded) / count_of(m)},
                {"queries", m.problems.size()},
                {"bit_bytes", s.bit_bytes},
                {"graph_bytes", s.graph_bytes},
                {"level_bytes", s.level_bytes},
                {"label_bytes", s.label_bytes},
                {"read_bytes", s.bit_bytes + searched},
                {"subgoals", s.subgoals},
                {"edges", s.edges},
                {"taut_edges", s.taut_edges},
                {"levels", levels.size()},
                {"core", layered ? levels.back().vertices : 0},
                {"core_edges", layered ? levels.back().edges : 0},
                {"level_edges", s.levels.edges},
                {"extra_edges", s.levels.extra_edges},
                {"wrong", run.wrong}};
            row.insert(row.end(), figures.begin(), figures.end());
            Status status = sheets.add("graphs", row);
            for (std::size_t l = 0; l < levels.size() && status.ok(); ++l) {
                row = key;
                row.emplace_back("level", l + 1);
                row.emplace_back("subgoals", levels[l].vertices);
                row.emplace_back("edges", levels[l].edges);
                status = sheets.add("levels", row, true);
            }
            if (!status.ok()) return status;
        }
    }
    return {};
}

Status reproduce_subgoal(const Request& request, Context& context, Sheets& sheets) {
    auto maps = load(request);
    if (!maps) return maps.error();
    const std::vector<const SubgoalMap*> every = sample(*maps, 0);
    const std::vector<const SubgoalMap*> some = sample(*maps, request.study_maps);
    ProgressBar bar("reproduce");
    const std::size_t steps = every.size() * (1 + table_variants().size()) +
                              some.size() * (edge_variants().size() + order_variants().size());
    std::size_t done = 0;
    SubgoalControl control;
    control.cancel = &context.cancel;
    control.step = [&] { bar.show(static_cast<double>(++done) / static_cast<double>(steps)); };
    if (Status s = solve_by_astar(*maps, control); !s.ok()) return s;
    // One map at a time, so that Ctrl-C keeps the rows measured until then.
    const auto study = [&](const char* name, const std::vector<SubgoalVariant>& variants,
                           const std::vector<const SubgoalMap*>& on) -> Status {
        for (const SubgoalMap* one : on) {
            const auto measured = measure_variants(variants, {one}, control);
            if (!measured) return measured.error();
            if (Status s = add_rows(name, *measured, sheets); !s.ok()) return s;
        }
        return {};
    };
    Status s = study("table", table_variants(), every);
    if (s.ok()) s = study("edges", edge_variants(), some);
    if (s.ok()) s = study("orders", order_variants(), some);
    return s;
}

}  // namespace cairn::app

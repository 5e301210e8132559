#include "reproduce/haa.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <random>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/haa/haa.hpp"
#include "checks/grid.hpp"
#include "command.hpp"
#include "inputs.hpp"
#include "map_sets.hpp"
#include "reproduce/haa_tables.hpp"
#include "reproduce/reproduce.hpp"

namespace cairn::app {

namespace {

namespace fs = std::filesystem;

// Enough for the labels of every class on the maps of the experiments.
constexpr std::uint64_t kLabelBytes = std::uint64_t{256} << 20;
constexpr std::size_t kAnyPairsOneIn = 4;  // of so many random problems one may have no path

haa::Options graph_options(std::size_t graph) {
    haa::Options options;
    options.label_bytes = kLabelBytes;
    if (graph == kInitial) options.abstraction = haa::Abstraction::initial;
    if (graph >= kLowQuality) options.abstraction = haa::Abstraction::low_quality;
    if (graph > kLowQuality) options.reach = 64;  // the paper's rule: no border is longer
    return options;
}

/// The problems of one agent class, and its class map.
struct ClassProblems {
    haa::Agent agent;
    grid::Map map;
    std::vector<std::size_t> numbers;   // in HaaRun::problems
    std::vector<std::size_t> solvable;  // those of `numbers` with a path
};

Result<std::vector<ClassProblems>> class_maps(const haa::AnnotatedMap& map) {
    std::vector<ClassProblems> classes;
    for (std::uint32_t k = 0; k < map.classes(); ++k) {
        auto class_map = map.class_map(map.agent(k));
        if (!class_map) return tl::unexpected(class_map.error());
        classes.push_back({map.agent(k), std::move(*class_map), {}, {}});
    }
    return classes;
}

/// Adds pairs of any two places where an agent of the class fits; none if there is only one place.
void add_any_pairs(const ClassProblems& group, std::size_t count, std::mt19937_64& random,
                   std::vector<Problem>& out) {
    std::vector<grid::Cell> places;
    for (grid::Cell c = 0; c < group.map.size(); ++c) {
        if (group.map.passable(c)) places.push_back(c);
    }
    if (places.size() < 2) return;
    for (std::size_t i = 0; i < count; ++i) {
        const grid::Cell a = places[random() % places.size()];
        const grid::Cell b = places[random() % places.size()];
        out.push_back({group.map.point(a), group.map.point(b)});
    }
}

Status random_class_problems(const std::vector<ClassProblems>& classes, std::size_t pairs,
                             std::uint64_t seed, std::vector<HaaProblemRun>& problems) {
    std::mt19937_64 random(seed);
    for (std::size_t k = 0; k < classes.size(); ++k) {
        const ClassProblems& group = classes[k];
        const std::size_t share = pairs / classes.size() + (k < pairs % classes.size() ? 1 : 0);
        const std::size_t any = share / kAnyPairsOneIn;
        std::vector<Problem> drawn;
        auto connected = random_problems(group.map, static_cast<int>(share - any), seed + k);
        if (connected) drawn = std::move(*connected);
        if (!connected && connected.error().code != StatusCode::no_path) return connected.error();
        add_any_pairs(group, any, random, drawn);
        for (const Problem& p : drawn) problems.push_back({group.agent, p.start, p.goal});
    }
    return {};
}

Status authors_problems(const HaaCase& input, std::vector<HaaProblemRun>& problems) {
    for (const formats::HaaProblem& p : input.problems) {
        if (p.size > input.max_size) {
            return {
                StatusCode::bad_option,
                fmt::format("an agent of size {}: at most {} is measured", p.size, input.max_size)};
        }
        const auto capability = static_cast<std::uint32_t>(
            std::find(kHaaCapabilities.begin(), kHaaCapabilities.end(), p.terrains) -
            kHaaCapabilities.begin());
        problems.push_back({{capability, p.size}, p.start, p.goal, p.distance});
    }
    return {};
}

void solve_by_astar(std::vector<ClassProblems>& classes, const MeasureOptions& options,
                    HaaRun& run) {
    grid::Astar astar;
    grid::Path path;
    const grid::AstarOptions fastest{grid::OpenList::buckets};
    for (ClassProblems& group : classes) {
        for (const std::size_t i : group.numbers) {
            HaaProblemRun& p = run.problems[i];
            if (astar.find_path(group.map, p.start, p.goal, path, fastest) != StatusCode::ok)
                continue;
            p.optimum = path.cost;
            p.cells = path.cells.size();
            group.solvable.push_back(i);
        }
        const auto solve = [&](std::size_t i) {
            const HaaProblemRun& p = run.problems[group.solvable[i]];
            astar.find_path(group.map, p.start, p.goal, path, fastest);
        };
        run.astar_seconds += sum(least_seconds({group.solvable.size(), solve}, options));
    }
}

/// The queries of one agent class on one index.
class ClassQueries {
public:
    ClassQueries(const haa::Index& index, const ClassProblems& group, const HaaRun& run)
        : index_(&index),
          group_(&group),
          problems_(&run.problems),
          footprint_(index.map(), group.agent) {}

    /// Adds the times of all problems with a path to `seconds`, by kind of query.
    void time(hpa::Engine engine, const MeasureOptions& options,
              std::array<double, kHaaQueries.size()>& seconds) {
        for (const QueryKind kind : {kCosts, kAbstractPaths, kPaths, kSmoothedPaths}) {
            const haa::Query query = query_of(kind, engine);
            const auto solve = [&](std::size_t i) { find(query, group_->solvable[i]); };
            seconds[kind] += sum(least_seconds({group_->solvable.size(), solve}, options));
        }
    }

    /// Fills in the costs of all problems of the class, and checks each answer.
    void check(hpa::Engine engine, HaaGraphRun& out) {
        haa::Query corridor = query_of(kSmoothedPaths, engine);
        corridor.smoothing = hpa::Smoothing::corridor;
        for (const std::size_t i : group_->numbers) {
            const Cost cost = checked(query_of(kCosts, engine), i, out);
            out.plain[i] = checked(query_of(kPaths, engine), i, out);
            out.smoothed[i] = checked(query_of(kSmoothedPaths, engine), i, out);
            out.corridor[i] = checked(corridor, i, out);
            const bool ordered =
                cost == out.plain[i] &&
                checked(query_of(kAbstractPaths, engine), i, out) == out.plain[i] &&
                out.smoothed[i] <= out.plain[i] && out.corridor[i] <= out.plain[i];
            if (!ordered) note("costs that contradict each other", i, out);
        }
    }

private:
    enum QueryKind : std::uint8_t {
        kCosts,
        kAbstractPaths,
        kPaths,
        kSmoothedPaths
    };  // as kHaaQueries

    haa::Query query_of(QueryKind kind, hpa::Engine engine) const {
        haa::Query query;
        query.agent = group_->agent;
        query.engine = engine;
        if (kind == kSmoothedPaths) return query;
        query.try_direct_line = false;
        query.smoothing = hpa::Smoothing::none;
        if (kind == kCosts) query.detail = hpa::Detail::cost;
        if (kind == kAbstractPaths) query.detail = hpa::Detail::abstract_path;
        return query;
    }

    StatusCode find(haa::Query query, std::size_t i) {
        query.start = (*problems_)[i].start;
        query.goal = (*problems_)[i].goal;
        return searcher_.find(*index_, query, answer_);
    }

    Cost checked(const haa::Query& query, std::size_t i, HaaGraphRun& out) {
        const HaaProblemRun& p = (*problems_)[i];
        const bool found = find(query, i) == StatusCode::ok;
        if (found != (p.optimum < kInfinity)) {
            note(found ? "a path that AA* does not find" : "no path where AA* finds one", i, out);
        } else if (found) {
            if (answer_.cost < p.optimum) note("a cost below AA*'s", i, out);
            if (answer_.lower_bound > p.optimum) note("a lower bound above AA*'s cost", i, out);
            if (query.detail == hpa::Detail::path && !legal(p)) note("an illegal path", i, out);
        }
        return found ? answer_.cost : kInfinity;
    }

    [[nodiscard]] bool legal(const HaaProblemRun& p) const {
        const std::vector<grid::Cell>& cells = answer_.cells;
        return !cells.empty() && cells.front() == group_->map.cell(p.start) &&
               cells.back() == group_->map.cell(p.goal) &&
               path_cost(group_->map, cells) == answer_.cost &&
               std::all_of(cells.begin(), cells.end(),
                           [&](grid::Cell c) { return footprint_.fits(group_->map.point(c)); });
    }

    void note(const char* error, std::size_t i, HaaGraphRun& out) const {
        const HaaProblemRun& p = (*problems_)[i];
        out.add_wrong(fmt::format("{}: from {},{} to {},{}, {}, size {}", error, p.start.x,
                                  p.start.y, p.goal.x, p.goal.y,
                                  kHaaCapabilityNames[p.agent.capability], p.agent.size));
    }

    const haa::Index* index_;
    const ClassProblems* group_;
    const std::vector<HaaProblemRun>* problems_;
    Footprint footprint_;
    haa::Searcher searcher_{0};
    haa::Answer answer_;
};

Status measure_class(const haa::Index& index, const ClassProblems& group, const HaaRun& run,
                     bool timed, const MeasureOptions& options, HaaGraphRun& out) {
    ClassQueries queries(index, group, run);
    queries.check(hpa::Engine::astar, out);
    if (!timed) return {};
    queries.time(hpa::Engine::astar, options, out.searched);
    const double start = processor_seconds();
    if (const auto labelled = index.with_labels({&group.agent, 1}, {{}, nullptr, 1}); !labelled)
        return labelled.error();
    out.prepare_seconds += processor_seconds() - start;
    const std::vector<Cost> searched = out.plain;
    queries.check(hpa::Engine::automatic, out);
    if (out.plain != searched) out.add_wrong("labels and A* differ");
    queries.time(hpa::Engine::automatic, options, out.prepared);
    const auto view = index.view(group.agent);
    if (!view) return view.error();
    out.view_bytes += view->statistics().value().bytes();
    ++out.views;
    return {};
}

Status measure_graph(const haa::AnnotatedMap& map, const std::vector<ClassProblems>& classes,
                     std::size_t number, const MeasureOptions& options, HaaRun& run) {
    HaaGraphRun& out = run.graphs[number];
    const double start = processor_seconds();
    const auto index = haa::Index::build(map, graph_options(number), options.control());
    out.build_seconds = processor_seconds() - start;
    if (!index) return index.error();
    out.size = index->statistics().value();
    for (auto* costs : {&out.plain, &out.smoothed, &out.corridor})
        costs->assign(run.problems.size(), kInfinity);
    for (const ClassProblems& group : classes) {
        if (group.numbers.empty()) continue;
        const bool timed = number != kInitial;
        if (Status s = measure_class(*index, group, run, timed, options, out); !s.ok()) return s;
        if (options.cancelled()) return stopped();
    }
    return {};
}

Status fill(const HaaCase& input, int pairs, std::uint64_t seed, const MeasureOptions& options,
            HaaRun& run) {
    const auto map = haa::AnnotatedMap::create(input.image, haa_annotation(input.max_size));
    if (!map) return map.error();
    auto classes = class_maps(*map);
    if (!classes) return classes.error();
    run.cells = map->size();
    run.low = low_level_size((*classes)[map->class_of({kHaaCapabilities.size() - 1, 1})].map);
    const auto count = static_cast<std::size_t>(pairs);
    Status drawn = input.problems.empty()
                       ? random_class_problems(*classes, count, seed, run.problems)
                       : authors_problems(input, run.problems);
    if (!drawn.ok()) return drawn;
    for (std::size_t i = 0; i < run.problems.size(); ++i)
        (*classes)[map->class_of(run.problems[i].agent)].numbers.push_back(i);
    solve_by_astar(*classes, options, run);
    for (std::size_t k = 0; k < kHaaGraphs.size(); ++k) {
        if (Status s = measure_graph(*map, *classes, k, options, run); !s.ok()) return s;
    }
    // The high-quality abstraction keeps the costs of the initial one.
    HaaGraphRun& high = run.graphs[kHighQuality];
    if (high.plain != run.graphs[kInitial].plain) high.add_wrong("initial and HQ costs differ");
    return {};
}

constexpr std::array<int, 3> kShares{0, 20, 50};
constexpr std::array<int, 3> kMaxSizes{2, 4, 8};
constexpr int kBuiltInSide = 96;

/// Where a case comes from. It is read when it is measured.
struct Source {
    std::string set;
    int share = 0;
    int max_size = 0;
    fs::path map;                         // a map file; of a generated map only a name
    fs::path scenario{};                  // the author's problems; empty: random ones
    std::optional<grid::MapKind> made{};  // the kind of a generated map
    bool planted = false;                 // the map file has the trees already
};

/// The sources of both parts of the experiment.
struct Sources {
    std::vector<Source> tables;
    std::vector<Source> times;
};

/// Files with the author's maps and problems of one share of soft obstacles.
struct AuthorsSet {
    int share = 0;
    FileSet maps;  // empty if the folder has none
    FileSet scenarios;
};

/// The folders of scenarios. The maps of a folder that has none are the paper's.
Result<std::vector<AuthorsSet>> authors_sets(const fs::path& root,
                                             const std::vector<MapSet>& maps) {
    const auto folders = file_sets(root, {".scenario"});
    if (!folders) return tl::unexpected(folders.error());
    std::vector<AuthorsSet> out;
    for (const FileSet& scenarios : *folders) {
        AuthorsSet& set = out.emplace_back();
        set.scenarios = scenarios;
        for (const MapSet& candidate : maps) {
            if (candidate.files.front().parent_path() != scenarios.front().parent_path()) continue;
            set.share = candidate.soft;
            set.maps = candidate.files;
        }
    }
    return out;
}

/// Adds a set of maps without trees to the tables, which take the author's maps for the shares that
/// he has.
void add_tables(const std::string& set, const std::vector<Source>& maps,
                const std::vector<AuthorsSet>& authors, const ExperimentOptions& experiment,
                std::vector<Source>& out) {
    for (const int share : experiment.shares) {
        const auto own = std::ranges::find_if(
            authors, [&](const AuthorsSet& a) { return a.share == share && !a.maps.empty(); });
        if (own != authors.end()) {
            for (const fs::path& file : spread(own->maps, experiment.max_maps))
                out.push_back({set, share, kHaaPaperSize, file, {}, {}, true});
            continue;
        }
        for (Source map : maps) {
            map.share = share;
            map.max_size = kHaaPaperSize;
            out.push_back(map);
        }
    }
}

/// Adds maps with each share of soft obstacles and each largest size.
void add_times(const std::vector<Source>& maps, std::vector<Source>& out) {
    for (const int share : kShares) {
        for (const int size : kMaxSizes) {
            for (Source map : maps) {
                map.share = share;
                map.max_size = size;
                out.push_back(map);
            }
        }
    }
}

std::vector<Source> of_files(const std::string& set, const FileSet& files) {
    std::vector<Source> out;
    for (const fs::path& file : files) out.push_back({set, 0, 0, file});
    return out;
}

Status add_data(const fs::path& root, const ExperimentOptions& experiment, Sources& out) {
    const auto sets = find_map_sets(root);
    if (!sets) return sets.error();
    const FileSet files = chosen_maps(root, *sets, is_paper_set);
    if (files.empty()) {
        return {StatusCode::bad_option,
                fmt::format("{}: no folder of maps without trees, all sides 50 to 320, is there: "
                            "name one with --maps",
                            root.string())};
    }
    const auto authors = authors_sets(root, *sets);
    if (!authors) return authors.error();
    const fs::path folder = files.front().parent_path();
    const std::string set = folder_name(folder);
    const std::vector<Source> maps = of_files(set, spread(files, experiment.max_maps));
    add_tables(set, maps, *authors, experiment, out.tables);
    add_times(maps, out.times);
    if (const FileSet scaled = chosen_maps(root, *sets, is_bg512); !scaled.empty()) {
        const std::string name = folder_name(scaled.front().parent_path());
        add_times(of_files(name, spread(scaled, experiment.max_maps)), out.times);
    }
    for (const AuthorsSet& a : *authors) {
        for (const fs::path& scenario : spread(a.scenarios, experiment.max_maps)) {
            const fs::path map = fs::path(scenario).replace_extension();
            out.times.push_back({"scenarios", a.share, kHaaPaperSize,
                                 a.maps.empty() ? folder / map.filename() : map, scenario});
        }
    }
    return {};
}

Result<Sources> sources(const ExperimentOptions& experiment) {
    Sources out;
    if (experiment.built_in) {
        std::vector<Source> maps;
        for (const auto kind : {grid::MapKind::rooms, grid::MapKind::caves})
            maps.push_back({"built-in", 0, 0, std::string(grid::name(kind)), {}, kind});
        add_tables("built-in", maps, {}, experiment, out.tables);
        add_times(maps, out.times);
        return out;
    }
    for (const std::string& folder : experiment.maps) {
        const auto files = expand_maps({folder}, experiment.max_maps);
        if (!files) return tl::unexpected(files.error());
        const std::string set = folder_name(folder);
        add_tables(set, of_files(set, *files), {}, experiment, out.tables);
        add_times(of_files(set, *files), out.times);
    }
    if (!experiment.maps.empty()) return out;
    const auto root = data_folder(experiment.data, kPaperMaps);
    if (!root) return tl::unexpected(root.error());
    if (Status status = add_data(*root, experiment, out); !status.ok())
        return tl::unexpected(std::move(status));
    return out;
}

Result<HaaCase> read(const Source& source, std::uint64_t seed) {
    HaaCase out{source.set, source.map.filename().string(), source.share, source.max_size, {}};
    auto image = source.made ? grid::generate({*source.made, kBuiltInSide, kBuiltInSide, 1, {}, {}})
                             : formats::read_map(source.map);
    if (!image) return tl::unexpected(std::move(image.error()));
    out.image = std::move(*image);
    if (source.scenario.empty()) {
        if (source.planted) return out;
        Status planted = grid::plant_trees(out.image, source.share, seed);
        if (!planted.ok()) return tl::unexpected(std::move(planted));
        return out;
    }
    auto scenario = formats::load_haa_scenario(source.scenario);
    if (!scenario) return tl::unexpected(scenario.error());
    out.problems = std::move(scenario->problems);
    return out;
}

}  // namespace

haa::AnnotationOptions haa_annotation(int max_size) {
    haa::AnnotationOptions options;
    options.capabilities.clear();
    for (const haa::TerrainSet set : kHaaCapabilities) options.capabilities.emplace_back(set);
    options.max_size = max_size;
    return options;
}

LowLevelSize low_level_size(const grid::Map& map) {
    LowLevelSize size;
    for (grid::Cell c = 0; c < map.size(); ++c) {
        if (!map.passable(c)) continue;
        ++size.nodes;
        size.edges += static_cast<std::size_t>(std::popcount(map.moves(c)));
    }
    size.edges /= 2;
    return size;
}

void add_rows(const HaaCase& input, const HaaRun& run, Sheets& sheets) {
    const Row key{{"set", input.set},
                  {"map", input.name},
                  {"share", input.share},
                  {"max_size", input.max_size}};
    std::size_t paths = 0;
    for (const HaaProblemRun& p : run.problems) paths += p.optimum < kInfinity ? 1 : 0;
    for (std::size_t g = 0; g < kHaaGraphs.size(); ++g) {
        const HaaGraphRun& graph = run.graphs[g];
        Row row{{"graph", kHaaGraphs[g]},
                {"nodes", graph.size.nodes},
                {"inter_edges", graph.size.inter_edges},
                {"intra_edges", graph.size.intra_edges},
                {"graph_bytes", graph.size.graph_bytes},
                {"build_ms", 1e3 * graph.build_seconds},
                {"cells", run.cells},
                {"low_nodes", run.low.nodes},
                {"low_edges", run.low.edges},
                {"problems", run.problems.size()},
                {"paths", paths},
                {"astar_ms", 1e3 * run.astar_seconds}};
        for (const auto& [kind, seconds] :
             {std::pair("searched", &graph.searched), std::pair("prepared", &graph.prepared)}) {
            for (std::size_t k = 0; k < kHaaQueries.size(); ++k)
                row.emplace_back(fmt::format("{}_{}_ms", kind, kHaaQueries[k]),
                                 1e3 * (*seconds)[k]);
        }
        sheets.add("abstractions",
                   joined(joined(key, row), {{"prepare_ms", 1e3 * graph.prepare_seconds},
                                             {"views", graph.views},
                                             {"view_bytes", graph.view_bytes},
                                             {"wrong", graph.wrong},
                                             {"note", graph.first_wrong}}));
    }
    for (std::size_t i = 0; i < run.problems.size(); ++i) {
        const HaaProblemRun& p = run.problems[i];
        const auto cost = [](Cost c) { return c < kInfinity ? Cell(c) : Cell(); };
        Row row{{"capability", kHaaCapabilityNames[p.agent.capability]},
                {"size", p.agent.size},
                {"published", p.published ? Cell(*p.published) : Cell()},
                {"cells", p.cells},
                {"optimum", cost(p.optimum)}};
        for (std::size_t g = kHighQuality; g < kHaaGraphs.size(); ++g) {
            const std::string name = kHaaGraphs[g];
            row.emplace_back(name + " plain", cost(run.graphs[g].plain[i]));
            row.emplace_back(name + " smoothed", cost(run.graphs[g].smoothed[i]));
            row.emplace_back(name + " corridor", cost(run.graphs[g].corridor[i]));
        }
        sheets.add_detail("problems", joined(key, row));
    }
}

Result<HaaRun> measure_haa(const HaaCase& input, int pairs, std::uint64_t seed,
                           const MeasureOptions& options) {
    HaaRun run;
    if (Status s = fill(input, pairs, seed, options, run); !s.ok())
        return fail(s.code, fmt::format("{}: {}", input.name, s.message));
    return run;
}

namespace {

Status measure_table_source(const Source& source, const ExperimentOptions& experiment,
                            const MeasureOptions& options, Sheets& sheets) {
    const auto input = read(source, experiment.seed);
    if (!input) return input.error();
    const auto& sizes = experiment.cluster_sizes;
    const auto tables =
        measure_haa_tables(*input, sizes, experiment.pairs, experiment.seed, options);
    if (!tables) return tables.error();
    add_rows(*input, sizes, *tables, sheets);
    return sheets.status();
}

Status measure_times_source(const Source& source, const ExperimentOptions& experiment,
                            const MeasureOptions& options, Sheets& sheets) {
    const auto input = read(source, experiment.seed);
    if (!input) return input.error();
    const auto run = measure_haa(*input, experiment.pairs, experiment.seed, options);
    if (!run) return run.error();
    add_rows(*input, *run, sheets);
    return sheets.status();
}

}  // namespace

Status reproduce_haa(const ExperimentOptions& experiment, Context& context, Sheets& sheets) {
    auto all = sources(experiment);
    if (!all) return all.error();
    if (experiment.part == "times") all->tables.clear();
    if (experiment.part == "tables") all->times.clear();
    Steps steps(all->tables.size() + all->times.size());
    const MeasureOptions options{.cancel = &context.cancel};
    for (const Source& source : all->tables) {
        Status status = measure_table_source(source, experiment, options, sheets);
        if (!status.ok()) return status;
        steps.add();
    }
    for (const Source& source : all->times) {
        Status status = measure_times_source(source, experiment, options, sheets);
        if (!status.ok()) return status;
        steps.add();
    }
    return {};
}

}  // namespace cairn::app

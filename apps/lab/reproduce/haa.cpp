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
#include "reproduce/reproduce.hpp"

namespace cairn::app {

namespace {

namespace fs = std::filesystem;

// Enough for the labels of every class on the maps of the experiments.
constexpr std::uint64_t kLabelBytes = std::uint64_t{256} << 20;
constexpr std::size_t kAnyPairsOneIn = 4;  // of so many random problems one may have no path

haa::AnnotationOptions annotation(int max_size) {
    haa::AnnotationOptions options;
    options.capabilities.clear();
    for (const haa::TerrainSet set : kHaaCapabilities) options.capabilities.emplace_back(set);
    options.max_size = max_size;
    return options;
}

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
        for (const QueryKind kind : {kCost, kAbstractPath, kPath, kSmoothed}) {
            const haa::Query query = query_of(kind, engine);
            const auto solve = [&](std::size_t i) { find(query, group_->solvable[i]); };
            seconds[kind] += sum(least_seconds({group_->solvable.size(), solve}, options));
        }
    }

    /// Fills in the costs of all problems of the class, and checks each answer.
    void check(hpa::Engine engine, HaaGraphRun& out) {
        haa::Query corridor = query_of(kSmoothed, engine);
        corridor.smoothing = hpa::Smoothing::corridor;
        for (const std::size_t i : group_->numbers) {
            const Cost cost = checked(query_of(kCost, engine), i, out);
            out.plain[i] = checked(query_of(kPath, engine), i, out);
            out.smoothed[i] = checked(query_of(kSmoothed, engine), i, out);
            out.corridor[i] = checked(corridor, i, out);
            const bool ordered = cost == out.plain[i] &&
                                 checked(query_of(kAbstractPath, engine), i, out) == out.plain[i] &&
                                 out.smoothed[i] <= out.plain[i] && out.corridor[i] <= out.plain[i];
            if (!ordered) note("costs that contradict each other", i, out);
        }
    }

private:
    enum QueryKind : std::uint8_t { kCost, kAbstractPath, kPath, kSmoothed };  // as kHaaQueries

    haa::Query query_of(QueryKind kind, hpa::Engine engine) const {
        haa::Query query;
        query.agent = group_->agent;
        query.engine = engine;
        if (kind == kSmoothed) return query;
        query.try_direct_line = false;
        query.smoothing = hpa::Smoothing::none;
        if (kind == kCost) query.detail = hpa::Detail::cost;
        if (kind == kAbstractPath) query.detail = hpa::Detail::abstract_path;
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

void count_low_level(const grid::Map& map, HaaRun& run) {
    for (grid::Cell c = 0; c < map.size(); ++c) {
        if (!map.passable(c)) continue;
        ++run.low_nodes;
        run.low_edges += static_cast<std::size_t>(std::popcount(map.moves(c)));
    }
    run.low_edges /= 2;
}

Status fill(const HaaCase& input, int pairs, std::uint64_t seed, const MeasureOptions& options,
            HaaRun& run) {
    const auto map = haa::AnnotatedMap::create(input.image, annotation(input.max_size));
    if (!map) return map.error();
    auto classes = class_maps(*map);
    if (!classes) return classes.error();
    run.cells = map->size();
    count_low_level((*classes)[map->class_of({kHaaCapabilities.size() - 1, 1})].map, run);
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
constexpr int kAuthorsMaxSize = 2;
constexpr int kBuiltInSide = 96;

/// Where a case comes from. It is read when it is measured.
struct Source {
    std::string set;
    int share = 0;
    int max_size = 0;
    fs::path map;                         // a map file; of a generated map only a name
    fs::path scenario{};                  // the author's problems; empty: random ones
    std::optional<grid::MapKind> made{};  // the kind of a generated map
};

/// Adds a case for each share of soft obstacles and each largest size.
void add_settings(const Source& source, std::vector<Source>& out) {
    for (const int share : kShares) {
        for (const int size : kMaxSizes) {
            out.push_back(source);
            out.back().share = share;
            out.back().max_size = size;
        }
    }
}

Status add_folder(const fs::path& folder, int most, std::vector<Source>& out) {
    const auto files = expand_maps({folder.string()}, most);
    if (!files) return files.error();
    for (const fs::path& file : *files) add_settings({folder_name(folder), 0, 0, file}, out);
    return {};
}

/// Adds the author's scenarios of one share. Their maps are in the same folder or in `originals`.
Status add_scenarios(const fs::path& folder, int share, const fs::path& originals, int most,
                     std::vector<Source>& out) {
    const auto files = files_in(folder, {".scenario"});
    if (!files) return files.error();
    for (const fs::path& file : spread(*files, most)) {
        fs::path map = fs::path(file).replace_extension();
        std::error_code error;
        if (!fs::exists(map, error)) map = originals / map.filename();
        out.push_back({"scenarios", share, kAuthorsMaxSize, map, file});
    }
    return {};
}

Status add_data(const fs::path& data, int most, std::vector<Source>& out) {
    for (const char* set : {"bg_orig", "bg512"}) {
        if (Status s = add_folder(data / "grid" / set, most, out); !s.ok()) return s;
    }
    std::error_code error;
    for (const int share : kShares) {
        const fs::path folder = data / "haa" / fmt::format("softobs_{}pct", share);
        if (!fs::is_directory(folder, error)) continue;
        const fs::path originals = data / "grid" / "bg_orig";
        if (Status s = add_scenarios(folder, share, originals, most, out); !s.ok()) return s;
    }
    return {};
}

Result<std::vector<Source>> sources(const ExperimentOptions& experiment) {
    std::vector<Source> out;
    Status status;
    if (experiment.built_in) {
        for (const auto kind : {grid::MapKind::rooms, grid::MapKind::caves})
            add_settings({"built-in", 0, 0, std::string(grid::name(kind)), {}, kind}, out);
    } else if (!experiment.maps.empty()) {
        status = add_folder(experiment.maps, experiment.max_maps, out);
    } else {
        const auto data = data_folder(
            experiment.data, "",
            "--data: name the folder with grid/bg_orig and grid/bg512, or set CAIRN_DATA, or give "
            "any folder of maps with --maps, or try --example-only");
        if (!data) return tl::unexpected(data.error());
        status = add_data(*data, experiment.max_maps, out);
    }
    if (!status.ok()) return tl::unexpected(std::move(status));
    // Rows of one set are adjacent.
    std::stable_sort(out.begin(), out.end(), [](const Source& a, const Source& b) {
        if (a.set != b.set) return false;
        return a.share != b.share ? a.share < b.share : a.max_size < b.max_size;
    });
    return out;
}

Result<HaaCase> read(const Source& source, std::uint64_t seed) {
    HaaCase out{source.set, source.map.filename().string(), source.share, source.max_size, {}};
    auto image = source.made ? grid::generate({*source.made, kBuiltInSide, kBuiltInSide, 1, {}, {}})
                             : formats::read_map(source.map);
    if (!image) return tl::unexpected(std::move(image.error()));
    out.image = std::move(*image);
    if (source.scenario.empty()) {
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
                {"low_nodes", run.low_nodes},
                {"low_edges", run.low_edges},
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

Status reproduce_haa(const ExperimentOptions& experiment, Context& context, Sheets& sheets) {
    const auto all = sources(experiment);
    if (!all) return all.error();
    Steps steps(all->size());
    for (const Source& source : *all) {
        const auto input = read(source, experiment.seed);
        if (!input) return input.error();
        const auto run =
            measure_haa(*input, experiment.pairs, experiment.seed, {.cancel = &context.cancel});
        if (!run) return run.error();
        add_rows(*input, *run, sheets);
        if (!sheets.status().ok()) return sheets.status();
        steps.add();
    }
    return {};
}

}  // namespace cairn::app

#include "reproduce/haa.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <ctime>
#include <limits>
#include <random>
#include <span>

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

// Enough for labels of every class on the maps of the experiments. Their size is reported.
constexpr std::uint64_t kLabelBytes = std::uint64_t{256} << 20;
constexpr std::size_t kOneIn = 4;  // random problems of which one may have no path

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

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
    if (graph > kLowQuality) options.reach = 64;
    return options;
}

/// The problems of one agent class, and the map they are on.
struct ClassProblems {
    haa::Agent agent;
    grid::Map map;
    std::vector<std::size_t> numbers;   // in HaaRun::problems
    std::vector<std::size_t> solvable;  // of those
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
void add_any_pairs(const ClassProblems& one, std::size_t count, std::mt19937_64& random,
                   std::vector<Problem>& out) {
    std::vector<grid::Cell> places;
    for (grid::Cell c = 0; c < one.map.size(); ++c) {
        if (one.map.passable(c)) places.push_back(c);
    }
    if (places.size() < 2) return;
    for (std::size_t i = 0; i < count; ++i) {
        const grid::Cell a = places[random() % places.size()];
        const grid::Cell b = places[random() % places.size()];
        out.push_back({one.map.point(a), one.map.point(b)});
    }
}

Status random_class_problems(std::vector<ClassProblems>& classes, const HaaControl& control,
                             std::vector<HaaProblemRun>& problems) {
    std::mt19937_64 random(control.seed);
    const auto pairs = static_cast<std::size_t>(control.pairs);
    for (std::size_t k = 0; k < classes.size(); ++k) {
        ClassProblems& one = classes[k];
        const std::size_t share = pairs / classes.size() + (k < pairs % classes.size() ? 1 : 0);
        const std::size_t any = share / kOneIn;
        std::vector<Problem> drawn;
        auto connected =
            app::random_problems(one.map, static_cast<int>(share - any), control.seed + k);
        if (connected) drawn = std::move(*connected);
        if (!connected && connected.error().code != StatusCode::no_path) return connected.error();
        add_any_pairs(one, any, random, drawn);
        for (const Problem& p : drawn) problems.push_back({one.agent, p.start, p.goal});
    }
    return {};
}

Status authors_problems(const HaaCase& one, std::vector<HaaProblemRun>& problems) {
    for (const formats::HaaProblem& p : one.problems) {
        if (p.size > one.max_size) {
            return {StatusCode::bad_option, fmt::format("an agent of size {}: at most {} is "
                                                        "measured",
                                                        p.size, one.max_size)};
        }
        const auto capability = static_cast<std::uint32_t>(
            std::find(kHaaCapabilities.begin(), kHaaCapabilities.end(), p.terrains) -
            kHaaCapabilities.begin());
        problems.push_back({{capability, p.size}, p.start, p.goal, p.distance});
    }
    return {};
}

/// The sum of the least times of three rounds of `ask(number)`.
template <class Ask>
double time_problems(std::span<const std::size_t> numbers, const Ask& ask) {
    std::vector<double> least(numbers.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double start = now();
            ask(numbers[i]);
            least[i] = std::min(least[i], now() - start);
        }
    }
    double sum = 0;
    for (const double seconds : least) sum += seconds;
    return sum;
}

void solve_by_astar(std::vector<ClassProblems>& classes, HaaRun& run) {
    grid::Astar astar;
    grid::Path path;
    const grid::AstarOptions fastest{grid::OpenList::buckets};
    for (ClassProblems& one : classes) {
        for (const std::size_t i : one.numbers) {
            HaaProblemRun& p = run.problems[i];
            if (astar.find_path(one.map, p.start, p.goal, path, fastest) != StatusCode::ok)
                continue;
            p.optimum = path.cost;
            p.cells = path.cells.size();
            one.solvable.push_back(i);
        }
        run.astar_seconds += time_problems(one.solvable, [&](std::size_t i) {
            astar.find_path(one.map, run.problems[i].start, run.problems[i].goal, path, fastest);
        });
    }
}

/// The queries of one agent class on one index.
class ClassQueries {
public:
    ClassQueries(const haa::Index& index, const ClassProblems& one, const HaaRun& run)
        : index_(&index),
          one_(&one),
          problems_(&run.problems),
          footprint_(index.map(), one.agent) {}

    /// Time of all problems with a path. `engine`: how the abstract graph is searched.
    std::array<double, kHaaAsks> time(hpa::Engine engine) {
        std::array<double, kHaaAsks> seconds{};
        for (std::size_t k = 0; k < kHaaAsks; ++k) {
            const haa::Query query = asking(static_cast<HaaAsk>(k), engine);
            seconds[k] =
                time_problems(one_->solvable, [&](std::size_t i) { (void)find(query, i); });
        }
        return seconds;
    }

    /// The costs of all problems, each answer checked.
    void check(hpa::Engine engine, HaaGraphRun& out) {
        haa::Query corridor = asking(HaaAsk::smoothed, engine);
        corridor.smoothing = hpa::Smoothing::corridor;
        for (const std::size_t i : one_->numbers) {
            const Cost cost = checked(asking(HaaAsk::cost, engine), i, out);
            out.plain[i] = checked(asking(HaaAsk::path, engine), i, out);
            out.smoothed[i] = checked(asking(HaaAsk::smoothed, engine), i, out);
            out.corridor[i] = checked(corridor, i, out);
            const bool ordered =
                cost == out.plain[i] &&
                checked(asking(HaaAsk::abstract_path, engine), i, out) == out.plain[i] &&
                out.smoothed[i] <= out.plain[i] && out.corridor[i] <= out.plain[i];
            if (!ordered) note("costs that do not fit together", i, out);
        }
    }

private:
    haa::Query asking(HaaAsk what, hpa::Engine engine) const {
        haa::Query query;
        query.agent = one_->agent;
        query.engine = engine;
        if (what == HaaAsk::smoothed) return query;
        query.try_direct_line = false;
        query.smoothing = hpa::Smoothing::none;
        if (what == HaaAsk::cost) query.detail = hpa::Detail::cost;
        if (what == HaaAsk::abstract_path) query.detail = hpa::Detail::abstract_path;
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
        return !cells.empty() && cells.front() == one_->map.cell(p.start) &&
               cells.back() == one_->map.cell(p.goal) &&
               path_cost(one_->map, cells) == answer_.cost &&
               std::all_of(cells.begin(), cells.end(),
                           [&](grid::Cell c) { return footprint_.fits(one_->map.point(c)); });
    }

    void note(const char* what, std::size_t i, HaaGraphRun& out) const {
        const HaaProblemRun& p = (*problems_)[i];
        if (out.wrong++ > 0) return;
        out.first_wrong =
            fmt::format("{}: from {},{} to {},{}, {}, size {}", what, p.start.x, p.start.y,
                        p.goal.x, p.goal.y, kHaaCapabilityNames[p.agent.capability], p.agent.size);
    }

    const haa::Index* index_;
    const ClassProblems* one_;
    const std::vector<HaaProblemRun>* problems_;
    Footprint footprint_;
    haa::Searcher searcher_{0};
    haa::Answer answer_;
};

void add(std::array<double, kHaaAsks>& sums, const std::array<double, kHaaAsks>& more) {
    for (std::size_t i = 0; i < kHaaAsks; ++i) sums[i] += more[i];
}

Status ask_class(const haa::Index& index, const ClassProblems& one, const HaaRun& run, bool timed,
                 HaaGraphRun& out) {
    ClassQueries queries(index, one, run);
    queries.check(hpa::Engine::astar, out);
    if (!timed) return {};
    add(out.searched, queries.time(hpa::Engine::astar));
    const double start = processor_seconds();
    if (const auto labelled = index.with_labels({&one.agent, 1}, {{}, nullptr, 1}); !labelled)
        return labelled.error();
    out.prepare_seconds += processor_seconds() - start;
    const std::vector<Cost> searched = out.plain;
    queries.check(hpa::Engine::automatic, out);
    if (out.plain != searched) {
        ++out.wrong;
        if (out.first_wrong.empty()) out.first_wrong = "labels and A* differ";
    }
    add(out.prepared, queries.time(hpa::Engine::automatic));
    const auto view = index.view(one.agent);
    if (!view) return view.error();
    out.view_bytes += view->statistics().bytes();
    ++out.views;
    return {};
}

Status measure_graph(const haa::AnnotatedMap& map, const std::vector<ClassProblems>& classes,
                     std::size_t number, const HaaControl& control, HaaRun& run) {
    HaaGraphRun& out = run.graphs[number];
    const haa::Options options = graph_options(number);
    const double start = processor_seconds();
    const auto index = haa::Index::build(map, options, {{}, control.cancel, 1});
    out.build_seconds = processor_seconds() - start;
    if (!index) return index.error();
    out.size = index->statistics();
    for (auto* costs : {&out.plain, &out.smoothed, &out.corridor})
        costs->assign(run.problems.size(), kInfinity);
    for (const ClassProblems& one : classes) {
        if (one.numbers.empty()) continue;
        if (control.cancelled()) return {StatusCode::cancelled, "stopped by Ctrl-C"};
        const bool timed = number != kInitial;
        if (Status s = ask_class(*index, one, run, timed, out); !s.ok()) return s;
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

Status fill(const HaaCase& one, const HaaControl& control, HaaRun& run) {
    const auto map = haa::AnnotatedMap::create(one.image, annotation(one.max_size));
    if (!map) return map.error();
    auto classes = class_maps(*map);
    if (!classes) return classes.error();
    run.cells = map->size();
    count_low_level((*classes)[map->class_of({kHaaCapabilities.size() - 1, 1})].map, run);
    Status drawn = one.problems.empty() ? random_class_problems(*classes, control, run.problems)
                                        : authors_problems(one, run.problems);
    if (!drawn.ok()) return drawn;
    for (std::size_t i = 0; i < run.problems.size(); ++i)
        (*classes)[map->class_of(run.problems[i].agent)].numbers.push_back(i);
    solve_by_astar(*classes, run);
    for (std::size_t k = 0; k < kHaaGraphs.size(); ++k) {
        if (Status s = measure_graph(*map, *classes, k, control, run); !s.ok()) return s;
    }
    // Strong dominance loses nothing.
    HaaGraphRun& high = run.graphs[kHighQuality];
    if (high.plain != run.graphs[kInitial].plain) {
        ++high.wrong;
        if (high.first_wrong.empty()) high.first_wrong = "initial and HQ costs differ";
    }
    return {};
}

constexpr std::array<int, 3> kShares{0, 20, 50};
constexpr std::array<int, 3> kMaxSizes{2, 4, 8};
constexpr int kAuthorsMaxSize = 2;
constexpr int kBuiltInSide = 96;

/// The source of a case, which is read when the case is measured.
struct Source {
    std::string set;
    int share = 0;
    int max_size = 0;
    fs::path map;                         // one of the folder's maps, or the author's
    fs::path scenario{};                  // the author's scenario
    std::optional<grid::MapKind> made{};  // a generated map
};

std::string folder_name(const fs::path& folder) {
    return (folder.has_filename() ? folder.filename() : folder.parent_path().filename()).string();
}

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
    std::error_code error;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".scenario") files.push_back(entry.path());
    }
    if (error)
        return {StatusCode::io_error, fmt::format("{}: {}", folder.string(), error.message())};
    std::sort(files.begin(), files.end());
    const std::size_t kept =
        most > 0 ? std::min(files.size(), static_cast<std::size_t>(most)) : files.size();
    for (std::size_t i = 0; i < kept; ++i) {
        const fs::path& file = files[i * files.size() / kept];
        fs::path map = fs::path(file).replace_extension();
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

Result<std::vector<Source>> sources(const Request& request) {
    std::vector<Source> out;
    Status status;
    if (request.built_in) {
        for (const auto kind : {grid::MapKind::rooms, grid::MapKind::caves})
            add_settings({"built-in", 0, 0, std::string(grid::name(kind)), {}, kind}, out);
    } else if (!request.maps.empty()) {
        status = add_folder(request.maps, request.max_maps, out);
    } else {
        const auto data = data_folder(
            request.data, "",
            "--data: name the folder with grid/bg_orig and grid/bg512, or set CAIRN_DATA, or give "
            "any folder of maps with --maps, or try --example-only");
        if (!data) return tl::unexpected(data.error());
        status = add_data(*data, request.max_maps, out);
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
    if (source.made) {
        grid::GenerateOptions options;
        options.kind = *source.made;
        options.width = options.height = kBuiltInSide;
        auto image = grid::generate(options);
        if (!image) return tl::unexpected(image.error());
        out.image = std::move(*image);
    } else {
        auto image = formats::read_map(source.map);
        if (!image) return tl::unexpected(image.error());
        out.image = std::move(*image);
    }
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

Status add_rows(const HaaRun& run, Sheets& sheets) {
    const Row key{
        {"set", run.set}, {"map", run.map}, {"share", run.share}, {"max_size", run.max_size}};
    const auto add = [&](const char* sheet, Row row, bool many) {
        row.insert(row.begin(), key.begin(), key.end());
        return sheets.add(sheet, row, many);
    };
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
        for (std::size_t k = 0; k < kHaaAsks; ++k)
            row.emplace_back(fmt::format("searched_{}_ms", kHaaAskNames[k]),
                             1e3 * graph.searched[k]);
        for (std::size_t k = 0; k < kHaaAsks; ++k)
            row.emplace_back(fmt::format("prepared_{}_ms", kHaaAskNames[k]),
                             1e3 * graph.prepared[k]);
        const Row rest{{"prepare_ms", 1e3 * graph.prepare_seconds},
                       {"views", graph.views},
                       {"view_bytes", graph.view_bytes},
                       {"wrong", graph.wrong},
                       {"note", graph.first_wrong}};
        row.insert(row.end(), rest.begin(), rest.end());
        if (Status s = add("abstractions", std::move(row), false); !s.ok()) return s;
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
        if (Status s = add("problems", std::move(row), true); !s.ok()) return s;
    }
    return {};
}

Result<HaaRun> measure_haa(const HaaCase& one, const HaaControl& control) {
    HaaRun run;
    run.set = one.set;
    run.map = one.name;
    run.share = one.share;
    run.max_size = one.max_size;
    if (Status s = fill(one, control, run); !s.ok())
        return fail(s.code, fmt::format("{}: {}", one.name, s.message));
    if (control.step) control.step();
    return run;
}

Status reproduce_haa(const Request& request, Context& context, Sheets& sheets) {
    const auto all = sources(request);
    if (!all) return all.error();
    ProgressBar bar("reproduce");
    HaaControl control;
    control.pairs = request.pairs;
    control.seed = request.seed;
    control.cancel = &context.cancel;
    for (std::size_t i = 0; i < all->size(); ++i) {
        const auto one = read((*all)[i], request.seed);
        if (!one) return one.error();
        const auto run = measure_haa(*one, control);
        if (!run) return run.error();
        if (Status s = add_rows(*run, sheets); !s.ok()) return s;
        bar.show(static_cast<double>(i + 1) / static_cast<double>(all->size()));
    }
    return {};
}

}  // namespace cairn::app

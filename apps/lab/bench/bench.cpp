// cairn-lab bench: planners side by side on maps and their scenarios.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/agents.hpp"
#include "bench/batches.hpp"
#include "bench/bench.hpp"
#include "bench/measurement.hpp"
#include "bench/planners.hpp"
#include "inputs.hpp"
#include "lab.hpp"
#include "options/grid.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

/// In rows, the name that stands for all maps of a set, or for all sets.
constexpr const char* kAll = "all";

/// The measurements of one map.
struct MapBench {
    std::string set;  ///< the name of the folder the map lies in
    std::string map;
    std::size_t cells = 0;
    std::vector<PlannerRun> runs;  ///< the same planners for every map, the baseline first
    PublishedCheck published;
};

struct BenchOptions {
    std::vector<std::string> inputs;
    std::vector<std::string> planners;  // empty: the default planners
    int queries = 200;
    int random = 0;
    WeightPattern terrain_costs = WeightPattern::none;
    std::uint64_t seed = 1;
    int rounds = 3;
    int max_maps = 0;
    EditOptions edits{.count = 0};  // count 0: queries are measured
    bool phases = false;
    int blocked = 0;  // cells that stand in the way of each query
    bool list = false;
    MapFlags map;
    IndexFlags index;
    AgentFlags agents;
    BatchFlags batches;
    Sheets sheets;

    Outcome run(Context& context);

private:
    using Specs = std::span<const PlannerSpec>;

    [[nodiscard]] Result<std::vector<PlannerSpec>> specs() const;
    [[nodiscard]] MeasureOptions measuring(Context& context) const;
    /// The map of a file, with weights if asked for.
    [[nodiscard]] Result<grid::Map> load(const fs::path& file) const;
    [[nodiscard]] Result<std::vector<Problem>> problems_of(const fs::path& file,
                                                           const grid::Map& loaded) const;
    /// Each of these measures one map and adds its rows.
    [[nodiscard]] Status bench(const fs::path& file, Specs planned, Context& context);
    [[nodiscard]] Status bench_agents(const fs::path& file, Specs planned, Context& context);
    [[nodiscard]] Status bench_edits(const fs::path& file, Specs planned, Context& context);
    [[nodiscard]] Status bench_batches(const fs::path& file, Specs planned,
                                       const BatchMeasureOptions& options);
    /// Adds a row for each planner on these maps together: one map, or all maps of a set.
    void add_rows(const std::string& set, const std::string& name,
                  const std::vector<const MapBench*>& maps);
    void add_sets();

    std::vector<MapBench> benches;  // of all maps measured so far
};

Result<std::vector<PlannerSpec>> BenchOptions::specs() const {
    std::vector<std::string> names = planners;
    if (names.empty() && batches.agents > 0) {
        names = {"hpa", "hpa-astar", "taut", "labels"};
    } else if (names.empty() && edits.count > 0) {
        names = {"labels", "hpa"};
    } else if (names.empty()) {
        names = {"buckets", "hpa-cost", "hpa-abstract", "hpa", "hpa-corridor"};
    }
    auto specs = bench_planners(names, index, agents);
    if (specs && specs->front().for_agents && (edits.count > 0 || phases)) {
        return fail(StatusCode::bad_option,
                    "--edits and --phases are not for planners of agents: leave them out");
    }
    if (specs && specs->front().for_agents && terrain_costs != WeightPattern::none) {
        return fail(StatusCode::bad_option,
                    "--terrain-costs: the terrain of agents comes from the map; leave it out");
    }
    if (specs && specs->front().for_agents && batches.device) {
        return fail(StatusCode::bad_option,
                    "--device: a device plans for agents of one class; leave it out");
    }
    if (!specs || edits.count == 0) return specs;
    const auto has_index = [](const PlannerSpec& spec) {
        return spec.is<hpa::Planner>() || spec.is<subgoal::Planner>();
    };
    const auto own = std::span(*specs).subspan(1);  // without the baseline
    const auto other = std::ranges::find_if_not(own, has_index);
    if (own.empty() || other != own.end()) {
        return fail(StatusCode::bad_option,
                    fmt::format("--edits: {} has no index that edits change; name planners of HPA* "
                                "or subgoal graphs",
                                own.empty() ? specs->front().name : other->name));
    }
    return specs;
}

MeasureOptions BenchOptions::measuring(Context& context) const {
    return {rounds, std::max(index.threads, 1), &context.cancel};
}

Result<grid::Map> BenchOptions::load(const fs::path& file) const {
    auto loaded = map.load(file);
    if (!loaded) return loaded;
    return with_weights(*loaded, terrain_costs, seed);
}

Result<std::vector<Problem>> BenchOptions::problems_of(const fs::path& file,
                                                       const grid::Map& loaded) const {
    return random > 0 ? random_problems(loaded, random, seed)
                      : app::problems_of(file, loaded, queries, seed);
}

std::string set_of(const fs::path& file) {
    return fs::absolute(file).parent_path().filename().string();
}

void BenchOptions::add_rows(const std::string& set, const std::string& name,
                            const std::vector<const MapBench*>& maps) {
    const auto n = static_cast<double>(maps.size());
    Summary base;
    for (std::size_t p = 0; p < maps.front()->runs.size(); ++p) {
        std::vector<const PlannerRun*> runs;
        double cells = 0;
        double build_seconds = 0;
        double bytes = 0;
        std::uint64_t slower = 0;
        std::uint64_t wrong = 0;
        std::uint64_t published = 0;
        std::string note;
        for (const MapBench* one : maps) {
            const PlannerRun& run = one->runs[p];
            runs.push_back(&run);
            cells += static_cast<double>(one->cells);
            build_seconds += run.build_seconds;
            bytes += static_cast<double>(run.index_bytes);
            wrong += run.wrong;
            if (summarise(one->runs.front()).median_us < summarise(run).median_us) ++slower;
            if (p == 0) published += one->published.different;
            if (p == 0 && note.empty()) note = one->published.first;
            if (note.empty() && !run.note.empty()) note = "without labels: " + run.note;
        }
        const Summary s = summarise(runs);
        if (p == 0) base = s;
        const auto ratio = [](double a, double b) { return b > 0 ? a / b : 0; };
        sheets.add("bench", {{"set", set},
                             {"map", name},
                             {"planner", runs.front()->planner},
                             {"mean_us", s.mean_us},
                             {"median_us", s.median_us},
                             {"p99_us", s.p99_us},
                             {"ratio", ratio(base.mean_us, s.mean_us)},
                             {"median_ratio", ratio(base.median_us, s.median_us)},
                             {"mean_error", s.mean_error},
                             {"max_error", s.max_error},
                             {"bytes_per_cell", bytes / cells},
                             {"mean_expanded", s.mean_expanded},
                             {"queries", s.queries},
                             {"build_ms", 1e3 * build_seconds / n},
                             {"build_mcells_per_s", ratio(1e-6 * cells, build_seconds)},
                             {"index_bytes", bytes / n},
                             {"maps", maps.size()},
                             {"maps_slower_at_median", slower},
                             {"published_different", published},
                             {"wrong", wrong},
                             {"note", note}});
    }
}

void BenchOptions::add_sets() {
    std::map<std::string, std::vector<const MapBench*>> sets;
    std::vector<const MapBench*> all;
    for (const MapBench& one : benches) {
        sets[one.set].push_back(&one);
        all.push_back(&one);
    }
    for (const auto& [set, maps] : sets) {
        if (maps.size() > 1) add_rows(set, kAll, maps);
    }
    if (sets.size() > 1) add_rows(kAll, kAll, all);
}

Status BenchOptions::bench_agents(const fs::path& file, Specs planned, Context& context) {
    const auto loaded = agents.load(file, map);
    if (!loaded) return loaded.error();
    auto run =
        measure_agents(*loaded, random > 0 ? random : queries, seed, planned, measuring(context));
    if (!run) return of_file(file, std::move(run.error()));
    const MapBench& one = benches.emplace_back(
        MapBench{set_of(file), file.stem().string(), loaded->size(), std::move(run->runs), {}});
    add_rows(one.set, one.map, {&one});
    std::map<std::string, double> baseline;
    for (const AgentRun& agent : run->agents) {
        const Summary s = summarise(agent.run);
        const double base = baseline.try_emplace(agent.agent, s.mean_us).first->second;
        sheets.add("agents", {{"set", one.set},
                              {"map", one.map},
                              {"agent", agent.agent},
                              {"planner", agent.planner},
                              {"mean_us", s.mean_us},
                              {"median_us", s.median_us},
                              {"ratio", s.mean_us > 0 ? base / s.mean_us : 0},
                              {"mean_error", s.mean_error},
                              {"max_error", s.max_error},
                              {"mean_expanded", s.mean_expanded},
                              {"queries", s.queries},
                              {"prepare_ms", 1e3 * agent.prepare_seconds},
                              {"view_bytes_per_cell", static_cast<double>(agent.view_bytes) /
                                                          static_cast<double>(one.cells)}});
    }
    return {};
}

Status BenchOptions::bench(const fs::path& file, Specs planned, Context& context) {
    if (planned.front().for_agents) return bench_agents(file, planned, context);
    const auto loaded = load(file);
    if (!loaded) return loaded.error();
    const auto problems = problems_of(file, *loaded);
    if (!problems) return problems.error();
    auto runs = measure(*loaded, *problems, planned, measuring(context));
    if (!runs) return of_file(file, std::move(runs.error()));
    const PlannerRun& astar = runs->front();
    const PublishedCheck published = check_published(*loaded, *problems, astar.cost, astar.length);
    const MapBench& one = benches.emplace_back(
        MapBench{set_of(file), file.stem().string(), loaded->size(), std::move(*runs), published});
    add_rows(one.set, one.map, {&one});
    for (const PlannerSpec& spec : planned) {
        const Row key{{"set", one.set}, {"map", one.map}};
        Status status;
        if (phases && spec.is<subgoal::Planner>() &&
            spec.query_of<subgoal::Planner>().detail == subgoal::Detail::path) {
            status = measure_phases(*loaded, *problems, spec, measuring(context), key, sheets);
        }
        if (status.ok() && blocked > 0) {
            status =
                measure_blocked(*loaded, *problems, blocked, spec, measuring(context), key, sheets);
        }
        if (!status.ok()) return of_file(file, std::move(status));
    }
    return {};
}

Status BenchOptions::bench_edits(const fs::path& file, Specs planned, Context& context) {
    const auto loaded = load(file);
    if (!loaded) return loaded.error();
    const Row key{{"set", set_of(file)}, {"map", file.stem().string()}};
    EditOptions wanted = edits;
    wanted.seed = seed;
    Status status = measure_edits(*loaded, planned, wanted, measuring(context), key, sheets);
    return status.ok() ? status : of_file(file, std::move(status));
}

Status BenchOptions::bench_batches(const fs::path& file, Specs planned,
                                   const BatchMeasureOptions& options) {
    const Row key{{"set", set_of(file)}, {"map", file.stem().string()}};
    Status status;
    if (planned.front().for_agents) {
        const auto loaded = agents.load(file, map);
        if (!loaded) return loaded.error();
        status = measure_batches(*loaded, planned, options, key, sheets);
    } else {
        const auto loaded = load(file);
        if (!loaded) return loaded.error();
        status = measure_batches(*loaded, planned, options, key, sheets);
    }
    return status.ok() ? status : of_file(file, std::move(status));
}

Outcome BenchOptions::run(Context& context) {
    if (list) {
        for (const PlannerSpec& spec : planner_specs()) say("{:13}  {}\n", spec.name, spec.summary);
        return kDone;
    }
    const auto planned = specs();
    if (!planned) return tl::unexpected(planned.error());
    const auto files = expand_maps(inputs, max_maps);
    if (!files) return tl::unexpected(files.error());
    BatchMeasureOptions many{batches, seed, {rounds, index.threads, &context.cancel}};
    if (batches.device) {
        auto device = open_device(*batches.device, index.threads);
        if (!device) return tl::unexpected(std::move(device.error()));
        many.device = *std::move(device);
    }
    Status status = sheets.open();
    ProgressBar bar("bench");
    double done = 0;
    const auto show = [&](double share) {
        bar.show((done + share) / static_cast<double>(files->size()));
    };
    many.progress = show;
    for (std::size_t i = 0; i < files->size() && status.ok() && sheets.status().ok(); ++i) {
        if (context.cancel.cancelled()) break;
        show(0);
        const fs::path& file = (*files)[i];
        status = batches.agents > 0 ? bench_batches(file, *planned, many)
                 : edits.count > 0  ? bench_edits(file, *planned, context)
                                    : bench(file, *planned, context);
        if (edits.count > 0 && sheets.wrong() > 0) break;
        ++done;
    }
    bar.clear();
    add_sets();
    return sheets.outcome(context, std::move(status));
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* command = add_command(
        app, context, "bench",
        "Run planners side by side on the same queries and check every answer against A*: times, "
        "ratios to A*, length errors, build times and bytes, a row for each map and planner, then "
        "for each set of maps (map all) and for all sets.",
        "  cairn-lab bench arena.map                        the map's scenario, arena.map.scen\n"
        "  cairn-lab bench maps/ --out results              all maps of a folder\n"
        "  cairn-lab bench arena.map --random 1000          random pairs instead\n"
        "  cairn-lab bench maps/ --planners hpa,hpa-astar\n"
        "  cairn-lab bench arena.map --planners jps,subgoal --phases\n"
        "  cairn-lab bench arena.map --edits 50             edits instead of queries\n"
        "  cairn-lab bench maps/ --planners haa,haa-plain --capabilities ground,ground+trees "
        "--trees 20\n"
        "  cairn-lab bench arena.map --agents 100000        many agents at once\n"
        "  cairn-lab bench arena.map --agents 100000 --device auto\n"
        "  cairn-lab bench --list                           all planners");
    command->add_option("maps", options->inputs, "Map files, or folders of .map files")
        ->group("Input");
    add_count(*command, "--queries", options->queries, 1'000'000,
              "Queries per map, spread over its scenario")
        ->group("Input");
    add_count(*command, "--random", options->random, 1'000'000,
              "Use N random solvable pairs instead of scenarios")
        ->group("Input");
    command->add_option("--seed", options->seed, "Seed of random pairs, edits and terrain costs")
        ->capture_default_str()
        ->group("Input");
    add_max_maps(*command, options->max_maps);
    add_choice(*command, "--terrain-costs", options->terrain_costs,
               Names<WeightPattern>{{"none", WeightPattern::none},
                                    {"patches", WeightPattern::patches},
                                    {"noise", WeightPattern::noise}},
               "Input",
               "Give free cells weights from 1 to 9: patches - in squares of 7 x 7 cells; noise - "
               "each cell its own");
    CLI::Option* edits =
        add_count(*command, "--edits", options->edits.count, 1'000'000,
                  "Measure N edits per map instead of queries, or without N as many as stated "
                  "here. Each edits the map as the last one left it. Timed are the edit, "
                  "with_labels after it, fresh builds, and queries on each of the three. For "
                  "planners of HPA* and subgoal graphs")
            ->expected(0, 1)
            ->default_str("200")
            ->group("Input");
    for (const char* other : {"--queries", "--random"}) edits->excludes(command->get_option(other));
    add_count(*command, "--edit-size", options->edits.side, 1024,
              "An edit blocks or frees a square of N x N cells")
        ->needs(edits)
        ->group("Input");
    command
        ->add_option("--labels-every", options->edits.labels_every,
                     "Make labels after every N edits, and after the last; 0: never")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str()
        ->needs(edits)
        ->group("Input");
    command
        ->add_option("--planners", options->planners,
                     "Planners besides astar, by name; subgoal: all with subgoal graphs. Those of "
                     "HAA*, besides aa, run random pairs for all agents in turn")
        ->delimiter(',')
        ->group("Planners");
    command->add_flag("--list", options->list, "List the planners")->group("Planners");
    add_count(*command, "--rounds", options->rounds, 1000,
              "Rounds; the least time of each query counts")
        ->group("Planners");
    command
        ->add_flag(
            "--phases", options->phases,
            "For planners with subgoal graphs, also the separate times of connecting, searching "
            "and writing the path")
        ->excludes(edits)
        ->group("Planners");
    add_count(
        *command, "--blocked", options->blocked, 10'000,
        "For planners with subgoal graphs or HPA*, also queries with up to N cells within two of "
        "their path that are walls for them alone")
        ->excludes(edits)
        ->group("Planners");
    options->map.add_to(*command);
    options->index.add_to(*command, Space::grid);
    options->agents.add_to(*command);
    options->batches.add_to(*command);
    options->sheets.add_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app

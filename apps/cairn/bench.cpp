// cairn bench: planners side by side over maps and scenarios.

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "bench_batch.hpp"
#include "bench_batch_run.hpp"
#include "bench_haa.hpp"
#include "bench_planners.hpp"
#include "bench_report.hpp"
#include "cairn/file.hpp"
#include "command.hpp"
#include "edit_measurement.hpp"
#include "options.hpp"
#include "phase_measurement.hpp"
#include "plot.hpp"
#include "problems.hpp"
#include "published.hpp"
#include "subgoal_edit_measurement.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

struct BenchOptions {
    std::vector<std::string> inputs;
    std::vector<std::string> planners;  // none: the usual ones
    int queries = 200;
    int random = 0;
    std::uint64_t seed = 1;
    int rounds = 3;
    int max_maps = 0;
    int edits = 0;
    bool per_map = false;
    bool phases = false;
    bool list = false;
    std::string csv;
    std::string plot;
    MapFlags map;
    IndexFlags index;
    AgentFlags agents;
    BatchFlags batches;

    Outcome run(Context& context) const;
    [[nodiscard]] MeasureOptions measuring(Context& context) const;
    [[nodiscard]] Result<std::vector<BenchProblem>> problems_of(const fs::path& file,
                                                                const grid::Map& loaded) const;
    [[nodiscard]] Outcome run_batches(const std::vector<fs::path>& files,
                                      std::span<const PlannerSpec> specs, Context& context) const;
    [[nodiscard]] Outcome run_edits(const std::vector<fs::path>& files, Context& context) const;
    [[nodiscard]] Outcome run_subgoal_edits(const std::vector<fs::path>& files,
                                            std::span<const PlannerSpec> specs,
                                            Context& context) const;
    [[nodiscard]] Result<std::vector<PlannerSpec>> specs() const;
    [[nodiscard]] Result<MapBench> bench_agents(const fs::path& file,
                                                std::span<const PlannerSpec> specs,
                                                Context& context) const;
    [[nodiscard]] Result<MapBench> bench_map(const fs::path& file,
                                             std::span<const PlannerSpec> specs,
                                             Context& context) const;
    [[nodiscard]] Status write_files(const std::vector<BenchRow>& rows) const;
};

Result<std::vector<PlannerSpec>> BenchOptions::specs() const {
    std::vector<std::string> names = planners;
    if (names.empty() && batches.agents > 0) {
        names = {"hpa", "hpa-astar", "taut", "labels"};
    } else if (names.empty()) {
        names = {"buckets", "hpa-cost", "hpa-abstract", "hpa", "hpa-corridor"};
    }
    auto specs = bench_planners(names, index, agents);
    if (specs && specs->front().for_agents() && (edits > 0 || phases)) {
        return fail(StatusCode::bad_option,
                    "--edits and --phases are not for planners of agents: leave them out");
    }
    if (specs && specs->front().for_agents() && batches.device) {
        return fail(StatusCode::bad_option,
                    "--device: a device plans for agents of one class; leave it out");
    }
    return specs;
}

MeasureOptions BenchOptions::measuring(Context& context) const {
    MeasureOptions options;
    options.rounds = rounds;
    options.threads = index.threads > 0 ? index.threads : 1;
    options.cancel = &context.cancel;
    return options;
}

Result<std::vector<BenchProblem>> BenchOptions::problems_of(const fs::path& file,
                                                            const grid::Map& loaded) const {
    const fs::path scenario = fs::path(file).concat(".scen");
    const bool use_scenario = random == 0 && fs::exists(scenario);
    return use_scenario ? scenario_problems(scenario, loaded, queries)
                        : random_problems(loaded, random > 0 ? random : queries, seed);
}

std::string set_of(const fs::path& file) {
    return fs::absolute(file).parent_path().filename().string();
}

tl::unexpected<Status> failed(const fs::path& file, Status status) {
    status.message = fmt::format("{}: {}", file.string(), status.message);
    return tl::unexpected(std::move(status));
}

Result<MapBench> BenchOptions::bench_agents(const fs::path& file,
                                            std::span<const PlannerSpec> specs,
                                            Context& context) const {
    const auto loaded = agents.load(file, map);
    if (!loaded) return tl::unexpected(loaded.error());
    auto run =
        measure_agents(*loaded, random > 0 ? random : queries, seed, specs, measuring(context));
    if (!run) return failed(file, std::move(run.error()));
    MapBench bench;
    bench.set = set_of(file);
    bench.map = file.stem().string();
    bench.cells = run->cells;
    bench.free_cells = run->free_cells;
    bench.problems = run->problems;
    bench.runs = std::move(run->runs);
    bench.agents = std::move(run->agents);
    return bench;
}

Result<MapBench> BenchOptions::bench_map(const fs::path& file, std::span<const PlannerSpec> specs,
                                         Context& context) const {
    const auto loaded = map.load(file);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto problems = problems_of(file, *loaded);
    if (!problems) return tl::unexpected(problems.error());
    auto runs = measure(*loaded, *problems, specs, measuring(context));
    if (!runs) return failed(file, std::move(runs.error()));
    MapBench bench;
    bench.set = set_of(file);
    bench.map = file.stem().string();
    bench.cells = loaded->size();
    bench.free_cells = loaded->free_cells();
    bench.problems = problems->size();
    bench.runs = std::move(*runs);
    bench.published = check_published(*loaded, *problems, bench.runs.front());
    for (const PlannerSpec& spec : specs) {
        if (!phases || spec.kind != PlannerSpec::Kind::subgoal ||
            spec.subgoal_query.detail != subgoal::Detail::path)
            continue;
        auto run = measure_phases(*loaded, *problems, spec, measuring(context));
        if (!run) return failed(file, std::move(run.error()));
        run->map = bench.set + "/" + bench.map;
        bench.phases.push_back(std::move(*run));
    }
    return bench;
}

Status BenchOptions::write_files(const std::vector<BenchRow>& rows) const {
    // Without --csv the picture's data lies beside it while it is drawn.
    const std::string table = csv.empty() ? fmt::format("{}.{}.csv", plot, ::getpid()) : csv;
    if (csv.empty() && plot.empty()) return {};
    if (Status s = cairn::write_file_atomically(table, format_csv(rows)); !s.ok()) return s;
    if (plot.empty()) return {};
    Status drawn = app::plot(PlotKind::bench, table, plot);
    std::error_code ignored;
    if (csv.empty()) fs::remove(table, ignored);
    return drawn;
}

Outcome BenchOptions::run_batches(const std::vector<fs::path>& files,
                                  std::span<const PlannerSpec> specs, Context& context) const {
    const auto named = [](const fs::path& file, Result<BatchBench> bench) -> Result<BatchBench> {
        if (!bench) return failed(file, std::move(bench.error()));
        bench->set = set_of(file);
        bench->map = file.stem().string();
        return bench;
    };
    const auto of_map = [&](const fs::path& file,
                            const BatchMeasureOptions& options) -> Result<BatchBench> {
        if (specs.front().for_agents()) {
            const auto loaded = agents.load(file, map);
            if (!loaded) return tl::unexpected(loaded.error());
            return named(file, measure_batches(*loaded, specs, options));
        }
        const auto loaded = map.load(file);
        if (!loaded) return tl::unexpected(loaded.error());
        return named(file, measure_batches(*loaded, specs, options));
    };
    return bench_batches(files, of_map, {batches, seed, rounds, index.threads, &context.cancel, {}},
                         {per_map, csv}, context);
}

Outcome BenchOptions::run_edits(const std::vector<fs::path>& files, Context& context) const {
    const auto shape = index.checked();
    if (!shape) return tl::unexpected(shape.error());
    std::vector<EditRun> runs;
    ProgressBar bar("bench");
    for (std::size_t i = 0; i < files.size(); ++i) {
        bar.show(static_cast<double>(i) / static_cast<double>(files.size()));
        const auto loaded = map.load(files[i]);
        if (!loaded) return tl::unexpected(loaded.error());
        for (const int levels : {1, 3}) {
            if (context.cancel.cancelled()) return fail(StatusCode::cancelled);
            hpa::Options options = *shape;
            options.levels = levels;
            auto run = measure_edits(*loaded, options, edits, seed);
            if (!run) return tl::unexpected(run.error());
            run->set = set_of(files[i]);
            runs.push_back(std::move(*run));
        }
    }
    context.json ? say(edits_json(runs)) : say("{}", format_edits(runs));
    return kDone;
}

Outcome BenchOptions::run_subgoal_edits(const std::vector<fs::path>& files,
                                        std::span<const PlannerSpec> specs,
                                        Context& context) const {
    std::vector<SubgoalEditRun> runs;
    ProgressBar bar("bench");
    for (std::size_t i = 0; i < files.size(); ++i) {
        bar.show(static_cast<double>(i) / static_cast<double>(files.size()));
        const auto loaded = map.load(files[i]);
        if (!loaded) return tl::unexpected(loaded.error());
        const auto problems = problems_of(files[i], *loaded);
        if (!problems) return tl::unexpected(problems.error());
        for (const PlannerSpec& spec : specs) {
            if (spec.kind != PlannerSpec::Kind::subgoal) continue;
            auto run =
                measure_subgoal_edits(*loaded, *problems, spec, edits, seed, measuring(context));
            if (!run) return failed(files[i], std::move(run.error()));
            run->map = set_of(files[i]) + "/" + files[i].stem().string();
            runs.push_back(std::move(*run));
        }
    }
    context.json ? say(edits_json(runs)) : say("{}", format_edits(runs));
    return kDone;
}

Outcome BenchOptions::run(Context& context) const {
    if (list) {
        for (const PlannerSpec& spec : planner_specs()) say("{:13}  {}\n", spec.name, spec.what);
        return kDone;
    }
    const auto planners_to_run = specs();
    if (!planners_to_run) return tl::unexpected(planners_to_run.error());
    const auto files = expand_maps(inputs, max_maps);
    if (!files) return tl::unexpected(files.error());

    if (batches.agents > 0) return run_batches(*files, *planners_to_run, context);
    if (edits > 0) {
        const bool subgoals =
            std::any_of(planners_to_run->begin(), planners_to_run->end(),
                        [](const auto& spec) { return spec.kind == PlannerSpec::Kind::subgoal; });
        return subgoals ? run_subgoal_edits(*files, *planners_to_run, context)
                        : run_edits(*files, context);
    }

    std::vector<MapBench> benches;
    {
        ProgressBar bar("bench");
        for (const fs::path& file : *files) {
            bar.show(static_cast<double>(benches.size()) / static_cast<double>(files->size()));
            auto bench = planners_to_run->front().for_agents()
                             ? bench_agents(file, *planners_to_run, context)
                             : bench_map(file, *planners_to_run, context);
            if (!bench) return tl::unexpected(bench.error());
            benches.push_back(std::move(*bench));
        }
    }
    const std::vector<BenchRow> rows = bench_rows(benches, per_map || benches.size() == 1);
    if (!context.json) {
        say("{}", format_table(rows));
        if (const auto all = phases_of(benches); !all.empty()) say("\n{}", format_phases(all));
        if (const auto all = agents_of(benches); !all.empty()) say("\n{}", format_agents(all));
        if (const auto text = format_disagreements(benches); !text.empty()) say("\n{}", text);
    }
    if (Status s = write_files(rows); !s.ok()) return tl::unexpected(std::move(s));
    if (context.json) say(to_json(rows, benches));
    const bool wrong =
        std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.wrong > 0; });
    return wrong ? kFailed : kDone;
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* command = add_command(
        app, context, "bench",
        "Run planners side by side on the same queries, check every answer against A*, and print "
        "times, ratios to A*, "
        "length errors, build times and bytes.",
        "  cairn bench arena.map                        the map's scenario, arena.map.scen\n"
        "  cairn bench maps/ --per-map                  all maps of a folder\n"
        "  cairn bench arena.map --random 1000          random pairs instead\n"
        "  cairn bench maps/ --planners hpa,hpa-astar --csv out.csv\n"
        "  cairn bench arena.map --planners jps,subgoal --phases\n"
        "  cairn bench arena.map --planners labels --edits 50\n"
        "  cairn bench maps/ --planners haa,haa-plain --capabilities ground,ground+trees "
        "--trees 20\n"
        "  cairn bench arena.map --agents 100000        many agents at once\n"
        "  cairn bench arena.map --agents 100000 --device auto\n"
        "  cairn bench maps/ more/ --plot out.png       a picture as well\n"
        "  cairn bench --list                           all planners");
    command->add_option("maps", options->inputs, "Map files, or folders of .map files")
        ->group("Input");
    command->add_option("--queries", options->queries, "Queries per map, spread over its scenario")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str()
        ->group("Input");
    command
        ->add_option("--random", options->random,
                     "Use so many random solvable pairs instead of scenarios")
        ->check(CLI::Range(1, 1'000'000))
        ->group("Input");
    command->add_option("--seed", options->seed, "Seed of the random pairs")
        ->capture_default_str()
        ->group("Input");
    add_max_maps(*command, options->max_maps);
    command
        ->add_option(
            "--edits", options->edits,
            "Measure so many edits per map instead of queries: of one cell on HPA*'s index, "
            "or of 8 x 8 cells on those of the subgoal --planners")
        ->check(CLI::Range(1, 1'000'000))
        ->group("Input");
    command
        ->add_option("--planners", options->planners,
                     "Planners besides astar, by name; subgoal: all with subgoal graphs. Those of "
                     "HAA*, besides aa, are asked random pairs for all agents in turn")
        ->delimiter(',')
        ->group("Planners");
    command->add_flag("--list", options->list, "List the planners")->group("Planners");
    command
        ->add_option("--rounds", options->rounds,
                     "Repeat so often and keep each query's least time")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str()
        ->group("Planners");
    command
        ->add_flag(
            "--phases", options->phases,
            "Of the planners with subgoal graphs also the times of connecting, searching and "
            "writing the path, apart")
        ->group("Output");
    command->add_flag("--per-map", options->per_map, "Rows for every map too")->group("Output");
    command->add_option("--csv", options->csv, "Write the rows to this file as well")
        ->group("Output");
    command
        ->add_option("--plot", options->plot, "Draw the rows into this PNG file (needs matplotlib)")
        ->group("Output");
    options->map.add_to(*command);
    options->index.add_to(*command);
    options->agents.add_to(*command);
    options->batches.add_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app

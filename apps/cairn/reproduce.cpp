// cairn reproduce: the tables and figures of a paper, measured anew.

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>

#include "cairn/file.hpp"
#include "command.hpp"
#include "device_flag.hpp"
#include "plot.hpp"
#include "problems.hpp"
#include "reproduce_exhibit.hpp"
#include "reproduce_haa.hpp"
#include "reproduce_hna.hpp"
#include "reproduce_run.hpp"
#include "reproduce_subgoal.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

struct Reproduce {
    std::string paper;
    bool example_only = false;
    int agents = 0;
    std::optional<batch::DeviceKind> device;  ///< hna: where crowds are also to plan
    std::string data;
    std::string maps;
    int pairs = 100;
    std::uint64_t seed = 1;
    int max_maps = 0;
    int study_maps = 8;
    int threads = 0;
    std::string out;
    bool plot = false;

    Outcome run(Context& context) const;
    [[nodiscard]] Result<std::vector<PaperMap>> load() const;
    [[nodiscard]] Status measure(Context& context, Json& report) const;
    [[nodiscard]] Status hpa(Context& context, Json& report) const;
    [[nodiscard]] Status subgoals(Context& context, Json& report) const;
    [[nodiscard]] Status haa(Context& context, Json& report) const;
    [[nodiscard]] Status hna(Context& context, Json& report) const;
    [[nodiscard]] Status show(Context& context, const Exhibit& exhibit, Json& report) const;
};

/// Prints one exhibit and writes its files; with --json it is kept for later.
Status Reproduce::show(Context& context, const Exhibit& exhibit, Json& report) const {
    if (context.json) {
        report[exhibit.name] = to_json(exhibit);
    } else {
        say("{}\n", format_text(exhibit));
        std::fflush(stdout);
    }
    if (out.empty()) return {};
    const fs::path csv = fs::path(out) / (exhibit.name + ".csv");
    if (Status status = cairn::write_file_atomically(csv, format_csv(exhibit)); !status.ok())
        return status;
    const auto kind = plot_kind(exhibit.name);
    if (!this->plot || !kind) return {};
    return app::plot(*kind, csv, fs::path(csv).replace_extension(".png"));
}

Result<std::vector<PaperMap>> Reproduce::load() const {
    std::string folder = maps;
    if (folder.empty()) {
        const char* set = std::getenv("CAIRN_DATA");
        if (set == nullptr) {
            return fail(StatusCode::bad_option,
                        "--maps: say where the 120 Baldur's Gate maps are (MovingAI's set 'bg', "
                        "original size), or set CAIRN_DATA to a folder with grid/bg_orig, or try "
                        "--example-only");
        }
        folder = (fs::path(set) / "grid" / "bg_orig").string();
    }
    const auto files = expand_maps({folder}, max_maps);
    if (!files) return tl::unexpected(files.error());
    return load_paper_maps(*files, pairs, seed);
}

Status Reproduce::measure(Context& context, Json& report) const {
    auto loaded = load();
    if (!loaded) return loaded.error();
    ProgressBar bar("reproduce");
    std::mutex mutex;
    double done = 0;
    double weight = 1;  // of a step: the phases differ in length
    PaperControl control;
    control.cancel = &context.cancel;
    control.threads = threads;
    const double steps = 10.0 * static_cast<double>(loaded->size());
    control.step = [&] {
        const std::lock_guard lock(mutex);
        done += weight;
        bar.show(done / steps);
    };
    weight = 2;
    if (Status status = measure_effort(*loaded, control); !status.ok()) return status;
    bar.clear();
    for (auto* make : {table_2, overhead, table_3}) {
        if (Status status = show(context, make(*loaded), report); !status.ok()) return status;
    }
    weight = 3;
    if (Status status = measure_times(*loaded, control); !status.ok()) return status;
    bar.clear();
    for (auto* make : {figure_5, figure_6, figure_7}) {
        if (Status status = show(context, make(*loaded), report); !status.ok()) return status;
    }
    weight = 5;
    if (Status status = measure_cluster_sizes(*loaded, control); !status.ok()) return status;
    bar.clear();
    if (Status status = show(context, figure_8(*loaded), report); !status.ok()) return status;

    std::uint64_t wrong = 0;
    for (const PaperMap& map : *loaded) wrong += map.wrong;
    report["wrong"] = wrong;
    report["maps"] = loaded->size();
    report["pairs"] = pairs;
    report["seed"] = seed;
    if (!context.json) {
        say("{} maps, {} queries each, with 1, 2 and 3 levels: {} answers on which A*, the "
            "paper's pseudo-code and Cairn's engine disagree\n",
            loaded->size(), pairs, wrong);
    }
    return {};
}

Status Reproduce::hpa(Context& context, Json& report) const {
    const auto example = example_exhibits();
    if (!example) return example.error();
    for (const Exhibit& exhibit : *example) {
        if (Status s = show(context, exhibit, report); !s.ok()) return s;
    }
    return example_only ? Status{} : measure(context, report);
}

Status Reproduce::subgoals(Context& context, Json& report) const {
    SubgoalRequest request;
    request.data = data;
    request.maps = maps;
    request.built_in = example_only;
    request.max_maps = max_maps;
    request.study_maps = study_maps;
    request.pairs = pairs;
    request.seed = seed;
    return reproduce_subgoal(
        request, context, [&](const Exhibit& exhibit) { return show(context, exhibit, report); },
        report);
}

Status Reproduce::haa(Context& context, Json& report) const {
    return reproduce_haa(
        {data, maps, example_only, max_maps, pairs, seed}, context,
        [&](const Exhibit& exhibit) { return show(context, exhibit, report); }, report);
}

Status Reproduce::hna(Context& context, Json& report) const {
    HnaRequest request{
        data.empty() ? maps : data, example_only, agents, threads, max_maps, pairs, seed};
    request.device = device;
    return reproduce_hna(
        request, context, [&](const Exhibit& exhibit) { return show(context, exhibit, report); },
        report);
}

Outcome Reproduce::run(Context& context) const {
    if (!data.empty() && !maps.empty())
        return fail(StatusCode::bad_option, "--data and --maps: give one of them");
    if (agents > 0 && paper != "hna")
        return fail(StatusCode::bad_option, "--agents: only hna has crowds of agents");
    if (device && agents == 0)
        return fail(StatusCode::bad_option, "--device: only crowds (hna --agents N) plan on one");
    if (!out.empty()) {
        std::error_code error;
        fs::create_directories(out, error);
        if (error) {
            return fail(StatusCode::io_error, fmt::format("--out {}: {}", out, error.message()));
        }
    }
    Json report = Json::object();
    Status status = paper == "hpa"   ? hpa(context, report)
                    : paper == "haa" ? haa(context, report)
                    : paper == "hna" ? hna(context, report)
                                     : subgoals(context, report);
    if (!status.ok()) return tl::unexpected(std::move(status));
    if (context.json) say(report);
    return report.value("wrong", std::uint64_t{0}) > 0 ? kFailed : kDone;
}

}  // namespace

void add_reproduce(CLI::App& app, Context& context) {
    auto options = std::make_shared<Reproduce>();
    CLI::App* command = add_command(
        app, context, "reproduce",
        "Measure the tables and figures of a paper anew and print them beside its own. hpa: Botea, "
        "Mueller, Schaeffer, Near Optimal Hierarchical Path-Finding, 2004: Tables 1 to 3, Figures "
        "5 to 8. haa: Harabor, Botea, Hierarchical Path Planning for Multi-Size Agents in "
        "Heterogeneous Environments, 2008: sizes of the abstractions, lengths of paths, and times "
        "against annotated A*. subgoal: Uras, Koenig, Subgoal Graphs for Fast Optimal "
        "Pathfinding, 2015: Table 15.1, Figures 15.3 and 15.12, and how the order of contraction "
        "matters. hna: Rahmani, Pelechano, Towards multi-agent path finding with hierarchical "
        "navigation meshes: Tables 2 and 3, Figures 6, 7, 9, 10, 13 and 14, or of many agents at "
        "once, Figures 11 and 12.",
        "  cairn reproduce hpa --example-only           the worked example: a moment\n"
        "  cairn reproduce hpa --maps bg_orig           all: a minute or two\n"
        "  cairn reproduce hpa --out results --plot     and CSV files and pictures\n"
        "  cairn reproduce subgoal --data folder --pairs 30  all: some minutes\n"
        "  cairn reproduce haa --maps bg512 --max-maps 10    ten maps: some minutes\n"
        "  cairn reproduce hna --data folder            every mesh in it: a minute each\n"
        "  cairn reproduce hna --agents 500000          half a million agents at once");
    command->add_option("paper", options->paper, "Which paper")
        ->required()
        ->check(CLI::IsMember({"hpa", "haa", "subgoal", "hna"}).description(""))
        ->type_name("hpa|haa|subgoal|hna");
    command->add_flag(
        "--example-only", options->example_only,
        "Only what needs no maps: the worked example and Table 1; for subgoal graphs and HAA*, "
        "maps made on the spot");
    command
        ->add_option("--agents", options->agents,
                     "hna: measure crowds of up to so many agents, who all ask at once")
        ->check(CLI::Range(1, 10'000'000))
        ->group("Input");
    add_device_flag(*command, options->device,
                    "hna --agents: let the largest crowd of each mesh plan on a device, too: a "
                    "GPU, the host in its place, or whichever there is")
        ->group("Input");
    command
        ->add_option("--data", options->data,
                     "subgoal: folder of the sets dao, sc1, wc3maps512, bg512 (default: "
                     "$CAIRN_DATA/grid); haa: folder with grid/bg_orig, grid/bg512 and, for the "
                     "author's scenarios, haa (default: $CAIRN_DATA); hna: folder of meshes, or "
                     "with navmesh/detour (default: $CAIRN_DATA)")
        ->group("Input");
    command
        ->add_option("--maps", options->maps,
                     "hpa: folder of the 120 Baldur's Gate maps (default: "
                     "$CAIRN_DATA/grid/bg_orig); subgoal, haa: folder of any maps, as one set")
        ->group("Input");
    command
        ->add_option(
            "--pairs", options->pairs,
            "Problems on each map: random ones; subgoal: spread over its scenario, if it has "
            "one; haa: dealt to the agents in turn")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str()
        ->group("Input");
    command->add_option("--seed", options->seed, "Seed of the problems")
        ->capture_default_str()
        ->group("Input");
    add_max_maps(*command, options->max_maps);
    command
        ->add_option("--study-maps", options->study_maps,
                     "subgoal: maps of each set for Figure 15.3 and the study of orders; 0: all")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str()
        ->group("Input");
    command
        ->add_option(
            "--threads", options->threads,
            "hpa: threads for counting, while times are taken on one; hna --agents: threads of "
            "batches (default: one per processor)")
        ->check(CLI::Range(1, 1024))
        ->group("Input");
    auto* folder =
        command
            ->add_option("--out", options->out,
                         "Folder for a CSV file of each table and figure, made if missing")
            ->group("Output");
    command
        ->add_flag("--plot", options->plot,
                   "Draw the figures as PNG files as well (needs matplotlib)")
        ->needs(folder)
        ->group("Output");
    on_run(command, context, options);
}

}  // namespace cairn::app

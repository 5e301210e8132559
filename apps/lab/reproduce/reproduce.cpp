#include "reproduce/reproduce.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "inputs.hpp"
#include "options/common.hpp"

namespace cairn::app {
namespace {

/// The command line of cairn-lab reproduce.
struct Reproduce {
    const CLI::App* command = nullptr;
    std::string paper;
    ExperimentOptions given;
    Sheets sheets;

    Outcome run(Context& context);
};

Outcome Reproduce::run(Context& context) {
    if (!given.data.empty() && !given.maps.empty())
        return fail(StatusCode::bad_option, "--data and --maps: give one of them");
    if (given.agents > 0 && paper != "hna")
        return fail(StatusCode::bad_option, "--agents: only hna has crowds of agents");
    for (const char* option : {"--part", "--soft", "--cluster-size"}) {
        if (command->count(option) > 0 && paper != "haa")
            return fail(StatusCode::bad_option, fmt::format("{}: only haa has it", option));
    }
    if (given.device && given.agents == 0)
        return fail(StatusCode::bad_option, "--device: only crowds (hna --agents N) plan on one");
    if (Status status = sheets.open(); !status.ok()) return tl::unexpected(std::move(status));
    auto* const experiment = paper == "hpa"   ? reproduce_hpa
                             : paper == "haa" ? reproduce_haa
                             : paper == "hna" ? reproduce_hna
                                              : reproduce_subgoal;
    return sheets.outcome(context, experiment(given, context, sheets));
}

}  // namespace

void add_reproduce(CLI::App& app, Context& context) {
    auto options = std::make_shared<Reproduce>();
    ExperimentOptions& given = options->given;
    CLI::App* command = add_command(
        app, context, "reproduce",
        "Repeat the experiments of a paper. The figures are rows of CSV; tools/lab_tables.py makes "
        "tables of them beside the paper's own. hpa: Botea, Mueller, Schaeffer, Near Optimal "
        "Hierarchical Path-Finding, 2004: Tables 1 to 3, Figures 5 to 8. haa: Harabor, Botea, "
        "Hierarchical Path Planning for Multi-Size Agents in Heterogeneous Environments, 2008: "
        "sizes of the abstractions, lengths of paths, and times against annotated A*. subgoal: "
        "Uras, Koenig, Subgoal Graphs for Fast Optimal Pathfinding, 2015: Table 15.1, Figures 15.3 "
        "and 15.12, and the effect of the order of contraction. hna: Rahmani, Pelechano, Towards "
        "multi-agent path finding with hierarchical navigation meshes: Tables 2 and 3, Figures 6, "
        "7, 9, 10, 13 and 14, or of many agents at once, Figures 11 and 12.",
        "  cairn-lab reproduce hpa --example-only           the worked example: a moment\n"
        "  cairn-lab reproduce hpa --maps bg_orig           all: half a minute\n"
        "  cairn-lab reproduce hpa --out results            into files\n"
        "  cairn-lab reproduce subgoal --data folder --pairs 30  all: some minutes\n"
        "  cairn-lab reproduce haa --data folder --part tables   the paper's tables: minutes\n"
        "  cairn-lab reproduce haa --maps bg512 --max-maps 10    ten maps: some minutes\n"
        "  cairn-lab reproduce hna --data folder            every mesh in it: a minute each\n"
        "  cairn-lab reproduce hna --agents 500000          half a million agents at once");
    options->command = command;
    command->add_option("paper", options->paper, "Which paper")
        ->required()
        ->check(one_of(std::vector<std::string>{"hpa", "haa", "subgoal", "hna"}))
        ->type_name("hpa|haa|subgoal|hna");
    command->add_flag(
        "--example-only", given.built_in,
        "Only experiments without maps: the worked example and Table 1; for subgoal graphs, HAA* "
        "and HNA*, generated maps or meshes");
    add_count(*command, "--agents", given.agents, 10'000'000,
              "hna: measure crowds of up to N agents, which all plan at once")
        ->group("Input");
    add_device_flag(*command, given.device,
                    "hna --agents: also plan for the largest crowd of each mesh on a device: gpu; "
                    "host - the processors in its place; auto - a GPU if there is one")
        ->group("Input");
    command
        ->add_option("--data", given.data,
                     "Folder that holds the paper's sets at any depth (default: $CAIRN_DATA). They "
                     "are told by their files. hpa, haa: maps without trees, all sides 50 to 320; "
                     "haa also: .scenario files, with their maps' share of trees, and bg512; "
                     "subgoal: maps whose scenarios name maps/dao, maps/sc1, maps/wc3maps, and "
                     "bg512, which is maps/bgmaps with all sides 512; hna: Detour's tile sets "
                     "(.bin), or without any, polyanya's .mesh. Of several such folders the "
                     "largest")
        ->group("Input");
    command
        ->add_option(
            "--maps", given.maps,
            "hpa, haa, subgoal: a folder of any maps instead, as one set; may be repeated. "
            "For sets without scenarios, which their files do not tell apart")
        ->allow_extra_args(false)
        ->type_name("FOLDER")
        ->group("Input");
    add_count(
        *command, "--pairs", given.pairs, 100'000,
        "Problems on each map: random ones; subgoal: spread over its scenario, if it has one; "
        "haa: assigned to the agents in turn")
        ->group("Input");
    command
        ->add_option("--part", given.part,
                     "haa: tables - the paper's Table 1, Figures 5 and 6; times - Cairn's "
                     "abstractions for agents of sizes up to 2, 4 and 8, with times; all - both")
        ->check(one_of(std::vector<std::string>{"tables", "times", "all"}))
        ->type_name("tables|times|all")
        ->capture_default_str()
        ->group("Input");
    command
        ->add_option("--soft", given.shares,
                     "haa: shares of soft obstacles in the paper's tables, in percent")
        ->check(CLI::Range(0, 100))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("N,...")
        ->capture_default_str()
        ->group("Input");
    command
        ->add_option("--cluster-size", given.cluster_sizes,
                     "haa: cluster sizes in the paper's tables")
        ->check(CLI::Range(2, 64))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("N,...")
        ->capture_default_str()
        ->group("Input");
    command->add_option("--seed", given.seed, "Seed of the problems")
        ->capture_default_str()
        ->group("Input");
    add_max_maps(*command, given.max_maps);
    command
        ->add_option("--study-maps", given.study_maps,
                     "subgoal: maps of each set for Figure 15.3 and the study of orders; 0: all")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str()
        ->group("Input");
    add_count(*command, "--threads", given.threads, 1024,
              "hpa: threads for counting; times are taken on one thread; hna --agents: threads of "
              "batches (default: one per processor)")
        ->group("Input");
    options->sheets.add_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app

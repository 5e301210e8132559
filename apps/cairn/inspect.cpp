// cairn inspect: describes an index file, or a map or mesh and the index built for it.

#include <CLI/CLI.hpp>

#include "cairn/hpa/abstract_graph.hpp"
#include "cairn/index_file.hpp"
#include "command.hpp"
#include "files.hpp"
#include "options/grid.hpp"
#include "options/mesh.hpp"
#include "options/planner.hpp"
#include "report/index.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct Inspect {
    std::string file;      ///< an index file or a map
    std::string map_file;  ///< of an index file; empty: not given
    int graph_level = 0;   ///< of --graph; 0: not given
    MapFlags map;
    PlannerFlags planner;

    Outcome run(Context& context);
    /// Describes an index file without its map. Errors: unsupported (another planner's); those of
    /// the file.
    Outcome describe_file(Context& context) const;
    /// Describes the file of a planner whose files do not hold the map.
    template <class Options>
    [[nodiscard]] Outcome describe_options(Context& context, const IndexFileInfo& info) const;
    /// Describes a file that holds its map.
    Outcome describe_whole_file(Context& context, const IndexFileInfo& info) const;
    Outcome describe_index(Context& context, const AnyIndex& index) const;
    /// Prints the graph of --graph; with HAA*, the graph of the agent's view.
    [[nodiscard]] Outcome show_graph(const AnyIndex& index) const;
};

template <class Options>
Outcome Inspect::describe_options(Context& context, const IndexFileInfo& info) const {
    const auto options = index_options<Options>(info);
    if (!options) return fail(options.error().code, file + ": " + options.error().message);
    const std::string text = fmt::format("--planner {} {}", info.kind, options_text(*options));
    say(context, file_json(file, info, options_json(*options)),
        file_text(file, info, text) + "\nadd --map MAP for nodes and edges by level\n");
    return kDone;
}

Outcome Inspect::describe_file(Context& context) const {
    const auto info = cairn::inspect(file);
    if (!info) return tl::unexpected(info.error());
    const bool of_grid = find_planner(info->kind, Space::grid) != nullptr;
    if (of_grid && info->holds_map) return describe_whole_file(context, *info);
    if (info->kind == hpa::Planner::kName) return describe_options<hpa::Options>(context, *info);
    if (info->kind == subgoal::Planner::kName)
        return describe_options<subgoal::Options>(context, *info);
    return fail(
        StatusCode::unsupported,
        fmt::format("{}: an index of the planner '{}', which is not for maps", file, info->kind));
}

Outcome Inspect::describe_whole_file(Context& context, const IndexFileInfo& info) const {
    const auto loaded = load_with_edits(file, planner.index.checks);
    if (!loaded) return tl::unexpected(loaded.error());
    if (context.json) {
        const auto parts = index_json(*loaded);
        if (!parts) return tl::unexpected(parts.error());
        Json out = file_json(file, info, parts->at("options"));
        out["map"] = map_json(*loaded);
        out.update(*parts);
        out["bytes"]["file"] = info.file_bytes;
        say(out);
        return kDone;
    }
    const auto parts = index_text(*loaded);
    if (!parts) return tl::unexpected(parts.error());
    say("{}\n{}", file_text(file, info, options_text(*loaded)), *parts);
    return kDone;
}

Outcome Inspect::describe_index(Context& context, const AnyIndex& index) const {
    if (context.json) {
        const auto parts = index_json(index);
        if (!parts) return tl::unexpected(parts.error());
        Json out{{"map", map_json(index)}};
        out.update(*parts);
        say(out);
        return kDone;
    }
    const auto parts = index_text(index);
    if (!parts) return tl::unexpected(parts.error());
    say("{}: {}\nindex: {}\n\n{}", map_file.empty() ? file : map_file, map_text(index),
        options_text(index), *parts);
    if (const auto* hpa_index = index.as<hpa::Planner>()) {
        say("\nintra-edges added: {:.3g} % of the map's nodes and edges\n",
            hpa_index->statistics().value().overhead_percent);
    }
    return kDone;
}

/// Prints the subgoal graph as JSON.
Outcome print_graph(const subgoal::Index& index, int level) {
    if (level > 1)
        return fail(StatusCode::bad_option, "--graph: subgoal graphs are printed as level 1");
    say(graph_json(index));
    return kDone;
}

/// Prints the abstract graph of a level as JSON: cells as [x, y], ends of edges as positions in
/// "nodes".
Outcome print_graph(const hpa::Index& index, int level) {
    const auto graph = hpa::extract_abstract_graph(index, level);
    if (!graph) return tl::unexpected(graph.error());
    const auto at = [&](grid::Cell cell) {
        const grid::Point p = index.map().point(cell);
        return Json::array({p.x, p.y});
    };
    const auto rectangle = [](const grid::Rect& r) {
        return Json::array({r.x, r.y, r.width, r.height});
    };
    const auto entrance = [&](const auto& e) {
        return Json{{"first", at(e.first)},
                    {"length", e.length},
                    {"along", e.along == grid::kEast ? "east" : "south"},
                    {"level", e.level}};
    };
    const auto node = [&](const auto& n) {
        return Json{{"cell", at(n.cell)}, {"level", n.level}, {"cluster", n.cluster}};
    };
    const auto inter_edge = [](const auto& e) {
        return Json{{"a", e.a}, {"b", e.b}, {"cost", e.cost}, {"level", e.level}};
    };
    const auto intra_edge = [](const auto& e) {
        return Json{{"a", e.a}, {"b", e.b}, {"cost", e.cost}};
    };
    say(Json{{"level", graph->level},
             {"clusters", mapped(graph->clusters, rectangle)},
             {"entrances", mapped(graph->entrances, entrance)},
             {"nodes", mapped(graph->nodes, node)},
             {"inter_edges", mapped(graph->inter_edges, inter_edge)},
             {"intra_edges", mapped(graph->intra_edges, intra_edge)}});
    return kDone;
}

Outcome Inspect::show_graph(const AnyIndex& index) const {
    if (const auto* agents = index.as<haa::Planner>()) {
        const auto agent = planner.haa.agent(agents->map());
        if (!agent) return tl::unexpected(agent.error());
        const auto view = agents->view(*agent);
        if (!view) return tl::unexpected(view.error());
        return print_graph(*view, graph_level);
    }
    if (const auto* subgoals = index.as<subgoal::Planner>())
        return print_graph(*subgoals, graph_level);
    return print_graph(*index.as<hpa::Planner>(), graph_level);
}

Outcome Inspect::run(Context& context) {
    const bool is_map = is_terrain_file(file);
    if (!is_map) planner.index.file = file;
    if (!is_map && map_file.empty()) {
        if (graph_level == 0) return describe_file(context);
        const auto loaded = load_with_edits(file, planner.index.checks);
        if (!loaded && loaded.error().code == StatusCode::unsupported) {
            return fail(StatusCode::bad_option,
                        "--graph needs the map: add --map MAP, or inspect the map itself");
        }
        if (!loaded) return tl::unexpected(loaded.error());
        return show_graph(*loaded);
    }
    const auto loaded = planner.load(is_map ? file : map_file, map);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto opened = planner.load_or_build(context, *loaded);
    if (!opened) return tl::unexpected(opened.error());
    return graph_level > 0 ? show_graph(*opened) : describe_index(context, *opened);
}

struct MeshInspect {
    std::string file;
    bool mesh_only = false;
    HnaFlags index;

    Outcome run(Context& context) const {
        if (mesh_only && is_mesh_file(file)) {
            const auto loaded = index.mesh.load(context, file);
            if (!loaded) return tl::unexpected(loaded.error());
            report(context, *loaded, nullptr);
            return kDone;
        }
        const auto opened = index.load_or_build(context, file);
        if (!opened) return tl::unexpected(opened.error());
        report(context, opened->mesh(), mesh_only ? nullptr : &*opened);
        return kDone;
    }
    /// `built`: null for the mesh alone.
    void report(Context& context, const mesh::Mesh& mesh, const hna::Index* built) const {
        if (context.json) {
            Json out{{"mesh", mesh_json(mesh)}};
            if (built != nullptr) out.update(index_json(*built));
            say(out);
            return;
        }
        say("{}: {}\n", file, mesh_text(mesh));
        if (const std::string areas = area_table(mesh); !areas.empty()) say("\n{}", areas);
        if (built == nullptr) return;
        say("index: {}\n\n{}", options_text(built->options()), index_text(*built));
    }
};

void add_grid_inspect(CLI::App& app, Context& context) {
    auto options = std::make_shared<Inspect>();
    CLI::App* command =
        add_command(app, context, "inspect",
                    "Describe an index: nodes and edges of each level, and bytes of each part. "
                    "Takes an index file, or a map, whose index is then built in memory.",
                    "  cairn inspect arena.cairn\n"
                    "  cairn inspect arena.cairn --map arena.map\n"
                    "  cairn inspect arena.map --cluster-size 16 --levels 3 --json\n"
                    "  cairn inspect arena.map --planner subgoal --levels 0\n"
                    "  cairn inspect arena.map --planner haa --max-size 4 --abstraction low\n"
                    "  cairn inspect arena.map --graph 1");
    reads_file(command->add_option("file", options->file, "Index file or map; - is standard input")
                   ->required(),
               context);
    reads_file(
        add_value(*command, "--map", options->map_file, "FILE", "Map", "The map of the index file"),
        context);
    options->map.add_to(*command);
    options->planner.add_to(*command, /*bare=*/false);
    options->planner.index.add_checks_to(*command);
    options->planner.haa.add_agent_to(*command);
    command
        ->add_option("--graph", options->graph_level,
                     "Print the abstract graph of this level, or the subgoal graph (1), as JSON "
                     "instead; for HAA* the part that --agent uses")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("LEVEL")
        ->group("Output");
    on_run(command, context, options);
}

void add_mesh_inspect(CLI::App& app, Context& context) {
    auto options = std::make_shared<MeshInspect>();
    CLI::App* command = add_command(
        app, context, "inspect",
        "Describe a mesh and its index: polygons, components and areas; clusters, inter-edges and "
        "intra-edges of each level; and bytes of each part. Takes an index file, or a mesh, whose "
        "index is then built in memory.",
        "  cairn inspect arena.mesh\n"
        "  cairn inspect dungeon.bin --levels 2 --mu 10 --json\n"
        "  cairn inspect dungeon.obj --mesh-only --cell-size 0.2");
    reads_file(command->add_option("file", options->file, kMeshHelp)->required(), context);
    add_mesh_planner(*command);
    options->index.add_to(*command);
    command->add_flag("--mesh-only", options->mesh_only, "Only the mesh")->group("Output");
    on_run(command, context, options);
}

}  // namespace

void add_inspect(CLI::App& app, Context& context) {
    context.mesh ? add_mesh_inspect(app, context) : add_grid_inspect(app, context);
}

}  // namespace cairn::app

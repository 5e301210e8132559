// cairn inspect: what a map's index, or an index file, is made of.

#include <filesystem>

#include "cairn/hpa/abstract_graph.hpp"
#include "cairn/io/hpa_index_file.hpp"
#include "cairn/io/index_kind.hpp"
#include "command.hpp"
#include "index_report.hpp"
#include "options.hpp"
#include "planner_options.hpp"
#include "subgoal_report.hpp"
#include "terrain_file.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct Inspect {
    std::string file;
    std::string map_file;
    int graph_level = 0;
    MapFlags map;
    PlannerFlags planner;

    Outcome run(Context& context) const;
    Outcome describe_file(Context& context) const;
    Outcome describe_hpa_file(Context& context) const;
    Outcome describe_index(Context& context, const AnyIndex& built) const;
};

Outcome Inspect::describe_file(Context& context) const {
    const auto kind = io::index_kind(file);
    if (!kind) return tl::unexpected(kind.error());
    if (*kind == io::IndexKind::hpa) return describe_hpa_file(context);
    const auto info = io::inspect_subgoal_index(file);
    if (!info) return tl::unexpected(info.error());
    if (context.json) {
        say(file_json(file, *info));
    } else {
        say("{}\nadd --map MAP for subgoals and edges by level\n", file_text(file, *info));
    }
    return kDone;
}

Outcome Inspect::describe_hpa_file(Context& context) const {
    const auto info = io::inspect_index(file);
    if (!info) return tl::unexpected(info.error());
    const std::string fingerprint = fmt::format("{:016x}", info->map_fingerprint);
    if (context.json) {
        say(Json{{"file", file},
                 {"planner", "hpa"},
                 {"version", info->version},
                 {"width", info->width},
                 {"height", info->height},
                 {"map_fingerprint", fingerprint},
                 {"options", options_json(info->options)},
                 {"bytes",
                  {{"levels", info->level_bytes},
                   {"tables", info->table_bytes},
                   {"labels", info->label_bytes},
                   {"file", info->file_bytes}}}});
        return kDone;
    }
    Facts facts;
    facts.add("index file", fmt::format("{}, format version {}", file, info->version));
    facts.add("for a map of",
              fmt::format("{} x {} cells, fingerprint {}", info->width, info->height, fingerprint));
    facts.add("built with", options_text(info->options));
    for (std::size_t i = 0; i < info->level_bytes.size(); ++i) {
        facts.add(fmt::format("level {}", i + 1),
                  byte_size(static_cast<double>(info->level_bytes[i])));
    }
    facts.add("move tables", byte_size(static_cast<double>(info->table_bytes)));
    facts.add("cut labels", byte_size(static_cast<double>(info->label_bytes)));
    facts.add("file", byte_size(static_cast<double>(info->file_bytes)));
    say("{}\nadd --map MAP for nodes and edges by level\n", facts.text());
    return kDone;
}

Outcome Inspect::describe_index(Context& context, const AnyIndex& built) const {
    return std::visit(
        [&](const auto& index) -> Outcome {
            const auto statistics = index.statistics();
            if (context.json) {
                Json out{{"map", map_json(index.map())}};
                out.update(index_json(index, statistics));
                say(out);
                return kDone;
            }
            say("{}: {}\nindex: {}\n\n{}\n{}", map_file.empty() ? file : map_file,
                map_text(index.map()), options_text(index.options()), level_table(statistics),
                size_facts(index, statistics));
            if constexpr (requires { statistics.overhead_percent; }) {
                say("\nintra-edges added: {:.3g} % of the map's nodes and edges\n",
                    statistics.overhead_percent);
            }
            return kDone;
        },
        built);
}

/// The graph of a level as JSON.
Outcome print_graph(const hpa::Index& index, int level);
Outcome print_graph(const subgoal::Index& index, int level) {
    if (level > 1)
        return fail(StatusCode::bad_option, "--graph: subgoal graphs are printed as level 1");
    say(graph_json(index));
    return kDone;
}

/// The abstract graph of one level, cells as [x, y], edges as positions in `nodes`.
Outcome print_graph(const hpa::Index& index, int level) {
    const auto graph = hpa::extract_abstract_graph(index, level);
    if (!graph) return tl::unexpected(graph.error());
    const auto at = [&](grid::Cell cell) {
        const grid::Point p = index.map().point(cell);
        return Json::array({p.x, p.y});
    };
    Json out{{"level", graph->level},        {"clusters", Json::array()},
             {"entrances", Json::array()},   {"nodes", Json::array()},
             {"inter_edges", Json::array()}, {"intra_edges", Json::array()}};
    for (const grid::Rect& r : graph->clusters)
        out["clusters"].push_back({r.x, r.y, r.width, r.height});
    for (const auto& entrance : graph->entrances) {
        out["entrances"].push_back({{"first", at(entrance.first)},
                                    {"length", entrance.length},
                                    {"along", entrance.along == grid::kEast ? "east" : "south"},
                                    {"level", entrance.level}});
    }
    for (const auto& node : graph->nodes) {
        out["nodes"].push_back(
            {{"cell", at(node.cell)}, {"level", node.level}, {"cluster", node.cluster}});
    }
    for (const auto& edge : graph->inter_edges)
        out["inter_edges"].push_back(
            {{"a", edge.a}, {"b", edge.b}, {"cost", edge.cost}, {"level", edge.level}});
    for (const auto& edge : graph->intra_edges)
        out["intra_edges"].push_back({{"a", edge.a}, {"b", edge.b}, {"cost", edge.cost}});
    say(out);
    return kDone;
}

Outcome Inspect::run(Context& context) const {
    const bool is_map = is_terrain_file(file);
    if (!is_map && map_file.empty()) {
        if (graph_level == 0) return describe_file(context);
        return fail(StatusCode::bad_option,
                    "--graph needs the map: add --map MAP, or inspect the map itself");
    }
    const auto grid_map = map.load(is_map ? file : map_file);
    if (!grid_map) return tl::unexpected(grid_map.error());
    const auto built = is_map ? planner.build(context, *grid_map) : load_any_index(file, *grid_map);
    if (!built) return tl::unexpected(built.error());
    if (graph_level > 0)
        return std::visit([&](const auto& i) { return print_graph(i, graph_level); }, *built);
    return describe_index(context, *built);
}

}  // namespace

void add_inspect(CLI::App& app, Context& context) {
    auto options = std::make_shared<Inspect>();
    CLI::App* command =
        add_command(app, context, "inspect",
                    "Show what an index is made of: nodes and edges of each level, and where its "
                    "bytes go. Takes an index file, or a map, whose index is then built in memory.",
                    "  cairn inspect arena.cairn\n"
                    "  cairn inspect arena.cairn --map arena.map\n"
                    "  cairn inspect arena.map --cluster-size 16 --levels 3 --json\n"
                    "  cairn inspect arena.map --planner subgoal --levels 0\n"
                    "  cairn inspect arena.map --graph 1");
    command->add_option("file", options->file, "Index file or map")->required();
    command->add_option("--map", options->map_file, "The map of the index file")
        ->type_name("FILE")
        ->group("Map");
    options->map.add_to(*command);
    options->planner.add_to(*command, /*bare=*/false);
    command
        ->add_option("--graph", options->graph_level,
                     "Print the abstract graph of this level, or the subgoal graph (1), as JSON "
                     "instead")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("LEVEL")
        ->group("Output");
    on_run(command, context, options);
}

}  // namespace cairn::app

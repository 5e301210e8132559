// cairn inspect: what a map's index, or an index file, is made of.

#include <filesystem>

#include "cairn/hpa/abstract_graph.hpp"
#include "cairn/io/hpa_index_file.hpp"
#include "command.hpp"
#include "index_report.hpp"
#include "options.hpp"
#include "terrain_file.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct Inspect {
    std::string file;
    std::string map_file;
    int graph_level = 0;
    MapFlags map;
    IndexFlags index;

    Outcome run(Context& context) const;
    Outcome describe_file(Context& context) const;
    Outcome describe_index(Context& context, const hpa::Index& built) const;
};

Outcome Inspect::describe_file(Context& context) const {
    const auto info = io::inspect_index(file);
    if (!info) return tl::unexpected(info.error());
    const std::string fingerprint = fmt::format("{:016x}", info->map_fingerprint);
    if (context.json) {
        say(Json{{"file", file},
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

Outcome Inspect::describe_index(Context& context, const hpa::Index& built) const {
    const hpa::IndexStatistics statistics = built.statistics();
    if (context.json) {
        Json out{{"map", map_json(built.map())}};
        out.update(index_json(built, statistics));
        say(out);
        return kDone;
    }
    say("{}: {}\nindex: {}\n\n{}\n{}", map_file.empty() ? file : map_file, map_text(built.map()),
        options_text(built.options()), level_table(statistics), size_facts(built, statistics));
    say("\nintra-edges added: {:.3g} % of the map's nodes and edges\n",
        statistics.overhead_percent);
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
    const auto built = is_map ? index.build(context, *grid_map) : io::load_index(file, *grid_map);
    if (!built) return tl::unexpected(built.error());
    if (graph_level > 0) return print_graph(*built, graph_level);
    return describe_index(context, *built);
}

}  // namespace

void add_inspect(CLI::App& app, Context& context) {
    auto options = std::make_shared<Inspect>();
    CLI::App* command = add_command(
        app, context, "inspect",
        "Show what an index is made of: clusters, abstract nodes and edges of each level, and "
        "where "
        "its bytes go. Takes an index file, or a map, whose index is then built in memory.",
        "  cairn inspect arena.cairn\n"
        "  cairn inspect arena.cairn --map arena.map\n"
        "  cairn inspect arena.map --cluster-size 16 --levels 3 --json\n"
        "  cairn inspect arena.map --graph 1");
    command->add_option("file", options->file, "Index file or map")->required();
    command->add_option("--map", options->map_file, "The map of the index file")
        ->type_name("FILE")
        ->group("Map");
    options->map.add_to(*command);
    options->index.add_to(*command);
    command
        ->add_option("--graph", options->graph_level,
                     "Print the abstract graph of this level as JSON instead")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("LEVEL")
        ->group("Output");
    on_run(command, context, options);
}

}  // namespace cairn::app

#include "subgoal_report.hpp"

#include <algorithm>
#include <array>

#include "text.hpp"

namespace cairn::app {
namespace {

constexpr std::array<const char*, 2> kEdgeNames{"direct", "h-reachable"};
constexpr std::array<const char*, 2> kExtraEdgeNames{"none", "h-reachable"};
constexpr std::array<const char*, 5> kOrderNames{"number", "ascending-degree", "descending-degree",
                                                 "fewest-extra-edges", "random"};

template <std::size_t N, class Enum>
const char* word(const std::array<const char*, N>& names, Enum value) {
    return names[static_cast<std::size_t>(value)];
}

double share(std::size_t bytes, const subgoal::Index& index) {
    return static_cast<double>(bytes) / static_cast<double>(index.map().size());
}

}  // namespace

std::string level_table(const subgoal::IndexStatistics& statistics) {
    Facts facts;
    facts.add("subgoals", fmt::format("{} of {} free cells", grouped(statistics.subgoals),
                                      grouped(statistics.free_cells)));
    facts.add("edges", fmt::format("{}, {} of them taut", grouped(statistics.edges),
                                   grouped(statistics.taut_edges)));
    facts.add("extra edges", grouped(statistics.levels.extra_edges));
    Table table({"level", "subgoals", "edges"});
    for (std::size_t i = 0; i < statistics.levels.levels.size(); ++i) {
        const auto& level = statistics.levels.levels[i];
        const bool core = i + 1 == statistics.levels.levels.size();
        table.add({fmt::format("{}{}", i + 1, core ? " (core graph)" : ""), grouped(level.vertices),
                   grouped(level.edges)});
    }
    return facts.text() + '\n' + table.text();
}

std::string size_facts(const subgoal::Index& index, const subgoal::IndexStatistics& statistics) {
    const auto line = [&](std::size_t bytes) {
        return fmt::format("{:>8}   {} bytes a cell", byte_size(static_cast<double>(bytes)),
                           significant(share(bytes, index)));
    };
    Facts facts;
    facts.add("obstacles, subgoals as bits", line(statistics.bit_bytes));
    facts.add("subgoal graph", line(statistics.graph_bytes));
    if (index.complete()) facts.add("connectors", line(statistics.connector_bytes));
    facts.add("N-level graph", line(statistics.level_bytes));
    if (index.has_labels()) {
        facts.add("cut labels", line(statistics.label_bytes));
    } else if (index.options().labels) {
        facts.add("cut labels", "none: " + index.labels_status().message);
    }
    facts.add("in all", line(statistics.bytes()));
    return facts.text();
}

Json options_json(const subgoal::Options& options) {
    return {{"edges", word(kEdgeNames, options.edges)},
            {"prune", options.prune},
            {"levels", options.levels},
            {"extra_edges", word(kExtraEdgeNames, options.extra_edges)},
            {"order", word(kOrderNames, options.order)},
            {"labels", options.labels},
            {"label_bytes", options.label_bytes}};
}

std::string options_text(const subgoal::Options& options) {
    return fmt::format("--planner subgoal --edges {}{} --levels {} --extra-edges {} --order {}{}",
                       word(kEdgeNames, options.edges), options.prune ? "" : " --no-prune",
                       options.levels, word(kExtraEdgeNames, options.extra_edges),
                       word(kOrderNames, options.order), options.labels ? "" : " --no-labels");
}

Json index_json(const subgoal::Index& index, const subgoal::IndexStatistics& statistics) {
    Json levels = Json::array();
    for (const auto& level : statistics.levels.levels) {
        levels.push_back(
            {{"level", levels.size() + 1}, {"subgoals", level.vertices}, {"edges", level.edges}});
    }
    return {{"planner", "subgoal"},
            {"options", options_json(index.options())},
            {"subgoals", statistics.subgoals},
            {"edges", statistics.edges},
            {"taut_edges", statistics.taut_edges},
            {"extra_edges", statistics.levels.extra_edges},
            {"levels", std::move(levels)},
            {"complete", index.complete()},
            {"has_labels", index.has_labels()},
            {"bytes",
             {{"bits", statistics.bit_bytes},
              {"graph", statistics.graph_bytes},
              {"connectors", statistics.connector_bytes},
              {"levels", statistics.level_bytes},
              {"labels", statistics.label_bytes},
              {"total", statistics.bytes()},
              {"per_cell", share(statistics.bytes(), index)}}}};
}

std::string file_text(const std::string& file, const IndexFileInfo& info,
                      const subgoal::Options& options) {
    const auto size = [](std::uint64_t bytes) { return byte_size(static_cast<double>(bytes)); };
    Facts facts;
    facts.add("index file",
              fmt::format("{}, subgoal graph, format version {}", file, info.format_version));
    facts.add("for a map of", fmt::format("{} x {} cells, fingerprint {:016x}", info.width,
                                          info.height, info.map_fingerprint));
    facts.add("built with", options_text(options));
    facts.add("subgoal graph", size(info.section_bytes("subgoals")));
    facts.add("N-level graph", info.has_section("levels/arcs") ? size(info.section_bytes("levels"))
                                                               : "none: saved after an edit");
    facts.add("cut labels",
              info.has_section("labels/nodes") ? size(info.section_bytes("labels")) : "none");
    facts.add("file", size(info.file_bytes));
    return facts.text();
}

Json file_json(const std::string& file, const IndexFileInfo& info,
               const subgoal::Options& options) {
    return {{"file", file},
            {"planner", "subgoal"},
            {"version", info.format_version},
            {"width", info.width},
            {"height", info.height},
            {"map_fingerprint", fmt::format("{:016x}", info.map_fingerprint)},
            {"options", options_json(options)},
            {"complete", info.has_section("levels/arcs")},
            {"has_labels", info.has_section("labels/nodes")},
            {"bytes",
             {{"graph", info.section_bytes("subgoals")},
              {"levels", info.section_bytes("levels")},
              {"labels", info.section_bytes("labels")},
              {"file", info.file_bytes}}}};
}

Json graph_json(const subgoal::Index& index) {
    const std::vector<grid::Cell> cells = subgoal::subgoals(index);
    const auto position = [&](grid::Cell cell) {
        return std::lower_bound(cells.begin(), cells.end(), cell) - cells.begin();
    };
    Json out{{"subgoals", Json::array()}, {"edges", Json::array()}};
    for (const grid::Cell cell : cells) {
        const grid::Point p = index.map().point(cell);
        out["subgoals"].push_back(Json::array({p.x, p.y}));
    }
    for (const subgoal::SubgoalEdge& edge : subgoal::edges(index)) {
        out["edges"].push_back(
            {{"a", position(edge.a)}, {"b", position(edge.b)}, {"taut", edge.taut}});
    }
    return out;
}

}  // namespace cairn::app

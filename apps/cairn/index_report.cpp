#include "index_report.hpp"

#include <array>

#include "text.hpp"

namespace cairn::app {
namespace {

constexpr std::array<const char*, 3> kTransitionNames{"by-width", "middle", "every"};
constexpr std::array<const char*, 3> kDiagonalNames{"needed", "none", "every"};
constexpr std::array<const char*, 3> kCornerNames{"strict", "both-blocked", "free"};

const char* transitions_name(const hpa::Options& options) {
    return kTransitionNames[static_cast<std::size_t>(options.transitions)];
}

const char* diagonals_name(const hpa::Options& options) {
    return kDiagonalNames[static_cast<std::size_t>(options.diagonals)];
}

int neighbours(const grid::MoveRules& rules) {
    return rules.neighbourhood == grid::Neighbourhood::four ? 4 : 8;
}

}  // namespace

std::string level_table(const hpa::IndexStatistics& statistics) {
    Table table({"level", "clusters", "nodes", "inter-edges", "intra-edges", "size"});
    table.add(
        {"0 (map)", "", grouped(statistics.map_nodes), "", grouped(statistics.map_edges), ""});
    for (const auto& level : statistics.levels) {
        table.add({fmt::format("{}", level.level), grouped(level.clusters), grouped(level.nodes),
                   grouped(level.inter_edges), grouped(level.intra_edges),
                   byte_size(static_cast<double>(level.bytes))});
    }
    return table.text();
}

std::string size_facts(const hpa::Index& index, const hpa::IndexStatistics& statistics) {
    const auto cells = static_cast<double>(index.map().size());
    const auto line = [cells](std::size_t bytes) {
        const auto b = static_cast<double>(bytes);
        return fmt::format("{:>8}   {} bytes a cell", byte_size(b), significant(b / cells));
    };
    Facts facts;
    facts.add("graph", line(statistics.graph_bytes));
    facts.add("components", line(statistics.component_bytes));
    if (index.options().move_tables) facts.add("move tables", line(statistics.table_bytes));
    if (index.has_labels()) {
        facts.add("cut labels", line(statistics.label_bytes));
    } else if (index.options().labels && !index.labels_status().ok()) {
        facts.add("cut labels", "none: " + index.labels_status().message);
    }
    facts.add("in all", line(statistics.bytes()));
    return facts.text();
}

Json options_json(const hpa::Options& options) {
    return {{"cluster_size", options.cluster_size},   {"levels", options.levels},
            {"branching", options.branching},         {"transitions", transitions_name(options)},
            {"wide_entrance", options.wide_entrance}, {"diagonals", diagonals_name(options)},
            {"tables", options.move_tables},          {"labels", options.labels}};
}

std::string options_text(const hpa::Options& options) {
    return fmt::format(
        "--cluster-size {} --levels {} --branching {} --transitions {} "
        "--wide-entrance {} --diagonals {}{}{}",
        options.cluster_size, options.levels, options.branching, transitions_name(options),
        options.wide_entrance, diagonals_name(options), options.move_tables ? "" : " --no-tables",
        options.labels ? "" : " --no-labels");
}

Json index_json(const hpa::Index& index, const hpa::IndexStatistics& statistics) {
    Json levels = Json::array();
    for (const auto& level : statistics.levels) {
        levels.push_back({{"level", level.level},
                          {"clusters", level.clusters},
                          {"nodes", level.nodes},
                          {"inter_edges", level.inter_edges},
                          {"intra_edges", level.intra_edges},
                          {"bytes", level.bytes}});
    }
    return {{"planner", "hpa"},
            {"options", options_json(index.options())},
            {"levels", std::move(levels)},
            {"map_nodes", statistics.map_nodes},
            {"map_edges", statistics.map_edges},
            {"abstract_nodes", statistics.abstract_nodes},
            {"inter_edges", statistics.inter_edges},
            {"intra_edges", statistics.intra_edges},
            {"overhead_percent", statistics.overhead_percent},
            {"has_labels", index.has_labels()},
            {"bytes",
             {{"graph", statistics.graph_bytes},
              {"components", statistics.component_bytes},
              {"tables", statistics.table_bytes},
              {"labels", statistics.label_bytes},
              {"total", statistics.bytes()},
              {"per_cell", static_cast<double>(statistics.bytes()) /
                               static_cast<double>(index.map().size())}}}};
}

std::string rules_text(const grid::MoveRules& rules, const CostModel& costs) {
    return fmt::format("{} neighbours, corners {}, costs {},{}", neighbours(rules),
                       kCornerNames[static_cast<std::size_t>(rules.corner)], costs.straight,
                       costs.diagonal);
}

Json rules_json(const grid::MoveRules& rules, const CostModel& costs) {
    return {{"neighbours", neighbours(rules)},
            {"corners", kCornerNames[static_cast<std::size_t>(rules.corner)]},
            {"costs", {costs.straight, costs.diagonal}}};
}

std::string map_text(const grid::Map& map) {
    return fmt::format("{} x {} cells, {} free, {}{}", map.width(), map.height(),
                       grouped(map.free_cells()),
                       rules_text(map.options().rules, map.options().costs),
                       map.uniform() ? "" : ", weighted terrain");
}

Json map_json(const grid::Map& map) {
    Json out{{"width", map.width()}, {"height", map.height()}, {"free_cells", map.free_cells()}};
    out.update(rules_json(map.options().rules, map.options().costs));
    out["uniform"] = map.uniform();
    return out;
}

}  // namespace cairn::app

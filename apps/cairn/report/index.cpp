#include "report/index.hpp"
#include "cairn/index_file.hpp"

#include <algorithm>
#include <array>

#include "options/haa.hpp"
#include "text.hpp"

namespace cairn::app {

namespace {

constexpr std::array<const char*, 3> kCornerNames{"strict", "both-blocked", "free"};

template <std::size_t N, class Enum>
const char* word(const std::array<const char*, N>& names, Enum value) {
    return names[static_cast<std::size_t>(value)];
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

namespace {

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

namespace {

constexpr std::array<const char*, 2> kAnchorNames{"top-left", "centred"};

double share(std::size_t bytes, std::size_t cells) {
    return static_cast<double>(bytes) / static_cast<double>(cells);
}

Json capabilities_json(const haa::AnnotationOptions& annotation) {
    Json out = Json::array();
    for (const haa::Capability& capability : annotation.capabilities)
        out.push_back(capability_text(capability));
    return out;
}

/// The cells that agents of size 1 with at least one of the capabilities can stand on.
std::size_t usable_cells(const haa::AnnotatedMap& map) {
    std::size_t count = 0;
    const auto capabilities = static_cast<std::uint32_t>(map.options().capabilities.size());
    for (grid::Cell c = 0; c < map.size(); ++c) {
        for (std::uint32_t k = 0; k < capabilities; ++k) {
            if (map.clearance(k, c) == 0) continue;
            ++count;
            break;
        }
    }
    return count;
}

Json levels_json(const std::vector<hpa::LevelStatistics>& levels) {
    Json out = Json::array();
    for (const hpa::LevelStatistics& level : levels) {
        out.push_back({{"level", level.level},
                       {"nodes", level.nodes},
                       {"inter_edges", level.inter_edges},
                       {"intra_edges", level.intra_edges}});
    }
    return out;
}

}  // namespace

Result<std::vector<AgentShare>> shares_of_agents(const haa::Index& index) {
    std::vector<AgentShare> out;
    out.reserve(index.map().classes());
    for (std::uint32_t number = 0; number < index.map().classes(); ++number) {
        const haa::Agent agent = index.map().agent(number);
        const auto view = index.view(agent);
        if (!view) return tl::unexpected(view.error());
        out.push_back({agent, view->map().free_cells(), view->statistics().levels});
    }
    return out;
}

std::string level_table(const haa::Index& index, const haa::IndexStatistics& statistics,
                        const std::vector<AgentShare>& shares) {
    Facts facts;
    facts.add("clusters", grouped(statistics.clusters));
    facts.add("nodes", grouped(statistics.nodes));
    facts.add("inter-edges", grouped(statistics.inter_edges));
    facts.add("intra-edges",
              fmt::format("{}, each for some of the agents", grouped(statistics.intra_edges)));
    Table table({"agent", "places", "level", "nodes", "inter-edges", "intra-edges"});
    for (const AgentShare& of : shares) {
        for (const hpa::LevelStatistics& level : of.levels) {
            const bool first = level.level == 1;
            table.add({first ? agent_text(index.map(), of.agent) : "",
                       first ? grouped(of.places) : "", fmt::format("{}", level.level),
                       grouped(level.nodes), grouped(level.inter_edges),
                       grouped(level.intra_edges)});
        }
    }
    return facts.text() + "\nwhat each agent uses of it:\n\n" + table.text();
}

std::string size_facts(const haa::Index& index, const haa::IndexStatistics& statistics) {
    const auto line = [&](std::size_t bytes) {
        return fmt::format("{:>8}   {} bytes a cell", byte_size(static_cast<double>(bytes)),
                           significant(share(bytes, index.map().size())));
    };
    Facts facts;
    facts.add("abstraction", line(statistics.graph_bytes));
    facts.add("terrain and clearances", line(statistics.map_bytes));
    facts.add("in all", line(statistics.graph_bytes + statistics.map_bytes));
    return facts.text();
}

Json options_json(const haa::Options& options, const haa::AnnotationOptions& annotation) {
    Json out = options_json(options);
    out["capabilities"] = capabilities_json(annotation);
    out["max_size"] = annotation.max_size;
    out["anchor"] = word(kAnchorNames, annotation.anchor);
    return out;
}

std::string options_text(const haa::Options& options, const haa::AnnotationOptions& annotation) {
    std::string capabilities;
    for (const haa::Capability& capability : annotation.capabilities)
        capabilities += (capabilities.empty() ? "" : ",") + capability_text(capability);
    return fmt::format("--capabilities {} --max-size {} --anchor {} {}", capabilities,
                       annotation.max_size, word(kAnchorNames, annotation.anchor),
                       options_text(options));
}

Json index_json(const haa::Index& index, const haa::IndexStatistics& statistics,
                const std::vector<AgentShare>& shares) {
    Json agents = Json::array();
    for (const AgentShare& of : shares) {
        agents.push_back({{"agent", agent_text(index.map(), of.agent)},
                          {"size", of.agent.size},
                          {"places", of.places},
                          {"levels", levels_json(of.levels)}});
    }
    const std::size_t total = statistics.graph_bytes + statistics.map_bytes;
    return {{"planner", "haa"},
            {"options", options_json(index.options(), index.map().options())},
            {"classes", index.map().classes()},
            {"clusters", statistics.clusters},
            {"abstract_nodes", statistics.nodes},
            {"inter_edges", statistics.inter_edges},
            {"intra_edges", statistics.intra_edges},
            {"agents", std::move(agents)},
            {"bytes",
             {{"graph", statistics.graph_bytes},
              {"map", statistics.map_bytes},
              {"total", total},
              {"per_cell", share(total, index.map().size())}}}};
}

std::string map_text(const haa::AnnotatedMap& map) {
    return fmt::format("{} x {} cells, {} free for some agent, {} agent classes, {}", map.width(),
                       map.height(), grouped(usable_cells(map)), map.classes(),
                       rules_text(map.options().rules, map.options().costs));
}

Json map_json(const haa::AnnotatedMap& map) {
    Json out{{"width", map.width()}, {"height", map.height()}, {"free_cells", usable_cells(map)}};
    out.update(rules_json(map.options().rules, map.options().costs));
    return out;
}

std::string file_text(const std::string& file, const IndexFileInfo& info,
                      const std::string& options) {
    const auto size = [](std::uint64_t bytes) { return byte_size(static_cast<double>(bytes)); };
    Facts facts;
    facts.add("index file", fmt::format("{}, format version {}", file, info.format_version));
    facts.add(info.holds_map ? "of a map of" : "for a map of",
              fmt::format("{} x {} cells, fingerprint {:016x}", info.width, info.height,
                          info.map_fingerprint));
    facts.add("built with", fmt::format("--planner {} {}", info.kind, options));
    for (const IndexFileSection& section : info.sections)
        facts.add(section.name, size(section.bytes));
    facts.add("file", size(info.file_bytes));
    return facts.text();
}

Json file_json(const std::string& file, const IndexFileInfo& info, const Json& options) {
    Json bytes = Json::object();
    for (const IndexFileSection& section : info.sections) bytes[section.name] = section.bytes;
    bytes["file"] = info.file_bytes;
    return {{"file", file},
            {"planner", info.kind},
            {"version", info.format_version},
            {"width", info.width},
            {"height", info.height},
            {"map_fingerprint", fmt::format("{:016x}", info.map_fingerprint)},
            {"options", options},
            {"has_labels", info.has_section("labels/nodes")},
            {"bytes", bytes}};
}

namespace {

template <class Index>
Result<std::string> text_of(const Index& index) {
    const auto statistics = index.statistics();
    return level_table(statistics) + '\n' + size_facts(index, statistics);
}
Result<std::string> text_of(const haa::Index& index) {
    const auto statistics = index.statistics();
    const auto shares = shares_of_agents(index);
    if (!shares) return tl::unexpected(shares.error());
    return level_table(index, statistics, *shares) + '\n' + size_facts(index, statistics);
}

template <class Index>
Result<Json> json_of(const Index& index) {
    return index_json(index, index.statistics());
}
Result<Json> json_of(const haa::Index& index) {
    const auto statistics = index.statistics();
    const auto shares = shares_of_agents(index);
    if (!shares) return tl::unexpected(shares.error());
    return index_json(index, statistics, *shares);
}

template <class Index>
std::string options_of(const Index& index) {
    return options_text(index.options());
}
std::string options_of(const haa::Index& index) {
    return options_text(index.options(), index.map().options());
}

}  // namespace

std::string map_text(const AnyIndex& index) {
    return visit_index(index, [](const auto& i) { return map_text(i.map()); });
}

Json map_json(const AnyIndex& index) {
    return visit_index(index, [](const auto& i) { return map_json(i.map()); });
}

std::string options_text(const AnyIndex& index) {
    return fmt::format("--planner {} {}", index.planner().name,
                       visit_index(index, [](const auto& i) { return options_of(i); }));
}

Result<std::string> index_text(const AnyIndex& index) {
    return visit_index(index, [](const auto& i) { return text_of(i); });
}

Result<Json> index_json(const AnyIndex& index) {
    return visit_index(index, [](const auto& i) { return json_of(i); });
}

}  // namespace cairn::app

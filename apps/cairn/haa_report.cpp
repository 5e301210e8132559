#include "haa_report.hpp"

#include <array>

#include "haa_options.hpp"
#include "index_report.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

constexpr std::array<const char*, 3> kAbstractionNames{"initial", "high", "low"};
constexpr std::array<const char*, 4> kTransitionNames{"by-width", "middle", "every",
                                                      "best-clearance"};
constexpr std::array<const char*, 2> kAnchorNames{"top-left", "centred"};

template <std::size_t N, class Enum>
const char* word(const std::array<const char*, N>& names, Enum value) {
    return names[static_cast<std::size_t>(value)];
}

double share(std::size_t bytes, std::size_t cells) {
    return static_cast<double>(bytes) / static_cast<double>(cells);
}

Json capabilities_json(const haa::AnnotationOptions& annotation) {
    Json out = Json::array();
    for (const haa::Capability& capability : annotation.capabilities)
        out.push_back(capability_text(capability));
    return out;
}

/// The cells that agents of size 1 and some capability can stand on.
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
    return {{"cluster_size", options.cluster_size},
            {"levels", options.levels},
            {"branching", options.branching},
            {"abstraction", word(kAbstractionNames, options.abstraction)},
            {"transitions", word(kTransitionNames, options.transitions)},
            {"wide_entrance", options.wide_entrance},
            {"shift", options.shift},
            {"reach", options.reach},
            {"tables", options.move_tables},
            {"labels", options.labels},
            {"capabilities", capabilities_json(annotation)},
            {"max_size", annotation.max_size},
            {"anchor", word(kAnchorNames, annotation.anchor)}};
}

std::string options_text(const haa::Options& options, const haa::AnnotationOptions& annotation) {
    std::string capabilities;
    for (const haa::Capability& capability : annotation.capabilities)
        capabilities += (capabilities.empty() ? "" : ",") + capability_text(capability);
    return fmt::format(
        "--planner haa --capabilities {} --max-size {} --anchor {} --abstraction {} "
        "--cluster-size {} --levels {} --branching {} --transitions {} --wide-entrance {} "
        "--shift {} --reach {}{}{}",
        capabilities, annotation.max_size, word(kAnchorNames, annotation.anchor),
        word(kAbstractionNames, options.abstraction), options.cluster_size, options.levels,
        options.branching, word(kTransitionNames, options.transitions), options.wide_entrance,
        options.shift, options.reach, options.move_tables ? "" : " --no-tables",
        options.labels ? "" : " --no-labels");
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

std::string file_text(const std::string& file, const IndexFileInfo& info, const haa::Index& index) {
    const auto size = [](std::uint64_t bytes) { return byte_size(static_cast<double>(bytes)); };
    Facts facts;
    facts.add("index file", fmt::format("{}, HAA*, format version {}", file, info.format_version));
    facts.add("of a map of", fmt::format("{} x {} cells, fingerprint {:016x}", info.width,
                                         info.height, info.map_fingerprint));
    facts.add("built with", options_text(index.options(), index.map().options()));
    facts.add("terrain", size(info.section_bytes("terrain")));
    facts.add("abstraction", size(info.section_bytes("clusters")));
    facts.add("file", size(info.file_bytes));
    return facts.text();
}

Json file_json(const std::string& file, const IndexFileInfo& info, const haa::Index& index) {
    return {{"file", file},
            {"planner", "haa"},
            {"version", info.format_version},
            {"width", info.width},
            {"height", info.height},
            {"map_fingerprint", fmt::format("{:016x}", info.map_fingerprint)},
            {"options", options_json(index.options(), index.map().options())},
            {"bytes",
             {{"terrain", info.section_bytes("terrain")},
              {"graph", info.section_bytes("clusters")},
              {"file", info.file_bytes}}}};
}

}  // namespace cairn::app

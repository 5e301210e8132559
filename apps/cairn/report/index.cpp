#include "report/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/hna/worst_case.hpp"
#include "cairn/mesh/reachability.hpp"
#include "options/fields.hpp"
#include "options/haa.hpp"
#include "options/planner.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// The name of an enumerator.
template <std::size_t N, class Enum>
const char* word(const std::array<const char*, N>& names, Enum value) {
    return names.at(static_cast<std::size_t>(value));
}

// Bytes.

/// A part of an index, with its names in the text and in the JSON.
struct Part {
    const char* label;   ///< in the text; empty: left out of it
    const char* member;  ///< in the JSON
    std::size_t bytes = 0;
    std::string missing = {};  ///< why the index does not have it
    std::string note = {};     ///< behind the bytes
};

template <class Index, class Statistics>
Part labels_of(const Index& index, const Statistics& statistics) {
    Part part{"cut labels", "labels", statistics.label_bytes};
    if (!index.has_labels()) {
        if (!index.options().labels) part.label = "";
        part.missing = index.labels_status().message;
    } else if (statistics.label_piece > 0) {
        part.note = fmt::format(", none in pieces of up to {} nodes (see label_bytes)",
                                grouped(statistics.label_piece));
    }
    return part;
}

template <class Index>
Part closure_of(const Index& index, std::size_t bytes) {
    return {index.has_closure() ? "closure of the labels" : "", "closure", bytes};
}

std::vector<Part> parts_of(const hpa::Index& index, const hpa::IndexStatistics& statistics) {
    return {{"graph", "graph", statistics.graph_bytes},
            {"components", "components", statistics.component_bytes},
            {"node numbers", "numbers", statistics.number_bytes},
            {index.options().move_tables ? "move tables" : "", "tables", statistics.table_bytes},
            labels_of(index, statistics),
            closure_of(index, statistics.closure_bytes)};
}
std::vector<Part> parts_of(const subgoal::Index& index,
                           const subgoal::IndexStatistics& statistics) {
    return {{"obstacles, subgoals as bits", "bits", statistics.bit_bytes},
            {"subgoal graph", "graph", statistics.graph_bytes},
            {"connectors", "connectors", statistics.connector_bytes},
            {"N-level graph", "levels", statistics.level_bytes},
            labels_of(index, statistics),
            closure_of(index, statistics.closure_bytes)};
}
std::vector<Part> parts_of(const haa::Index& /*index*/, const haa::IndexStatistics& statistics) {
    return {{"abstraction", "graph", statistics.graph_bytes},
            {"terrain and clearances", "map", statistics.map_bytes}};
}
std::vector<Part> parts_of(const hna::Index& index, const hna::IndexStatistics& statistics) {
    return {{"partition", "partition", statistics.partition_bytes},
            {"graph", "graph", statistics.graph_bytes},
            {"rows", "rows", statistics.row_bytes},
            {"PCCP", "pccp", statistics.pccp_bytes},
            labels_of(index, statistics),
            closure_of(index, statistics.closure_bytes),
            {"location", "location", statistics.reach_bytes}};
}

std::size_t total(const std::vector<Part>& parts) {
    std::size_t bytes = 0;
    for (const Part& part : parts) bytes += part.bytes;
    return bytes;
}

/// A line for each part and one for the total. `count`: the number of cells or polygons.
std::string size_facts(const std::vector<Part>& parts, std::size_t count, const char* unit) {
    const auto line = [&](std::size_t bytes) {
        const auto b = static_cast<double>(bytes);
        return fmt::format("{:>8}   {} bytes a {}", byte_size(b),
                           significant(b / static_cast<double>(count)), unit);
    };
    Facts facts;
    for (const Part& part : parts) {
        if (*part.label == '\0') continue;
        facts.add(part.label,
                  part.missing.empty() ? line(part.bytes) + part.note : "none: " + part.missing);
    }
    facts.add("in all", line(total(parts)));
    return facts.text();
}

Json size_json(const std::vector<Part>& parts) {
    Json out;
    for (const Part& part : parts) out[part.member] = part.bytes;
    out["total"] = total(parts);
    return out;
}

// Maps.

int neighbours(const grid::MoveRules& rules) {
    return rules.neighbourhood == grid::Neighbourhood::four ? 4 : 8;
}

constexpr std::array<const char*, 3> kCornerNames{"strict", "both-blocked", "free"};

/// "8 neighbours, corners strict, costs 408,577".
std::string rules_text(const grid::MoveRules& rules, const CostModel& costs) {
    return fmt::format("{} neighbours, corners {}, costs {},{}", neighbours(rules),
                       word(kCornerNames, rules.corner), costs.straight, costs.diagonal);
}

std::size_t free_cells(const grid::Map& map) { return map.free_cells(); }
/// The cells that agents of size 1 with at least one of the capabilities can stand on.
std::size_t free_cells(const haa::AnnotatedMap& map) {
    std::size_t count = 0;
    const auto capabilities = static_cast<std::uint32_t>(map.options().capabilities.size());
    for (grid::Cell c = 0; c < map.size(); ++c) {
        std::uint32_t k = 0;
        while (k < capabilities && map.clearance(k, c) == 0) ++k;
        count += k < capabilities ? 1 : 0;
    }
    return count;
}

std::string text_of_map(const grid::Map& map) {
    return fmt::format("{} x {} cells, {} free, {}{}", map.width(), map.height(),
                       grouped(free_cells(map)),
                       rules_text(map.options().rules, map.options().costs),
                       map.uniform() ? "" : ", weighted terrain");
}
std::string text_of_map(const haa::AnnotatedMap& map) {
    return fmt::format("{} x {} cells, {} free for some agent, {} agent classes, {}", map.width(),
                       map.height(), grouped(free_cells(map)), map.classes(),
                       rules_text(map.options().rules, map.options().costs));
}

template <class Map>
Json json_of_map(const Map& map) {
    const auto& options = map.options();
    Json out{{"width", map.width()},
             {"height", map.height()},
             {"free_cells", free_cells(map)},
             {"neighbours", neighbours(options.rules)},
             {"corners", word(kCornerNames, options.rules.corner)},
             {"costs", {options.costs.straight, options.costs.diagonal}}};
    if constexpr (std::same_as<Map, grid::Map>) out["uniform"] = map.uniform();
    return out;
}

// Graphs: tables as text, and the members of JSON between the options and the bytes.

/// Table 2 of the HPA* paper, a row for each level: nodes (N), inter-edges (E1), intra-edges (E2).
Result<std::string> graph_text(const hpa::Index& /*index*/,
                               const hpa::IndexStatistics& statistics) {
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

Result<Json> graph_members(const hpa::Index& index, const hpa::IndexStatistics& statistics) {
    const auto level_json = [](const hpa::LevelStatistics& level) {
        return Json{{"level", level.level},
                    {"clusters", level.clusters},
                    {"nodes", level.nodes},
                    {"inter_edges", level.inter_edges},
                    {"intra_edges", level.intra_edges},
                    {"bytes", level.bytes}};
    };
    return Json{{"levels", mapped(statistics.levels, level_json)},
                {"map_nodes", statistics.map_nodes},
                {"map_edges", statistics.map_edges},
                {"abstract_nodes", statistics.abstract_nodes},
                {"inter_edges", statistics.inter_edges},
                {"intra_edges", statistics.intra_edges},
                {"overhead_percent", statistics.overhead_percent},
                {"has_labels", index.has_labels()},
                {"label_piece", statistics.label_piece}};
}

/// Subgoals and edges, then a row for each level of the N-level graph.
Result<std::string> graph_text(const subgoal::Index& /*index*/,
                               const subgoal::IndexStatistics& statistics) {
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

Result<Json> graph_members(const subgoal::Index& index,
                           const subgoal::IndexStatistics& statistics) {
    Json levels = Json::array();
    for (const auto& level : statistics.levels.levels) {
        levels.push_back(
            {{"level", levels.size() + 1}, {"subgoals", level.vertices}, {"edges", level.edges}});
    }
    return Json{
        {"subgoals", statistics.subgoals},     {"edges", statistics.edges},
        {"taut_edges", statistics.taut_edges}, {"extra_edges", statistics.levels.extra_edges},
        {"levels", std::move(levels)},         {"complete", index.complete()},
        {"has_labels", index.has_labels()},    {"label_piece", statistics.label_piece}};
}

/// The part of the abstraction that an agent class uses.
struct AgentShare {
    haa::Agent agent;
    std::size_t places = 0;  ///< cells where its anchor can be
    std::vector<hpa::LevelStatistics> levels;
};

/// The share of each agent class, in the order of all_agents. Makes the views of all classes.
/// Errors: as haa::Index::view.
Result<std::vector<AgentShare>> shares_of_agents(const haa::Index& index) {
    std::vector<AgentShare> out;
    out.reserve(index.map().classes());
    for (const haa::Agent agent : all_agents(index.map())) {
        const auto view = index.view(agent);
        if (!view) return tl::unexpected(view.error());
        out.push_back({agent, view->map().free_cells(), view->statistics().value().levels});
    }
    return out;
}

/// Clusters, nodes and edges, then a row for each level of each agent class.
Result<std::string> graph_text(const haa::Index& index, const haa::IndexStatistics& statistics) {
    const auto shares = shares_of_agents(index);
    if (!shares) return tl::unexpected(shares.error());
    Facts facts;
    facts.add("clusters", grouped(statistics.clusters));
    facts.add("nodes", grouped(statistics.nodes));
    facts.add("inter-edges", grouped(statistics.inter_edges));
    facts.add("intra-edges",
              fmt::format("{}, each for some of the agents", grouped(statistics.intra_edges)));
    Table table({"agent", "places", "level", "nodes", "inter-edges", "intra-edges"});
    for (const AgentShare& share : *shares) {
        for (const hpa::LevelStatistics& level : share.levels) {
            const bool first = level.level == 1;
            table.add({first ? agent_text(index.map(), share.agent) : "",
                       first ? grouped(share.places) : "", fmt::format("{}", level.level),
                       grouped(level.nodes), grouped(level.inter_edges),
                       grouped(level.intra_edges)});
        }
    }
    return facts.text() + "\nwhat each agent uses of it:\n\n" + table.text();
}

Result<Json> graph_members(const haa::Index& index, const haa::IndexStatistics& statistics) {
    const auto shares = shares_of_agents(index);
    if (!shares) return tl::unexpected(shares.error());
    Json agents = Json::array();
    for (const AgentShare& share : *shares) {
        const auto levels = mapped(share.levels, [](const hpa::LevelStatistics& level) {
            return Json{{"level", level.level},
                        {"nodes", level.nodes},
                        {"inter_edges", level.inter_edges},
                        {"intra_edges", level.intra_edges}};
        });
        agents.push_back({{"agent", agent_text(index.map(), share.agent)},
                          {"size", share.agent.size},
                          {"places", share.places},
                          {"levels", levels}});
    }
    return Json{{"classes", index.map().classes()},      {"clusters", statistics.clusters},
                {"abstract_nodes", statistics.nodes},    {"inter_edges", statistics.inter_edges},
                {"intra_edges", statistics.intra_edges}, {"agents", std::move(agents)}};
}

constexpr std::array<const char*, 2> kAnchorNames{"top-left", "centred"};

template <class Index>
std::string text_of_options(const Index& index) {
    return options_text(index.options());
}
std::string text_of_options(const haa::Index& index) {
    const haa::AnnotationOptions& annotation = index.map().options();
    return fmt::format("--capabilities {} --max-size {} --anchor {} {}",
                       fmt::join(capability_texts(annotation), ","), annotation.max_size,
                       word(kAnchorNames, annotation.anchor), options_text(index.options()));
}

template <class Index>
Json json_of_options(const Index& index) {
    Json out = options_json(index.options());
    if constexpr (std::same_as<Index, haa::Index>) {
        const haa::AnnotationOptions& annotation = index.map().options();
        out["capabilities"] = capability_texts(annotation);
        out["max_size"] = annotation.max_size;
        out["anchor"] = word(kAnchorNames, annotation.anchor);
    }
    return out;
}

}  // namespace

std::string map_text(const AnyIndex& index) {
    return visit_index(index, [](const auto& own) { return text_of_map(own.map()); });
}

Json map_json(const AnyIndex& index) {
    return visit_index(index, [](const auto& own) { return json_of_map(own.map()); });
}

std::string options_text(const AnyIndex& index) {
    return fmt::format("--planner {} {}", index.planner().name,
                       visit_index(index, [](const auto& own) { return text_of_options(own); }));
}

Result<std::string> index_text(const AnyIndex& index) {
    return visit_index(index, [](const auto& own) -> Result<std::string> {
        const auto statistics = own.statistics().value();
        auto tables = graph_text(own, statistics);
        if (!tables) return tables;
        return *tables + '\n' + size_facts(parts_of(own, statistics), own.map().size(), "cell");
    });
}

Result<Json> index_json(const AnyIndex& index) {
    return visit_index(index, [&](const auto& own) -> Result<Json> {
        const auto statistics = own.statistics().value();
        auto members = graph_members(own, statistics);
        if (!members) return members;
        Json out{{"planner", index.planner().name}, {"options", json_of_options(own)}};
        out.update(*members);
        const auto parts = parts_of(own, statistics);
        out["bytes"] = size_json(parts);
        out["bytes"]["per_cell"] =
            static_cast<double>(total(parts)) / static_cast<double>(own.map().size());
        return out;
    });
}

Json graph_json(const subgoal::Index& index) {
    const std::vector<grid::Cell> cells = subgoal::subgoals(index).value();
    const auto position = [&](grid::Cell cell) {  // cells ascend
        return std::lower_bound(cells.begin(), cells.end(), cell) - cells.begin();
    };
    const auto point = [&](grid::Cell cell) {
        const grid::Point p = index.map().point(cell);
        return Json::array({p.x, p.y});
    };
    const auto edge_json = [&](const subgoal::SubgoalEdge& edge) {
        return Json{{"a", position(edge.a)}, {"b", position(edge.b)}, {"taut", edge.taut}};
    };
    return {{"subgoals", mapped(cells, point)},
            {"edges", mapped(subgoal::edges(index).value(), edge_json)}};
}

std::string file_text(const std::string& file, const IndexFileInfo& info,
                      const std::string& options) {
    const auto size = [](std::uint64_t bytes) { return byte_size(static_cast<double>(bytes)); };
    Facts facts;
    facts.add("index file", fmt::format("{}, format version {}", file, info.format_version));
    facts.add(info.holds_map ? "of a map of" : "for a map of",
              fmt::format("{} x {} cells, fingerprint {:016x}", info.width, info.height,
                          info.map_fingerprint));
    facts.add("built with", options);
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

const char* scoring_name(const mesh::Mesh& mesh) {
    constexpr std::array kNames{"midpoints", "centres", "parts"};
    return word(kNames, mesh.options().scoring);
}

/// The number of portals before long ones were divided.
std::uint32_t whole_portals(const mesh::Mesh& mesh) {
    std::uint32_t count = 0;
    for (mesh::Portal p = 0; p < mesh.num_portals(); ++p) count += mesh.part(p) == 0 ? 1 : 0;
    return count;
}

/// Whether long portals are divided.
bool has_parts(const mesh::Mesh& mesh) {
    return mesh.options().scoring == mesh::Scoring::portal_parts;
}

struct AreaFacts {
    std::size_t polygons = 0;
    std::size_t blocked = 0;    ///< of these polygons
    std::optional<float> cost;  ///< std::nullopt if agents may not enter the area
};

/// The areas that have polygons, by number.
std::map<int, AreaFacts> areas_of(const mesh::Mesh& mesh) {
    std::map<int, AreaFacts> out;
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        AreaFacts& area = out[mesh.area(p)];
        ++area.polygons;
        if (mesh.blocked(p)) ++area.blocked;
        const float cost = mesh.options().area_costs[mesh.area(p)];
        if (std::isfinite(cost) && cost >= 0) area.cost = cost;
    }
    return out;
}

struct MeshCounts {
    std::size_t connections = 0;
    std::size_t blocked = 0;
    std::size_t most_corners = 0;
    std::size_t most_portals = 0;  // of one polygon
};

MeshCounts counts_of(const mesh::Mesh& mesh) {
    MeshCounts out;
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (mesh.is_connection(p)) ++out.connections;
        if (mesh.blocked(p)) ++out.blocked;
        out.most_corners = std::max(out.most_corners, mesh.corners(p).size());
        out.most_portals = std::max(out.most_portals, mesh.links(p).size());
    }
    return out;
}

/// The HNA* paper's bound on the inter-edges of a cluster. `most_portals`: of one polygon.
std::uint64_t bound(const hna::LevelStatistics& level, std::size_t most_portals) {
    return hna::most_inter_edges(level.most_polygons, most_portals);
}

}  // namespace

std::string point_text(const mesh::Point& point) {
    return fmt::format("{},{},{}", point.x, point.y, point.z);
}

Json point_json(const mesh::Point& point) { return {point.x, point.y, point.z}; }

/// A name for each kind of odd polygon.
constexpr std::array kOddities{std::pair(mesh::Oddity::no_area, "no_area"),
                               std::pair(mesh::Oddity::not_convex, "not_convex"),
                               std::pair(mesh::Oddity::folded, "folded")};

std::vector<mesh::Polygon> polygons_with(const mesh::Mesh& mesh, mesh::Oddity oddity) {
    std::vector<mesh::Polygon> found;
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (mesh.oddity(p) == oddity) found.push_back(p);
    }
    return found;
}

/// Which polygons are odd; empty if none is.
std::string odd_text(const mesh::Mesh& mesh) {
    constexpr std::size_t kShown = 10;
    std::string out;
    for (const auto& [oddity, name] : kOddities) {
        const auto found = polygons_with(mesh, oddity);
        if (found.empty()) continue;
        std::string words = oddity == mesh::Oddity::no_area ? "of no area" : name;
        std::replace(words.begin(), words.end(), '_', ' ');
        const auto shown = std::span(found).first(std::min(kShown, found.size()));
        out += fmt::format("{}{} {}: {}{}", out.empty() ? "" : "; ", grouped(found.size()), words,
                           fmt::join(shown, ", "), shown.size() < found.size() ? ", ..." : "");
    }
    return out;
}

std::string mesh_text(const mesh::Mesh& mesh) {
    const MeshCounts counts = counts_of(mesh);
    const auto reachability = mesh::Reachability::build(mesh).value();
    std::string out =
        fmt::format("{} polygons of {} corners at most, {} portals", grouped(mesh.num_polygons()),
                    counts.most_corners, grouped(mesh.num_portals()));
    if (counts.connections > 0) out += fmt::format(", {} connections", grouped(counts.connections));
    if (counts.blocked > 0) out += fmt::format(", {} blocked", grouped(counts.blocked));
    if (mesh.directed()) out += ", one-way portals";
    if (mesh.num_odd() > 0) out += fmt::format(", odd polygons ({})", odd_text(mesh));
    if (const auto points = mesh.num_point_portals(); points > 0)
        out += fmt::format(", {} portals that are points", grouped(points));
    if (reachability.count() > 1) {
        const double largest = static_cast<double>(reachability.size(reachability.largest()));
        out += fmt::format(", {} components, {:.1f} % of polygons in the largest",
                           grouped(reachability.count()), 100 * largest / mesh.num_polygons());
    }
    out += fmt::format(", scored by {}", scoring_name(mesh));
    if (has_parts(mesh)) {
        out += fmt::format(" of {} at most, of {} portals",
                           significant(mesh.options().longest_part), grouped(whole_portals(mesh)));
    }
    return out;
}

Json mesh_json(const mesh::Mesh& mesh) {
    const MeshCounts counts = counts_of(mesh);
    const auto reachability = mesh::Reachability::build(mesh).value();
    Json out{{"polygons", mesh.num_polygons()},
             {"portals", mesh.num_portals()},
             {"most_corners", counts.most_corners},
             {"most_portals", counts.most_portals},
             {"connections", counts.connections},
             {"blocked", counts.blocked},
             {"directed", mesh.directed()},
             {"components", reachability.count()},
             {"largest_component",
              reachability.count() == 0 ? 0 : reachability.size(reachability.largest())},
             {"scoring", scoring_name(mesh)},
             {"units_per_length", mesh.units_per_length()},
             {"fingerprint", fmt::format("{:016x}", mesh.fingerprint())}};
    for (const auto& [oddity, name] : kOddities)
        out["odd_polygons"][name] = polygons_with(mesh, oddity);
    out["point_portals"] = mesh.num_point_portals();
    if (has_parts(mesh)) {
        out["longest_part"] = mesh.options().longest_part;
        out["whole_portals"] = whole_portals(mesh);
    }
    out["areas"] = Json::array();
    for (const auto& [number, area] : areas_of(mesh)) {
        out["areas"].push_back({{"area", number},
                                {"polygons", area.polygons},
                                {"blocked", area.blocked},
                                {"cost", area.cost ? Json(*area.cost) : Json()}});
    }
    return out;
}

std::string area_table(const mesh::Mesh& mesh) {
    Table table({"area", "polygons", "blocked", "cost"});
    bool plain = true;
    for (const auto& [number, area] : areas_of(mesh)) {
        plain = plain && number == 0 && area.blocked == 0 && area.cost == 1.0F;
        table.add({fmt::format("{}", number), grouped(area.polygons), grouped(area.blocked),
                   area.cost ? fmt::format("{}", *area.cost) : "impassable"});
    }
    return plain ? "" : table.text();
}

std::string index_text(const hna::Index& index) {
    const hna::IndexStatistics statistics = index.statistics().value();
    const std::size_t most_portals = counts_of(index.mesh()).most_portals;
    Table table({"level", "clusters", "polygons", "inter-edges", "a cluster", "most", "bound",
                 "intra-edges", "size"});
    table.add({"0 (mesh)", "", grouped(statistics.polygons), grouped(statistics.portals), "", "",
               "", "", byte_size(static_cast<double>(statistics.mesh_bytes))});
    for (const auto& level : statistics.levels) {
        table.add({fmt::format("{}", level.level), grouped(level.clusters),
                   fmt::format("<= {}", grouped(level.most_polygons)), grouped(level.inter_edges),
                   significant(level.inter_edges_per_cluster), grouped(level.most_inter_edges),
                   grouped(bound(level, most_portals)), grouped(level.intra_edges),
                   byte_size(static_cast<double>(level.bytes))});
    }
    const std::size_t polygons = std::max<std::size_t>(1, statistics.polygons);
    return table.text() + '\n' + size_facts(parts_of(index, statistics), polygons, "polygon");
}

Json index_json(const hna::Index& index) {
    const hna::IndexStatistics statistics = index.statistics().value();
    const std::size_t most_portals = counts_of(index.mesh()).most_portals;
    const auto level_json = [&](const hna::LevelStatistics& level) {
        return Json{{"level", level.level},
                    {"clusters", level.clusters},
                    {"most_polygons", level.most_polygons},
                    {"inter_edges", level.inter_edges},
                    {"inter_edges_per_cluster", level.inter_edges_per_cluster},
                    {"most_inter_edges", level.most_inter_edges},
                    {"inter_edge_bound", bound(level, most_portals)},
                    {"intra_edges", level.intra_edges},
                    {"bytes", level.bytes}};
    };
    Json bytes{{"mesh", statistics.mesh_bytes}};
    bytes.update(size_json(parts_of(index, statistics)));
    return {{"planner", "hna"},
            {"options", options_json(index.options())},
            {"levels", mapped(statistics.levels, level_json)},
            {"has_labels", index.has_labels()},
            {"label_piece", statistics.label_piece},
            {"bytes", std::move(bytes)}};
}

}  // namespace cairn::app

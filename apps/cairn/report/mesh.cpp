#include "report/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cairn/hna/worst_case.hpp"
#include "cairn/mesh/reachability.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

const char* scoring_name(const mesh::Mesh& mesh) {
    constexpr std::array kNames{"midpoints", "centres", "parts"};
    return kNames.at(static_cast<std::size_t>(mesh.options().scoring));
}

std::uint32_t whole_portals(const mesh::Mesh& mesh) {
    std::uint32_t count = 0;
    for (mesh::Portal p = 0; p < mesh.num_portals(); ++p) count += mesh.part(p) == 0 ? 1 : 0;
    return count;
}

bool has_parts(const mesh::Mesh& mesh) {
    return mesh.options().scoring == mesh::Scoring::portal_parts;
}

struct AreaCount {
    std::size_t polygons = 0;
    std::size_t blocked = 0;
};

std::array<AreaCount, mesh::kAreas> areas_of(const mesh::Mesh& mesh) {
    std::array<AreaCount, mesh::kAreas> out{};
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        AreaCount& count = out[mesh.area(p)];
        ++count.polygons;
        if (mesh.blocked(p)) ++count.blocked;
    }
    return out;
}

struct MeshCounts {
    std::size_t connections = 0;
    std::size_t blocked = 0;
    std::size_t most_corners = 0;
    std::size_t most_portals = 0;  // of a polygon
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

/// The paper's bound, for the polygons of the largest cluster and the portals that they may have.
std::uint64_t bound(const hna::LevelStatistics& level, std::size_t most_portals) {
    return hna::most_inter_edges(level.most_polygons, most_portals);
}

std::string level_table(const hna::Index& index, const hna::IndexStatistics& statistics) {
    const std::size_t portals = counts_of(index.mesh()).most_portals;
    Table table({"level", "clusters", "polygons", "inter-edges", "a cluster", "most", "bound",
                 "intra-edges", "size"});
    table.add({"0 (mesh)", "", grouped(statistics.polygons), grouped(statistics.portals), "", "",
               "", "", byte_size(static_cast<double>(statistics.mesh_bytes))});
    for (const auto& level : statistics.levels) {
        table.add({fmt::format("{}", level.level), grouped(level.clusters),
                   fmt::format("<= {}", grouped(level.most_polygons)), grouped(level.inter_edges),
                   significant(level.inter_edges_per_cluster), grouped(level.most_inter_edges),
                   grouped(bound(level, portals)), grouped(level.intra_edges),
                   byte_size(static_cast<double>(level.bytes))});
    }
    return table.text();
}

std::string size_facts(const hna::Index& index, const hna::IndexStatistics& statistics) {
    const double polygons = std::max(1.0, static_cast<double>(statistics.polygons));
    const auto line = [polygons](std::size_t bytes) {
        const auto b = static_cast<double>(bytes);
        return fmt::format("{:>8}   {} bytes a polygon", byte_size(b), significant(b / polygons));
    };
    const auto part = [&](Facts& facts, const char* label, bool wanted, bool there,
                          std::size_t bytes, const Status& why) {
        if (there) {
            facts.add(label, line(bytes));
        } else if (wanted) {
            facts.add(label, "none: " + why.message);
        }
    };
    Facts facts;
    facts.add("partition", line(statistics.partition_bytes));
    facts.add("graph", line(statistics.graph_bytes));
    facts.add("rows", line(statistics.row_bytes));
    facts.add("PCCP", line(statistics.pccp_bytes));
    part(facts, "cut labels", index.options().labels, index.has_labels(), statistics.label_bytes,
         index.labels_status());
    facts.add("location", line(statistics.reach_bytes));
    facts.add("in all", line(statistics.bytes()));
    return facts.text();
}

}  // namespace

std::string point_text(const mesh::Point& point) {
    return fmt::format("{},{},{}", point.x, point.y, point.z);
}

Json point_json(const mesh::Point& point) { return {point.x, point.y, point.z}; }

std::string mesh_text(const mesh::Mesh& mesh) {
    const MeshCounts counts = counts_of(mesh);
    const auto reachability = mesh::Reachability::build(mesh);
    std::string out =
        fmt::format("{} polygons of {} corners at most, {} portals", grouped(mesh.num_polygons()),
                    counts.most_corners, grouped(mesh.num_portals()));
    if (counts.connections > 0) out += fmt::format(", {} connections", grouped(counts.connections));
    if (counts.blocked > 0) out += fmt::format(", {} blocked", grouped(counts.blocked));
    if (mesh.directed()) out += ", one-way portals";
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
    const auto reachability = mesh::Reachability::build(mesh);
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
    if (has_parts(mesh)) {
        out["longest_part"] = mesh.options().longest_part;
        out["whole_portals"] = whole_portals(mesh);
    }
    Json list = Json::array();
    const auto areas = areas_of(mesh);
    for (std::size_t a = 0; a < areas.size(); ++a) {
        if (areas[a].polygons == 0) continue;
        const float cost = mesh.options().area_costs[a];
        list.push_back({{"area", a},
                        {"polygons", areas[a].polygons},
                        {"blocked", areas[a].blocked},
                        {"cost", std::isfinite(cost) && cost >= 0 ? Json(cost) : Json()}});
    }
    out["areas"] = std::move(list);
    return out;
}

std::string area_table(const mesh::Mesh& mesh) {
    const auto areas = areas_of(mesh);
    Table table({"area", "polygons", "blocked", "cost"});
    bool plain = true;
    for (std::size_t a = 0; a < areas.size(); ++a) {
        if (areas[a].polygons == 0) continue;
        const float cost = mesh.options().area_costs[a];
        plain = plain && a == 0 && areas[a].blocked == 0 && cost == 1;
        table.add({fmt::format("{}", a), grouped(areas[a].polygons), grouped(areas[a].blocked),
                   std::isfinite(cost) && cost >= 0 ? fmt::format("{}", cost) : "impassable"});
    }
    return plain ? "" : table.text();
}

std::string index_text(const hna::Index& index) {
    const hna::IndexStatistics statistics = index.statistics();
    return level_table(index, statistics) + '\n' + size_facts(index, statistics);
}

Json index_json(const hna::Index& index) {
    const hna::IndexStatistics statistics = index.statistics();
    const std::size_t portals = counts_of(index.mesh()).most_portals;
    Json levels = Json::array();
    for (const auto& level : statistics.levels) {
        levels.push_back({{"level", level.level},
                          {"clusters", level.clusters},
                          {"most_polygons", level.most_polygons},
                          {"inter_edges", level.inter_edges},
                          {"inter_edges_per_cluster", level.inter_edges_per_cluster},
                          {"most_inter_edges", level.most_inter_edges},
                          {"inter_edge_bound", bound(level, portals)},
                          {"intra_edges", level.intra_edges},
                          {"bytes", level.bytes}});
    }
    return {{"planner", "hna"},
            {"options", options_json(index.options())},
            {"levels", std::move(levels)},
            {"has_labels", index.has_labels()},
            {"bytes",
             {{"mesh", statistics.mesh_bytes},
              {"partition", statistics.partition_bytes},
              {"graph", statistics.graph_bytes},
              {"rows", statistics.row_bytes},
              {"pccp", statistics.pccp_bytes},
              {"labels", statistics.label_bytes},
              {"location", statistics.reach_bytes},
              {"total", statistics.bytes()}}}};
}

}  // namespace cairn::app

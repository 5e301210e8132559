#include "hna/partition.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/connected_parts.hpp"
#include "navmesh/mesh_data.hpp"

namespace cairn::hna {
namespace {

using navmesh::Polygon;

/// The graph of the groups that `group_of` puts polygons into, an edge weighing as many portals as
/// it stands for, a node as many polygons.
WeightedGraph graph_of_groups(const navmesh::MeshData& mesh,
                              std::span<const std::uint32_t> group_of, std::uint32_t groups) {
    WeightedGraph graph;
    graph.node_weight.assign(groups, 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    edges.reserve(mesh.num_links());
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) ++graph.node_weight[group_of[p]];
    for (navmesh::Link link = 0; link < mesh.num_links(); ++link) {
        const std::uint32_t a = group_of[mesh.polygon_of(link)];
        const std::uint32_t b = group_of[mesh.polygon_of(navmesh::twin(link))];
        if (a != b) edges.emplace_back(a, b);
    }
    std::sort(edges.begin(), edges.end());
    graph.first_out.reserve(std::size_t{groups} + 1);
    graph.head.reserve(edges.size());
    graph.edge_weight.reserve(edges.size());
    auto edge = edges.begin();
    for (std::uint32_t group = 0; group < groups; ++group) {
        while (edge != edges.end() && edge->first == group) {
            const auto next = std::upper_bound(edge, edges.end(), *edge);
            graph.head.push_back(static_cast<std::int32_t>(edge->second));
            graph.edge_weight.push_back(static_cast<std::int32_t>(next - edge));
            edge = next;
        }
        graph.first_out.push_back(static_cast<std::int32_t>(graph.head.size()));
    }
    return graph;
}

}  // namespace

Partition::Partition(const navmesh::Mesh& mesh, const Options& options) {
    const navmesh::MeshData& data = mesh.data();
    const PartMethod method = options.partitioner == Partitioner::multilevel
                                  ? PartMethod::multilevel
                                  : PartMethod::growing;
    std::vector<std::uint32_t> groups(data.num_polygons());
    std::iota(groups.begin(), groups.end(), 0U);
    std::uint32_t count = data.num_polygons();
    for (int level = 1; level <= options.levels; ++level) {
        const Parts parts = connected_parts(graph_of_groups(data, groups, count),
                                            static_cast<std::uint32_t>(options.mu), method);
        for (std::uint32_t& group : groups) group = parts.of[group];
        add_level(parts.of, parts.count);
        levels_.back().of_polygon = groups;
        count = parts.count;
    }
}

Partition::Partition(std::span<const std::span<const std::uint32_t>> parents) {
    std::vector<std::uint32_t> groups;
    for (const std::span<const std::uint32_t> part_of_child : parents) {
        const auto highest = std::max_element(part_of_child.begin(), part_of_child.end());
        const std::uint32_t parts = highest == part_of_child.end() ? 0 : *highest + 1;
        if (levels_.empty()) {
            groups.assign(part_of_child.begin(), part_of_child.end());
        } else {
            for (std::uint32_t& group : groups) group = part_of_child[group];
        }
        add_level(part_of_child, parts);
        levels_.back().of_polygon = groups;
    }
}

void Partition::add_level(std::span<const std::uint32_t> part_of_child, std::uint32_t parts) {
    if (!levels_.empty()) levels_.back().parent.assign(part_of_child.begin(), part_of_child.end());
    Level level;
    level.first_child.assign(std::size_t{parts} + 1, 0);
    for (const std::uint32_t part : part_of_child) ++level.first_child[part + 1];
    std::partial_sum(level.first_child.begin(), level.first_child.end(), level.first_child.begin());
    level.children.resize(part_of_child.size());
    std::vector<std::uint32_t> next(level.first_child.begin(), level.first_child.end() - 1);
    for (std::uint32_t child = 0; child < part_of_child.size(); ++child)
        level.children[next[part_of_child[child]]++] = child;
    levels_.push_back(std::move(level));
}

void Partition::append_polygons(int level, std::uint32_t cluster,
                                std::vector<Polygon>& polygons) const {
    const auto all = children(level, cluster);
    if (level == 1) {
        polygons.insert(polygons.end(), all.begin(), all.end());
        return;
    }
    for (const std::uint32_t child : all) append_polygons(level - 1, child, polygons);
}

std::size_t Partition::bytes() const noexcept {
    std::size_t entries = 0;
    for (const Level& l : levels_)
        entries += l.of_polygon.size() + l.parent.size() + l.first_child.size() + l.children.size();
    return entries * sizeof(std::uint32_t);
}

}  // namespace cairn::hna

#include "hna/partition.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/separator/connected_parts.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::hna {
namespace {

using mesh::kNone;
using mesh::Polygon;

/// The graph whose nodes are groups of the polygons from `first` on: group_of[p - first] is the
/// group of polygon p, or kNone. A node weighs its number of polygons, an edge its number of
/// portals.
WeightedGraph graph_of_groups(const mesh::MeshData& mesh, Polygon first,
                              std::span<const std::uint32_t> group_of, std::uint32_t groups) {
    WeightedGraph graph;
    graph.node_weight.assign(groups, 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (Polygon p = first; p < mesh.num_polygons(); ++p) {
        const std::uint32_t group = group_of[p - first];
        if (group != kNone) ++graph.node_weight[group];
        for (const mesh::Link link : mesh.links(p)) {
            const Polygon across = mesh.polygon_of(mesh::twin(link));
            if (across >= first && group_of[across - first] != group)
                edges.emplace_back(group, group_of[across - first]);
        }
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

Partition::Partition(const mesh::Mesh& mesh, const Options& options)
    : levels_(static_cast<std::size_t>(options.levels)) {
    add(mesh, 0, options);
}

Partition Partition::changed(const mesh::Mesh& mesh, const Options& options) const {
    Partition result = *this;
    const auto first = static_cast<Polygon>(at(1).of_polygon.size());
    result.drop_removed(*mesh.data().topology);
    result.add(mesh, first, options);
    return result;
}

void Partition::drop_removed(const mesh::MeshTopology& mesh) {
    std::vector<std::uint32_t> lost(clusters(1));  // per cluster of level 1: polygons
    for (Polygon p = 0; p < at(1).of_polygon.size(); ++p) {
        if (!mesh.is_removed(p) || at(1).of_polygon[p] == kNone) continue;
        ++lost[at(1).of_polygon[p]];
        for (Level& level : levels_) level.of_polygon[p] = kNone;
    }
    Level& level = levels_.front();
    std::uint32_t begin = 0;
    std::uint32_t kept = 0;
    for (std::size_t cluster = 0; cluster < lost.size(); ++cluster) {
        const auto first = level.children.begin() + begin;
        const auto last = level.children.begin() + level.first_child[cluster + 1];
        const auto to = level.children.begin() + kept;
        begin = level.first_child[cluster + 1];
        kept += static_cast<std::uint32_t>(last - first) - lost[cluster];
        level.first_child[cluster + 1] = kept;
        if (lost[cluster] > 0) {
            std::copy_if(first, last, to, [&](Polygon p) { return !mesh.is_removed(p); });
        } else if (first != to) {
            std::copy(first, last, to);
        }
    }
    level.children.resize(kept);
}

void Partition::add(const mesh::Mesh& mesh, Polygon first, const Options& options) {
    const mesh::MeshData& data = mesh.data();
    const PartMethod method = options.partitioner == Partitioner::multilevel
                                  ? PartMethod::multilevel
                                  : PartMethod::growing;
    // The children of the clusters to be added to a level, and per polygon its child's index there:
    std::vector<std::uint32_t> children;
    std::vector<std::uint32_t> groups(data.num_polygons() - first, kNone);
    for (Polygon p = first; p < data.num_polygons(); ++p) {
        if (mesh.is_removed(p)) continue;
        groups[p - first] = static_cast<std::uint32_t>(children.size());
        children.push_back(p);
    }
    for (Level& level : levels_) {
        const auto before = static_cast<std::uint32_t>(level.first_child.size() - 1);
        const auto count = static_cast<std::uint32_t>(children.size());
        const Parts parts = connected_parts(graph_of_groups(data, first, groups, count),
                                            static_cast<std::uint32_t>(options.mu), method);
        for (std::uint32_t& group : groups) {
            if (group != kNone) group = parts.of[group];
            level.of_polygon.push_back(group == kNone ? kNone : before + group);
        }
        level.add_clusters(children, parts.of, parts.count);
        if (&level != &levels_.front()) {
            std::vector<std::uint32_t>& parent = (&level - 1)->parent;
            for (const std::uint32_t part : parts.of) parent.push_back(before + part);
        }
        children.resize(parts.count);
        std::iota(children.begin(), children.end(), before);
    }
}

Partition::Partition(std::span<const Parents> levels) {
    std::vector<std::uint32_t> groups;
    for (const Parents& parents : levels) {
        const std::span<const std::uint32_t> of_child = parents.of_child;
        if (levels_.empty()) {
            groups.assign(of_child.begin(), of_child.end());
        } else {
            for (std::uint32_t& group : groups) group = group == kNone ? kNone : of_child[group];
            levels_.back().parent.assign(of_child.begin(), of_child.end());
        }
        std::vector<std::uint32_t> children;
        std::vector<std::uint32_t> part_of;
        children.reserve(of_child.size());
        part_of.reserve(of_child.size());
        for (std::uint32_t child = 0; child < of_child.size(); ++child) {
            if (of_child[child] == kNone) continue;
            children.push_back(child);
            part_of.push_back(of_child[child]);
        }
        levels_.emplace_back().of_polygon = groups;
        levels_.back().add_clusters(children, part_of, parents.clusters);
    }
}

void Partition::Level::add_clusters(std::span<const std::uint32_t> added,
                                    std::span<const std::uint32_t> part_of, std::uint32_t parts) {
    std::vector<std::uint32_t> next(std::size_t{parts} + 1, 0);
    for (const std::uint32_t part : part_of) ++next[part + 1];
    next[0] = first_child.back();
    std::partial_sum(next.begin(), next.end(), next.begin());
    first_child.insert(first_child.end(), next.begin() + 1, next.end());
    children.resize(children.size() + added.size());
    for (std::size_t i = 0; i < added.size(); ++i) children[next[part_of[i]]++] = added[i];
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

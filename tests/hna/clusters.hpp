#pragma once
// The clusters of an HNA* index, collected from its mesh polygon by polygon.

#include <cstdint>
#include <set>
#include <vector>

#include "cairn/hna/index.hpp"

namespace cairn::hna::test {

struct Cluster {
    std::vector<mesh::Polygon> polygons;
    std::set<std::uint32_t> children;  ///< polygons on level 1, else clusters of the level below
    std::vector<mesh::Link> portals;   ///< links that lead to other clusters, open or not
};

/// The clusters of a level, by number. No polygon of the mesh may be removed.
[[nodiscard]] inline std::vector<Cluster> clusters(const Index& index, int level) {
    const mesh::Mesh& mesh = index.mesh();
    std::vector<Cluster> result(index.clusters(level));
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        Cluster& cluster = result[index.cluster(level, p)];
        cluster.polygons.push_back(p);
        cluster.children.insert(level == 1 ? p : index.cluster(level - 1, p));
        for (const mesh::Link link : mesh.links(p)) {
            const mesh::Polygon across = mesh.polygon_of(mesh::twin(link));
            if (index.cluster(level, across) != index.cluster(level, p))
                cluster.portals.push_back(link);
        }
    }
    return result;
}

enum class Over : std::uint8_t { open_links, all_links };

/// The polygons that can be reached from `from` without leaving its cluster of the level.
[[nodiscard]] inline std::set<mesh::Polygon> reached_inside(const Index& index, int level,
                                                            mesh::Polygon from, Over over) {
    const mesh::Mesh& mesh = index.mesh();
    std::set<mesh::Polygon> seen{from};
    std::vector<mesh::Polygon> open{from};
    while (!open.empty()) {
        const mesh::Polygon p = open.back();
        open.pop_back();
        for (const mesh::Link link : mesh.links(p)) {
            const mesh::Polygon next = mesh.polygon_of(mesh::twin(link));
            if (over == Over::open_links && !mesh.open(link)) continue;
            if (index.cluster(level, next) != index.cluster(level, from)) continue;
            if (seen.insert(next).second) open.push_back(next);
        }
    }
    return seen;
}

}  // namespace cairn::hna::test

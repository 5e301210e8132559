#pragma once
// The nested partition of a mesh: about mu connected polygons make a cluster of level 1, about mu
// connected clusters make one of the next level (HNA* paper, section 2).

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/hna/options.hpp"
#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {
struct MeshTopology;
}

namespace cairn::hna {

/// Clusters of a level are numbered from 0. Levels count from 1.
class Partition {
public:
    Partition() = default;
    /// Partitions a mesh. The result depends on its polygons and portals alone, not on areas,
    /// blocked polygons or one-way portals.
    Partition(const mesh::Mesh& mesh, const Options& options);
    /// A level as an index file stores it. Children are clusters of the level below, or polygons.
    struct Parents {
        std::span<const std::uint32_t> of_child;  // cluster; kNone for removed polygons
        std::uint32_t clusters = 0;
    };
    explicit Partition(std::span<const Parents> levels);
    /// The partition after a change of its mesh into `mesh`. Removed polygons leave their clusters,
    /// which may become empty. Added polygons form new clusters on every level. O(mesh).
    [[nodiscard]] Partition changed(const mesh::Mesh& mesh, const Options& options) const;

    [[nodiscard]] int levels() const noexcept { return static_cast<int>(levels_.size()); }
    [[nodiscard]] std::uint32_t clusters(int level) const noexcept {
        return static_cast<std::uint32_t>(at(level).first_child.size() - 1);
    }
    /// The cluster that holds a polygon; kNone for a removed one.
    [[nodiscard]] std::uint32_t cluster(int level, mesh::Polygon polygon) const noexcept {
        return at(level).of_polygon[polygon];
    }
    /// The clusters of the level below that a cluster holds, or on level 1 its polygons. Ascending.
    [[nodiscard]] std::span<const std::uint32_t> children(int level,
                                                          std::uint32_t cluster) const noexcept {
        const Level& l = at(level);
        return std::span(l.children)
            .subspan(l.first_child[cluster], l.first_child[cluster + 1] - l.first_child[cluster]);
    }
    /// The cluster of level + 1 that holds a cluster of `level`, which is not the top level.
    [[nodiscard]] std::uint32_t parent(int level, std::uint32_t cluster) const noexcept {
        return at(level).parent[cluster];
    }
    /// Appends all polygons of a cluster, ascending within each of its clusters of level 1.
    void append_polygons(int level, std::uint32_t cluster,
                         std::vector<mesh::Polygon>& polygons) const;

    [[nodiscard]] std::size_t bytes() const noexcept;
    friend bool operator==(const Partition&, const Partition&) = default;

private:
    struct Level {
        std::vector<std::uint32_t> of_polygon;      // cluster, per polygon; kNone if removed
        std::vector<std::uint32_t> parent;          // per cluster; empty on the top level
        std::vector<std::uint32_t> first_child{0};  // per cluster, and one more; into `children`
        std::vector<std::uint32_t> children;        // cluster by cluster
        friend bool operator==(const Level&, const Level&) = default;

        /// Adds `parts` clusters. The child added[i] goes into the part_of[i]-th of them.
        void add_clusters(std::span<const std::uint32_t> added,
                          std::span<const std::uint32_t> part_of, std::uint32_t parts);
    };
    [[nodiscard]] const Level& at(int level) const noexcept {
        return levels_[static_cast<std::size_t>(level - 1)];
    }
    /// Takes removed polygons out of their clusters.
    void drop_removed(const mesh::MeshTopology& mesh);
    /// Partitions the polygons from `first` on into new clusters on every level.
    void add(const mesh::Mesh& mesh, mesh::Polygon first, const Options& options);

    std::vector<Level> levels_;
};

}  // namespace cairn::hna

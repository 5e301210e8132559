#pragma once
// The nested partition of a mesh: about mu connected polygons make a cluster of level 1, about mu
// connected clusters one of the next level (HNA* paper, section 2).

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/hna/options.hpp"
#include "cairn/mesh/mesh.hpp"

namespace cairn::hna {

class Partition {
public:
    Partition() = default;
    /// Depends on the mesh's polygons and portals alone, not on areas, blocks or one-way portals.
    Partition(const mesh::Mesh& mesh, const Options& options);
    /// A level as an index file has it: the cluster of each polygon (kNone for removed ones), or of
    /// each cluster of the level below; and the number of clusters.
    struct Parents {
        std::span<const std::uint32_t> of_child;
        std::uint32_t clusters = 0;
    };
    explicit Partition(std::span<const Parents> levels);
    /// The partition of a mesh that was changed from the one of this partition. Removed polygons
    /// leave their clusters, which may become empty. New polygons are partitioned among themselves
    /// into new clusters on every level. O(mesh).
    [[nodiscard]] Partition changed(const mesh::Mesh& mesh, const Options& options) const;

    /// Levels count from 1.
    [[nodiscard]] int levels() const noexcept { return static_cast<int>(levels_.size()); }
    [[nodiscard]] std::uint32_t clusters(int level) const noexcept {
        return static_cast<std::uint32_t>(at(level).first_child.size() - 1);
    }
    /// kNone for a removed polygon.
    [[nodiscard]] std::uint32_t cluster(int level, mesh::Polygon polygon) const noexcept {
        return at(level).of_polygon[polygon];
    }
    /// Clusters of the level below; of level 1: polygons. Ascending.
    [[nodiscard]] std::span<const std::uint32_t> children(int level,
                                                          std::uint32_t cluster) const noexcept {
        const Level& l = at(level);
        return std::span(l.children)
            .subspan(l.first_child[cluster], l.first_child[cluster + 1] - l.first_child[cluster]);
    }
    [[nodiscard]] std::uint32_t parent(int level, std::uint32_t cluster) const noexcept {
        return at(level).parent[cluster];
    }
    /// All polygons of a cluster, ascending within clusters of level 1.
    void append_polygons(int level, std::uint32_t cluster,
                         std::vector<mesh::Polygon>& polygons) const;

    [[nodiscard]] std::size_t bytes() const noexcept;
    friend bool operator==(const Partition&, const Partition&) = default;

private:
    struct Level {
        std::vector<std::uint32_t> of_polygon;
        std::vector<std::uint32_t> parent;  // per cluster; empty on the top level
        std::vector<std::uint32_t> first_child{0};
        std::vector<std::uint32_t> children;
        friend bool operator==(const Level&, const Level&) = default;

        /// Adds clusters: of each of `added` the number among them is in `part_of`.
        void add_clusters(std::span<const std::uint32_t> added,
                          std::span<const std::uint32_t> part_of, std::uint32_t parts);
    };
    [[nodiscard]] const Level& at(int level) const noexcept {
        return levels_[static_cast<std::size_t>(level - 1)];
    }
    /// Takes removed polygons out of their clusters.
    void drop_removed(const mesh::Mesh& mesh);
    /// Partitions the polygons from `first` on.
    void add(const mesh::Mesh& mesh, mesh::Polygon first, const Options& options);

    std::vector<Level> levels_;
};

}  // namespace cairn::hna

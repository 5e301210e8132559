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
    /// What an index file says of a level: the cluster of each polygon, kNone for those that are
    /// gone, or of each cluster of the level below; and how many clusters there are.
    struct Parents {
        std::span<const std::uint32_t> of_child;
        std::uint32_t clusters = 0;
    };
    explicit Partition(std::span<const Parents> levels);
    /// That of a mesh changed from the one this is of: polygons that are gone leave their clusters,
    /// which may become empty; new ones are partitioned among themselves into clusters behind those
    /// there are, on every level. O(mesh).
    [[nodiscard]] Partition changed(const mesh::Mesh& mesh, const Options& options) const;

    /// Levels count from 1.
    [[nodiscard]] int levels() const noexcept { return static_cast<int>(levels_.size()); }
    [[nodiscard]] std::uint32_t clusters(int level) const noexcept {
        return static_cast<std::uint32_t>(at(level).first_child.size() - 1);
    }
    /// kNone for a polygon that is gone.
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
    /// Lets the polygons that are gone leave.
    void remove_gone(const mesh::Mesh& mesh);
    /// Partitions the polygons from `first` on.
    void add(const mesh::Mesh& mesh, mesh::Polygon first, const Options& options);

    std::vector<Level> levels_;
};

}  // namespace cairn::hna

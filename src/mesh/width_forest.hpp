#pragma once
// Which polygons of a mesh agents of a radius can reach from each other, for every radius.
//
// A maximum spanning tree over the portals by their widths decides that. It is kept as the forest
// of the unions that find it (J. B. Kruskal, "On the shortest spanning subtree of a graph and the
// traveling salesman problem", 1956), united by size and without shortcuts: so it is at most
// log2(polygons) deep, and widths never grow on the way up.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

class WidthForest {
public:
    WidthForest() = default;
    /// Of the links of a mesh that are open but for their widths. O(n log n).
    explicit WidthForest(const MeshData& mesh);

    /// Whether agents of a radius can come from one polygon to another. O(log polygons); with
    /// one-way portals also O(one-way portals squared). Allocates only with more than 1,024 one-way
    /// portals.
    [[nodiscard]] bool connects(Polygon from, Polygon to, double radius) const;

    [[nodiscard]] std::size_t bytes() const noexcept { return memory_of(nodes_, one_way_); }

private:
    struct Node {
        Polygon parent = 0;
        float width = -1;  // of the portal to the parent; -1: it has none
    };
    struct OneWay {
        Polygon from = 0;
        Polygon to = 0;
        float width = 0;
    };

    /// The polygon that stands for all that agents can reach both ways.
    [[nodiscard]] Polygon root(Polygon p, double width) const noexcept {
        while (double{nodes_[p].width} >= width) p = nodes_[p].parent;
        return p;
    }

    std::vector<Node> nodes_;  // per polygon
    std::vector<OneWay> one_way_;
};

}  // namespace cairn::mesh

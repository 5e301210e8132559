#pragma once
// The layers of a HAA* picture beside those of the agent's view, painted one by one onto a canvas.

#include <cstdint>
#include <vector>

#include "cairn/render/haa_picture.hpp"
#include "canvas.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/snapshot.hpp"

namespace cairn::render {

class HaaPainter {
public:
    /// `view`: that of the picture's agent. All must outlive the painter.
    HaaPainter(const haa::Index& index, const hpa::Index& view, const HaaPicture& picture,
               Canvas& canvas)
        : index_(&index), view_(&view), picture_(&picture), canvas_(&canvas) {}

    /// In each cell its clearance.
    void clearances();
    /// The cells that the agent covers on its path, and at start and goal.
    void swept(const HpaRoute& route);
    void ends(const HpaRoute& route);
    /// Level 1 of the annotated abstraction.
    void intra_edges(IntraEdges which);
    /// Nodes and inter-edges of all agents.
    void other_nodes(double radius, double width);

private:
    /// Calls visit(cluster) for the annotated clusters of the area.
    template <class Visit>
    void each_cluster(Visit&& visit) const;
    /// Between two nodes the capabilities whose edges are drawn, as bits.
    struct Pair {
        std::uint32_t row = 0;
        std::uint32_t column = 0;
        std::uint32_t capabilities = 0;
        Cost least = kInfinity;
    };
    void add_edges(const haa::AnnotatedCluster& cluster);
    void add(const haa::AnnotatedCluster& cluster, const Pair& pair);
    [[nodiscard]] bool uses(const haa::AnnotatedNode& node) const noexcept {
        return (view_->map().moves(node.cell) & node.crossings) != 0;
    }
    [[nodiscard]] const haa::AnnotatedMap& map() const noexcept { return index_->map(); }
    [[nodiscard]] const haa::Snapshot& snapshot() const noexcept { return index_->snapshot(); }

    const haa::Index* index_;
    const hpa::Index* view_;
    const HaaPicture* picture_;
    Canvas* canvas_;
    std::vector<Segments> edges_;  // per capability
};

}  // namespace cairn::render

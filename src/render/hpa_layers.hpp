#pragma once
// The layers of an HPA* picture, painted one by one onto a canvas.

#include <vector>

#include "cairn/hpa/abstract_graph.hpp"
#include "cairn/render/hpa_picture.hpp"
#include "canvas.hpp"

namespace cairn::render {

class HpaPainter {
public:
    /// `layers` with levels that the index has, lowest not above highest.
    HpaPainter(const hpa::Index& index, const HpaLayers& layers, Canvas& canvas);

    /// The index itself.
    [[nodiscard]] Status graph();
    /// What lies below the graph, and what lies above it.
    void corridor(const HpaRoute& route);
    [[nodiscard]] Status paths(const HpaRoute& route);

private:
    [[nodiscard]] Status extract();
    void clusters();
    void entrances();
    void intra_edges(const hpa::AbstractGraph& graph);
    void inter_edges();
    void nodes();
    [[nodiscard]] Status connections(const HpaRoute& route);

    [[nodiscard]] const hpa::AbstractGraph& lowest() const noexcept { return graphs_.front(); }
    void abstract_path(const hpa::Answer& answer);
    [[nodiscard]] double node_radius(int level) const noexcept;
    [[nodiscard]] double inter_edge_width(int level) const noexcept;

    const hpa::Index* index_;
    HpaLayers layers_;
    Canvas* canvas_;
    std::vector<hpa::AbstractGraph> graphs_;  // lowest level first
};

}  // namespace cairn::render

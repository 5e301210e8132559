#pragma once
// The layers of an HPA* picture, painted one by one onto a canvas.

#include <cstddef>
#include <vector>

#include "cairn/hpa/abstract_graph.hpp"
#include "cairn/render/hpa_picture.hpp"
#include "canvas.hpp"

namespace cairn::render {

/// The most pairs of nodes (for HAA*, annotated edges) of a level whose intra-edges are drawn; more
/// take too long.
inline constexpr std::size_t kMostPairs = 300'000;

/// Errors: bad_option (a start or goal outside the map); stale_index.
[[nodiscard]] Status check_route(const hpa::Index& index, const HpaRoute& route);
/// Sets levels that are 0 to levels that suit `scale`, in pixels per cell. Errors: bad_option.
[[nodiscard]] Status choose_levels(const hpa::Index& index, double scale, HpaLayers& layers);

class HpaPainter {
public:
    /// The levels of `layers` are as after choose_levels. All must outlive the painter.
    HpaPainter(const hpa::Index& index, const HpaLayers& layers, Canvas& canvas)
        : index_(index), layers_(layers), canvas_(canvas) {}

    /// Paints the clusters and the abstract graph.
    [[nodiscard]] Status graph();
    /// The steps of `graph`, in their order: entrances and clusters; the intra-edges of one level;
    /// inter-edges and nodes.
    [[nodiscard]] Status borders();
    void intra_edges(const hpa::AbstractGraph& graph);
    void nodes();
    /// The levels that are drawn, the lowest first. Valid after `borders`.
    [[nodiscard]] const std::vector<hpa::AbstractGraph>& graphs() const noexcept { return graphs_; }

    /// To call before the graph is painted.
    void corridor(const HpaRoute& route);
    /// To call after the graph is painted: S and G with their connections, and the paths.
    [[nodiscard]] Status paths(const HpaRoute& route);

    [[nodiscard]] double node_radius(int level) const noexcept;
    [[nodiscard]] double inter_edge_width(int level) const noexcept;

private:
    [[nodiscard]] Result<hpa::AbstractGraph> extract(int level) const;
    void clusters();
    void entrances();
    void inter_edges();
    void dots();
    [[nodiscard]] Status connections(const HpaRoute& route);

    void abstract_path(const hpa::Answer& answer);
    void add(Segments& lines, grid::Cell a, grid::Cell b) const {
        add_line(lines, canvas_.centre(a), canvas_.centre(b));
    }

    [[nodiscard]] const hpa::AbstractGraph& lowest() const noexcept { return graphs_.front(); }

    const hpa::Index& index_;
    HpaLayers layers_;
    Canvas& canvas_;
    std::vector<hpa::AbstractGraph> graphs_;  // lowest level first
};

}  // namespace cairn::render

#pragma once
// The layers of a picture of a navigation mesh: polygons, borders, the index, an answer.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/render/mesh_picture.hpp"
#include "flow_colours.hpp"
#include "mesh_canvas.hpp"

namespace cairn::render {

class MeshPainter {
public:
    /// `index` may be null; it and the canvas must outlive the painter.
    MeshPainter(MeshCanvas& canvas, const hna::Index* index, const MeshPicture& picture);

    /// Colours polygons by how many agents have passed them; before `ground`. One number for each,
    /// which must outlive the painter.
    void show_flow(std::span<const std::uint32_t> passes);
    /// Storey by storey, the lowest first: polygons, their markings, their borders.
    void ground();
    void intra_edges();
    void connections();
    void route();

private:
    /// The shapes of a storey, in the order in which they are painted.
    struct Storey {
        std::vector<Polygons> fills;  // by colour
        Polygons corridor;
        Segments hatch;
        Segments portals;
        Segments walls;
        Segments inter_edges;
    };

    [[nodiscard]] const mesh::Mesh& mesh() const noexcept { return canvas_->mesh(); }
    [[nodiscard]] std::uint32_t cluster(mesh::Polygon polygon) const noexcept {
        return index_ == nullptr ? 0 : index_->cluster(level_, polygon);
    }
    void colour_clusters();
    /// Of polygons of no cluster.
    [[nodiscard]] Colour plain() const noexcept;
    [[nodiscard]] Colour fill(mesh::Polygon polygon) const noexcept;
    void collect(std::vector<Storey>& storeys);
    void paint(Storey& storey);
    void explain();

    MeshCanvas* canvas_;
    const hna::Index* index_;
    const MeshPicture* picture_;
    int level_ = 0;
    std::span<const std::uint32_t> passes_;  // by polygon, of a flow
    std::optional<FlowColours> flow_;
    std::vector<std::uint8_t> colour_;       // by cluster
    std::vector<std::uint8_t> in_corridor_;  // by polygon
    Stroke portal_stroke_;
    Stroke wall_stroke_;
    Stroke inter_edge_stroke_;
    std::size_t num_inter_edges_ = 0;
    bool any_blocked_ = false;
    std::vector<std::uint8_t> areas_;  // seen
};

}  // namespace cairn::render

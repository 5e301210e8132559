#pragma once
// The layout of a navigation mesh on a sheet: where its points are, which polygons cover others,
// and which parts of their borders are walls.

#include <cstdint>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "cairn/render/mesh_picture.hpp"
#include "sheet.hpp"

namespace cairn::render {

/// A sheet with a window of a mesh, seen from above.
class MeshCanvas : public Sheet {
public:
    /// Checks the options. `mesh` must outlive the canvas.
    [[nodiscard]] static Result<MeshCanvas> create(const mesh::Mesh& mesh,
                                                   const MeshPicture& picture);

    [[nodiscard]] const mesh::Mesh& mesh() const noexcept { return *mesh_; }
    /// The side, in pixels, of a square with the mean area of the polygons.
    [[nodiscard]] double detail() const noexcept { return detail_; }

    [[nodiscard]] Position at(const mesh::Point& point) const noexcept {
        return {frame().x + (point.x - window_.x) * scale_,
                frame().y + (point.z - window_.z) * scale_};
    }
    /// The polygons, not connections, whose bounding boxes touch the window.
    [[nodiscard]] const std::vector<mesh::Polygon>& shown() const noexcept { return shown_; }
    /// The storey of each polygon, from 0. It is greater than those of all polygons below it.
    [[nodiscard]] const std::vector<std::uint32_t>& storeys() const noexcept { return storeys_; }
    [[nodiscard]] std::uint32_t num_storeys() const noexcept { return num_storeys_; }

    void add_outline(Polygons& polygons, mesh::Polygon polygon) const;
    /// The parts of a polygon's border that are not portals.
    void add_walls(Segments& lines, mesh::Polygon polygon) const;
    /// Slanting lines across a polygon, `gap` pixels apart along either axis.
    void add_hatch(Segments& lines, mesh::Polygon polygon, double gap) const;

private:
    [[nodiscard]] Status lay_out(const MeshPicture& picture);
    void find_shown();
    void find_storeys();

    const mesh::Mesh* mesh_ = nullptr;
    MeshWindow window_;
    double scale_ = 1;
    double detail_ = 1;
    std::vector<mesh::Polygon> shown_;
    std::vector<std::uint32_t> storeys_;
    std::uint32_t num_storeys_ = 1;
};

}  // namespace cairn::render

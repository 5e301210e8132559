#include "cairn/render/mesh_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mesh_canvas.hpp"
#include "mesh_layers.hpp"

namespace cairn::render {
namespace {

Status check_route(const mesh::Mesh& mesh, const MeshPicture& picture) {
    if (!picture.route) return {};
    const hna::Answer* answer = picture.route->answer;
    if (answer == nullptr || answer->status != StatusCode::ok)
        return {StatusCode::bad_option, "a route needs an answer that is ok"};
    const auto none = [](std::uint32_t limit) {
        return [limit](std::uint32_t number) { return number >= limit; };
    };
    if (std::any_of(answer->polygons.begin(), answer->polygons.end(), none(mesh.num_polygons())) ||
        std::any_of(answer->abstract_nodes.begin(), answer->abstract_nodes.end(),
                    none(mesh.num_links())))
        return {StatusCode::bad_option, "the answer belongs to another mesh"};
    return {};
}

Result<Drawing> draw(const mesh::Mesh& mesh, const hna::Index* index, const MeshPicture& picture) {
    if (Status s = check_route(mesh, picture); !s.ok()) return tl::unexpected(std::move(s));
    Result<MeshCanvas> canvas = MeshCanvas::create(mesh, picture);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    MeshPainter painter(*canvas, index, picture);
    painter.ground();
    painter.intra_edges();
    painter.connections();
    painter.route();
    return canvas->sheet().finish();
}

}  // namespace

Result<Drawing> draw_mesh(const mesh::Mesh& mesh, const MeshPicture& picture) {
    return draw(mesh, nullptr, picture);
}

Result<Drawing> draw_hna(const hna::Index& index, const MeshPicture& picture) {
    const int levels = index.options().levels;
    if (picture.layers.level < 0 || picture.layers.level > levels) {
        return fail(StatusCode::bad_option, fmt::format("level {}: the index has levels 1 to {}",
                                                        picture.layers.level, levels));
    }
    const hna::Answer* answer = picture.route ? picture.route->answer : nullptr;
    if (answer != nullptr && answer->snapshot_id != index.snapshot_id())
        return fail(StatusCode::stale_index, "the answer belongs to another index or snapshot");
    return draw(index.mesh(), &index, picture);
}

}  // namespace cairn::render

// Pictures of maps, indexes and paths.

#include <algorithm>

#include "handles.hpp"
#if CAIRN_HAS_RENDER
#include "cairn/planners.hpp"
#include "cairn/render/haa_picture.hpp"
#include "cairn/render/hpa_picture.hpp"
#include "cairn/render/map_picture.hpp"
#include "cairn/render/mesh_picture.hpp"
#include "cairn/render/subgoal_picture.hpp"
#endif

namespace cairn::c {
namespace {

#if CAIRN_HAS_RENDER

using PictureGiven = Given<cairn_picture>;

Status check_picture(const PictureGiven& given) {
    if (!given.valid()) return wrong_size();
    if (given->num_answers > 0 && given->answers == nullptr) return null_argument();
    for (std::size_t i = 0; i < given->num_answers; ++i) {
        if (given->answers[i] == nullptr) return null_argument();
    }
    return check_choice("format", given->format, CAIRN_PNG);
}

bool has_area(const PictureGiven& given) noexcept {
    return std::any_of(given->area, given->area + 4, [](double v) { return v != 0; });
}

/// A number of cells as an int; one out of range becomes -1, which drawing refuses.
int cells_of(double value) noexcept {
    return value >= 0 && value <= grid::Map::kMaxSide ? static_cast<int>(value) : -1;
}

render::MapPicture map_picture(const PictureGiven& given) {
    render::MapPicture out;
    out.cell = given->cell;
    out.longest_side = given->longest_side;
    out.legend = given->no_legend == 0;
    out.grid_lines = given->no_grid_lines == 0;
    if (given->title != nullptr) out.title = given->title;
    const double* const area = given->area;
    if (has_area(given))
        out.area = {cells_of(area[0]), cells_of(area[1]), cells_of(area[2]), cells_of(area[3])};
    for (std::size_t i = 0; i < given->num_answers; ++i) {
        const auto cells = given->answers[i]->answer.details().cells;
        if (!cells.empty()) out.paths.push_back({{cells.begin(), cells.end()}});
    }
    return out;
}

render::MeshPicture mesh_picture(const PictureGiven& given) {
    render::MeshPicture out;
    out.longest_side = given->longest_side;
    out.legend = given->no_legend == 0;
    if (given->title != nullptr) out.title = given->title;
    const double* const area = given->area;
    if (has_area(given)) out.window = {area[0], area[1], area[2], area[3]};
    if (given->num_answers > 0) {
        const auto* const own = given->answers[0]->answer.as<hna::Planner>();
        if (own != nullptr && own->status == StatusCode::ok)
            out.route = render::MeshRoute{.answer = own};
    }
    return out;
}

Result<render::Drawing> drawing_of(const cairn_map& handle, const PictureGiven& given) {
    if (const auto* const own = std::get_if<grid::Map>(&handle.map))
        return render::draw_map(*own, map_picture(given));
    if (const auto* const own = std::get_if<mesh::Mesh>(&handle.map)) {
        render::MeshPicture picture = mesh_picture(given);
        picture.route.reset();
        return render::draw_mesh(*own, picture);
    }
    return fail(StatusCode::unsupported, "maps for agents are drawn with their index");
}

Result<render::Drawing> drawing_of(const cairn_index& handle, const PictureGiven& given) {
    const AnyIndex& index = handle.index;
    if (const auto* const own = index.as<hpa::Planner>())
        return render::draw_hpa(*own, {.map = map_picture(given)});
    if (const auto* const own = index.as<subgoal::Planner>())
        return render::draw_subgoals(*own, {.map = map_picture(given)});
    if (const auto* const own = index.as<haa::Planner>()) {
        const haa::Agent agent{static_cast<std::uint32_t>(given->agent_capability),
                               std::max(given->agent_size, 1)};
        return render::draw_haa(*own, {.map = map_picture(given), .agent = agent});
    }
    if (const auto* const own = index.as<hna::Planner>())
        return render::draw_hna(*own, mesh_picture(given));
    return fail(StatusCode::unsupported, "the planner has no index to draw");
}

Result<cairn_bytes> encoded(const Result<render::Drawing>& drawing, const PictureGiven& given) {
    if (!drawing) return tl::unexpected(drawing.error());
    auto bytes = given->format == CAIRN_SVG
                     ? render::to_svg(*drawing)
                     : render::to_png(*drawing, given->scale == 0 ? 1 : given->scale);
    return std::move(bytes).map([](std::string made) { return cairn_bytes{std::move(made)}; });
}

#endif

/// Draws a map or an index.
template <class Drawn>
cairn_status draw(const Drawn* drawn, [[maybe_unused]] const cairn_picture* picture,
                  cairn_bytes** bytes) {
    return make(
        bytes,
        [&]() -> Result<cairn_bytes> {
#if CAIRN_HAS_RENDER
            const PictureGiven given(picture);
            if (Status status = check_picture(given); !status.ok())
                return tl::unexpected(std::move(status));
            return encoded(drawing_of(*drawn, given), given);
#else
            return tl::unexpected(not_built("render"));
#endif
        },
        drawn);
}

}  // namespace
}  // namespace cairn::c

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global

cairn_status cairn_draw_map(const cairn_map* map, const cairn_picture* picture,
                            cairn_bytes** bytes) {
    return draw(map, picture, bytes);
}

cairn_status cairn_draw_index(const cairn_index* index, const cairn_picture* picture,
                              cairn_bytes** bytes) {
    return draw(index, picture, bytes);
}

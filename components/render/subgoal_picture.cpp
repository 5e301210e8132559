#include "cairn/render/subgoal_picture.hpp"

#include <fmt/format.h>

#include "canvas.hpp"
#include "palette.hpp"
#include "subgoal_layers.hpp"

namespace cairn::render {
namespace {

constexpr int kSubgoalPanelSide = 500;

Status check_point(const grid::Map& map, grid::Point p, const char* what) {
    if (map.contains(p)) return {};
    return {StatusCode::bad_option, fmt::format("{} {},{} lies outside the map", what, p.x, p.y)};
}

Status check(const subgoal::Index& index, const SubgoalPicture& picture) {
    const grid::Map& map = index.map();
    const SubgoalLayers& layers = picture.layers;
    if ((layers.taut || layers.levels || layers.core || layers.separators) && !index.complete()) {
        return {StatusCode::unsupported,
                "the index has no engines after an edit: only subgoals and edges can be drawn"};
    }
    if (layers.separators && !index.has_labels()) {
        return {StatusCode::unsupported,
                fmt::format("separators: {}", index.labels_status().message)};
    }
    if (picture.area_of) {
        const grid::Point p = *picture.area_of;
        if (Status s = check_point(map, p, "area_of"); !s.ok()) return s;
        if (!map.passable(map.cell(p))) {
            return {StatusCode::bad_option,
                    fmt::format("area_of {},{} is blocked: nothing can be reached", p.x, p.y)};
        }
    }
    if (!picture.route) return {};
    if (Status s = check_point(map, picture.route->start, "start"); !s.ok()) return s;
    if (Status s = check_point(map, picture.route->goal, "goal"); !s.ok()) return s;
    const subgoal::Answer* answer = picture.route->answer;
    if (answer != nullptr && answer->snapshot_id != index.snapshot_id())
        return {StatusCode::stale_index, "the answer belongs to another index or snapshot"};
    return {};
}

}  // namespace

Result<Drawing> draw_subgoals(const subgoal::Index& index, const SubgoalPicture& picture) {
    if (Status s = check(index, picture); !s.ok()) return tl::unexpected(std::move(s));
    Result<Canvas> canvas = Canvas::create(index.map(), picture.map);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    SubgoalPainter painter(index, picture.layers, *canvas);
    if (picture.area_of) painter.area(*picture.area_of);
    painter.graph();
    canvas->paths(picture.map);
    if (picture.route) painter.route(*picture.route);
    if (picture.area_of && !picture.route)
        canvas->marker(canvas->layer("ends"), {*picture.area_of, palette::start, "S"});
    canvas->markers(picture.map);
    return canvas->finish();
}

Result<Drawing> draw_subgoal_figure(const grid::Map& map, const subgoal::Options& options,
                                    const SubgoalPicture& picture) {
    SubgoalPicture panel = picture;
    panel.layers = {false, false, false, false, true, false};
    panel.area_of.reset();
    if (panel.route) panel.route = SubgoalRoute{picture.route->start, picture.route->goal};
    if (panel.route) panel.route->connectors = false;
    if (panel.map.cell == 0 && panel.map.longest_side == 0)
        panel.map.longest_side = kSubgoalPanelSide;
    std::vector<Drawing> panels;
    for (const std::uint32_t levels : {1U, 2U, 0U}) {
        subgoal::Options built = options;
        built.levels = levels;
        built.labels = false;
        const auto index = subgoal::Index::build(map, built);
        if (!index) return tl::unexpected(index.error());
        panel.map.title = levels == 1   ? "a  Simple subgoal graph"
                          : levels == 2 ? "b  Two levels: the global subgoals"
                                        : fmt::format("c  {} levels: the highest",
                                                      index->statistics().levels.levels.size());
        Result<Drawing> drawing = draw_subgoals(*index, panel);
        if (!drawing) return drawing;
        panels.push_back(std::move(*drawing));
    }
    return figure(panels, 3);
}

}  // namespace cairn::render

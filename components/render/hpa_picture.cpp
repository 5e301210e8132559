#include "cairn/render/hpa_picture.hpp"

#include <fmt/core.h>

#include "canvas.hpp"
#include "hpa_layers.hpp"

namespace cairn::render {
namespace {

constexpr int kHpaPanelSide = 700;

Status paint(const hpa::Index& index, const HpaPicture& picture, Canvas& canvas) {
    HpaLayers layers = picture.layers;
    if (Status s = choose_levels(index, canvas.scale(), layers); !s.ok()) return s;
    HpaPainter painter(index, layers, canvas);
    if (picture.route) painter.corridor(*picture.route);
    if (Status s = painter.graph(); !s.ok()) return s;
    canvas.paths(picture.map);
    if (picture.route) {
        if (Status s = painter.paths(*picture.route); !s.ok()) return s;
    }
    canvas.markers(picture.map);
    return {};
}

HpaPicture panel(const HpaPicture& picture, const char* title) {
    HpaPicture p = picture;
    p.map.title = title;
    if (p.map.cell == 0 && p.map.longest_side == 0) p.map.longest_side = kHpaPanelSide;
    p.layers = {};
    p.route->connections = false;
    p.route->corridor = false;
    p.route->abstract_path = false;
    p.route->refined_path = false;
    p.route->smoothed_path = false;
    return p;
}

}  // namespace

Result<Drawing> draw_hpa(const hpa::Index& index, const HpaPicture& picture) {
    if (picture.route) {
        if (Status s = check_route(index, *picture.route); !s.ok())
            return tl::unexpected(std::move(s));
    }
    Result<Canvas> canvas = Canvas::create(index.map(), picture.map);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    if (Status s = paint(index, picture, *canvas); !s.ok()) return tl::unexpected(std::move(s));
    return canvas->finish();
}

Result<Drawing> draw_hpa_figure(const hpa::Index& index, const HpaPicture& picture) {
    if (!picture.route) return fail(StatusCode::bad_option, "the figure needs a route");
    const int levels = index.options().levels;

    HpaPicture clusters = panel(picture, "a  Clusters and entrances");
    clusters.layers.nodes = clusters.layers.inter_edges = false;
    clusters.layers.intra_edges = IntraEdges::none;
    clusters.route.reset();

    HpaPicture first = panel(picture, "b  Abstract graph, level 1");
    first.layers.lowest_level = first.layers.highest_level = 1;
    first.layers.entrances = false;
    first.route.reset();

    HpaPicture top = panel(picture, "");
    top.map.title = fmt::format("c  Level {}, with S and G", levels);
    top.layers.lowest_level = top.layers.highest_level = levels;
    top.layers.entrances = false;
    top.route->connections = true;

    HpaPicture paths = panel(picture, "d  Abstract, refined and smoothed path");
    paths.layers.entrances = paths.layers.nodes = false;
    paths.layers.inter_edges = false;
    paths.layers.intra_edges = IntraEdges::none;
    paths.route = picture.route;
    paths.route->connections = false;

    std::vector<Drawing> panels;
    for (const HpaPicture& p : {clusters, first, top, paths}) {
        Result<Drawing> drawing = draw_hpa(index, p);
        if (!drawing) return drawing;
        panels.push_back(std::move(*drawing));
    }
    return figure(panels, 2);
}

}  // namespace cairn::render

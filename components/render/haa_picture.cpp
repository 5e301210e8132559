#include "cairn/render/haa_picture.hpp"

#include <fmt/format.h>

#include "canvas.hpp"
#include "haa_ground.hpp"
#include "haa_layers.hpp"
#include "hpa_layers.hpp"

namespace cairn::render {
namespace {

constexpr int kHaaPanelSide = 700;
constexpr double kNumberCell = 16;  // pixels
constexpr std::int64_t kUsualNumbers = 10'000;
constexpr std::int64_t kMostNumbers = 250'000;

// The style that `automatic` and `numbers` mean on a canvas.
ClearanceStyle choose_style(ClearanceStyle wanted, const Canvas& canvas) {
    const std::int64_t cells = std::int64_t{canvas.area().width} * canvas.area().height;
    if (wanted == ClearanceStyle::automatic) {
        const bool fit = canvas.scale() >= kNumberCell && cells <= kUsualNumbers;
        return fit ? ClearanceStyle::numbers : ClearanceStyle::shades;
    }
    if (wanted == ClearanceStyle::numbers && cells > kMostNumbers) return ClearanceStyle::shades;
    return wanted;
}

Status paint_graph(HpaPainter& hpa, HaaPainter& haa, const HaaLayers& layers) {
    if (Status s = hpa.borders(); !s.ok()) return s;
    const int lowest = hpa.graphs().front().level;
    if (layers.view.intra_edges != IntraEdges::none) {
        for (const hpa::AbstractGraph& graph : hpa.graphs()) {
            if (graph.level == 1)
                haa.intra_edges(layers.view.intra_edges);
            else
                hpa.intra_edges(graph);
        }
    }
    if (layers.all_agents && lowest == 1 && layers.view.nodes)
        haa.other_nodes(0.8 * hpa.node_radius(1), 0.7 * hpa.inter_edge_width(1));
    hpa.nodes();
    return {};
}

Status paint(const haa::Index& index, const hpa::Index& view, const HaaPicture& picture,
             Canvas& canvas) {
    HaaLayers layers = picture.layers;
    if (Status s = choose_levels(view, canvas.scale(), layers.view); !s.ok()) return s;
    HpaPainter hpa(view, layers.view, canvas);
    HaaPainter haa(index, view, picture, canvas);
    if (picture.route) hpa.corridor(*picture.route);
    if (picture.route && layers.footprints) haa.swept(*picture.route);
    if (choose_style(layers.clearance, canvas) == ClearanceStyle::numbers) haa.clearances();
    if (Status s = paint_graph(hpa, haa, layers); !s.ok()) return s;
    canvas.paths(picture.map);
    if (picture.route) {
        if (layers.footprints) haa.ends(*picture.route);
        if (Status s = hpa.paths(*picture.route); !s.ok()) return s;
    }
    canvas.markers(picture.map);
    return {};
}

HaaPicture panel(const HaaPicture& picture, std::string title) {
    HaaPicture p = picture;
    p.map.title = std::move(title);
    if (p.map.cell == 0 && p.map.longest_side == 0) p.map.longest_side = kHaaPanelSide;
    p.layers = {};
    p.layers.clearance = ClearanceStyle::none;
    p.layers.view.entrances = false;
    p.route.reset();
    return p;
}

}  // namespace

Result<Drawing> draw_haa(const haa::Index& index, const HaaPicture& picture) {
    const auto view = index.view(picture.agent);
    if (!view) return tl::unexpected(view.error());
    if (picture.route) {
        if (Status s = check_route(*view, *picture.route); !s.ok())
            return tl::unexpected(std::move(s));
    }
    Result<Canvas> canvas =
        Canvas::create(view->map(), picture.map, [&](const Canvas& on, Legend& legend) {
            const bool shades =
                choose_style(picture.layers.clearance, on) == ClearanceStyle::shades;
            return agent_ground(index.map(), picture.agent, shades, on.area(), legend);
        });
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    if (Status s = paint(index, *view, picture, *canvas); !s.ok())
        return tl::unexpected(std::move(s));
    return canvas->finish();
}

Result<Drawing> draw_haa_figure(const haa::Index& index, const HaaPicture& picture) {
    if (!picture.route) return fail(StatusCode::bad_option, "the figure needs a route");
    if (Status s = haa::check(index.map(), picture.agent); !s.ok())
        return tl::unexpected(std::move(s));
    const std::string agent =
        fmt::format("size {}, {}", picture.agent.size,
                    terrains_text(index.map().options().capabilities[picture.agent.capability]));

    HaaPicture ground = panel(picture, "a  Terrain and clearance: " + agent);
    ground.layers.clearance = ClearanceStyle::automatic;
    ground.layers.view.clusters = ground.layers.view.nodes = false;
    ground.layers.view.inter_edges = false;
    ground.layers.view.intra_edges = IntraEdges::none;

    HaaPicture all = panel(picture, "b  The abstraction of all agents");
    all.layers.view.lowest_level = all.layers.view.highest_level = 1;
    all.layers.all_agents = true;

    HaaPicture own = panel(picture, "c  What serves this agent");
    own.layers.view.lowest_level = own.layers.view.highest_level = 1;
    own.layers.view.entrances = true;

    HaaPicture paths = panel(picture, "d  Its path, and the cells that it covers");
    paths.layers.footprints = picture.layers.footprints;
    paths.layers.view.nodes = paths.layers.view.inter_edges = false;
    paths.layers.view.intra_edges = IntraEdges::none;
    paths.route = picture.route;
    paths.route->connections = false;

    std::vector<Drawing> panels;
    panels.reserve(4);
    for (const HaaPicture& p : {ground, all, own, paths}) {
        Result<Drawing> drawing = draw_haa(index, p);
        if (!drawing) return drawing;
        panels.push_back(std::move(*drawing));
    }
    return figure(panels, 2);
}

}  // namespace cairn::render

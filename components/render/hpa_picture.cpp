#include "cairn/render/hpa_picture.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/guarded.hpp"
#include "hpa_painter.hpp"
#include "palette.hpp"

namespace cairn::render {
namespace {

using grid::Cell;
using grid::Point;
using grid::Rect;
using hpa::AbstractGraph;

constexpr int kHpaPanelSide = 700;
constexpr double kSmallestCluster = 24;  // pixels

// The number of pairs of nodes in the same cluster. Nodes are sorted by cluster.
std::size_t pairs(const AbstractGraph& graph) {
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (graph.nodes[i].cluster != graph.nodes[first].cluster) first = i;
        count += i - first;
    }
    return count;
}

// The rectangle that clusters, row by row, cover together.
Rect hull(const std::vector<Rect>& clusters) {
    const Rect& first = clusters.front();
    const Rect& last = clusters.back();
    return {first.x, first.y, last.x + last.width - first.x, last.y + last.height - first.y};
}

std::string on_level(const char* label, int level) {
    return fmt::format("{}, level {}", label, level);
}

}  // namespace

Status check_route(const hpa::Index& index, const HpaRoute& route) {
    for (const Point p : {route.start, route.goal}) {
        if (!index.map().contains(p)) {
            return {StatusCode::bad_option,
                    fmt::format("start or goal {},{} lies outside the map", p.x, p.y)};
        }
    }
    for (const hpa::Answer* answer : {route.abstract, route.smoothed}) {
        if (answer != nullptr && answer->snapshot_id != index.snapshot_id())
            return {StatusCode::stale_index, "the answer belongs to another index or snapshot"};
    }
    return {};
}

Status choose_levels(const hpa::Index& index, double scale, HpaLayers& layers) {
    if (layers.intra_edges > IntraEdges::all)
        return {StatusCode::bad_option, "intra_edges: there is no such choice"};
    const int levels = index.options().levels;
    for (const int level : {layers.lowest_level, layers.highest_level}) {
        if (level < 0 || level > levels) {
            return {StatusCode::bad_option,
                    fmt::format("the levels drawn must be 1 to {}, those of the index, not {}",
                                levels, level)};
        }
    }
    if (layers.highest_level == 0) layers.highest_level = levels;
    if (layers.lowest_level == 0) {
        double side = index.options().cluster_size * scale;
        layers.lowest_level = 1;
        while (layers.lowest_level < layers.highest_level && side < kSmallestCluster) {
            side *= index.options().branching;
            ++layers.lowest_level;
        }
    }
    if (layers.lowest_level > layers.highest_level) {
        return {StatusCode::bad_option, fmt::format("lowest_level {} is above highest_level {}",
                                                    layers.lowest_level, layers.highest_level)};
    }
    return {};
}

Result<AbstractGraph> HpaPainter::extract(int level) const {
    const Rect& area = canvas_.area();
    hpa::ExtractOptions options;
    // With the cells around the area, for the edges that cross its border.
    options.area = {area.x - 1, area.y - 1, area.width + 2, area.height + 2};
    options.entrances = layers_.entrances && level == layers_.lowest_level;
    options.intra_edges = false;
    Result<AbstractGraph> graph = extract_abstract_graph(index_, level, options);
    if (!graph || layers_.intra_edges == IntraEdges::none || pairs(*graph) > kMostPairs)
        return graph;
    options.intra_edges = true;
    return extract_abstract_graph(index_, level, options);
}

Status HpaPainter::graph() {
    if (Status s = borders(); !s.ok()) return s;
    if (layers_.intra_edges != IntraEdges::none) {
        for (const AbstractGraph& graph : graphs_) intra_edges(graph);
    }
    nodes();
    return {};
}

Status HpaPainter::borders() {
    for (int level = layers_.lowest_level; level <= layers_.highest_level; ++level) {
        Result<AbstractGraph> graph = extract(level);
        if (!graph) return std::move(graph.error());
        graphs_.push_back(std::move(*graph));
    }
    if (layers_.entrances) entrances();
    if (layers_.clusters) clusters();
    return {};
}

void HpaPainter::nodes() {
    if (layers_.inter_edges) inter_edges();
    if (layers_.nodes) dots();
}

void HpaPainter::clusters() {
    for (const AbstractGraph& graph : graphs_) {
        // The borders of a level form a grid, so each line is drawn once, through all clusters.
        const Rect all = hull(graph.clusters);
        const double width = canvas_.hair() * (0.4 + 0.9 * graph.level);
        const Colour colour = palette::ink.with_alpha(graph.level == 1 ? 0x6c : 0xd8);
        Segments lines{{}, {colour, width, 0}};
        for (const Rect& r : graph.clusters) {
            if (r.y == all.y && r.x > all.x)
                add_line(lines, canvas_.corner({r.x, all.y}),
                         canvas_.corner({r.x, all.y + all.height}));
            if (r.x == all.x && r.y > all.y)
                add_line(lines, canvas_.corner({all.x, r.y}),
                         canvas_.corner({all.x + all.width, r.y}));
        }
        canvas_.legend().line(lines.stroke, fmt::format("{}-clusters", graph.level));
        canvas_.add(fmt::format("clusters-{}", graph.level), std::move(lines));
    }
}

void HpaPainter::entrances() {
    std::vector<Boxes> by_level;
    for (int level = 1; level <= layers_.highest_level; ++level)
        by_level.push_back({{}, palette::level(level).with_alpha(0x48)});
    for (const hpa::Entrance& e : lowest().entrances) {
        const Point p = canvas_.map().point(e.first);
        const bool row = e.along == grid::kEast;
        const int level = std::min(e.level, layers_.highest_level);
        by_level[static_cast<std::size_t>(level - 1)].boxes.push_back(
            canvas_.box({p.x, p.y, row ? e.length : 2, row ? 2 : e.length}));
    }
    Layer& layer = canvas_.layer("entrances");
    for (int level = layers_.lowest_level; level <= layers_.highest_level; ++level) {
        Boxes& boxes = by_level[static_cast<std::size_t>(level - 1)];
        if (boxes.boxes.empty()) continue;
        canvas_.legend().box(boxes.fill, on_level("entrances", level));
        layer.shapes.emplace_back(std::move(boxes));
    }
}

void HpaPainter::intra_edges(const AbstractGraph& graph) {
    const Stroke stroke{palette::level(graph.level).with_alpha(graph.level == 1 ? 0x8c : 0x98),
                        canvas_.hair() * (0.6 + 0.35 * graph.level), 0};
    const std::string label = on_level("intra-edges", graph.level);
    if (graph.intra_edges.empty()) {
        if (pairs(graph) > kMostPairs && layers_.intra_edges == IntraEdges::all)
            canvas_.legend().line(stroke, label + ": too many");
        return;
    }
    Segments lines{{}, stroke};
    lines.ends.reserve(2 * graph.intra_edges.size());
    for (const hpa::IntraEdge& e : graph.intra_edges)
        add(lines, graph.nodes[e.a].cell, graph.nodes[e.b].cell);
    if (layers_.intra_edges == IntraEdges::automatic && canvas_.covered(lines) > kMostCovered)
        return;
    canvas_.add(fmt::format("intra-edges-{}", graph.level), std::move(lines), label);
}

void HpaPainter::inter_edges() {
    for (int level = layers_.lowest_level; level <= layers_.highest_level; ++level) {
        Segments lines{{}, {palette::level(level), inter_edge_width(level), 0}};
        for (const hpa::InterEdge& e : lowest().inter_edges) {
            if (std::min(e.level, layers_.highest_level) == level)
                add(lines, lowest().nodes[e.a].cell, lowest().nodes[e.b].cell);
        }
        if (lines.ends.empty()) continue;
        if (!layers_.nodes) canvas_.legend().line(lines.stroke, on_level("inter-edges", level));
        canvas_.add(fmt::format("inter-edges-{}", level), std::move(lines));
    }
}

double HpaPainter::inter_edge_width(int level) const noexcept {
    return std::max(canvas_.hair() * (1.6 + 0.4 * level), canvas_.scale() * 0.16);
}

double HpaPainter::node_radius(int level) const noexcept {
    return std::max(canvas_.hair() * (1.4 + 0.5 * level), canvas_.scale() * (0.22 + 0.05 * level));
}

void HpaPainter::dots() {
    for (int level = layers_.lowest_level; level <= layers_.highest_level; ++level) {
        Discs discs{{}, node_radius(level), palette::level(level)};
        for (const hpa::AbstractNode& node : lowest().nodes) {
            if (std::min(node.level, layers_.highest_level) == level)
                discs.centres.push_back(canvas_.centre(node.cell));
        }
        if (discs.centres.empty()) continue;
        if (layers_.inter_edges) {
            canvas_.legend().edge({discs.fill, inter_edge_width(level), 0},
                                  on_level("nodes, inter-edges", level));
        } else {
            canvas_.legend().disc(discs.fill, on_level("nodes", level));
        }
        Layer& layer = canvas_.layer(fmt::format("nodes-{}", level));
        canvas_.dots(layer, std::move(discs));
    }
}

void HpaPainter::corridor(const HpaRoute& route) {
    const hpa::Answer* answer = route.abstract != nullptr ? route.abstract : route.smoothed;
    if (!route.corridor || answer == nullptr || answer->status != StatusCode::ok) return;
    if (answer->direct_line) return;
    const int level = std::max(1, answer->abstract_level);
    std::vector<Rect> clusters;
    for (const Cell cell : answer->abstract_nodes) {
        const Rect r = hpa::cluster_rect(index_, level, canvas_.map().point(cell));
        if (std::find(clusters.begin(), clusters.end(), r) == clusters.end()) clusters.push_back(r);
    }
    canvas_.legend().box(palette::corridor, fmt::format("{}-clusters of the path", level));
    canvas_.tint(clusters, palette::corridor);
}

Status HpaPainter::connections(const HpaRoute& route) {
    Segments lines{{}, {palette::ink, 1.5 * canvas_.hair(), 4 * canvas_.hair()}};
    for (const Point end : {route.start, route.goal}) {
        if (!canvas_.map().passable(canvas_.map().cell(end))) continue;
        const auto found = connectors(index_, layers_.highest_level, end);
        if (!found) return found.error();
        for (const hpa::Connection& c : *found)
            add_line(lines, canvas_.centre(end), canvas_.centre(c.node));
    }
    canvas_.add("connections", std::move(lines),
                on_level("edges of S and G", layers_.highest_level));
    return {};
}

void HpaPainter::abstract_path(const hpa::Answer& answer) {
    Polyline line{{}, {palette::abstract_path, 1.5 * canvas_.hair(), 0}};
    for (const Cell cell : answer.abstract_nodes) line.points.push_back(canvas_.centre(cell));
    Discs discs{line.points, 0.9 * node_radius(1), palette::abstract_path};
    canvas_.legend().edge(line.stroke,
                          fmt::format("abstract path, {} nodes", answer.abstract_nodes.size()));
    Layer& layer = canvas_.layer("abstract-path");
    layer.shapes.emplace_back(std::move(line));
    Canvas::edged_discs(layer, std::move(discs), 0.7 * canvas_.hair());
}

Status HpaPainter::paths(const HpaRoute& route) {
    if (route.connections) {
        if (Status s = connections(route); !s.ok()) return s;
    }
    const auto ok = [](const hpa::Answer* a) {
        return a != nullptr && a->status == StatusCode::ok;
    };
    if (route.refined_path && ok(route.abstract) && !route.abstract->cells.empty())
        canvas_.path(canvas_.layer("refined-path"), route.abstract->cells, palette::refined_path,
                     canvas_.with_length("refined path", route.abstract->cost),
                     Canvas::PathStyle::band);
    if (route.smoothed_path && ok(route.smoothed) && !route.smoothed->cells.empty())
        canvas_.path(canvas_.layer("smoothed-path"), route.smoothed->cells, palette::smoothed_path,
                     canvas_.with_length("smoothed path", route.smoothed->cost));
    if (route.abstract_path && ok(route.abstract)) abstract_path(*route.abstract);
    canvas_.ends(route.start, route.goal);
    return {};
}

namespace {

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

HpaPicture panel(const HpaPicture& picture, std::string title) {
    HpaPicture p = picture;
    p.map = panel_map(picture.map, std::move(title), kHpaPanelSide);
    p.layers = {};
    p.route.reset();
    return p;
}

}  // namespace

Result<Drawing> draw_hpa(const hpa::Index& index, const HpaPicture& picture) noexcept try {
    if (picture.route) {
        if (Status s = check_route(index, *picture.route); !s.ok())
            return tl::unexpected(std::move(s));
    }
    Result<Canvas> canvas = Canvas::create(index.map(), picture.map);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    if (Status s = paint(index, picture, *canvas); !s.ok()) return tl::unexpected(std::move(s));
    return canvas->finish();
} catch (...) {
    return out_of_memory();
}

Result<Drawing> draw_hpa_figure(const hpa::Index& index, const HpaPicture& picture) noexcept try {
    if (!picture.route) return fail(StatusCode::bad_option, "the figure needs a route");
    const int levels = index.options().levels;

    HpaPicture clusters = panel(picture, "a  Clusters and entrances");
    clusters.layers.nodes = clusters.layers.inter_edges = false;
    clusters.layers.intra_edges = IntraEdges::none;

    HpaPicture first = panel(picture, "b  Abstract graph, level 1");
    first.layers.lowest_level = first.layers.highest_level = 1;
    first.layers.entrances = false;

    HpaPicture top = panel(picture, fmt::format("c  Level {}, with S and G", levels));
    top.layers.lowest_level = top.layers.highest_level = levels;
    top.layers.entrances = false;
    top.route = HpaRoute{picture.route->start, picture.route->goal};

    HpaPicture paths = panel(picture, "d  Abstract, refined and smoothed path");
    paths.layers.entrances = paths.layers.nodes = paths.layers.inter_edges = false;
    paths.layers.intra_edges = IntraEdges::none;
    paths.route = picture.route;
    paths.route->connections = false;
    return figure_of(std::array{clusters, first, top, paths}, 2,
                     [&](const HpaPicture& p) { return draw_hpa(index, p); });
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::render

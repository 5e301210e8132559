#include "haa_layers.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "haa_ground.hpp"
#include "hpa_layers.hpp"
#include "palette.hpp"

namespace cairn::render {
namespace {

using grid::Point;
using haa::AnnotatedCluster;
using haa::AnnotatedEdge;
using haa::AnnotatedNode;

}  // namespace

template <class Visit>
void HaaPainter::each_cluster(Visit&& visit) const {
    const hpa::Partition& partition = snapshot().partition;
    const grid::Rect& area = canvas_->area();
    const auto columns = static_cast<std::uint32_t>(partition.columns(1));
    const std::uint32_t first = partition.cluster(1, {area.x, area.y});
    const std::uint32_t last =
        partition.cluster(1, {area.x + area.width - 1, area.y + area.height - 1});
    for (std::uint32_t row = first / columns; row <= last / columns; ++row) {
        for (std::uint32_t column = first % columns; column <= last % columns; ++column) {
            visit(AnnotatedCluster(snapshot().clusters[row * columns + column]));
        }
    }
}

void HaaPainter::clearances() {
    Layer& layer = canvas_->layer("clearance");
    const grid::Rect& area = canvas_->area();
    const double size = 0.5 * canvas_->scale();
    for (int y = area.y; y < area.y + area.height; ++y) {
        for (int x = area.x; x < area.x + area.width; ++x) {
            const int clearance = map().clearance(picture_->agent.capability, map().cell({x, y}));
            if (clearance == 0) continue;
            const Position at = canvas_->centre(Point{x, y});
            layer.shapes.emplace_back(Text{{at.x, at.y + 0.36 * size},
                                           size,
                                           Anchor::middle,
                                           false,
                                           palette::ink.with_alpha(0x78),
                                           fmt::format("{}", clearance)});
        }
    }
}

void HaaPainter::swept(const HpaRoute& route) {
    const hpa::Answer* answer = route.smoothed_path ? route.smoothed : nullptr;
    if (answer == nullptr && route.refined_path) answer = route.abstract;
    if (answer == nullptr || answer->status != StatusCode::ok || answer->cells.empty()) return;
    const int size = picture_->agent.size;
    Boxes boxes{{}, palette::refined_path.with_alpha(0x70)};
    boxes.boxes.reserve(answer->cells.size());
    for (const grid::Cell cell : answer->cells)
        boxes.boxes.push_back(canvas_->box(map().footprint(size, canvas_->map().point(cell))));
    canvas_->legend().box(boxes.fill, fmt::format("covered by {} x {} cells", size, size));
    canvas_->layer("footprints").shapes.emplace_back(std::move(boxes));
}

void HaaPainter::ends(const HpaRoute& route) {
    if (picture_->agent.size == 1) return;
    Layer& layer = canvas_->layer("footprint-ends");
    const auto outline = [&](Point anchor, Colour colour) {
        const Box b = canvas_->box(map().footprint(picture_->agent.size, anchor));
        const Position last{b.x + b.width, b.y + b.height};
        const double width = std::max(2.4 * canvas_->hair(), 0.1 * canvas_->scale());
        layer.shapes.emplace_back(Polyline{
            {{b.x, b.y}, {last.x, b.y}, last, {b.x, last.y}, {b.x, b.y}}, {colour, width, 0}});
    };
    outline(route.start, palette::start);
    outline(route.goal, palette::goal);
}

void HaaPainter::intra_edges(IntraEdges which) {
    std::size_t count = 0;
    each_cluster([&](const AnnotatedCluster& cluster) { count += cluster.edges(); });
    const auto& capabilities = map().options().capabilities;
    edges_.clear();
    for (std::size_t i = 0; i < capabilities.size(); ++i) {
        edges_.push_back({{}, {palette::capability(i).with_alpha(0xa8), 1.1 * canvas_->hair(), 0}});
    }
    if (count <= kMostPairs)
        each_cluster([&](const AnnotatedCluster& cluster) { add_edges(cluster); });
    else if (which == IntraEdges::all)
        canvas_->legend().line(edges_.front().stroke, "intra-edges: too many");
    const double covered = std::accumulate(
        edges_.begin(), edges_.end(), 0.0,
        [&](double sum, const Segments& lines) { return sum + canvas_->covered(lines); });
    if (which == IntraEdges::automatic && covered > kMostCovered) return;
    for (std::size_t i = 0; i < capabilities.size(); ++i) {
        if (edges_[i].ends.empty()) continue;
        canvas_->legend().line(edges_[i].stroke,
                               "intra-edges made for " + terrains_text(capabilities[i]));
        canvas_->layer("intra-edges-1").shapes.emplace_back(std::move(edges_[i]));
    }
}

void HaaPainter::add_edges(const AnnotatedCluster& cluster) {
    const haa::Serving& serving = *snapshot().serving;
    const std::uint32_t own = map().class_of(picture_->agent);
    const bool all = picture_->layers.all_agents;
    std::vector<bool> used(cluster.count());
    for (std::uint32_t i = 0; i < cluster.count(); ++i) used[i] = uses(cluster.node(i));
    Pair pair;
    cluster.for_each_edge([&](std::uint32_t row, std::uint32_t column, const AnnotatedEdge& edge) {
        if (row != pair.row || column != pair.column) {
            add(cluster, pair);
            pair = {row, column};
        }
        const std::uint32_t capability = std::uint32_t{1}
                                         << map().agent(edge.agent_class).capability;
        if (all) {
            pair.capabilities |= capability;
        } else if (used[row] && used[column] && edge.cost < pair.least &&
                   serving(edge.agent_class, own)) {
            pair.capabilities = capability;
            pair.least = edge.cost;
        }
    });
    add(cluster, pair);
}

// Edges of several capabilities side by side.
void HaaPainter::add(const AnnotatedCluster& cluster, const Pair& pair) {
    if (pair.capabilities == 0) return;
    const Position a = canvas_->centre(cluster.node(pair.row).cell);
    const Position b = canvas_->centre(cluster.node(pair.column).cell);
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const int all = std::popcount(pair.capabilities);
    double shift = -0.5 * (all - 1);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        if ((pair.capabilities >> i & 1) == 0) continue;
        const double by = shift * 1.5 * edges_[i].stroke.width / length;
        const double dx = by * (a.y - b.y);
        const double dy = by * (b.x - a.x);
        edges_[i].ends.push_back({a.x + dx, a.y + dy});
        edges_[i].ends.push_back({b.x + dx, b.y + dy});
        shift += 1;
    }
}

void HaaPainter::other_nodes(double radius, double width) {
    const Colour colour = blend(palette::ink, palette::paper, 9, 20);
    Segments lines{{}, {colour, width, 0}};
    Discs discs{{}, radius, colour};
    each_cluster([&](const AnnotatedCluster& cluster) {
        for (std::uint32_t i = 0; i < cluster.count(); ++i) {
            const AnnotatedNode node = cluster.node(i);
            const Point at = canvas_->map().point(node.cell);
            discs.centres.push_back(canvas_->centre(at));
            for (int d = 0; d < 8; ++d) {
                if ((node.crossings >> d & 1) == 0) continue;
                lines.ends.push_back(canvas_->centre(at));
                lines.ends.push_back(
                    canvas_->centre(Point{at.x + grid::kDx[d], at.y + grid::kDy[d]}));
            }
        }
    });
    canvas_->legend().edge({colour, width, 0}, "nodes, inter-edges of other agents");
    canvas_->layer("other-inter-edges").shapes.emplace_back(std::move(lines));
    canvas_->dots(canvas_->layer("other-nodes"), std::move(discs));
}

}  // namespace cairn::render

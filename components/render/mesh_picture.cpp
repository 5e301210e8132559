#include "cairn/render/mesh_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cairn/render/flow_picture.hpp"
#include "core/guarded.hpp"
#include "core/sort_unique.hpp"
#include "flow.hpp"
#include "hna/snapshot.hpp"
#include "mesh_canvas.hpp"
#include "mesh_ground.hpp"
#include "palette.hpp"

namespace cairn::render {
namespace {

using mesh::Link;
using mesh::Mesh;
using mesh::Polygon;

constexpr double kPortalDetail = 5;   // MeshCanvas::detail from which on portals are drawn
constexpr double kIntraShare = 0.04;  // of the picture, that automatic intra-edges may cover
constexpr std::size_t kMostIntra = 300'000;
constexpr Colour kPlain{0xb9, 0xc9, 0xd6};     // of polygons without a cluster
constexpr std::uint8_t kCorridorAlpha = 0xa0;  // of the paper over the corridor

Colour with_area(Colour fill, std::uint8_t area) noexcept {
    return area == 0 ? fill : palette::blend(fill, palette::capability(area - 1U), 1, 2);
}

/// The pairs of clusters that a portal joins, each in both orders, sorted.
std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours(const hna::Index& index,
                                                                int level) {
    const Mesh& mesh = index.mesh();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    for (Link link = 0; link < mesh.num_links(); ++link) {
        if (mesh.polygon_of(link) == mesh::kNone) continue;
        const std::uint32_t a = index.cluster(level, mesh.polygon_of(link));
        const std::uint32_t b = index.cluster(level, mesh.polygon_of(mesh::twin(link)));
        if (a != b) out.emplace_back(a, b);
    }
    sort_unique(out);
    return out;
}

/// Adds the two lines of an arrow's head at `b`.
void add_arrow(Segments& lines, Position a, Position b, double size) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length < 2 * size) return;
    const double x = (a.x - b.x) / length * size;
    const double y = (a.y - b.y) / length * size;
    add_line(lines, b, {b.x + x - y / 2, b.y + y + x / 2});
    add_line(lines, b, {b.x + x + y / 2, b.y + y - x / 2});
}

class MeshPainter {
public:
    /// `index` may be null. `passes`, if not empty, has the number of agents that have passed each
    /// polygon, which then gives the colours. All must outlive the painter.
    MeshPainter(MeshCanvas& canvas, const hna::Index* index, const MeshPicture& picture,
                std::span<const std::uint32_t> passes = {})
        : canvas_(canvas), index_(index), picture_(picture), passes_(passes) {
        if (index_ != nullptr) {
            level_ = picture.layers.level == 0 ? index_->options().levels : picture.layers.level;
            colour_clusters();
        }
        if (!passes.empty()) flow_.emplace(passes);
        const double hair = canvas.hair();
        const double thin = canvas.detail() < 4 * kPortalDetail ? 0.75 : 1.25;
        portal_stroke_ = {palette::portal, thin * hair, 2.5 * hair};
        wall_stroke_ = {palette::ink, thin * hair, 0};
        inter_edge_stroke_ = {palette::inter_edge, 2 * thin * hair, 2.5 * hair};
        in_corridor_.assign(mesh().num_polygons(), 0);
        if (picture.route && picture.route->corridor) {
            for (const Polygon p : picture.route->answer->polygons) in_corridor_[p] = 1;
        }
    }

    /// Polygons with their markings and borders, storey by storey, the lowest first.
    void ground() {
        std::vector<Storey> storeys(canvas_.num_storeys());
        for (Storey& storey : storeys) {
            storey.corridor.fill = palette::paper.with_alpha(kCorridorAlpha);
            storey.hatch.stroke = {palette::obstacle, canvas_.hair(), 0};
            storey.portals.stroke = portal_stroke_;
            storey.walls.stroke = wall_stroke_;
            storey.inter_edges.stroke = inter_edge_stroke_;
        }
        collect(storeys);
        for (Storey& storey : storeys) paint(storey);
        explain();
    }

    void intra_edges() {
        if (index_ == nullptr || picture_.layers.intra_edges == IntraEdges::none) return;
        const hna::Overlay& overlay = index_->snapshot().overlay;
        Segments lines{{}, {palette::intra_edge, 0.8 * canvas_.hair(), 0}};
        Segments arrows = lines;
        const Box& frame = canvas_.frame();
        const auto inside = [&frame](Position p) {
            return p.x >= frame.x && p.x <= frame.x + frame.width && p.y >= frame.y &&
                   p.y <= frame.y + frame.height;
        };
        std::size_t count = 0;
        for (std::uint32_t c = 0; c < index_->clusters(level_); ++c) {
            const ClusterView view = overlay.cluster(level_, c);
            for (std::uint32_t i = 0; i < view.count(); ++i) {
                for (std::uint32_t j = 0; j < i; ++j) {
                    const bool forth = view.cost(i, j) < kInfinity;
                    const bool back = view.cost(j, i) < kInfinity;
                    if (!forth && !back) continue;
                    const Position a = canvas_.at(mesh().midpoint(view.base(i)));
                    const Position b = canvas_.at(mesh().midpoint(view.base(j)));
                    if (!inside(a) && !inside(b)) continue;
                    if (++count > kMostIntra) return;
                    add_line(lines, a, b);
                    if (forth != back)
                        add_arrow(arrows, forth ? a : b, forth ? b : a, 6 * canvas_.hair());
                }
            }
        }
        const bool all = picture_.layers.intra_edges == IntraEdges::all;
        if (count == 0 || (!all && canvas_.covered(lines) > kIntraShare)) return;
        canvas_.legend().line(lines.stroke, fmt::format("intra-edges: {}", count));
        Layer& layer = canvas_.layer("intra-edges");
        layer.shapes.emplace_back(std::move(lines));
        if (!arrows.ends.empty()) layer.shapes.emplace_back(std::move(arrows));
    }

    void connections() {
        Segments lines{{}, {palette::connection, 1.5 * canvas_.hair(), 0}};
        for (Polygon p = 0; p < mesh().num_polygons(); ++p) {
            if (!mesh().is_connection(p)) continue;
            for (const std::uint32_t corner : mesh().corners(p))
                lines.ends.push_back(canvas_.at(mesh().vertices()[corner]));
        }
        if (lines.ends.empty()) return;
        canvas_.legend().edge(lines.stroke, fmt::format("connections: {}", lines.ends.size() / 2));
        Layer& layer = canvas_.layer("connections");
        layer.shapes.emplace_back(Discs{lines.ends, 2.5 * canvas_.hair(), palette::connection});
        layer.shapes.emplace_back(std::move(lines));
    }

    void route() {
        if (!picture_.route) return;
        const MeshRoute& route = *picture_.route;
        const hna::Answer& answer = *route.answer;
        const Position start = canvas_.at(answer.start.point);
        const Position goal = canvas_.at(answer.goal.point);
        if (route.corridor && !answer.polygons.empty()) {
            const Colour ground = index_ != nullptr ? palette::cluster.front() : kPlain;
            canvas_.legend().box(palette::blend(ground, palette::paper, kCorridorAlpha, 255),
                                 fmt::format("corridor: {} polygons", answer.polygons.size()));
        }
        if (route.abstract_path && !answer.abstract_nodes.empty()) {
            Polyline line{{start}, {palette::abstract_path, 1.3 * canvas_.hair(), 0}};
            // An inter-edge has two links, of the same portal.
            for (std::size_t i = 0; i < answer.abstract_nodes.size(); i += 2)
                line.points.push_back(canvas_.at(mesh().midpoint(answer.abstract_nodes[i])));
            line.points.push_back(goal);
            canvas_.legend().line(line.stroke, fmt::format("abstract path: {} inter-edges",
                                                           answer.abstract_nodes.size() / 2));
            canvas_.add("abstract-path", std::move(line));
        }
        if (route.string && !answer.waypoints.empty()) {
            std::vector<Position> points;
            points.reserve(answer.waypoints.size());
            for (const auto& waypoint : answer.waypoints)
                points.push_back(canvas_.at(waypoint.point));
            canvas_.path(canvas_.layer("string"), std::move(points), palette::smoothed_path, 0,
                         fmt::format("path, length {:.1f}", answer.length));
        }
        Layer& ends = canvas_.layer("ends");
        canvas_.marker(ends, start, 0, palette::start, "S");
        canvas_.marker(ends, goal, 0, palette::goal, "G");
    }

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

    [[nodiscard]] const Mesh& mesh() const noexcept { return canvas_.mesh(); }
    [[nodiscard]] std::uint32_t cluster(Polygon polygon) const noexcept {
        return index_ == nullptr ? 0 : index_->cluster(level_, polygon);
    }
    // Gives each cluster the colour that the fewest of its neighbours have; among several, the one
    // that is least used.
    void colour_clusters() {
        const auto pairs = neighbours(*index_, level_);
        const std::uint32_t count = index_->clusters(level_);
        const auto none = static_cast<std::uint8_t>(palette::cluster.size());
        colour_.assign(count, none);
        std::array<std::size_t, palette::cluster.size()> used{};
        auto next = pairs.begin();
        for (std::uint32_t c = 0; c < count; ++c) {
            std::array<std::size_t, palette::cluster.size()> beside{};
            for (; next != pairs.end() && next->first == c; ++next) {
                if (colour_[next->second] != none) ++beside[colour_[next->second]];
            }
            std::size_t best = 0;
            for (std::size_t i = 1; i < used.size(); ++i) {
                if (std::pair(beside[i], used[i]) < std::pair(beside[best], used[best])) best = i;
            }
            colour_[c] = static_cast<std::uint8_t>(best);
            ++used[best];
        }
    }

    /// The colour of polygons without a cluster.
    [[nodiscard]] Colour plain() const noexcept { return flow_ ? palette::unvisited : kPlain; }

    [[nodiscard]] Colour fill(Polygon polygon) const noexcept {
        if (flow_ && passes_[polygon] > 0) return flow_->of(passes_[polygon]);
        const bool clusters = index_ != nullptr && picture_.layers.clusters;
        const Colour ground = clusters ? palette::cluster[colour_[cluster(polygon)]] : plain();
        return with_area(ground, mesh().area(polygon));
    }

    void collect(std::vector<Storey>& storeys) {
        const bool portals = picture_.layers.portals && canvas_.detail() >= kPortalDetail;
        const bool inter = index_ != nullptr && picture_.layers.inter_edges;
        for (const Polygon p : canvas_.shown()) {
            Storey& storey = storeys[canvas_.storeys()[p]];
            const Colour colour = fill(p);
            auto same = std::find_if(storey.fills.begin(), storey.fills.end(),
                                     [&](const Polygons& f) { return f.fill == colour; });
            if (same == storey.fills.end())
                same = storey.fills.insert(same, Polygons{{}, {0}, colour});
            canvas_.add_outline(*same, p);
            if (in_corridor_[p] != 0) canvas_.add_outline(storey.corridor, p);
            if (mesh().blocked(p)) canvas_.add_hatch(storey.hatch, p, 5 * canvas_.hair());
            any_blocked_ = any_blocked_ || mesh().blocked(p);
            area_present_[mesh().area(p)] = true;
            canvas_.add_walls(storey.walls, p);
            for (const Link link : mesh().links(p)) {
                const Polygon other = mesh().polygon_of(mesh::twin(link));
                // Each portal is drawn once, with the upper polygon.
                const auto rank = [&](Polygon q) { return std::pair(canvas_.storeys()[q], q); };
                if (rank(other) > rank(p) || mesh().is_connection(other)) continue;
                const bool between_clusters = inter && cluster(p) != cluster(other);
                if (!between_clusters && !portals) continue;
                add_line(between_clusters ? storey.inter_edges : storey.portals,
                         canvas_.at(mesh().left(link)), canvas_.at(mesh().right(link)));
            }
        }
    }

    void paint(Storey& storey) {
        Layer& polygons = canvas_.layer("polygons");
        for (Polygons& fills : storey.fills) polygons.shapes.emplace_back(std::move(fills));
        if (!storey.corridor.corners.empty()) canvas_.add("corridor", std::move(storey.corridor));
        if (!storey.hatch.ends.empty()) canvas_.add("blocked", std::move(storey.hatch));
        if (!storey.portals.ends.empty()) canvas_.add("portals", std::move(storey.portals));
        canvas_.add("walls", std::move(storey.walls));
        num_inter_edges_ += storey.inter_edges.ends.size() / 2;
        if (!storey.inter_edges.ends.empty())
            canvas_.add("inter-edges", std::move(storey.inter_edges));
    }

    void explain() {
        Legend& legend = canvas_.legend();
        const Colour ground = index_ != nullptr ? palette::cluster.front() : plain();
        if (flow_)
            legend.box(ground, "nobody has passed");
        else
            legend.box(ground, index_ == nullptr
                                   ? fmt::format("polygons: {}", mesh().num_polygons())
                                   : fmt::format("clusters of level {}: {}", level_,
                                                 index_->clusters(level_)));
        legend.line_on(ground, wall_stroke_, "walls");
        if (picture_.layers.portals && canvas_.detail() >= kPortalDetail)
            legend.line_on(ground, portal_stroke_, "portals");
        if (num_inter_edges_ > 0)
            legend.line_on(ground, inter_edge_stroke_,
                           fmt::format("inter-edges: {}", num_inter_edges_));
        for (std::size_t area = 1; area < area_present_.size(); ++area) {
            if (!area_present_[area]) continue;
            const float cost = mesh().options().area_costs[area];
            const bool finite = std::isfinite(cost) && cost >= 0;
            legend.box(with_area(kPlain, static_cast<std::uint8_t>(area)),
                       finite ? fmt::format("area {}: cost {}", area, cost)
                              : fmt::format("area {}: no way", area));
        }
        if (any_blocked_)
            legend.line_on(ground, {palette::obstacle, canvas_.hair(), 2 * canvas_.hair()},
                           "blocked: hatched");
        if (flow_) flow_->explain(legend);
    }

    MeshCanvas& canvas_;
    const hna::Index* index_;
    const MeshPicture& picture_;
    int level_ = 0;
    std::span<const std::uint32_t> passes_;  // by polygon, of a flow
    std::optional<FlowColours> flow_;
    std::vector<std::uint8_t> colour_;       // by cluster: an index into palette::cluster
    std::vector<std::uint8_t> in_corridor_;  // by polygon
    Stroke portal_stroke_;
    Stroke wall_stroke_;
    Stroke inter_edge_stroke_;
    std::size_t num_inter_edges_ = 0;
    bool any_blocked_ = false;
    std::array<bool, mesh::kAreas> area_present_{};
};

/// Paints a mesh without index and route. `passes` as for MeshPainter.
void paint_bare(MeshCanvas& canvas, const MeshPicture& picture,
                std::span<const std::uint32_t> passes) {
    MeshPicture bare = picture;
    bare.route.reset();
    MeshPainter painter(canvas, nullptr, bare, passes);
    painter.ground();
    painter.connections();
}

Status check_choices(const mesh::Mesh& mesh, const MeshPicture& picture) {
    if (picture.layers.intra_edges > IntraEdges::all)
        return {StatusCode::bad_option, "intra_edges: there is no such choice"};
    if (!picture.route) return {};
    const hna::Answer* answer = picture.route->answer;
    if (answer == nullptr || answer->status != StatusCode::ok)
        return {StatusCode::bad_option, "a route needs an answer that is ok"};
    const auto below = [](const std::vector<std::uint32_t>& numbers, std::uint32_t limit) {
        return std::all_of(numbers.begin(), numbers.end(),
                           [limit](std::uint32_t number) { return number < limit; });
    };
    if (!below(answer->polygons, mesh.num_polygons()) ||
        !below(answer->abstract_nodes, mesh.num_links()))
        return {StatusCode::bad_option, "the answer belongs to another mesh"};
    return {};
}

Result<Drawing> draw(const mesh::Mesh& mesh, const hna::Index* index, const MeshPicture& picture) {
    if (Status s = check_choices(mesh, picture); !s.ok()) return tl::unexpected(std::move(s));
    Result<MeshCanvas> canvas = MeshCanvas::create(mesh, picture);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    MeshPainter painter(*canvas, index, picture);
    painter.ground();
    painter.intra_edges();
    painter.connections();
    painter.route();
    return canvas->finish();
}

/// Paints the narrow places that a disc cannot pass, the band that it covers, and its line.
void paint_disc(MeshCanvas& canvas, const hna::DiscIndex& index, const hna::DiscQuery& query,
                const hna::DiscAnswer& answer) {
    const auto at = [&](double x, double z) {
        return canvas.at({static_cast<float>(x), 0, static_cast<float>(z)});
    };
    Segments gates{{}, {palette::inter_edge, 1.5 * canvas.hair(), 0}};
    for (const mesh::Gate& gate : index.clearance().gates()) {
        if (gate.width >= 2 * query.radius) break;
        add_line(gates, at(gate.begin_x, gate.begin_z), at(gate.end_x, gate.end_z));
    }
    const std::size_t closed = gates.ends.size() / 2;
    canvas.add("gates", std::move(gates), fmt::format("too narrow: {}", closed));
    std::vector<mesh::LinePoint> line;
    const double unit = at(1, 0).x - at(0, 0).x;
    if (polyline(answer.waypoints, 0.05 / unit, line) == StatusCode::out_of_memory)
        throw std::bad_alloc();
    if (line.empty()) return;
    std::vector<Position> points;
    points.reserve(line.size());
    for (const mesh::LinePoint& point : line) points.push_back(at(point.x, point.z));
    if (points.size() == 1) points.push_back(points.front());
    const Colour swept = palette::smoothed_path.with_alpha(0x40);
    const double wide = 2 * query.radius * unit;
    canvas.legend().box(swept, fmt::format("disc of radius {:g}", query.radius));
    canvas.add("band", Polyline{points, {swept, wide, 0}});
    canvas.path(canvas.layer("string"), std::move(points), palette::smoothed_path, 0,
                fmt::format("path, length {:.1f}", answer.length));
}

}  // namespace

void paint_ground(MeshCanvas& canvas, const MeshPicture& picture) {
    paint_bare(canvas, picture, {});
}

Result<Drawing> draw_mesh(const mesh::Mesh& mesh, const MeshPicture& picture) noexcept try {
    return draw(mesh, nullptr, picture);
} catch (...) {
    return out_of_memory();
}

Result<Drawing> draw_flow(const mesh::Mesh& mesh, const Flow& flow,
                          const MeshPicture& picture) noexcept try {
    if (Status s = check_passes(flow, mesh.num_polygons(), "polygons"); !s.ok())
        return tl::unexpected(std::move(s));
    Result<MeshCanvas> canvas = MeshCanvas::create(mesh, picture);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    paint_bare(*canvas, picture, flow.passes);
    std::vector<Position> agents;
    for (const Position& at : flow.agents)
        agents.push_back(canvas->at({static_cast<float>(at.x), 0, static_cast<float>(at.y)}));
    add_agents(*canvas, std::move(agents), canvas->detail());
    return canvas->finish();
} catch (...) {
    return out_of_memory();
}

Result<Drawing> draw_disc_path(const hna::DiscIndex& index, const hna::DiscQuery& query,
                               const hna::DiscAnswer& answer, const MeshPicture& picture) noexcept
    try {
    const Mesh& mesh = index.clearance().whole();
    hna::Answer corridor;
    corridor.status = answer.status;
    corridor.start = answer.start;
    corridor.goal = answer.goal;
    corridor.polygons = answer.polygons;
    MeshPicture with_corridor = picture;
    with_corridor.route = MeshRoute{.answer = &corridor};
    if (Status s = check_choices(mesh, with_corridor); !s.ok()) return tl::unexpected(std::move(s));
    Result<MeshCanvas> canvas = MeshCanvas::create(mesh, with_corridor);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    MeshPainter painter(*canvas, nullptr, with_corridor);
    painter.ground();
    painter.connections();
    paint_disc(*canvas, index, query, answer);
    painter.route();
    return canvas->finish();
} catch (...) {
    return out_of_memory();
}

Result<Drawing> draw_hna(const hna::Index& index, const MeshPicture& picture) noexcept try {
    const int levels = index.options().levels;
    if (picture.layers.level < 0 || picture.layers.level > levels) {
        return fail(StatusCode::bad_option, fmt::format("level {}: the index has levels 1 to {}",
                                                        picture.layers.level, levels));
    }
    const hna::Answer* answer = picture.route ? picture.route->answer : nullptr;
    if (answer != nullptr && answer->snapshot_id != index.snapshot_id())
        return fail(StatusCode::stale_index, "the answer belongs to another index or snapshot");
    return draw(index.mesh(), &index, picture);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::render

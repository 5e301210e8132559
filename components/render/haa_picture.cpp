#include "cairn/render/haa_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "cairn/formats/palette.hpp"
#include "canvas.hpp"
#include "core/guarded.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/snapshot.hpp"
#include "hpa_painter.hpp"
#include "palette.hpp"

namespace cairn::render {
namespace {

using grid::Point;
using haa::AnnotatedCluster;
using haa::AnnotatedEdge;
using haa::AnnotatedMap;
using haa::Terrain;
using haa::TerrainKey;

constexpr int kHaaPanelSide = 700;
constexpr double kNumberCell = 16;  // pixels
constexpr std::int64_t kUsualNumbers = 10'000;
constexpr std::int64_t kMostNumbers = 250'000;

// The style that is drawn: never `automatic`, and `numbers` only if there are not too many.
ClearanceStyle choose_style(ClearanceStyle wanted, const Canvas& canvas) {
    const std::int64_t cells = std::int64_t{canvas.area().width} * canvas.area().height;
    if (wanted == ClearanceStyle::automatic) {
        const bool fit = canvas.scale() >= kNumberCell && cells <= kUsualNumbers;
        return fit ? ClearanceStyle::numbers : ClearanceStyle::shades;
    }
    if (wanted == ClearanceStyle::numbers && cells > kMostNumbers) return ClearanceStyle::shades;
    return wanted;
}

// A cell as an agent sees it: closed to its capability, too narrow for its size, or free. kFree + i
// is step i of the clearance, from the greatest down. A byte of the ground is
// terrain * kStates + state, or kObstacle.
enum State : std::uint8_t { kClosed, kNarrow, kFree };
constexpr int kSteps = 4;
constexpr int kStates = kFree + kSteps;
constexpr std::uint8_t kObstacle = haa::kMaxTerrains * kStates;

Colour terrain_colour(Terrain t) {
    // Ground, trees, swamp, water.
    constexpr std::array<Colour, 4> named{palette::free_cell, palette::open_trees, palette::swamp,
                                          palette::open_water};
    if (t < named.size()) return named[t];
    // The other twelve terrains have no names.
    return palette::blend(palette::free_cell, palette::ramp((t - 4) / 11.0), 2, 5);
}

Colour colour_of(Terrain t, int state) {
    const Colour light = terrain_colour(t);
    if (state == kClosed) return palette::blend(light, palette::obstacle, 9, 20);
    if (state == kNarrow) return palette::blend(light, palette::too_narrow, 9, 20);
    return palette::blend(light, palette::ink, static_cast<std::uint32_t>(5 * (state - kFree)),
                          100);
}

/// "ground+trees": the terrains of a capability.
std::string terrains_text(const haa::Capability& capability) {
    std::vector<std::string> names;
    for (Terrain t = 0; t < haa::kMaxTerrains; ++t) {
        if (capability.includes(t)) names.push_back(formats::terrain_name(t));
    }
    return fmt::format("{}", fmt::join(names, "+"));
}

/// The ground of a canvas for an agent.
class AgentGround {
public:
    AgentGround(const AnnotatedMap& map, haa::Agent agent, bool shades)
        : map_(map), agent_(agent), shades_(shades && agent.size < map.options().max_size) {}

    /// The terrain as the agent sees it: light where it can stand, tinted where only smaller agents
    /// of its capability can, dim elsewhere. With shades, less clearance is darker. Adds what is
    /// present to the legend.
    Ground paint(Canvas& canvas) {
        Ground ground;
        ground.colours.fill(palette::obstacle);
        for (int kind = 0; kind < kObstacle; ++kind) {
            ground.colours[static_cast<std::size_t>(kind)] =
                colour_of(static_cast<Terrain>(kind / kStates), kind % kStates);
        }
        canvas.for_each_cell([&](grid::Cell cell) {
            ground.cells.push_back(kind(cell));
            present_[ground.cells.back()] = true;
        });
        explain(canvas.legend());
        return ground;
    }

private:
    void explain(Legend& legend) const {
        const haa::Capability& capability = map_.options().capabilities[agent_.capability];
        std::optional<Colour> narrow;
        for (Terrain t = 0; t < haa::kMaxTerrains; ++t) {
            if (has(t, kNarrow) && !narrow) narrow = colour_of(t, kNarrow);
            const std::string name = formats::terrain_name(t);
            const bool enters = capability.includes(t);
            if (enters && (t != haa::kGround || capability.weight[t] != 1) && any_state(t)) {
                legend.box(colour_of(t, kFree),
                           capability.weight[t] == 1
                               ? name
                               : fmt::format("{}, weight {}", name, capability.weight[t]));
            } else if (has(t, kClosed)) {
                legend.box(colour_of(t, kClosed), name + " (closed)");
            }
        }
        if (narrow) legend.box(*narrow, fmt::format("clearance below {}", agent_.size));
        if (shades_) {
            legend.box(
                colour_of(haa::kGround, kFree + kSteps - 1),
                fmt::format("clearance {}; {} is light", agent_.size, map_.options().max_size));
        }
    }

    [[nodiscard]] std::uint8_t kind(grid::Cell cell) const noexcept {
        const std::uint8_t t = map_.options().key.terrain[map_.terrain(cell)];
        if (t == TerrainKey::kObstacle) return kObstacle;
        return static_cast<std::uint8_t>(t * kStates +
                                         state(map_.clearance(agent_.capability, cell)));
    }
    [[nodiscard]] int state(int clearance) const noexcept {
        if (clearance == 0) return kClosed;
        if (clearance < agent_.size) return kNarrow;
        if (!shades_) return kFree;
        const int most = map_.options().max_size;
        return kFree + (kSteps - 1) * (most - clearance) / (most - agent_.size);
    }
    [[nodiscard]] bool has(Terrain t, int state) const noexcept {
        return present_[static_cast<std::size_t>(t * kStates + state)];
    }
    [[nodiscard]] bool any_state(Terrain t) const noexcept {
        const auto first = present_.begin() + t * kStates;
        return std::find(first, first + kStates, true) != first + kStates;
    }

    const AnnotatedMap& map_;
    haa::Agent agent_;
    bool shades_;
    std::array<bool, 256> present_{};
};

/// Paints the layers that HpaPainter cannot paint from the agent's view.
class HaaPainter {
public:
    /// All must outlive the painter.
    HaaPainter(const haa::Index& index, const HaaPicture& picture, Canvas& canvas)
        : index_(index), picture_(picture), canvas_(canvas) {}

    /// The clearance of each cell as a number.
    void clearances() {
        Layer& layer = canvas_.layer("clearance");
        const double size = 0.5 * canvas_.scale();
        const Colour colour = palette::ink.with_alpha(0x78);
        canvas_.for_each_cell([&](grid::Cell cell) {
            const int clearance = map().clearance(picture_.agent.capability, cell);
            if (clearance == 0) return;
            Position at = canvas_.centre(cell);
            at.y += 0.36 * size;
            layer.shapes.emplace_back(
                Text{at, size, Anchor::middle, /*bold=*/false, colour, std::to_string(clearance)});
        });
    }

    /// The cells that the agent covers on its path.
    void swept(const HpaRoute& route) {
        const hpa::Answer* answer = route.smoothed_path ? route.smoothed : nullptr;
        if (answer == nullptr && route.refined_path) answer = route.abstract;
        if (answer == nullptr || answer->status != StatusCode::ok || answer->cells.empty()) return;
        const int size = picture_.agent.size;
        Boxes boxes{{}, palette::refined_path.with_alpha(0x70)};
        boxes.boxes.reserve(answer->cells.size());
        for (const grid::Cell cell : answer->cells)
            boxes.boxes.push_back(canvas_.box(map().footprint(size, canvas_.map().point(cell))));
        canvas_.legend().box(boxes.fill, fmt::format("covered by {} x {} cells", size, size));
        canvas_.add("footprints", std::move(boxes));
    }

    /// Outlines of the cells that the agent covers at start and goal.
    void ends(const HpaRoute& route) {
        if (picture_.agent.size == 1) return;
        Layer& layer = canvas_.layer("footprint-ends");
        const double width = std::max(2.4 * canvas_.hair(), 0.1 * canvas_.scale());
        for (const auto& [anchor, colour] :
             {std::pair{route.start, palette::start}, {route.goal, palette::goal}}) {
            const Box covered = canvas_.box(map().footprint(picture_.agent.size, anchor));
            layer.shapes.emplace_back(outline(covered, {colour, width, 0}));
        }
    }

    /// The annotated intra-edges, which are those of level 1.
    void intra_edges(IntraEdges mode) {
        std::size_t count = 0;
        each_cluster([&](const AnnotatedCluster& cluster) { count += cluster.edges(); });
        const auto& capabilities = map().options().capabilities;
        edges_.clear();
        for (std::size_t i = 0; i < capabilities.size(); ++i) {
            edges_.push_back(
                {{}, {palette::capability(i).with_alpha(0xa8), 1.1 * canvas_.hair(), 0}});
        }
        if (count <= kMostPairs)
            each_cluster([&](const AnnotatedCluster& cluster) { add_edges(cluster); });
        else if (mode == IntraEdges::all)
            canvas_.legend().line(edges_.front().stroke, "intra-edges: too many");
        const double covered = std::accumulate(
            edges_.begin(), edges_.end(), 0.0,
            [&](double sum, const Segments& lines) { return sum + canvas_.covered(lines); });
        if (mode == IntraEdges::automatic && covered > kMostCovered) return;
        for (std::size_t i = 0; i < capabilities.size(); ++i) {
            canvas_.add("intra-edges-1", std::move(edges_[i]),
                        "intra-edges of " + terrains_text(capabilities[i]));
        }
    }

    /// Nodes and inter-edges of all agents.
    void other_nodes(double radius, double width) {
        const Colour colour = palette::blend(palette::ink, palette::paper, 9, 20);
        Segments lines{{}, {colour, width, 0}};
        Discs discs{{}, radius, colour};
        each_cluster([&](const AnnotatedCluster& cluster) {
            for (std::uint32_t i = 0; i < cluster.count(); ++i) {
                const Point at = canvas_.map().point(cluster.cell(i));
                discs.centres.push_back(canvas_.centre(at));
                for (int d = 0; d < 8; ++d) {
                    if ((cluster.crossings(i) >> d & 1) == 0) continue;
                    const Point other{at.x + grid::kDx[d], at.y + grid::kDy[d]};
                    add_line(lines, canvas_.centre(at), canvas_.centre(other));
                }
            }
        });
        canvas_.legend().edge({colour, width, 0}, "nodes, inter-edges of other agents");
        canvas_.add("other-inter-edges", std::move(lines));
        canvas_.dots(canvas_.layer("other-nodes"), std::move(discs));
    }

private:
    /// Two nodes of a cluster, and the capabilities whose intra-edges between them are drawn.
    struct Pair {
        std::uint32_t row = 0;  // slots of the nodes
        std::uint32_t column = 0;
        std::uint32_t capabilities = 0;  // bits
    };

    /// Calls visit(cluster) for the annotated clusters of the area.
    template <class Visit>
    void each_cluster(Visit&& visit) const {
        const hpa::Partition& partition = snapshot().partition;
        const grid::Rect& area = canvas_.area();
        const auto columns = static_cast<std::uint32_t>(partition.columns(1));
        const std::uint32_t first = partition.cluster(1, {area.x, area.y});
        const std::uint32_t last =
            partition.cluster(1, {area.x + area.width - 1, area.y + area.height - 1});
        for (std::uint32_t row = first / columns; row <= last / columns; ++row) {
            for (std::uint32_t column = first % columns; column <= last % columns; ++column)
                visit(AnnotatedCluster(snapshot().clusters[row * columns + column]));
        }
    }

    void add_edges(const AnnotatedCluster& cluster) {
        const std::uint32_t agent_class = map().class_of(picture_.agent);
        Pair pair;
        for (const AnnotatedEdge& edge : cluster.all_edges()) {
            if (edge.a != pair.row || edge.b != pair.column) {
                add_lines(cluster, pair);
                pair = {edge.a, edge.b};
            }
            for (std::uint32_t k = 0; k < map().classes(); ++k) {
                if (edge.classes[k] && (k == agent_class || picture_.layers.all_agents))
                    pair.capabilities |= std::uint32_t{1} << map().agent(k).capability;
            }
        }
        add_lines(cluster, pair);
    }

    // Adds a line for each capability of a pair, side by side.
    void add_lines(const AnnotatedCluster& cluster, const Pair& pair) {
        if (pair.capabilities == 0) return;
        const Position a = canvas_.centre(cluster.cell(pair.row));
        const Position b = canvas_.centre(cluster.cell(pair.column));
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const int count = std::popcount(pair.capabilities);
        double position = -0.5 * (count - 1);
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            if ((pair.capabilities >> i & 1) == 0) continue;
            const double shift = position * 1.5 * edges_[i].stroke.width / length;
            const double dx = shift * (a.y - b.y);
            const double dy = shift * (b.x - a.x);
            add_line(edges_[i], {a.x + dx, a.y + dy}, {b.x + dx, b.y + dy});
            position += 1;
        }
    }

    [[nodiscard]] const AnnotatedMap& map() const noexcept { return index_.map(); }
    [[nodiscard]] const haa::Snapshot& snapshot() const noexcept { return index_.snapshot(); }

    const haa::Index& index_;
    const HaaPicture& picture_;
    Canvas& canvas_;
    std::vector<Segments> edges_;  // per capability
};

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
    HaaPainter haa(index, picture, canvas);
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
    p.map = panel_map(picture.map, std::move(title), kHaaPanelSide);
    p.layers = {};
    p.layers.clearance = ClearanceStyle::none;
    p.layers.view.entrances = false;
    p.route.reset();
    return p;
}

}  // namespace

Result<Drawing> draw_haa(const haa::Index& index, const HaaPicture& picture) noexcept try {
    if (picture.layers.clearance > ClearanceStyle::numbers)
        return fail(StatusCode::bad_option, "clearance: there is no such style");
    const auto view = index.view(picture.agent);
    if (!view) return tl::unexpected(view.error());
    if (picture.route) {
        if (Status s = check_route(*view, *picture.route); !s.ok())
            return tl::unexpected(std::move(s));
    }
    Result<Canvas> canvas = Canvas::create(view->map(), picture.map, [&](Canvas& on) {
        const auto style = choose_style(picture.layers.clearance, on);
        return AgentGround(index.map(), picture.agent, style == ClearanceStyle::shades).paint(on);
    });
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    if (Status s = paint(index, *view, picture, *canvas); !s.ok())
        return tl::unexpected(std::move(s));
    return canvas->finish();
} catch (...) {
    return out_of_memory();
}

Result<Drawing> draw_haa_figure(const haa::Index& index, const HaaPicture& picture) noexcept try {
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
    return figure_of(std::array{ground, all, own, paths}, 2,
                     [&](const HaaPicture& p) { return draw_haa(index, p); });
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::render

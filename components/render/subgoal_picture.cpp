#include "cairn/render/subgoal_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "canvas.hpp"
#include "core/guarded.hpp"
#include "palette.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/engines.hpp"

namespace cairn::render {
namespace {

using grid::Cell;
using grid::Point;

constexpr int kSubgoalPanelSide = 500;
constexpr std::uint32_t kRanks = 6;  // levels with a colour of their own

/// Finds the direct-h-reachable cells of a cell, line by line (Uras, Koenig 2015, Figure 15.6).
struct AreaScan {
    const subgoal::SubgoalBits& bits;
    std::array<std::vector<grid::Rect>, 3> tints{};  // cells, by palette::area
    std::vector<std::array<Point, 2>> lines{};
    std::vector<Point> subgoals{};

    /// Follows a line of at most `longest` free cells beyond p, tints them, and returns their
    /// number: Clearance(p, direction). A subgoal ends the line, and is kept.
    int scan_line(Point p, int direction, int longest, std::size_t tint) {
        Point last = p;
        int moves = 0;
        for (; moves < longest; ++moves) {
            const Point next{last.x + grid::kDx[direction], last.y + grid::kDy[direction]};
            // Both cells beside a diagonal step must be free.
            if (bits.blocked(next.x, next.y) || bits.blocked(next.x, last.y) ||
                bits.blocked(last.x, next.y)) {
                break;
            }
            if (bits.is_subgoal(next.x, next.y)) {
                subgoals.push_back(next);
                break;
            }
            last = next;
            tints[tint].push_back({last.x, last.y, 1, 1});
        }
        if (moves > 0) lines.push_back({p, last});
        return moves;
    }

    /// Scans the eight rays, then from the cells of each diagonal ray in the two cardinal
    /// directions beside it.
    void run(Point from) {
        const int most = std::max(bits.width(), bits.height());
        std::array<int, 8> clearance{};
        for (int d = 0; d < 8; ++d)
            clearance[static_cast<std::size_t>(d)] = scan_line(from, d, most, 0);
        for (int d = 1; d < 8; d += 2) {
            for (const auto& [turn, tint] : {std::pair{-1, 1}, {1, 2}}) {
                const int cardinal = (d + turn) & 7;
                int longest = clearance[static_cast<std::size_t>(cardinal)];
                Point p = from;
                for (int i = 0; i < clearance[static_cast<std::size_t>(d)]; ++i) {
                    p = {p.x + grid::kDx[d], p.y + grid::kDy[d]};
                    longest = scan_line(p, cardinal, longest, static_cast<std::size_t>(tint));
                }
            }
        }
    }
};

class SubgoalPainter {
public:
    /// The index must have what `layers` need.
    SubgoalPainter(const subgoal::Index& index, const SubgoalLayers& layers, Canvas& canvas)
        : index_(index), layers_(layers), canvas_(canvas) {}

    /// The direct-h-reachable cells of a cell. To call before `graph`.
    void area(Point from) {
        AreaScan scan{snapshot().bits};
        scan.run(from);
        for (std::size_t i = 0; i < scan.tints.size(); ++i)
            canvas_.tint(scan.tints[i], palette::area[i]);
        Segments lines{{}, {palette::area_line, 0.9 * canvas_.hair(), 0}};
        for (const auto& [a, b] : scan.lines) add_line(lines, canvas_.centre(a), canvas_.centre(b));
        canvas_.legend().box(palette::area[1], "direct-h-reachable cells");
        canvas_.add("area", std::move(lines));
        in_area_ = {"direct-h-reachable subgoals", palette::level(2), 1.4, {}};
        for (const Point p : scan.subgoals) in_area_.centres.push_back(canvas_.centre(p));
    }

    void graph() {
        if (layers_.edges || layers_.taut) edges();
        if (layers_.levels) level_edges();
        if (layers_.subgoals) subgoals();
        if (layers_.levels) levels();
        if (layers_.core) core();
        ranks("area-subgoals", {std::move(in_area_)});
    }

    /// To call after `graph`.
    void route(const SubgoalRoute& route) {
        if (route.connectors) connectors(route);
        if (route.path && route.answer != nullptr) path(*route.answer);
        canvas_.ends(route.start, route.goal);
    }

private:
    using Rank = Sheet::Rank;  // of subgoals

    void edges() {
        const double hair = canvas_.hair();
        const bool both = layers_.edges && layers_.taut;
        Segments all{{},
                     {both ? palette::ink.with_alpha(0x50) : palette::level(1).with_alpha(0xa0),
                      0.8 * hair, both ? 2.5 * hair : 0}};
        Segments taut{{}, {palette::level(1).with_alpha(0xd0), 1.3 * hair, 0}};
        const auto found = value_of(subgoal::edges(index_));
        for (const subgoal::SubgoalEdge& edge : found) {
            const bool as_taut = layers_.taut && edge.taut;
            if (!as_taut && !layers_.edges) continue;
            add_line(as_taut ? taut : all, canvas_.centre(edge.a), canvas_.centre(edge.b));
        }
        segments("edges", std::move(all), both ? "edges that no taut path needs" : "edges");
        segments("taut-edges", std::move(taut), "taut edges");
    }

    void subgoals() {
        Rank all{"subgoals", palette::ink, 1, {}};
        const auto found = value_of(subgoal::subgoals(index_));
        for (const Cell cell : found) all.centres.push_back(canvas_.centre(cell));
        ranks("subgoals", {std::move(all)});
    }

    void level_edges() {
        const NLevelGraph& graph = engines().levels;
        Segments lines{{}, {palette::ink.with_alpha(0x38), 0.7 * canvas_.hair(), 0}};
        for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
            const bool core = graph.in_core(v);
            for (const NLevelArc& arc : graph.rising_arcs(v)) {
                // In the core each edge has two arcs; the layer of the core draws them itself.
                if (!core || (!layers_.core && v < arc.head)) add_line(lines, at(v), at(arc.head));
            }
            for (const NLevelArc& arc : graph.lateral_arcs(v)) {
                if (v < arc.head) add_line(lines, at(v), at(arc.head));
            }
        }
        segments("level-edges", std::move(lines), layers_.core ? "edges below the core" : "edges");
    }

    void levels() {
        const NLevelGraph& graph = engines().levels;
        const std::uint32_t top = graph.num_levels();
        // Up to kRanks levels below the highest have a rank each; if there are more, all from the
        // kRanks-th on share one.
        const std::uint32_t single = top - 1 <= kRanks ? top - 1 : kRanks - 1;
        std::vector<Rank> found;
        for (std::uint32_t l = 1; l <= single; ++l)
            found.push_back({fmt::format("level {}", l), {}, 1, {}});
        if (single < top - 1)
            found.push_back({fmt::format("levels {} to {}", single + 1, top - 1), {}, 1, {}});
        found.push_back({fmt::format("level {}, the core", top), {}, 1, {}});
        for (std::size_t i = 0; i < found.size(); ++i) {
            const double share =
                found.size() > 1 ? static_cast<double>(i) / static_cast<double>(found.size() - 1)
                                 : 1;
            found[i].colour = palette::ramp(share);
            found[i].size = 0.75 + 0.65 * share;
        }
        for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
            const std::uint32_t level = graph.level(v);
            const std::size_t rank = level == top ? found.size() - 1 : std::min(level - 1, single);
            found[rank].centres.push_back(at(v));
        }
        ranks("levels", std::move(found));
    }

    void core() {
        const NLevelGraph& graph = engines().levels;
        const double hair = canvas_.hair();
        const Stroke stroke{palette::ramp(1).with_alpha(0xb8), 1.2 * hair, 0};
        Segments edges{{}, stroke};
        Segments extra{{}, {stroke.colour, 1.2 * hair, 3.5 * hair}};
        const bool whole = graph.num_levels() == 1;
        Rank nodes{whole ? "subgoals" : "subgoals of the core", palette::ramp(1), 1.1, {}};
        for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
            if (!graph.in_core(v)) continue;
            nodes.centres.push_back(at(v));
            for (const NLevelArc& arc : graph.rising_arcs(v)) {
                if (arc.head < v) continue;
                add_line(is_edge(v, arc.head) ? edges : extra, at(v), at(arc.head));
            }
        }
        segments("core-edges", std::move(edges), whole ? "edges" : "core edges");
        segments("core-extra-edges", std::move(extra), "extra core edges");
        if (!layers_.levels) ranks("core", {std::move(nodes)});
    }

    void connectors(const SubgoalRoute& route) {
        const double hair = canvas_.hair();
        Segments taut{{}, {palette::connector, 1.4 * hair, 0}};
        Segments left_out{{}, {palette::connector.with_alpha(0x60), hair, 2.5 * hair}};
        const grid::Map& map = canvas_.map();
        const auto kept_by_engines =
            index_.complete() ? subgoal::Connections::taut : subgoal::Connections::all;
        for (const Point p : {route.start, route.goal}) {
            if (!map.passable(map.cell(p))) continue;
            subgoal::Endpoint all;
            subgoal::Endpoint kept;
            connect(snapshot(), map.cell(p), subgoal::Connections::all, all);
            connect(snapshot(), map.cell(p), kept_by_engines, kept);
            for (const Connector& c : all.connectors) {
                const bool keep = std::find(kept.connectors.begin(), kept.connectors.end(), c) !=
                                  kept.connectors.end();
                add_line(keep ? taut : left_out, canvas_.centre(p),
                         canvas_.centre(snapshot().bits.point(c.node)));
            }
        }
        segments("connectors-left-out", std::move(left_out), "connectors left out");
        segments("connectors", std::move(taut), "connectors of S and G");
    }

    void path(const subgoal::Answer& answer) {
        if (answer.status != StatusCode::ok || answer.subgoals.empty()) return;
        Layer& layer = canvas_.layer("path");
        if (!answer.cells.empty())
            canvas_.path(layer, answer.cells, palette::smoothed_path,
                         canvas_.with_length("path", answer.cost));
        std::vector<Position> turns;
        for (std::size_t i = 1; i + 1 < answer.subgoals.size(); ++i)
            turns.push_back(canvas_.centre(answer.subgoals[i]));
        if (turns.empty()) return;
        canvas_.legend().disc(palette::smoothed_path, counted("subgoals on it", turns.size()));
        Canvas::edged_discs(layer, {std::move(turns), 1.5 * radius(), palette::smoothed_path},
                            0.9 * canvas_.hair());
    }

    [[nodiscard]] const subgoal::Snapshot& snapshot() const noexcept { return index_.snapshot(); }
    [[nodiscard]] const subgoal::Engines& engines() const noexcept { return *snapshot().engines; }
    [[nodiscard]] Position at(std::uint32_t node) const noexcept {
        return canvas_.centre(snapshot().nodes.cell(node));
    }
    [[nodiscard]] bool is_edge(std::uint32_t a, std::uint32_t b) const noexcept {
        const Point p = snapshot().nodes.point(a);
        const auto heads = snapshot().graph.neighbours(p.x, p.y);
        return std::binary_search(heads.begin(), heads.end(), snapshot().nodes.cell(b));
    }
    [[nodiscard]] double radius() const noexcept {
        return std::max(1.9 * canvas_.hair(), 0.22 * canvas_.scale());
    }
    void segments(const char* name, Segments lines, const std::string& label) {
        const std::size_t count = lines.ends.size() / 2;
        canvas_.add(name, std::move(lines), counted(label, count));
    }
    void ranks(const char* name, std::vector<Rank> ranks) {
        canvas_.ranks(name, std::move(ranks), radius());
    }

    const subgoal::Index& index_;
    SubgoalLayers layers_;
    Canvas& canvas_;
    Rank in_area_;  // painted above the graph
};

Status check_point(const grid::Map& map, grid::Point p, const char* name) {
    if (map.contains(p)) return {};
    return {StatusCode::bad_option, fmt::format("{} {},{} lies outside the map", name, p.x, p.y)};
}

Status check(const subgoal::Index& index, const SubgoalPicture& picture) {
    const grid::Map& map = index.map();
    const SubgoalLayers& layers = picture.layers;
    if ((layers.taut || layers.levels || layers.core) && !index.complete()) {
        return {StatusCode::unsupported,
                "the index has no engines after an edit: only subgoals and edges can be drawn"};
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

Result<Drawing> draw_subgoals(const subgoal::Index& index, const SubgoalPicture& picture) noexcept
    try {
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
} catch (...) {
    return out_of_memory();
}

Result<Drawing> draw_subgoal_figure(const grid::Map& map, const subgoal::Options& options,
                                    const SubgoalPicture& picture) noexcept try {
    SubgoalPicture panel = picture;
    panel.layers = {.subgoals = false, .edges = false, .taut = false, .core = true};
    panel.area_of.reset();
    if (panel.route) panel.route = SubgoalRoute{picture.route->start, picture.route->goal};
    if (panel.route) panel.route->connectors = false;
    constexpr std::array kLevels{1U, 2U, 0U};  // 0: as many as possible
    return figure_of(kLevels, 3, [&](std::uint32_t levels) -> Result<Drawing> {
        subgoal::Options built = options;
        built.levels = levels;
        built.labels = false;
        const auto index = subgoal::Index::build(map, built);
        if (!index) return tl::unexpected(index.error());
        const std::size_t highest = value_of(index->statistics()).levels.levels.size();
        const std::string title = levels == 1   ? "a  Simple subgoal graph"
                                  : levels == 2 ? "b  Two levels: the global subgoals"
                                                : fmt::format("c  {} levels: the highest", highest);
        panel.map = panel_map(picture.map, title, kSubgoalPanelSide);
        return draw_subgoals(*index, panel);
    });
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::render

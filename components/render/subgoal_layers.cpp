#include "subgoal_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "palette.hpp"
#include "subgoal/connectors.hpp"

namespace cairn::render {
namespace {

using grid::Cell;
using grid::Point;

constexpr std::uint32_t kRanks = 6;  // levels or depths with a colour of their own

/// The direct-h-reachable cells of a cell, line by line (Figure 15.6). Simple, not fast.
struct AreaScan {
    const subgoal::SubgoalBits& bits;
    std::array<std::vector<grid::Rect>, 3> tints{};  // the eight rays; beside each diagonal
    std::vector<std::array<Point, 2>> lines{};
    std::vector<Point> subgoals{};

    /// Clearance(p, d), at most `longest`, tinted; the subgoal that ends it is found.
    int line(Point p, int direction, int longest, std::size_t tint) {
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

    void run(Point from) {
        const int most = std::max(bits.width(), bits.height());
        std::array<int, 8> clearance{};
        for (int d = 0; d < 8; ++d) clearance[static_cast<std::size_t>(d)] = line(from, d, most, 0);
        for (int d = 1; d < 8; d += 2) {
            for (const int side : {7, 1}) {
                const int cardinal = (d + side) & 7;
                int longest = clearance[static_cast<std::size_t>(cardinal)];
                Point p = from;
                for (int i = 0; i < clearance[static_cast<std::size_t>(d)]; ++i) {
                    p = {p.x + grid::kDx[d], p.y + grid::kDy[d]};
                    longest = line(p, cardinal, longest, side == 7 ? 1 : 2);
                }
            }
        }
    }
};

std::string counted(const std::string& what, std::size_t count) {
    return fmt::format("{}: {}", what, count);
}

}  // namespace

SubgoalPainter::SubgoalPainter(const subgoal::Index& index, const SubgoalLayers& layers,
                               Canvas& canvas)
    : index_(&index), layers_(layers), canvas_(&canvas) {}

double SubgoalPainter::radius() const noexcept {
    return std::max(1.9 * canvas_->hair(), 0.22 * canvas_->scale());
}

void SubgoalPainter::segments(const char* name, Segments lines, const std::string& label) {
    if (lines.ends.empty()) return;
    canvas_->legend().line(lines.stroke, counted(label, lines.ends.size() / 2));
    canvas_->layer(name).shapes.emplace_back(std::move(lines));
}

void SubgoalPainter::ranks(const char* name, std::vector<Rank> ranks) {
    std::erase_if(ranks, [](const Rank& rank) { return rank.at.empty(); });
    if (ranks.empty()) return;
    Layer& layer = canvas_->layer(name);
    for (const Rank& rank : ranks)
        canvas_->legend().disc(rank.colour, counted(rank.label, rank.at.size()));
    std::sort(ranks.begin(), ranks.end(),
              [](const Rank& a, const Rank& b) { return a.size < b.size; });
    for (Rank& rank : ranks) {
        canvas_->dots(layer, {std::move(rank.at), rank.size * radius(), rank.colour});
    }
}

void SubgoalPainter::area(Point from) {
    AreaScan scan{snapshot().bits};
    scan.run(from);
    for (std::size_t i = 0; i < scan.tints.size(); ++i)
        canvas_->tint(scan.tints[i], palette::area[i]);
    Segments lines{{}, {palette::area_line, 0.9 * canvas_->hair(), 0}};
    for (const auto& [a, b] : scan.lines) {
        lines.ends.push_back(canvas_->centre(a));
        lines.ends.push_back(canvas_->centre(b));
    }
    canvas_->legend().box(palette::area[1], "direct-h-reachable cells");
    canvas_->layer("area").shapes.emplace_back(std::move(lines));
    in_area_ = {"direct-h-reachable subgoals", palette::level(2), 1.4, {}};
    for (const Point p : scan.subgoals) in_area_.at.push_back(canvas_->centre(p));
}

void SubgoalPainter::graph() {
    if (layers_.edges || layers_.taut) edges();
    if (layers_.levels) level_edges();
    if (layers_.subgoals) subgoals();
    if (layers_.levels) levels();
    if (layers_.core) core();
    if (layers_.separators) separators();
    ranks("area-subgoals", {std::move(in_area_)});
}

void SubgoalPainter::edges() {
    const double hair = canvas_->hair();
    const bool both = layers_.edges && layers_.taut;
    Segments all{{},
                 {both ? palette::ink.with_alpha(0x50) : palette::level(1).with_alpha(0xa0),
                  0.8 * hair, both ? 2.5 * hair : 0}};
    Segments taut{{}, {palette::level(1).with_alpha(0xd0), 1.3 * hair, 0}};
    for (const subgoal::SubgoalEdge& edge : subgoal::edges(*index_)) {
        const bool as_taut = layers_.taut && edge.taut;
        if (!as_taut && !layers_.edges) continue;
        auto& ends = (as_taut ? taut : all).ends;
        ends.push_back(canvas_->centre(edge.a));
        ends.push_back(canvas_->centre(edge.b));
    }
    segments("edges", std::move(all), both ? "edges that no taut path needs" : "edges");
    segments("taut-edges", std::move(taut), "taut edges");
}

void SubgoalPainter::subgoals() {
    Rank all{"subgoals", palette::ink, 1, {}};
    for (const Cell cell : subgoal::subgoals(*index_)) all.at.push_back(canvas_->centre(cell));
    ranks("subgoals", {std::move(all)});
}

void SubgoalPainter::level_edges() {
    const NLevelGraph& graph = engines().levels;
    Segments lines{{}, {palette::ink.with_alpha(0x38), 0.7 * canvas_->hair(), 0}};
    for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
        const auto add = [&](const NLevelArc& arc) {
            lines.ends.push_back(at(v));
            lines.ends.push_back(at(arc.head));
        };
        for (const NLevelArc& arc : graph.rising_arcs(v)) {
            const bool core = graph.in_core(v);
            if (!core || (!layers_.core && v < arc.head)) add(arc);
        }
        for (const NLevelArc& arc : graph.lateral_arcs(v)) {
            if (v < arc.head) add(arc);
        }
    }
    segments("level-edges", std::move(lines), layers_.core ? "edges below the core" : "edges");
}

void SubgoalPainter::levels() {
    const NLevelGraph& graph = engines().levels;
    const std::uint32_t top = graph.num_levels();
    // The lower levels one by one; those between them and the highest together.
    const std::uint32_t own = top - 1 <= kRanks ? top - 1 : kRanks - 1;
    std::vector<Rank> found;
    for (std::uint32_t l = 1; l <= own; ++l)
        found.push_back({fmt::format("level {}", l), {}, 1, {}});
    if (own < top - 1)
        found.push_back({fmt::format("levels {} to {}", own + 1, top - 1), {}, 1, {}});
    found.push_back({fmt::format("level {}, the core", top), {}, 1, {}});
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double share =
            found.size() > 1 ? static_cast<double>(i) / static_cast<double>(found.size() - 1) : 1;
        found[i].colour = palette::ramp(share);
        found[i].size = 0.75 + 0.65 * share;
    }
    for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
        const std::uint32_t level = graph.level(v);
        const std::size_t rank = level == top ? found.size() - 1 : std::min(level - 1, own);
        found[rank].at.push_back(at(v));
    }
    ranks("levels", std::move(found));
}

bool SubgoalPainter::is_edge(std::uint32_t a, std::uint32_t b) const noexcept {
    const Point p = snapshot().map.point(engines().cells[a]);
    const auto heads = snapshot().graph.neighbours(p.x, p.y);
    return std::binary_search(heads.begin(), heads.end(), engines().cells[b]);
}

void SubgoalPainter::core() {
    const NLevelGraph& graph = engines().levels;
    const double hair = canvas_->hair();
    const Stroke stroke{palette::ramp(1).with_alpha(0xb8), 1.2 * hair, 0};
    Segments own{{}, stroke};
    Segments extra{{}, {stroke.colour, 1.2 * hair, 3.5 * hair}};
    const bool all = graph.num_levels() == 1;
    Rank nodes{all ? "subgoals" : "subgoals of the core", palette::ramp(1), 1.1, {}};
    for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
        if (!graph.in_core(v)) continue;
        nodes.at.push_back(at(v));
        for (const NLevelArc& arc : graph.rising_arcs(v)) {
            if (arc.head < v) continue;
            auto& ends = (is_edge(v, arc.head) ? own : extra).ends;
            ends.push_back(at(v));
            ends.push_back(at(arc.head));
        }
    }
    segments("core-edges", std::move(own), all ? "edges" : "core edges");
    segments("core-extra-edges", std::move(extra), "extra core edges");
    if (!layers_.levels) ranks("core", {std::move(nodes)});
}

void SubgoalPainter::separators() {
    const CutLabelArrays& labels = engines().labels.arrays();
    std::vector<std::uint32_t> depth(labels.groups.size());
    std::vector<Rank> found;
    for (std::uint32_t d = 0; d <= kRanks; ++d) {
        const double share = 1 - static_cast<double>(d) / kRanks;
        found.push_back({d == 0       ? "separator of the whole"
                         : d < kRanks ? fmt::format("separators of depth {}", d)
                                      : "deeper",
                         palette::ramp(share),
                         0.7 + 0.9 * share * share,
                         {}});
    }
    for (std::uint32_t g = 0; g < labels.groups.size(); ++g) {
        const std::uint32_t parent = labels.groups[g].parent;
        depth[g] = parent == g ? 0 : depth[parent] + 1;
    }
    for (std::uint32_t v = 0; v < labels.nodes.size(); ++v)
        found[std::min(depth[labels.nodes[v].group], kRanks)].at.push_back(at(v));
    ranks("separators", std::move(found));
}

void SubgoalPainter::connectors(const SubgoalRoute& route) {
    const double hair = canvas_->hair();
    Segments taut{{}, {palette::connector, 1.4 * hair, 0}};
    Segments other{{}, {palette::connector.with_alpha(0x60), hair, 2.5 * hair}};
    const grid::Map& map = canvas_->map();
    for (const Point p : {route.start, route.goal}) {
        if (!map.passable(map.cell(p))) continue;
        subgoal::Endpoint all;
        subgoal::Endpoint kept;
        connect(snapshot(), map.cell(p), subgoal::Connections::all, all);
        if (index_->complete()) connect(snapshot(), map.cell(p), subgoal::Connections::taut, kept);
        for (const Connector& c : all.connectors) {
            const auto& some = index_->complete() ? kept.connectors : all.connectors;
            const bool keep = std::find(some.begin(), some.end(), c) != some.end();
            auto& ends = (keep ? taut : other).ends;
            ends.push_back(canvas_->centre(p));
            ends.push_back(canvas_->centre(snapshot().bits.point(c.node)));
        }
    }
    segments("connectors-left-out", std::move(other), "connectors left out");
    segments("connectors", std::move(taut), "connectors of S and G");
}

void SubgoalPainter::path(const subgoal::Answer& answer) {
    if (answer.status != StatusCode::ok || answer.subgoals.empty()) return;
    Layer& layer = canvas_->layer("path");
    if (!answer.cells.empty()) {
        const Stroke stroke = canvas_->path(layer, answer.cells, palette::smoothed_path);
        canvas_->legend().line(stroke, canvas_->with_length("path", answer.cost));
    }
    std::vector<Position> turns;
    for (std::size_t i = 1; i + 1 < answer.subgoals.size(); ++i)
        turns.push_back(canvas_->centre(answer.subgoals[i]));
    if (turns.empty()) return;
    canvas_->legend().disc(palette::smoothed_path, counted("subgoals on it", turns.size()));
    const double r = 1.5 * radius();
    layer.shapes.emplace_back(Discs{turns, r + 0.9 * canvas_->hair(), palette::paper});
    layer.shapes.emplace_back(Discs{std::move(turns), r, palette::smoothed_path});
}

void SubgoalPainter::route(const SubgoalRoute& route) {
    if (route.connectors) connectors(route);
    if (route.path && route.answer != nullptr) path(*route.answer);
    canvas_->ends(route.start, route.goal);
}

}  // namespace cairn::render

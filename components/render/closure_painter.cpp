#include "closure_painter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/labels/closure_view.hpp"
#include "core/labels/separator_depths.hpp"
#include "palette.hpp"

namespace cairn::render {
namespace {

constexpr std::uint32_t kNone = ClosureNode::kNone;
constexpr std::uint32_t kDepths = 6;  // separators of the tree with a colour of their own
constexpr std::uint8_t kLeastSwatchAlpha = 0xb0;          // of lines in the legend
constexpr Colour kOther = palette::ink.with_alpha(0x48);  // nodes that are not the subject

/// Calls use(lower, upper, edge) for each edge below kInfinity in some direction, with the places
/// of its ends and its number in the row. Rows come in depth-first order.
template <class Use>
void for_each_edge(const ClosureView& view, const Use& use) {
    std::vector<std::uint32_t> path;  // by depth: the place, and its ancestors
    for (const std::uint32_t place : places_in_order(view)) {
        const std::size_t depth = view.node(place).depth;
        if (path.size() <= depth) path.resize(depth + 1);
        path[depth] = place;
        const ClosureRow row = view.row(place);
        const Cost* const down = view.row(place, Way::down).cost;
        for (std::uint32_t i = 0; i < row.length; ++i) {
            if (std::min(row.cost[i], down[i]) < kInfinity) use(place, path[row.depth[i]], i);
        }
    }
}

/// Whether the edge is one of the graph in some direction.
bool is_graph_edge(const ClosureView& view, std::uint32_t place, std::uint32_t edge) {
    return std::any_of(kBothWays.begin(), kBothWays.end(), [&](Way way) {
        return view.row(place, way).cost[edge] < kInfinity &&
               view.middle(place, edge, way) == ClosureMiddle::kGraphEdge;
    });
}

/// A climb from a start and a goal, as ClimbQuery does it.
class Climb {
public:
    struct Visit {
        std::uint32_t place;
        std::array<bool, 2> by;  ///< which climbs reach it
    };
    struct Edge {
        std::uint32_t lower;  ///< places
        std::uint32_t upper;
    };

    /// `ends`: places; the second may be kNone.
    Climb(const ClosureView& view, const std::array<std::uint32_t, 2>& ends) {
        std::array<std::vector<std::uint32_t>, 2> path;  // by depth
        std::array<std::vector<Cost>, 2> least;          // by depth
        for (std::size_t side = 0; side < 2; ++side) {
            if (ends[side] == kNone) continue;
            path[side].resize(view.node(ends[side]).depth + 1U);
            for (std::uint32_t at = ends[side]; at != kNone; at = view.node(at).parent)
                path[side][view.node(at).depth] = at;
            least[side].assign(path[side].size(), kInfinity);
            least[side].back() = 0;
        }
        Cost best = kInfinity;
        for (auto left = path; !left[0].empty() || !left[1].empty();) {
            const auto after = [&](std::size_t a, std::size_t b) {
                return !left[a].empty() && (left[b].empty() || view.position(left[a].back()) >=
                                                                   view.position(left[b].back()));
            };
            const std::uint32_t at = left[after(0, 1) ? 0 : 1].back();
            const std::uint32_t depth = view.node(at).depth;
            std::array<Cost, 2> cost{kInfinity, kInfinity};
            for (std::size_t side = 0; side < 2; ++side) {
                if (left[side].empty() || left[side].back() != at) continue;
                left[side].pop_back();
                cost[side] = least[side][depth];
            }
            const std::array<bool, 2> by{cost[0] < kInfinity, cost[1] < kInfinity};
            if (by[0] || by[1]) visits.push_back({at, by});
            if (by[0] && by[1]) best = std::min(best, cost[0] + cost[1]);
            for (std::size_t side = 0; side < 2; ++side) {
                if (cost[side] >= best) continue;
                const ClosureRow row = view.row(at, kBothWays[side]);
                for (std::uint32_t i = 0; i < row.length; ++i) {
                    if (row.cost[i] >= kInfinity - cost[side]) continue;
                    Cost& upper = least[side][row.depth[i]];
                    upper = std::min(upper, cost[side] + row.cost[i]);
                    edges[side].push_back({at, path[side][row.depth[i]]});
                }
            }
        }
    }

    std::vector<Visit> visits;
    std::array<std::vector<Edge>, 2> edges;  ///< those that each climb follows
};

/// A closure edge between two nodes, which are told by their ids.
struct RowEdge {
    std::uint32_t lower;
    std::uint32_t upper;
    std::array<Cost, 2> costs;  ///< up and down
    std::array<Position, 2> ends;
};

/// The edges of all rows, sorted by lower and then by upper id.
std::vector<RowEdge> row_edges(const PlacedClosure& placed) {
    std::vector<RowEdge> edges;
    if (placed.closure.storage() == nullptr) return edges;
    const ClosureView view(*placed.closure.storage());
    for_each_edge(view, [&](std::uint32_t lower, std::uint32_t upper, std::uint32_t edge) {
        const std::uint32_t a = view.node(lower).node;
        const std::uint32_t b = view.node(upper).node;
        if (a == kNone || b == kNone) return;
        edges.push_back({placed.ids[a],
                         placed.ids[b],
                         {view.row(lower).cost[edge], view.row(lower, Way::down).cost[edge]},
                         {placed.at[a], placed.at[b]}});
    });
    std::sort(edges.begin(), edges.end(), [](const RowEdge& a, const RowEdge& b) {
        return std::pair(a.lower, a.upper) < std::pair(b.lower, b.upper);
    });
    return edges;
}

/// The ids of the nodes that were not removed, with their places on the sheet, sorted.
std::vector<std::pair<std::uint32_t, Position>> nodes_by_id(const PlacedClosure& placed) {
    std::vector<std::pair<std::uint32_t, Position>> nodes;
    for (std::uint32_t v = 0; v < placed.at.size(); ++v) {
        if (placed.present(v)) nodes.emplace_back(placed.ids[v], placed.at[v]);
    }
    std::sort(nodes.begin(), nodes.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return nodes;
}

/// Goes through two lists sorted by key(item): calls use(a, b) with pointers to the items of each
/// key, null where a list has none.
template <class Item, class Key, class Use>
void merge(const std::vector<Item>& first, const std::vector<Item>& second, const Key& key,
           const Use& use) {
    auto a = first.begin();
    auto b = second.begin();
    while (a != first.end() || b != second.end()) {
        const bool has_a = a != first.end() && (b == second.end() || key(*a) <= key(*b));
        const bool has_b = b != second.end() && (a == first.end() || key(*b) <= key(*a));
        use(has_a ? &*a : nullptr, has_b ? &*b : nullptr);
        if (has_a) ++a;
        if (has_b) ++b;
    }
}

std::string of_all(const char* label, std::size_t count, std::size_t all) {
    return fmt::format("{}: {} of {}", label, count, all);
}

}  // namespace

bool PlacedClosure::present(std::uint32_t node) const noexcept {
    return closure.storage() != nullptr && closure.storage()->places[node] != kNone;
}

ClosurePainter::ClosurePainter(const PlacedClosure& placed, double detail, Sheet& sheet)
    : placed_(placed),
      sheet_(sheet),
      radius_(std::clamp(0.22 * detail, std::max(1.7, 1.9 * sheet.hair()), 4.5 * sheet.hair())) {}

void ClosurePainter::add_closure_edges(const char* layer, Segments lines,
                                       const std::string& label) {
    Stroke swatch = lines.stroke;
    swatch.colour.a = std::max(swatch.colour.a, kLeastSwatchAlpha);
    swatch.width = std::max(swatch.width, sheet_.hair());
    sheet_.legend().line(swatch, label);
    if (!lines.ends.empty()) sheet_.add(layer, std::move(lines));
}

void ClosurePainter::graph_edges() {
    const ClosureView view(*placed_.closure.storage());
    Segments lines{{}, {palette::ink.with_alpha(0x30), 0.7 * sheet_.hair(), 0}};
    for_each_edge(view, [&](std::uint32_t lower, std::uint32_t upper, std::uint32_t edge) {
        if (!is_graph_edge(view, lower, edge)) return;
        add_line(lines, placed_.at[view.node(lower).node], placed_.at[view.node(upper).node]);
    });
    if (sheet_.covered(lines) > kMostCovered) return;
    sheet_.add("graph-edges", std::move(lines), "edges of the graph");
}

void ClosurePainter::tree() {
    if (placed_.closure.storage() == nullptr) return;
    graph_edges();
    std::vector<Sheet::Rank> ranks;
    for (std::uint32_t d = 0; d <= kDepths; ++d) {
        const double share = 1 - static_cast<double>(d) / kDepths;
        ranks.push_back({d == 0        ? "topmost separators"
                         : d < kDepths ? fmt::format("separators of depth {}", d)
                                       : "deeper",
                         palette::ramp(share),
                         0.7 + 1.5 * share * share,
                         {}});
    }
    const ClosureView view(*placed_.closure.storage());
    const std::vector<std::uint32_t> depths = separator_depths(view);
    for (std::uint32_t place = 0; place < view.num_places(); ++place) {
        const std::uint32_t node = view.node(place).node;
        if (node != kNone)
            ranks[std::min(depths[place], kDepths)].centres.push_back(placed_.at[node]);
    }
    sheet_.ranks("separators", std::move(ranks), radius_);
}

void ClosurePainter::climb(std::uint32_t from, std::optional<std::uint32_t> to,
                           const std::function<std::string(Cost)>& length) {
    const Closure::Storage& storage = *placed_.closure.storage();
    const ClosureView view(storage);
    const std::array<std::uint32_t, 2> ends{storage.places[from], to ? storage.places[*to] : kNone};
    const Climb climb(view, ends);
    const auto at = [&](std::uint32_t place) { return placed_.at[view.node(place).node]; };
    const double hair = sheet_.hair();

    std::vector<bool> visited(placed_.at.size());
    for (const Climb::Visit& visit : climb.visits) visited[view.node(visit.place).node] = true;
    Sheet::Rank others{"other nodes", kOther, 0.6, {}};
    for (std::uint32_t v = 0; v < placed_.at.size(); ++v) {
        if (placed_.present(v) && !visited[v]) others.centres.push_back(placed_.at[v]);
    }
    sheet_.ranks("other-nodes", {std::move(others)}, radius_);

    constexpr std::array kColours{palette::start, palette::goal};
    constexpr std::array kLetters{'S', 'G'};
    for (std::size_t side = 0; side < (to ? 2U : 1U); ++side) {
        Segments own{{}, {kColours[side].with_alpha(0xd0), 1.6 * hair, 0}};
        Segments further{{}, {kColours[side].with_alpha(0x58), 0.8 * hair, 0}};
        for (const Climb::Edge& edge : climb.edges[side])
            add_line(edge.lower == ends[side] ? own : further, at(edge.lower), at(edge.upper));
        if (sheet_.covered(further) > kMostCovered) further.stroke.colour.a = 0x38;
        const auto add = [&](const char* layer, Segments lines, const char* of) {
            const std::size_t count = lines.ends.size() / 2;
            add_closure_edges(
                layer, std::move(lines),
                counted(fmt::format("closure edges of {}{}", of, kLetters[side]), count));
        };
        add("climb", std::move(further), "ancestors of ");
        add("climb-row", std::move(own), "");
    }
    std::vector<Sheet::Rank> ranks{{"visited from both", palette::level(3), 1.3, {}},
                                   {"visited from S", palette::start, 1.15, {}},
                                   {"visited from G", palette::goal, 1.15, {}}};
    for (const Climb::Visit& visit : climb.visits) {
        const std::size_t rank = visit.by[0] && visit.by[1] ? 0 : visit.by[0] ? 1 : 2;
        ranks[rank].centres.push_back(at(visit.place));
    }
    sheet_.ranks("visited", std::move(ranks), radius_);
    if (to) path(from, *to, length);
    Layer& markers = sheet_.layer("ends");
    sheet_.marker(markers, placed_.at[from], 0, palette::start, "S");
    if (to) sheet_.marker(markers, placed_.at[*to], 0, palette::goal, "G");
}

void ClosurePainter::path(std::uint32_t from, std::uint32_t to,
                          const std::function<std::string(Cost)>& length) {
    const Closure::Storage& storage = *placed_.closure.storage();
    const ClosureView view(storage);
    Closure::Scratch scratch;
    std::vector<std::uint32_t> nodes;
    const Connector start{from, 0};
    const Connector goal{to, 0};
    const Cost cost = placed_.closure.find_path({&start, 1}, {&goal, 1}, scratch, nodes);
    if (nodes.empty()) {
        sheet_.legend().line({palette::level(1), sheet_.hair(), 0}, "no path");
        return;
    }
    std::vector<Position> points;
    points.reserve(nodes.size());
    for (const std::uint32_t node : nodes) points.push_back(placed_.at[node]);
    Layer& layer = sheet_.layer("path");
    sheet_.path(layer, std::move(points), palette::level(1), 0,
                fmt::format("path: {} nodes, {}", nodes.size(), length(cost)));

    // The path goes up to its topmost node and down again. Nodes inside a closure edge lie below
    // both its ends, so an edge ends where the path gets higher than before.
    const auto depth = [&](std::uint32_t node) { return view.node(storage.places[node]).depth; };
    const auto meeting =
        std::min_element(nodes.begin(), nodes.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return depth(a) < depth(b); });
    Segments edges{{}, {palette::ink, 1.6 * sheet_.hair(), 3 * sheet_.hair()}};
    std::vector<Position> turns;
    const auto rise = [&](auto first, auto last) {
        std::uint32_t lower = *first;
        for (; first != last; ++first) {
            if (depth(*first) >= depth(lower)) continue;
            add_line(edges, placed_.at[lower], placed_.at[*first]);
            lower = *first;
            turns.push_back(placed_.at[lower]);
        }
    };
    rise(nodes.begin(), meeting + 1);
    rise(nodes.rbegin(), std::make_reverse_iterator(meeting));
    const std::size_t count = edges.ends.size() / 2;
    sheet_.add("path-edges", std::move(edges), counted("closure edges of the path", count));
    Layer& top = sheet_.layer("meeting");
    if (!turns.empty()) sheet_.dots(top, {std::move(turns), 1.2 * radius_, palette::ink});
    Sheet::edged_discs(top, {{placed_.at[*meeting]}, 2.2 * radius_, palette::level(2)},
                       sheet_.hair());
    sheet_.legend().disc(palette::level(2), "where the climbs meet");
}

void ClosurePainter::repair(const PlacedClosure& before) {
    const std::vector<RowEdge> edges_before = row_edges(before);
    const std::vector<RowEdge> edges_after = row_edges(placed_);
    const double hair = sheet_.hair();
    Segments changed_edges{{}, {palette::level(2).with_alpha(0x68), 0.9 * hair, 0}};
    Segments lost_edges{{}, {palette::goal.with_alpha(0x68), 0.9 * hair, 2.5 * hair}};
    std::vector<std::uint32_t> changed;  // ids of nodes with another row, ascending
    merge(
        edges_before, edges_after,
        [](const RowEdge& edge) { return std::pair(edge.lower, edge.upper); },
        [&](const RowEdge* a, const RowEdge* b) {
            if (a != nullptr && b != nullptr && a->costs == b->costs) return;
            const RowEdge& edge = b != nullptr ? *b : *a;
            add_line(b != nullptr ? changed_edges : lost_edges, edge.ends[0], edge.ends[1]);
            if (changed.empty() || changed.back() != edge.lower) changed.push_back(edge.lower);
        });

    Sheet::Rank other{"other nodes", kOther, 0.6, {}};
    Sheet::Rank rows{{}, palette::level(2), 1.3, {}};
    Sheet::Rank added{"nodes added", palette::start, 1.6, {}};
    Sheet::Rank removed{"nodes removed", palette::goal, 1.6, {}};
    std::size_t kept = 0;
    merge(
        nodes_by_id(before), nodes_by_id(placed_), [](const auto& node) { return node.first; },
        [&](const auto* a, const auto* b) {
            if (a == nullptr) return added.centres.push_back(b->second);
            if (b == nullptr) return removed.centres.push_back(a->second);
            ++kept;
            const bool other_row = std::binary_search(changed.begin(), changed.end(), b->first);
            (other_row ? rows : other).centres.push_back(b->second);
        });
    Legend& legend = sheet_.legend();
    const Closure::Storage* storage = placed_.closure.storage();
    const bool fresh =
        storage != nullptr && storage != before.closure.storage() && !storage->arrays.nodes.empty();
    if (fresh) legend.disc(kOther, "all rows were computed anew, in a fresh order");
    sheet_.ranks("other-nodes", {std::move(other)}, radius_);
    const std::size_t altered = changed_edges.ends.size() / 2;
    add_closure_edges("changed-edges", std::move(changed_edges),
                      of_all("closure edges changed", altered, edges_after.size()));
    const std::size_t lost = lost_edges.ends.size() / 2;
    add_closure_edges("lost-edges", std::move(lost_edges), counted("closure edges gone", lost));
    legend.disc(rows.colour, of_all("rows of nodes that stay, changed", rows.centres.size(), kept));
    if (!rows.centres.empty()) {
        Layer& layer = sheet_.layer("changed-rows");
        sheet_.dots(layer, {std::move(rows.centres), rows.size * radius_, rows.colour});
    }
    sheet_.ranks("nodes-changed", {std::move(added), std::move(removed)}, radius_);
}

}  // namespace cairn::render

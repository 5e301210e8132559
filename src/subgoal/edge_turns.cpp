#include "subgoal/edge_turns.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "cairn/grid/line.hpp"

namespace cairn::subgoal {

using grid::Cell;
using grid::LineShape;
using grid::Point;

namespace {

std::uint64_t cells_between(const grid::Legs& legs) {
    return (std::uint64_t{1} + static_cast<std::uint32_t>(legs[0].steps)) *
           (std::uint64_t{1} + static_cast<std::uint32_t>(legs[1].steps));
}

/// Whether an edge belongs to the first of its nodes: to that of the lower level, where the graph
/// stores it, or else to that of the lower number.
bool belongs_to_first(const NLevelGraph& levels, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t level_a = levels.level(a);
    const std::uint32_t level_b = levels.level(b);
    return level_a != level_b ? level_a < level_b : a < b;
}

/// The arc from `a` to `b`; nothing if there is none: a forged file may lack the second arc of an
/// edge.
std::optional<std::uint32_t> find_arc(const NLevelArrays& arrays, std::uint32_t a,
                                      std::uint32_t b) {
    for (std::uint32_t e = arrays.vertices[a].first; e < arrays.vertices[a + 1].first; ++e) {
        if (arrays.arcs[e].head == b) return e;
    }
    return std::nullopt;
}

}  // namespace

EdgeTurns::EdgeTurns(const grid::Map& map, const SubgoalBits& bits, const DiagonalBits& diagonals,
                     const NLevelGraph& levels, const Nodes& nodes, std::uint64_t most_swept)
    : free_(levels.arrays().arcs.size() / kArcsInByte + 1) {
    const NLevelArrays& arrays = levels.arrays();
    std::uint64_t left = most_swept * map.size();
    grid::HReach h_reach;
    std::vector<grid::Run> runs;
    for (std::uint32_t node = 0; node < levels.num_nodes(); ++node) {
        const Point a = nodes.point(node);
        for (std::uint32_t e = arrays.vertices[node].first; e < arrays.vertices[node + 1].first;
             ++e) {
            const std::uint32_t head = arrays.arcs[e].head;
            if (!belongs_to_first(levels, node, head)) continue;
            const Point b = nodes.point(head);
            const auto is_free = [&](LineShape shape) {
                return diagonals.line_is_free(map, bits, a, b, shape);
            };
            const unsigned free = (is_free(LineShape::diagonal_first) ? kDiagonalFirst : 0) |
                                  (is_free(LineShape::straight_first) ? kStraightFirst : 0);
            free_[e / kArcsInByte] |= static_cast<std::uint8_t>(free << 2 * (e % kArcsInByte));
            const std::uint64_t cells = cells_between(grid::legs(map, a, b));
            if (free != 0 || cells > left) continue;
            left -= cells;
            if (!h_reach.test(map, bits.obstacles(), a, b)) continue;
            runs.clear();
            h_reach.append_runs(map, runs);
            winding_.push_back(e);
            first_.push_back(static_cast<std::uint32_t>(turns_.size()));
            Point at = a;
            for (auto run = runs.begin(); std::next(run) != runs.end(); ++run) {
                at = grid::run_end(at, *run);
                turns_.push_back(map.cell(at));
            }
        }
    }
    first_.push_back(static_cast<std::uint32_t>(turns_.size()));
}

std::span<const Cell> EdgeTurns::turns(std::uint32_t arc) const noexcept {
    const auto found = std::lower_bound(winding_.begin(), winding_.end(), arc);
    if (found == winding_.end() || *found != arc) return {};
    const auto i = static_cast<std::size_t>(found - winding_.begin());
    return std::span(turns_).subspan(first_[i], first_[i + 1] - first_[i]);
}

bool EdgeTurns::append(const grid::Map& map, const NLevelGraph& levels, const Nodes& nodes,
                       Edge edge, std::vector<Point>& stops) const {
    const Point from = nodes.point(edge.from);
    const Point to = nodes.point(edge.to);
    bool known = true;
    if (!free_.empty()) {
        const bool forward = belongs_to_first(levels, edge.from, edge.to);
        const auto arc = forward ? find_arc(levels.arrays(), edge.from, edge.to)
                                 : find_arc(levels.arrays(), edge.to, edge.from);
        const unsigned free = arc ? lines(*arc) : 0;
        if (free == 0) {
            const std::span<const Cell> turns = arc ? this->turns(*arc) : std::span<const Cell>();
            known = !turns.empty();
            const auto point = [&](Cell cell) { return map.point(cell); };
            if (forward) {
                std::transform(turns.begin(), turns.end(), std::back_inserter(stops), point);
            } else {
                std::transform(turns.rbegin(), turns.rend(), std::back_inserter(stops), point);
            }
        } else if ((free & (forward ? kDiagonalFirst : kStraightFirst)) == 0) {
            // Diagonally first backwards is straight first for the node that the edge belongs to.
            stops.push_back(grid::run_end(from, grid::legs(map, from, to)[1]));
        }
    }
    stops.push_back(to);
    return known;
}

std::size_t EdgeTurns::bytes() const noexcept {
    return free_.size() + (winding_.size() + first_.size()) * sizeof(std::uint32_t) +
           turns_.size() * sizeof(Cell);
}

}  // namespace cairn::subgoal

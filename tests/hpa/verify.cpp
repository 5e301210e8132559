#include "hpa/verify.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hpa/planner.hpp"
#include "support/planner.hpp"

namespace cairn::hpa::test {

using grid::Cell;
using grid::Map;
using grid::Point;

std::string name(const grid::MoveRules& rules) {
    if (rules.neighbourhood == grid::Neighbourhood::four) return "four";
    switch (rules.corner) {
        case grid::CornerRule::strict:
            return "strict";
        case grid::CornerRule::both_blocked:
            return "both_blocked";
        case grid::CornerRule::free:
            return "free";
    }
    return "";
}

bool complete(const Index& index) {
    const grid::MoveRules& rules = index.map().options().rules;
    return index.options().diagonals != DiagonalCrossings::none ||
           rules.corner != grid::CornerRule::free ||
           rules.neighbourhood == grid::Neighbourhood::four;
}

namespace {

std::string fault_of_costs(const Query& query, const Answer& answer, Cost optimum) {
    if (answer.cost < optimum) return fmt::format("cost {} < optimum {}", answer.cost, optimum);
    if (answer.lower_bound > optimum)
        return fmt::format("lower bound {} > optimum {}", answer.lower_bound, optimum);
    if (answer.direct_line) {
        return answer.cost == optimum ? "" : fmt::format("direct line of cost {}", answer.cost);
    }
    if (answer.abstract_cost < optimum || answer.abstract_cost >= kInfinity)
        return fmt::format("abstract cost {}, optimum {}", answer.abstract_cost, optimum);
    if (answer.cost > answer.abstract_cost)
        return fmt::format("cost {} > abstract cost {}", answer.cost, answer.abstract_cost);
    const bool not_smoothed = query.detail < Detail::path || query.smoothing == Smoothing::none;
    if (not_smoothed && answer.cost != answer.abstract_cost)
        return fmt::format("cost {} != abstract cost {}", answer.cost, answer.abstract_cost);
    return "";
}

// Successive nodes of an abstract path share a cluster of its level or are one move apart.
std::string fault_of_abstract_path(const Index& index, const Query& query, const Answer& answer) {
    const Map& map = index.map();
    const auto& nodes = answer.abstract_nodes;
    if (nodes.empty() || nodes.front() != map.cell(query.start) ||
        nodes.back() != map.cell(answer.goal))
        return "the abstract path does not lead from S to G";
    if (answer.direct_line) return nodes.size() <= 2 ? "" : "nodes on a direct line";
    int side = index.options().cluster_size;
    for (int level = 1; level < answer.abstract_level; ++level) side *= index.options().branching;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const Point a = map.point(nodes[i - 1]);
        const Point b = map.point(nodes[i]);
        const bool same_cluster = a.x / side == b.x / side && a.y / side == b.y / side;
        const std::vector<Cell> move{nodes[i - 1], nodes[i]};
        if (!same_cluster && grid::path_cost(map, move) >= kInfinity)
            return fmt::format("abstract nodes {} and {} are not joined", nodes[i - 1], nodes[i]);
    }
    return "";
}

}  // namespace

std::string fault_of(const Index& index, const Query& query, const Answer& answer, Cost optimum) {
    if (answer.snapshot_id != index.snapshot_id()) return "the id of another snapshot";
    if (!(answer.goal == query.goal)) return "another goal";
    if (answer.status != StatusCode::ok) {
        if (answer.status != StatusCode::no_path)
            return fmt::format("status {}", name(answer.status));
        if (optimum < kInfinity && complete(index)) return "no_path, though there is one";
        if (answer.cost != kInfinity || !answer.cells.empty()) return "no_path with a path";
        return "";
    }
    if (optimum >= kInfinity) return "ok, though there is no path";
    if (query.detail == Detail::reachable) return "";
    std::string fault = fault_of_costs(query, answer, optimum);
    if (fault.empty() && query.detail >= Detail::abstract_path)
        fault = fault_of_abstract_path(index, query, answer);
    if (fault.empty() && query.detail == Detail::path) {
        fault = cairn::test::fault_of_cells(index.map(), answer.cells, query.start, answer.goal,
                                            answer.cost);
    }
    return fault;
}

std::string describe(const Index& index, const Query& query) {
    const Map& map = index.map();
    const Options& o = index.options();
    return fmt::format(
        "\n{} corners; cluster_size {} levels {} branching {} transitions {} wide_entrance {} "
        "diagonals {} move_tables {} labels {}\nfrom {},{} to {},{}: detail {} smoothing {} engine "
        "{} connect {} direct {} ring {}\n{}",
        name(map.options().rules), o.cluster_size, o.levels, o.branching,
        static_cast<int>(o.transitions), o.wide_entrance, static_cast<int>(o.diagonals),
        o.move_tables, index.has_labels(), query.start.x, query.start.y, query.goal.x, query.goal.y,
        static_cast<int>(query.detail), static_cast<int>(query.smoothing),
        static_cast<int>(query.engine), static_cast<int>(query.connect), query.try_direct_line,
        query.corridor_ring, cairn::test::map_text(map));
}

Index build(const Map& map, const Options& options) {
    return cairn::test::value_or_abort(Index::build(map, options, cairn::test::one_thread()));
}

Index with_labels(const Index& index) {
    return cairn::test::value_or_abort(index.with_labels(cairn::test::one_thread()));
}

Answer answer_to(const Index& index, const Query& query) {
    return cairn::test::answer_to<Planner>(index, query);
}

}  // namespace cairn::hpa::test

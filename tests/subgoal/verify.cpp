#include "subgoal/verify.hpp"

#include <fmt/format.h>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/line.hpp"
#include "subgoal/planner.hpp"
#include "subgoal/snapshot.hpp"
#include "support/planner.hpp"

namespace cairn::subgoal::test {

using cairn::test::value_or_abort;
using grid::Cell;
using grid::Map;
using grid::Point;

Options variant(int number) {
    Options options;
    options.prune = number % 2 == 0;
    options.levels = static_cast<std::uint32_t>(number / 2 + 1) % 4;  // 1, 2, 3, as many as can be
    options.extra_edges = number / 8 % 2 == 0 ? ExtraEdges::h_reachable : ExtraEdges::none;
    options.edges = number / kDirectVariants % 2 == 0 ? Edges::direct : Edges::h_reachable;
    options.order = static_cast<ContractionOrder>(number % 5);
    return options;
}

namespace {

std::string fault_of_failure(const Answer& answer, Cost optimum) {
    if (answer.status != StatusCode::no_path) return fmt::format("status {}", name(answer.status));
    if (optimum < kInfinity) return "no_path, though there is one";
    const bool empty = answer.cells.empty() && answer.subgoals.empty();
    return answer.cost == kInfinity && empty ? "" : "no_path with a path";
}

std::string fault_of_subgoals(const Index& index, const Query& query, const Answer& answer) {
    const Map& map = index.map();
    const auto& stops = answer.subgoals;  // S and G included
    if (stops.size() < 2 || stops.front() != map.cell(query.start) ||
        stops.back() != map.cell(query.goal))
        return "the subgoals do not lead from S to G";
    if (answer.h_reachable != (answer.cost == map.distance_bound(query.start, query.goal)))
        return "h_reachable does not agree with the cost";
    static thread_local grid::HReach h_reach;
    Cost cost = 0;
    for (std::size_t i = 1; i < stops.size(); ++i) {
        const Point a = map.point(stops[i - 1]);
        const Point b = map.point(stops[i]);
        if (i + 1 < stops.size() && !index.snapshot().bits.is_subgoal(b.x, b.y))
            return fmt::format("cell {} on the path is no subgoal", stops[i]);
        if (!h_reach.test(map, a, b))
            return fmt::format("{} is not h-reachable from {}", stops[i], stops[i - 1]);
        cost += map.distance_bound(a, b);
    }
    return cost == answer.cost ? "" : fmt::format("the path over the subgoals costs {}", cost);
}

}  // namespace

std::string fault_of(const Index& index, const Query& query, const Answer& answer, Cost optimum) {
    if (answer.snapshot_id != index.snapshot_id()) return "the id of another snapshot";
    if (!(answer.goal == query.goal)) return "another goal";
    if (answer.status != StatusCode::ok) return fault_of_failure(answer, optimum);
    if (answer.cost != optimum)
        return fmt::format("cost {}, optimum {}, engine {}", answer.cost, optimum,
                           static_cast<int>(answer.engine));
    if (answer.h_reachable && optimum != index.map().distance_bound(query.start, query.goal))
        return "not h-reachable";
    if (query.detail < Detail::subgoals) {
        return answer.subgoals.empty() && answer.cells.empty()
                   ? ""
                   : "subgoals or cells that the query does not ask for";
    }
    std::string fault = fault_of_subgoals(index, query, answer);
    if (fault.empty() && query.detail == Detail::path) {
        fault = cairn::test::fault_of_cells(index.map(), answer.cells, query.start, query.goal,
                                            answer.cost);
    }
    return fault;
}

Cost cost_over(const grid::Map& map, std::span<const grid::Point> stops) {
    Cost cost = 0;
    for (std::size_t i = 1; i < stops.size(); ++i)
        cost += map.distance_bound(stops[i - 1], stops[i]);
    return cost;
}

std::string describe(const Index& index, const Query& query) {
    const Map& map = index.map();
    const Options& o = index.options();
    return fmt::format(
        "\ncosts {} {}; edges {} prune {} levels {} extra_edges {} order {} labels {}\nfrom {},{} "
        "to {},{}: detail {} engine {}\n{}",
        map.options().costs.straight, map.options().costs.diagonal, static_cast<int>(o.edges),
        o.prune, o.levels, static_cast<int>(o.extra_edges), static_cast<int>(o.order),
        index.has_labels(), query.start.x, query.start.y, query.goal.x, query.goal.y,
        static_cast<int>(query.detail), static_cast<int>(query.engine), cairn::test::map_text(map));
}

Index build(const Map& map, const Options& options) {
    return value_or_abort(Index::build(map, options, cairn::test::one_thread()));
}

Index with_labels(const Index& index) {
    return value_or_abort(index.with_labels(cairn::test::one_thread()));
}

Query query_of(Point start, Point goal, Engine engine, Detail detail) {
    Query query;
    query.start = start;
    query.goal = goal;
    query.engine = engine;
    query.detail = detail;
    return query;
}

Answer answer_to(const Index& index, const Query& query) {
    return cairn::test::answer_to<Planner>(index, query);
}

std::string fault_of_pair(const Index& index, Searcher& searcher, Point start, Point goal,
                          Cost optimum) {
    static thread_local Answer answer;
    const auto fault_by = [&](Engine engine, Detail detail) {
        const Query query = query_of(start, goal, engine, detail);
        searcher.find(index, query, answer);
        const std::string fault = fault_of(index, query, answer, optimum);
        return fault.empty() ? fault : fault + describe(index, query);
    };
    std::string fault = fault_by(Engine::automatic, Detail::cost);
    for (const Engine engine : kEngines) {
        if (engine == Engine::levels && !index.complete()) continue;
        if (engine == Engine::cut_labels && !index.has_labels()) continue;
        if (engine == Engine::climb && !index.has_closure()) continue;
        if (fault.empty()) fault = fault_by(engine, Detail::path);
    }
    return fault;
}

std::string fault_of_all_pairs(std::span<const Index> indexes) {
    const Map& map = indexes.front().map();
    const std::vector<Point> points = free_points(map);
    Searcher searcher;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::vector<Cost> optimum = grid::dijkstra_distances(map, points[i]).value();
        for (std::size_t j = 0; j < points.size(); ++j) {
            const bool ascending = (i + j) % 2 == 1;  // the order of this pair
            if (i != j && (i < j) != ascending) continue;
            for (const Index& index : indexes) {
                std::string fault = fault_of_pair(index, searcher, points[i], points[j],
                                                  optimum[map.cell(points[j])]);
                if (!fault.empty()) return fault;
            }
        }
    }
    return "";
}

}  // namespace cairn::subgoal::test

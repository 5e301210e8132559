#include "checks/grid.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <vector>

#include "cairn/grid/dijkstra.hpp"

namespace cairn::app {

std::uint8_t Footprint::weight(grid::Point anchor) const {
    // Cells that the agent covers to the left of its anchor, and above it.
    const int before = map_.options().anchor == haa::Anchor::centred ? (agent_.size - 1) / 2 : 0;
    std::uint8_t costliest = 1;
    for (int dy = 0; dy < agent_.size; ++dy) {
        for (int dx = 0; dx < agent_.size; ++dx) {
            const std::uint8_t w = cell_weight({anchor.x - before + dx, anchor.y - before + dy});
            if (w == 0) return 0;
            costliest = std::max(costliest, w);
        }
    }
    return costliest;
}

Result<grid::Map> Footprint::class_map() const {
    std::vector<std::uint8_t> weights;
    weights.reserve(map_.size());
    for (std::int32_t y = 0; y < map_.height(); ++y) {
        for (std::int32_t x = 0; x < map_.width(); ++x) weights.push_back(weight({x, y}));
    }
    const haa::AnnotationOptions& o = map_.options();
    return grid::Map::create(map_.width(), map_.height(), weights,
                             {o.rules, o.costs, grid::TerrainWeights::literal()});
}

std::uint8_t Footprint::cell_weight(grid::Point p) const {
    if (!map_.contains(p)) return 0;
    const haa::Capability& capability = map_.options().capabilities[agent_.capability];
    const std::uint8_t terrain = map_.options().key.terrain[map_.terrain(map_.cell(p))];
    const bool free = terrain < haa::kMaxTerrains && capability.includes(terrain);
    return free ? capability.weight[terrain] : std::uint8_t{0};
}

namespace {

/// Collects queries of one planner; `finish` returns them, or the last error.
template <class P>
class QueryList {
public:
    explicit QueryList(const typename P::Index& index) : index_(index), map_(index.map()) {}

    void add(const typename P::Query& query, CostChecks cost) {
        auto planner = grid_planner<P>(index_, query, map_);
        if (!planner) error_ = std::move(planner.error());
        if (planner) queries_.push_back({std::move(*planner), cost});
    }
    [[nodiscard]] Result<CheckedQueries> finish() {
        if (!error_.ok()) return tl::unexpected(std::move(error_));
        return CheckedQueries{map_, P::kExact, std::move(queries_), {}, {}};
    }

private:
    const typename P::Index& index_;
    grid::Map map_;
    std::vector<CheckedQuery> queries_;
    Status error_;
};

}  // namespace

Result<CheckedQueries> checked_queries(const hpa::Index& index) {
    QueryList<hpa::Planner> list(index);
    for (const auto engine :
         {hpa::Engine::astar, hpa::Engine::levels, hpa::Engine::cut_labels, hpa::Engine::climb}) {
        if (engine == hpa::Engine::cut_labels && !index.has_labels()) continue;
        if (engine == hpa::Engine::climb && !index.has_closure()) continue;
        hpa::Query query;
        query.engine = engine;
        query.smoothing = hpa::Smoothing::none;
        query.try_direct_line = false;
        list.add(query, {.same = true});
    }
    for (const auto smoothing : {hpa::Smoothing::none, hpa::Smoothing::band,
                                 hpa::Smoothing::corridor, hpa::Smoothing::straight_lines}) {
        hpa::Query query;
        query.smoothing = smoothing;
        list.add(query, {.measured = smoothing == hpa::Smoothing::straight_lines});
    }
    auto out = list.finish();
    if (out)
        out->reachable = [index](grid::Point a, grid::Point b) {
            return index.reachable(a, b) == StatusCode::ok;
        };
    return out;
}

Result<CheckedQueries> checked_queries(const subgoal::Index& index) {
    using subgoal::Engine;
    QueryList<subgoal::Planner> list(index);
    for (const auto engine :
         {Engine::astar, Engine::levels, Engine::cut_labels, Engine::climb, Engine::automatic}) {
        if (engine == Engine::levels && !index.complete()) continue;
        if (engine == Engine::cut_labels && !index.has_labels()) continue;
        if (engine == Engine::climb && !index.has_closure()) continue;
        subgoal::Query query;
        query.engine = engine;
        list.add(query, {.same = true, .measured = engine == Engine::automatic});
        query.detail = subgoal::Detail::cost;
        list.add(query, {.same = true});
    }
    return list.finish();
}

Result<CheckedQueries> checked_queries(const haa::Index& index, haa::Agent agent) {
    const auto view = index.view(agent);
    if (!view) return tl::unexpected(view.error());
    Footprint footprint(index.map(), agent);
    const auto map = footprint.class_map();
    if (!map) return tl::unexpected(map.error());
    // The view is an HPA* index and is queried as one.
    auto out = checked_queries(*view);
    if (!out) return out;
    out->map = *map;
    out->fits = [footprint](grid::Point p) { return footprint.fits(p); };
    auto planner = agent_planner(index, {.agent = agent});
    if (!planner) return tl::unexpected(std::move(planner.error()));
    out->queries.push_back({std::move(*planner), {}});
    return out;
}

void QueryChecks::set_queries(CheckedQueries queries) {
    checked_ = std::make_unique<CheckedQueries>(std::move(queries));
    if (checked_->exact) bounds_.condition = "every cost the optimum";
    components_ = grid::Components::build(checked_->map).value();
    free_.clear();
    for (grid::Cell c = 0; c < checked_->map.size(); ++c) {
        if (checked_->map.passable(c)) free_.push_back(c);
    }
}

bool QueryChecks::run(int count) {
    if (free_.empty()) return false;
    const grid::Point start = draw();
    const std::vector<Cost> optimum = dijkstra_distances(checked_->map, start).value();
    for (int i = 0; i < count; ++i) {
        const grid::Point goal = draw();
        run_pair(start, goal, optimum[checked_->map.cell(goal)]);
    }
    return true;
}

void QueryChecks::run_pair(grid::Point start, grid::Point goal, Cost optimum) {
    const bool connected =
        components_.connected(checked_->map.cell(start), checked_->map.cell(goal));
    const bool fits = optimum != kInfinity;  // whether the shortest path's cost is below kInfinity
    StatusCode status = StatusCode::ok;
    Cost cost = 0;
    AnswerDetails answer;
    const auto failure = [&] {  // of the query that is running
        return fmt::format("{},{} to {},{}: {} of cost {}, optimum {}, engine {}", start.x, start.y,
                           goal.x, goal.y, name(status), cost, optimum, answer.engine);
    };
    if (checked_->reachable) {
        reachability_.expect(checked_->reachable(start, goal) == connected,
                             [&] { return "the index about " + failure(); });
    }
    std::optional<Cost> common_cost;  // of queries that must cost the same
    for (CheckedQuery& query : checked_->queries) {
        status = query.planner.find(start, goal);
        cost = query.planner.answer.cost();
        answer = query.planner.answer.details();
        const bool found = status == StatusCode::ok;
        const bool too_large = status == StatusCode::cost_too_large;
        // The cost of a path that is not the shortest may be too large where that one's is not.
        const bool expected = fits        ? found || (too_large && !checked_->exact)
                              : connected ? too_large
                                          : !found;
        reachability_.expect(expected, failure);
        if (query.cost.same) {
            if (common_cost) engines_.expect(*common_cost == cost, failure);
            if (!common_cost) common_cost = cost;
        }
        if (!found || !fits) continue;
        if (!answer.cells.empty())
            legal_.expect(path_cost(checked_->map, answer.cells) == cost, failure);
        if (checked_->fits && !answer.cells.empty()) {
            footprints_.expect(
                std::all_of(answer.cells.begin(), answer.cells.end(),
                            [&](grid::Cell c) { return checked_->fits(checked_->map.point(c)); }),
                failure);
        }
        bounds_.expect(
            answer.lower_bound <= optimum && (checked_->exact ? cost == optimum : cost >= optimum),
            failure);
        if (!query.cost.measured || optimum == 0) continue;
        const double error = static_cast<double>(cost) / optimum - 1;
        error_sum_ += error;
        error_max_ = std::max(error_max_, error);
        ++paths_;
    }
}

}  // namespace cairn::app

#include "checks/grid.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "cairn/grid/dijkstra.hpp"

namespace cairn::app {

std::uint8_t Footprint::weight(grid::Point anchor) const {
    const int back = map_.options().anchor == haa::Anchor::centred ? (agent_.size - 1) / 2 : 0;
    std::uint8_t dearest = 1;
    for (int dy = 0; dy < agent_.size; ++dy) {
        for (int dx = 0; dx < agent_.size; ++dx) {
            const std::uint8_t w = cell_weight({anchor.x - back + dx, anchor.y - back + dy});
            if (w == 0) return 0;
            dearest = std::max(dearest, w);
        }
    }
    return dearest;
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

Askers askers_of(const hpa::Index& index) {
    Askers out{index.map(), false, {}, [index](grid::Point a, grid::Point b) {
                   return index.reachable(a, b);
               }};
    for (const auto engine : {hpa::Engine::astar, hpa::Engine::levels, hpa::Engine::cut_labels}) {
        if (engine == hpa::Engine::cut_labels && !index.has_labels()) continue;
        hpa::Query query;
        query.engine = engine;
        query.smoothing = hpa::Smoothing::none;
        query.try_direct_line = false;
        out.askers.push_back({make_planner(index, query), true, false});
    }
    for (const auto smoothing :
         {hpa::Smoothing::none, hpa::Smoothing::corridor, hpa::Smoothing::straight_lines}) {
        hpa::Query query;
        query.smoothing = smoothing;
        out.askers.push_back(
            {make_planner(index, query), false, smoothing == hpa::Smoothing::straight_lines});
    }
    return out;
}

Askers askers_of(const subgoal::Index& index) {
    using subgoal::Engine;
    Askers out{index.map(), true, {}, {}};
    for (const auto engine :
         {Engine::astar, Engine::levels, Engine::cut_labels, Engine::automatic}) {
        if (engine == Engine::levels && !index.complete()) continue;
        if (engine == Engine::cut_labels && !index.has_labels()) continue;
        subgoal::Query query;
        query.engine = engine;
        out.askers.push_back({make_planner(index, query), true, engine == Engine::automatic});
        query.detail = subgoal::Detail::cost;
        out.askers.push_back({make_planner(index, query), true, false});
    }
    return out;
}

Result<Askers> askers_of(const haa::Index& index, haa::Agent agent) {
    const auto view = index.view(agent);
    if (!view) return tl::unexpected(view.error());
    Footprint footprint(index.map(), agent);
    const auto map = footprint.class_map();
    if (!map) return tl::unexpected(map.error());
    // The view is an HPA* index, so it is asked as one.
    Askers out = askers_of(*view);
    out.map = *map;
    out.fits = [footprint](grid::Point p) { return footprint.fits(p); };
    haa::Query query;
    query.agent = agent;
    auto asked = make_planner(index, query);
    if (!asked) return tl::unexpected(std::move(asked.error()));
    out.askers.push_back({std::move(*asked), false, false});
    return out;
}

void QueryChecks::aim_at(Askers askers) {
    askers_ = std::make_unique<Askers>(std::move(askers));
    if (askers_->exact) bounds_.what = "every cost the optimum";
    free_.clear();
    for (grid::Cell c = 0; c < askers_->map.size(); ++c) {
        if (askers_->map.passable(c)) free_.push_back(c);
    }
}

bool QueryChecks::ask(int count) {
    if (free_.empty()) return false;
    const grid::Point start = draw();
    const std::vector<Cost> optimum = dijkstra_distances(askers_->map, start);
    for (int i = 0; i < count; ++i) {
        const grid::Point goal = draw();
        ask_one(start, goal, optimum[askers_->map.cell(goal)]);
    }
    return true;
}

void QueryChecks::ask_one(grid::Point start, grid::Point goal, Cost optimum) {
    const bool exists = optimum != kInfinity;
    Reply reply;
    const auto where = [&] {
        return fmt::format("{},{} to {},{}: {} of cost {}, optimum {}, engine {}", start.x, start.y,
                           goal.x, goal.y, name(reply.status), reply.cost, optimum, reply.engine);
    };
    if (askers_->reachable) {
        reachability_.expect(askers_->reachable(start, goal) == exists,
                             [&] { return "the index about " + where(); });
    }
    std::optional<Cost> first;
    for (const Asker& asker : askers_->askers) {
        asker.planner->ask(start, goal);
        reply = asker.planner->reply();
        const bool found = reply.status == StatusCode::ok;
        reachability_.expect(found == exists, where);
        if (asker.engine) {
            if (first) engines_.expect(*first == reply.cost, where);
            if (!first) first = reply.cost;
        }
        if (!found || !exists) continue;
        if (!reply.cells.empty())
            legal_.expect(path_cost(askers_->map, reply.cells) == reply.cost, where);
        if (askers_->fits && !reply.cells.empty()) {
            footprints_.expect(
                std::all_of(reply.cells.begin(), reply.cells.end(),
                            [&](grid::Cell c) { return askers_->fits(askers_->map.point(c)); }),
                where);
        }
        bounds_.expect(reply.lower_bound <= optimum &&
                           (askers_->exact ? reply.cost == optimum : reply.cost >= optimum),
                       where);
        if (!asker.usual || optimum == 0) continue;
        const double error = static_cast<double>(reply.cost) / optimum - 1;
        error_sum_ += error;
        error_max_ = std::max(error_max_, error);
        ++paths_;
    }
}

}  // namespace cairn::app

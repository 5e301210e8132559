// Searches on the footprint of an agent, and the check of answers against them.

#include "haa/footprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <queue>
#include <utility>

#include "support/planner.hpp"

namespace cairn::haa::test {

using grid::Point;

int Footprint::weight(Point anchor) const {
    const Capability& capability = options_->capabilities[agent_.capability];
    const int before = options_->anchor == Anchor::centred ? (agent_.size - 1) / 2 : 0;
    int costliest = 0;
    for (int y = anchor.y - before; y < anchor.y - before + agent_.size; ++y) {
        for (int x = anchor.x - before; x < anchor.x - before + agent_.size; ++x) {
            if (x < 0 || y < 0 || x >= image_->width || y >= image_->height) return 0;
            const std::uint8_t terrain = options_->key.terrain[image_->at(x, y)];
            if (terrain == TerrainKey::kObstacle || !capability.includes(terrain)) return 0;
            costliest = std::max<int>(costliest, capability.weight[terrain]);
        }
    }
    return costliest;
}

std::vector<Point> Footprint::anchors() const {
    std::vector<Point> result;
    for (int y = 0; y < image_->height; ++y) {
        for (int x = 0; x < image_->width; ++x) {
            if (stands({x, y})) result.push_back({x, y});
        }
    }
    return result;
}

Cost Footprint::step(Point from, Point to) const {
    const int dx = to.x - from.x;
    const int dy = to.y - from.y;
    if (std::max(std::abs(dx), std::abs(dy)) != 1) return kInfinity;
    const int from_weight = weight(from);
    const int to_weight = weight(to);
    if (from_weight == 0 || to_weight == 0) return kInfinity;
    const auto cost = [&](std::uint32_t base) {
        return base * static_cast<Cost>(from_weight + to_weight) / 2;
    };
    if (dx == 0 || dy == 0) return cost(options_->costs.straight);

    const auto& [neighbourhood, corner] = options_->rules;
    if (neighbourhood == grid::Neighbourhood::four) return kInfinity;
    const int beside = (stands({from.x, to.y}) ? 1 : 0) + (stands({to.x, from.y}) ? 1 : 0);
    if (corner == grid::CornerRule::strict && beside < 2) return kInfinity;
    if (corner == grid::CornerRule::both_blocked && beside < 1) return kInfinity;
    return cost(options_->costs.diagonal);
}

Cost Footprint::path(std::span<const grid::Cell> cells) const {
    const auto point = [&](grid::Cell cell) {
        const int c = static_cast<int>(cell);
        return Point{c % image_->width, c / image_->width};
    };
    if (cells.empty() || !stands(point(cells.front()))) return kInfinity;
    Cost sum = 0;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        const Cost cost = step(point(cells[i - 1]), point(cells[i]));
        if (cost >= kInfinity) return kInfinity;
        sum += cost;
    }
    return sum;
}

std::vector<Cost> Footprint::distances(Point start) const {
    std::vector<Cost> result(image_->terrain.size(), kInfinity);
    using Entry = std::pair<Cost, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    result[index(start)] = 0;
    open.emplace(0, index(start));
    while (!open.empty()) {
        const auto [cost, at] = open.top();
        open.pop();
        if (cost != result[at]) continue;
        const int cell = static_cast<int>(at);
        const Point from{cell % image_->width, cell / image_->width};
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const Point to{from.x + dx, from.y + dy};
                const Cost move = step(from, to);
                if (move >= kInfinity || cost + move >= result[index(to)]) continue;
                result[index(to)] = cost + move;
                open.emplace(cost + move, index(to));
            }
        }
    }
    return result;
}

std::string fault_of(const Footprint& footprint, const Query& query, const Answer& answer,
                     Cost optimum) {
    const std::string query_text =
        fmt::format(" (capability {} size {} from {},{} to {},{} engine {})",
                    query.agent.capability, query.agent.size, query.start.x, query.start.y,
                    query.goal.x, query.goal.y, static_cast<int>(query.engine));
    if (answer.status != StatusCode::ok) {
        if (answer.status == StatusCode::no_path && optimum >= kInfinity) return "";
        return fmt::format("{}, optimum {}{}", name(answer.status), optimum, query_text);
    }
    if (optimum >= kInfinity) return "ok, though there is no path" + query_text;
    if (query.detail == hpa::Detail::reachable) return "";
    if (answer.cost < optimum || answer.lower_bound > optimum) {
        return fmt::format("cost {} and bound {}, optimum {}{}", answer.cost, answer.lower_bound,
                           optimum, query_text);
    }
    if (query.detail != hpa::Detail::path) return "";
    if (footprint.path(answer.cells) != answer.cost) return "an illegal path" + query_text;
    const auto at = [&](grid::Point p) { return static_cast<grid::Cell>(footprint.index(p)); };
    const bool has_right_ends =
        answer.cells.front() == at(query.start) && answer.cells.back() == at(query.goal);
    return has_right_ends ? "" : "a path between other ends" + query_text;
}

Query unsmoothed(Agent agent, Point start, Point goal, hpa::Engine engine) {
    Query query;
    query.agent = agent;
    query.start = start;
    query.goal = goal;
    query.engine = engine;
    query.smoothing = hpa::Smoothing::none;
    query.try_direct_line = false;
    return query;
}

AnnotatedMap annotated_map(const grid::TerrainImage& image, const AnnotationOptions& options) {
    return cairn::test::value_or_abort(AnnotatedMap::create(image, options));
}

Index build(const AnnotatedMap& map, const Options& options) {
    BuildControl control;
    control.threads = 1;
    return cairn::test::value_or_abort(Index::build(map, options, control));
}

std::vector<Agent> all_agents(const AnnotatedMap& map) {
    std::vector<Agent> agents;
    for (std::uint32_t k = 0; k < map.classes(); ++k) agents.push_back(map.agent(k));
    return agents;
}

std::vector<Capability> three_capabilities() {
    return {Capability(terrain_set({kGround})), Capability(terrain_set({kTrees})),
            Capability(terrain_set({kGround, kTrees}))};
}

}  // namespace cairn::haa::test

#include "any_planner.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "cairn/grid/nearest.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"

namespace cairn::app {
namespace {

/// The searches on cells.
template <class SearchMap, class Search, class SearchOptions>
class BarePlanner : public AnyPlanner {
public:
    BarePlanner(const SearchMap& map, const SearchOptions& options, const SearchLimits& limits)
        : map_(map), options_(options), limits_(limits) {}

    StatusCode ask(grid::Point start, grid::Point goal) override {
        goal_ = goal;
        return search_.find_path(map_, start, goal, path_, options_, limits_);
    }
    Reply reply() const override {
        return {.status = path_.status,
                .cost = path_.cost,
                .lower_bound = path_.cost,
                .abstract_cost = {},
                .goal = goal_,
                .engine = engine(),
                .nodes = {},
                .cells = path_.cells,
                .phases = {{"search", path_.statistics}}};
    }

protected:
    /// In words.
    [[nodiscard]] virtual const char* engine() const noexcept = 0;

    SearchMap map_;
    SearchOptions options_;
    SearchLimits limits_;
    Search search_;

private:
    grid::Path path_;
    grid::Point goal_;
};

class AstarPlanner final : public BarePlanner<grid::Map, grid::Astar, grid::AstarOptions> {
public:
    using BarePlanner::BarePlanner;
    const grid::Map& map() const noexcept override { return map_; }
    const char* name() const noexcept override { return "astar"; }
    StatusCode costs(grid::Point start, std::span<const grid::Point> goals,
                     std::span<Cost> costs) override {
        return search_.distances(map_, start, goals, costs, options_, limits_);
    }

private:
    const char* engine() const noexcept override { return "A*"; }
};

class JpsPlanner final : public BarePlanner<grid::JpsMap, grid::Jps, grid::JpsOptions> {
public:
    using BarePlanner::BarePlanner;
    const grid::Map& map() const noexcept override { return map_.map(); }
    const char* name() const noexcept override { return "jps"; }

private:
    const char* engine() const noexcept override { return "jump point search"; }
};

/// What the planners with an index have in common.
template <class Index, class Query, class Searcher, class Answer>
class IndexPlanner : public AnyPlanner {
public:
    /// `map`: as AnyPlanner::map.
    IndexPlanner(const grid::Map& map, const Index& index, const Query& query,
                 std::size_t cached_ends)
        : map_(map), index_(index), query_(query), searcher_(cached_ends) {}

    const grid::Map& map() const noexcept override { return map_; }

    StatusCode ask(grid::Point start, grid::Point goal) override {
        query_.start = start;
        query_.goal = goal;
        return searcher_.find(index_, query_, answer_);
    }
    StatusCode costs(grid::Point start, std::span<const grid::Point> goals,
                     std::span<Cost> costs) override {
        query_.start = start;
        return searcher_.costs(index_, query_, goals, costs);
    }
    StatusCode ask_nearest(grid::Point start, std::span<const grid::Point> goals,
                           std::size_t& nearest) override {
        query_.start = start;
        return searcher_.find_nearest(index_, query_, goals, answer_, nearest);
    }

protected:
    grid::Map map_;
    Index index_;
    Query query_;
    Searcher searcher_;
    Answer answer_;
};

Reply reply_of(const hpa::Answer& answer) {
    constexpr std::array<const char*, 4> names{"none needed", "A* on level 1", "levels",
                                               "cut labels"};
    const hpa::QueryStatistics& s = answer.statistics;
    return {.status = answer.status,
            .cost = answer.cost,
            .lower_bound = answer.lower_bound,
            .abstract_cost = answer.abstract_cost,
            .goal = answer.goal,
            .engine = answer.direct_line ? "straight line"
                                         : names[static_cast<std::size_t>(answer.engine)],
            .nodes = answer.abstract_nodes,
            .cells = answer.cells,
            .phases = {{"connect", s.connect}, {"search", s.search}, {"refine", s.refine}}};
}

class HpaPlanner final : public IndexPlanner<hpa::Index, hpa::Query, hpa::Searcher, hpa::Answer> {
public:
    using IndexPlanner::IndexPlanner;
    const char* name() const noexcept override { return "hpa"; }
    const char* node_word() const noexcept override { return "abstract_nodes"; }
    Reply reply() const override { return reply_of(answer_); }
};

class HaaPlanner final : public IndexPlanner<haa::Index, haa::Query, haa::Searcher, haa::Answer> {
public:
    HaaPlanner(const grid::Map& class_map, const haa::Index& index, const haa::Query& query,
               std::size_t cached_ends)
        : IndexPlanner(class_map, index, query, cached_ends), mover_{index, query.agent} {}
    const char* name() const noexcept override { return "haa"; }
    const char* node_word() const noexcept override { return "abstract_nodes"; }
    const Mover* mover() const noexcept override { return &mover_; }
    Reply reply() const override { return reply_of(answer_); }

private:
    Mover mover_;
};

class SubgoalPlanner final
    : public IndexPlanner<subgoal::Index, subgoal::Query, subgoal::Searcher, subgoal::Answer> {
public:
    using IndexPlanner::IndexPlanner;
    const char* name() const noexcept override { return "subgoal"; }
    const char* node_word() const noexcept override { return "subgoals"; }
    Reply reply() const override {
        constexpr std::array<const char*, 4> names{"none needed", "A* on the subgoal graph",
                                                   "N-level graph", "cut labels"};
        return {.status = answer_.status,
                .cost = answer_.cost,
                .lower_bound = answer_.cost,
                .abstract_cost = {},
                .goal = answer_.goal,
                .engine = answer_.h_reachable && answer_.engine == subgoal::Engine::automatic
                              ? "h-reachable"
                              : names[static_cast<std::size_t>(answer_.engine)],
                .nodes = answer_.subgoals,
                .cells = answer_.cells,
                .phases = {{"search", answer_.statistics.search}}};
    }
};

}  // namespace

StatusCode AnyPlanner::costs(grid::Point start, std::span<const grid::Point> goals,
                             std::span<Cost> costs) {
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const StatusCode status = ask(start, goals[i]);
        if (status == StatusCode::start_outside || status == StatusCode::start_blocked)
            return status;
        costs[i] = status == StatusCode::ok ? reply().cost : kInfinity;
    }
    return StatusCode::ok;
}

StatusCode AnyPlanner::ask_nearest(grid::Point start, std::span<const grid::Point> goals,
                                   std::size_t& nearest) {
    std::vector<Cost> all(goals.size());
    const StatusCode status = costs(start, goals, all);
    if (status != StatusCode::ok) return status;
    nearest = static_cast<std::size_t>(std::min_element(all.begin(), all.end()) - all.begin());
    return ask(start, goals[nearest]);
}

std::unique_ptr<AnyPlanner> make_planner(const grid::Map& map, const grid::AstarOptions& options,
                                         const SearchLimits& limits) {
    return std::make_unique<AstarPlanner>(map, options, limits);
}

std::unique_ptr<AnyPlanner> make_planner(const grid::JpsMap& map, const grid::JpsOptions& options,
                                         const SearchLimits& limits) {
    return std::make_unique<JpsPlanner>(map, options, limits);
}

std::unique_ptr<AnyPlanner> make_planner(const hpa::Index& index, const hpa::Query& query,
                                         std::size_t cached_ends) {
    return std::make_unique<HpaPlanner>(index.map(), index, query, cached_ends);
}

std::unique_ptr<AnyPlanner> make_planner(const subgoal::Index& index, const subgoal::Query& query,
                                         std::size_t cached_ends) {
    return std::make_unique<SubgoalPlanner>(index.map(), index, query, cached_ends);
}

Result<std::unique_ptr<AnyPlanner>> make_planner(const haa::Index& index, const haa::Query& query,
                                                 std::size_t cached_ends) {
    const auto view = index.view(query.agent);
    if (!view) return tl::unexpected(view.error());
    return std::make_unique<HaaPlanner>(view->map(), index, query, cached_ends);
}

void forget_ends(AnyPlanner& planner) {
    const grid::Map& map = planner.map();
    const grid::Point last{map.width() - 1, map.height() - 1};
    const auto between = [&](grid::Point a, grid::Point b) {
        const auto start = nearest_passable(map, a);
        const auto goal = nearest_passable(map, b);
        if (start && goal) planner.ask(*start, *goal);
    };
    between({0, 0}, last);
    between({last.x, 0}, {0, last.y});
}

}  // namespace cairn::app

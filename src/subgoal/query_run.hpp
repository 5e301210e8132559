#pragma once
// Runs one query through the pipeline: locate, connect, search, refine.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/grid/line.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "core/endpoint_cache.hpp"
#include "core/memory.hpp"
#include "core/nlevel/n_level_search.hpp"
#include "core/query_state.hpp"
#include "grid/endpoints.hpp"
#include "grid/trace_points.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/detour.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/reachability.hpp"
#include "subgoal/refine.hpp"
#include "subgoal/search.hpp"

namespace cairn::subgoal {

/// Sets an answer to that of a query that has just begun, with no path.
void reset(Answer& answer, const Query& query, const Index& index) noexcept;
[[nodiscard]] inline bool in_range(const Query& query) noexcept {
    return query.detail <= Detail::path && query.engine <= Engine::climb &&
           std::is_sorted(query.blocked.begin(), query.blocked.end());
}

inline void list_path(const Index& index, const Query& /*query*/, const Answer& answer,
                      std::vector<TracePoint>& path) {
    grid::list_path(index.map().width(), answer.cells, path);
}

class QueryRun : public QueryState<Index, Query, Answer> {
public:
    explicit QueryRun(std::size_t cached_endpoints) : endpoints_(cached_endpoints) {}

    /// Begins a query: locate and connect. `answer` must live until the query is finished.
    void begin(const Index& index, const Query& query, Answer& answer);
    /// Searches; expands up to `budget` nodes. True while unfinished.
    bool advance(std::uint64_t budget);

    [[nodiscard]] static StatusCode check_start(const Index& index, const Query& query) noexcept {
        return grid::check_start(index.map(), query.start);
    }

    /// Bytes held now, the index not counted. O(endpoints kept).
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(endpoints_, label_search_, reachability_, graph_search_, level_search_,
                         nodes_, stops_, refine_, detour_);
    }

    // The members that advance_in_slices needs.
    [[nodiscard]] std::uint64_t expanded() const noexcept { return effort().expanded; }
    bool advance_search(std::uint64_t budget);
    void finish_search();
    void stop(StatusCode status);

private:
    /// The octile distance from a node of the engines to the goal.
    struct Heuristic {
        const grid::Map* map;
        const Nodes* nodes;
        grid::Point goal;
        Cost operator()(std::uint32_t node) const noexcept {
            return map->distance_bound(nodes->point(node), goal);
        }
    };

    bool locate();  // false if the query is finished: it is refused
    StatusCode move_goal_within_reach();
    bool try_line();  // true if the query is finished: a free line answers it
    void connect();
    void begin_search();
    void record_end(Cost cost);
    [[nodiscard]] StatusCode why_no_path(Cost cost);
    void finish_path(Cost cost);
    template <class Append>
    void finish_h_reachable(Append&& append);
    void take_result();
    void take_partial_path();
    void list_subgoals(bool to_goal);
    bool find_stops(bool to_goal);
    void refine(bool to_goal);
    void go_around();
    void finish_detour();

    [[nodiscard]] const Engines& engines() const noexcept { return *snapshot().engines; }
    [[nodiscard]] Engine engine() const noexcept;
    [[nodiscard]] bool by_labels() const noexcept {
        return engine_ == Engine::cut_labels || engine_ == Engine::climb;
    }
    [[nodiscard]] Heuristic heuristic() const noexcept {
        return {&snapshot().map, &snapshot().nodes, query_.goal};
    }
    [[nodiscard]] const grid::SearchStatistics& effort() const noexcept;
    void finish(StatusCode status);

    Engine engine_ = Engine::automatic;

    EndpointCache<Endpoint> endpoints_;
    const Endpoint* start_ = nullptr;
    const Endpoint* goal_ = nullptr;
    LabelSearch label_search_;
    Reachability reachability_;
    GraphSearch graph_search_;
    NLevelSearch level_search_;
    std::vector<std::uint32_t> nodes_;  // of the path; those of the engines
    std::vector<grid::Point> stops_;    // see find_stops
    Refine refine_;
    Detour detour_;
    bool detouring_ = false;        // the search is detour_'s
    Detail wanted_ = Detail::path;  // query_.detail is path if there are blocked cells
};

}  // namespace cairn::subgoal

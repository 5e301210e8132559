#pragma once
// Runs one query through the pipeline: locate, connect, search, refine, smooth.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/grid/corridor.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/hpa/hpa.hpp"
#include "core/endpoint_cache.hpp"
#include "core/memory.hpp"
#include "core/query_state.hpp"
#include "grid/blocked_search.hpp"
#include "grid/endpoints.hpp"
#include "grid/flood.hpp"
#include "grid/trace_points.hpp"
#include "hpa/abstract_search.hpp"
#include "hpa/connect.hpp"
#include "hpa/refine.hpp"

namespace cairn::hpa {

/// Empties an answer; `goal` is the requested goal.
void empty(Answer& answer, grid::Point goal, std::uint64_t snapshot_id) noexcept;
inline void reset(Answer& answer, const Query& query, const Index& index) noexcept {
    empty(answer, query.goal, index.snapshot_id());
}
inline void list_path(const Index& index, const Query& /*query*/, const Answer& answer,
                      std::vector<TracePoint>& path) {
    grid::list_path(index.map().width(), answer.cells, path);
}
/// For queries of HPA* and HAA*, without the agent.
template <class Query>
[[nodiscard]] bool view_query_in_range(const Query& query) noexcept {
    return query.detail <= Detail::path && query.smoothing <= Smoothing::corridor &&
           query.engine <= Engine::climb && query.connect <= ConnectRule::towards_goal &&
           query.corridor_ring >= 0 && query.corridor_ring <= 64 &&
           std::is_sorted(query.blocked.begin(), query.blocked.end());
}
[[nodiscard]] inline bool in_range(const Query& query) noexcept {
    return view_query_in_range(query);
}

/// The working memory of one thread for queries of HPA*: the run of its Searcher
/// (core/searcher.hpp).
class QueryRun : public QueryState<Index, Query, Answer> {
public:
    explicit QueryRun(std::size_t cached_endpoints) : endpoints_(cached_endpoints) {}

    void begin(const Index& index, const Query& query, Answer& answer);
    /// True while unfinished.
    bool advance(std::uint64_t budget);

    [[nodiscard]] static StatusCode check_start(const Index& index, const Query& query) noexcept {
        return grid::check_start(index.map(), query.start);
    }

    /// Bytes held now, the index not counted. O(endpoints kept).
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(endpoints_, rule_, candidate_, connect_, flood_, search_, refine_, nodes_,
                         smoother_.runs, smoother_.next, smoother_.reach, smoothed_, corridor_,
                         band_, corridor_search_, corridor_path_.cells, detour_, around_cells_,
                         path_);
    }

    // The members that advance_in_slices needs.
    [[nodiscard]] std::uint64_t expanded() const noexcept;
    bool advance_search(std::uint64_t budget);
    void finish_search();
    void stop(StatusCode status);

private:
    // Where detour_ searches: around each stretch of the path that is not free, or, if one of these
    // searches fails, in the clusters of the path, then with rings around them, then everywhere.
    // none: the search is search_'s.
    enum class Detour : std::uint8_t { none, stretches, clusters, rings, map };

    // locate and connect return false if the answer has its final status, try_trivial returns true.
    bool locate();
    void connect_start();
    bool try_trivial();
    bool connect();
    void begin_search();
    void list_abstract_nodes(bool inside, bool to_goal);
    void take_partial_path();
    void refine(bool to_goal);
    void refine_cells(bool to_goal);
    void smooth();
    void search_around();
    void search_corridor(const grid::Corridor& corridor);
    void lay_corridor(std::span<const grid::Cell> cells, int rings);
    void take_result();
    void go_around();
    void begin_next_stretch();
    void begin_detour(Detour where);
    void finish_stretch();
    void finish_detour();
    void finish_around(Cost cost);

    [[nodiscard]] bool reaches(grid::Cell cell);
    [[nodiscard]] StatusCode move_goal_within_reach();
    [[nodiscard]] Engine engine() const noexcept;
    void finish(StatusCode status);

    // Of the cheapest path inside the 1-cluster that holds start and goal, if they share one.
    Cost inside_cost_ = kInfinity;

    EndpointCache<Endpoint> endpoints_;
    Endpoint* start_ = nullptr;
    Endpoint* goal_ = nullptr;
    StartRule rule_;
    Endpoint candidate_;  // a cell to which the goal may be moved
    Connect connect_;
    grid::Flood flood_;  // where components do not know all paths: Snapshot::inside_costs_fit
    AbstractSearch search_;
    Refine refine_;
    std::vector<grid::Cell> nodes_;  // of the path on level 1, without S and G
    grid::Smoother smoother_;
    std::vector<grid::Cell> smoothed_;
    grid::Corridor corridor_;
    grid::Corridor band_;  // of Smoothing::band: smaller blocks
    grid::CorridorSearch corridor_search_;
    grid::Path corridor_path_;
    grid::BlockedSearch detour_;
    Detour detouring_ = Detour::none;
    bool around_ = false;  // detour_ has found a path
    // For Detour::stretches: the path if no cell were blocked, up to which index of it the answer
    // leads after the search that runs, and the path that such a search found.
    std::vector<grid::Cell> path_;
    std::size_t stretch_end_ = 0;
    std::vector<grid::Cell> around_cells_;
    Detail wanted_ = Detail::path;  // query_.detail is path if there are blocked cells
};

}  // namespace cairn::hpa

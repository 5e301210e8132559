#pragma once
// Runs a query of HNA* through the pipeline: locate, connect, search, refine, smooth.

#include <cstdint>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/funnel.hpp"
#include "core/memory.hpp"
#include "core/query_state.hpp"
#include "hna/connect.hpp"
#include "hna/hng.hpp"
#include "hna/path_tree.hpp"
#include "hna/steps.hpp"
#include "hna/unpack.hpp"
#include "mesh/shorten.hpp"
#include "mesh/trace_points.hpp"
#include "overlay/level_search.hpp"
#include "overlay/refine.hpp"

namespace cairn::hna {

/// Empties an answer; its endpoints become the query's.
void reset(Answer& answer, const Query& query, const Index& index) noexcept;
[[nodiscard]] inline bool in_range(const Query& query) noexcept {
    return query.detail <= Detail::path && query.engine <= Engine::climb &&
           query.connect <= ConnectBy::portals && query.search_level <= SearchLevel::top &&
           query.crossings <= mesh::Crossings::all && query.reach >= 0 &&
           query.reach <= kMaxReach;  // false for NaN
}

/// The waypoints.
inline void list_path(const Index& /*index*/, const Query& /*query*/, const Answer& answer,
                      std::vector<TracePoint>& path) {
    for (const mesh::Waypoint& waypoint : answer.waypoints)
        path.push_back(mesh::trace_point(waypoint.point));
}

/// Answers one query after another: see core/searcher.hpp.
class QueryRun : public QueryState<Index, Query, Answer> {
public:
    void begin(const Index& index, const Query& query, Answer& answer);
    /// True while unfinished.
    bool advance(std::uint64_t budget);

    [[nodiscard]] static StatusCode check_start(const Index& index, const Query& query) noexcept;

    /// Bytes held now, the index not counted. O(levels).
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(start_, goal_, inside_, connect_search_, climb_, hng_search_,
                         level_refine_, label_scratch_, path_tree_, from_, to_, path_, steps_,
                         unpack_, funnel_, shorten_);
    }

    // For advance_in_slices.
    [[nodiscard]] std::uint64_t expanded() const noexcept;
    bool advance_search(std::uint64_t budget);
    void finish_search();
    void stop(StatusCode status);

private:
    // False when the answer has its final status.
    [[nodiscard]] bool check_options();
    [[nodiscard]] bool locate();
    // True when the answer is final: start and goal lie in one polygon.
    [[nodiscard]] bool try_trivial();
    void connect();
    void search_inside(int level);

    void begin_search();
    void search_labels();
    /// Whether this path may have its end in common with those found before.
    [[nodiscard]] bool shares_paths() const noexcept;
    [[nodiscard]] bool find_label_path(const CutLabels& labels);
    void begin_hng_search(const Hng& hng, std::uint32_t start_cluster);
    void list_first_level();

    /// Takes the path that the search has found; false if it is none that is better than inside_'s.
    bool take_found();
    void take_partial_path();
    /// Writes the path of level_ as Query::detail says.
    void write_path();
    // False where the search's path does not exist (forged labels).
    [[nodiscard]] bool find_steps();
    void refine();
    [[nodiscard]] bool shortens() const noexcept {
        return query_.shorten && answer_->status == StatusCode::ok;
    }
    void refine_to_rows();
    void unpack();
    void pull();

    [[nodiscard]] Engine engine() const noexcept;
    [[nodiscard]] TopConnection top_connection() const noexcept;
    [[nodiscard]] bool costly_to_connect() const noexcept;
    [[nodiscard]] bool searches_top() const noexcept;
    void finish(StatusCode status);

    bool searching_hng_ = false;  // whether `advance` continues hng_search_

    Endpoint start_;
    Endpoint goal_;
    ClusterSearch inside_;  // towards the goal, inside the cluster that holds start and goal
    Cost inside_cost_ = kInfinity;  // of the path that inside_ found
    Cost best_ = kInfinity;         // of the best path so far, or the bound
    int level_ = 0;                 // of the best path; 0 if it is the one inside, or there is none
    const Hng* path_hng_ = nullptr;  // path_ holds vertices of this graph
    bool to_goal_ = true;            // whether the path leads to the goal; else it is a partial one
    std::uint32_t end_cluster_ = 0;  // of level_, in which the path ends

    ClusterSearch connect_search_;
    LevelSearch<MeshBase> climb_;  // connects endpoints to higher levels
    HngSearch hng_search_;
    const Hng* searched_hng_ = nullptr;  // of answer_->searched_level
    LevelRefine<MeshBase> level_refine_;
    CutLabels::Scratch label_scratch_;
    CutLabels::Meeting meeting_;
    PathTree path_tree_;
    bool same_goal_ = false;       // as the query before: path_tree_ can be used
    std::vector<Connector> from_;  // connectors of the start, to vertices of an HNG
    std::vector<Connector> to_;    // and of the goal
    std::vector<std::uint32_t> path_;
    std::vector<Step> steps_;
    Unpack unpack_;
    mesh::Funnel funnel_;
    mesh::Shorten shorten_;
};

}  // namespace cairn::hna

#pragma once
// Runs one query through the pipeline: locate, connect, search, refine, smooth.

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
#include "overlay/levels_search.hpp"
#include "overlay/refine.hpp"

namespace cairn::hna {

/// Empties an answer.
void reset(Answer& answer, const Query& query, const Index& index) noexcept;

class QueryRun : public QueryState<Index, Query, Answer> {
public:
    void begin(const Index& index, const Query& query, Answer& answer);
    /// True while unfinished.
    bool advance(std::uint64_t budget);

    [[nodiscard]] static StatusCode check_start(const Index& index, const Query& query) noexcept;

    /// Bytes held now, the index not counted. O(levels).
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(start_, goal_, inside_, connect_search_, climb_, hng_search_,
                         levels_search_, level_refine_, label_scratch_, path_tree_, from_, to_,
                         path_, steps_, unpack_, funnel_);
    }

    // The members that advance_in_slices needs.
    [[nodiscard]] std::uint64_t expanded() const noexcept;
    bool advance_search(std::uint64_t budget);
    void finish_search();
    void stop(StatusCode status);

private:
    // The steps of locating and connecting return false when the answer has its final status.
    [[nodiscard]] bool check_options();
    [[nodiscard]] bool locate();
    [[nodiscard]] bool try_trivial();
    void connect();
    void search_inside();

    void begin_search();
    void search_labels();
    [[nodiscard]] bool find_label_path(const CutLabels& labels);
    void begin_hng_search(const Hng& hng, int level, std::uint32_t start_cluster);
    void list_first_level();
    void begin_levels();

    [[nodiscard]] bool find_steps();
    void refine();
    void refine_to_rows();
    void unpack();
    void pull();

    [[nodiscard]] Engine engine() const noexcept;
    [[nodiscard]] TopConnection top_connection() const noexcept;
    [[nodiscard]] bool costly_to_connect() const noexcept;
    void finish(StatusCode status);

    enum class Searching : std::uint8_t { nothing, hng, levels };
    Searching under_way_ = Searching::nothing;

    Endpoint start_;
    Endpoint goal_;
    ClusterSearch inside_;  // towards the goal, inside the cluster that holds start and goal
    Cost inside_cost_ = kInfinity;   // of the path it found
    Cost best_ = kInfinity;          // of the path over inter-edges
    int level_ = 0;                  // level of that path; 0 while the path inside is better
    const Hng* path_hng_ = nullptr;  // path_ holds vertices of this, or else nodes of level_

    ClusterSearch connect_search_;
    LevelSearch<MeshBase> climb_;
    HngSearch hng_search_;
    const Hng* searched_hng_ = nullptr;
    int searched_level_ = 0;
    LevelsSearch<MeshBase> levels_search_;
    LevelRefine<MeshBase> level_refine_;
    CutLabels::Scratch label_scratch_;
    CutLabels::Meeting meeting_;
    PathTree path_tree_;
    bool same_goal_ = false;  // whether the query before had the same goal
    std::vector<Connector> from_;
    std::vector<Connector> to_;
    std::vector<std::uint32_t> path_;
    std::vector<Step> steps_;
    Unpack unpack_;
    mesh::Funnel funnel_;
};

}  // namespace cairn::hna

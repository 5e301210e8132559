#pragma once
// The search step: from the connections of S and G to an abstract path, by one of the engines.

#include <cstdint>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/hpa/query.hpp"
#include "hpa/connect.hpp"
#include "hpa/snapshot.hpp"
#include "overlay/level_search.hpp"

namespace cairn::hpa {

/// Resumable. One per thread.
class AbstractSearch {
public:
    /// Prepares a search between two ends connected to level 1; connects them to higher levels as
    /// the engine needs. Paths must cost less than `bound`. The engine must not be `automatic`.
    void begin(const Snapshot& snapshot, Engine engine, End& start, End& goal, Cost bound,
               Connect& connect, grid::SearchStatistics& connect_effort);

    /// Expands up to `budget` nodes more. False once the search has ended.
    bool advance(std::uint64_t budget);

    /// After the end: the cost of the best path; the bound if none is below it.
    [[nodiscard]] Cost cost() const noexcept { return best_; }
    [[nodiscard]] bool found() const noexcept { return found_; }
    /// Effort of the main search so far.
    [[nodiscard]] const grid::SearchStatistics& statistics() const noexcept { return statistics_; }
    [[nodiscard]] int path_level() const noexcept { return path_level_; }
    /// The nodes of the path on path_level, S and G left out. Only of the last search; computed on
    /// demand.
    [[nodiscard]] const std::vector<grid::Cell>& path();

private:
    void begin_level();
    void search_labels();
    void list_connectors(const End& end, std::vector<Connector>& connectors) const;

    const Snapshot* snapshot_ = nullptr;
    grid::SearchStatistics* connect_effort_ = nullptr;
    Connect* connect_ = nullptr;
    End* start_ = nullptr;
    End* goal_ = nullptr;
    Engine engine_ = Engine::astar;
    int level_ = 1;
    int last_level_ = 1;
    Cost best_ = kInfinity;
    bool found_ = false;
    grid::SearchStatistics statistics_;
    grid::SearchStatistics lower_levels_;  // the part of it that is done
    bool labels_path_pending_ = false;
    int path_level_ = 0;
    std::vector<grid::Cell> path_;
    LevelSearch search_;

    std::vector<Connector> from_;
    std::vector<Connector> to_;
    std::vector<std::uint32_t> label_nodes_;
    CutLabels::Scratch label_scratch_;
};

}  // namespace cairn::hpa

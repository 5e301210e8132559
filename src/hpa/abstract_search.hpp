#pragma once
// The search step: from the connections of S and G to an abstract path, by one of the engines.

#include <cstdint>
#include <vector>

#include "cairn/hpa/query.hpp"
#include "core/memory.hpp"
#include "hpa/connect.hpp"
#include "hpa/snapshot.hpp"
#include "overlay/levels_search.hpp"

namespace cairn::hpa {

/// Resumable. One per thread.
class AbstractSearch {
public:
    /// Prepares a search between two endpoints connected to level 1; connects them to higher levels
    /// as the engine needs. Paths must cost less than `bound`. The engine must not be `automatic`.
    void begin(const Snapshot& snapshot, Engine engine, Endpoint& start, Endpoint& goal, Cost bound,
               SearchStatistics& connect_effort);

    /// Expands up to `budget` nodes more. False once the search has ended.
    bool advance(std::uint64_t budget) { return !by_labels_ && levels_.advance(budget); }

    /// After the end: the cost of the best path; the bound if none is below it.
    [[nodiscard]] Cost cost() const noexcept { return by_labels_ ? best_ : levels_.cost(); }
    [[nodiscard]] bool found() const noexcept { return by_labels_ ? found_ : levels_.found(); }
    /// Effort of the main search so far; labels expand nothing.
    [[nodiscard]] SearchStatistics statistics() const noexcept {
        return by_labels_ ? SearchStatistics{} : levels_.statistics();
    }
    [[nodiscard]] int path_level() const noexcept { return by_labels_ ? 1 : levels_.path_level(); }
    /// The nodes of the path on path_level, S and G left out. Only of the last search; that by
    /// labels is computed on demand.
    [[nodiscard]] const std::vector<grid::Cell>& path();

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(levels_, path_, from_, to_, label_nodes_, label_scratch_);
    }

private:
    void search_labels(Cost bound);
    void list_connectors(const Endpoint& end, std::vector<Connector>& connectors) const;

    bool by_labels_ = false;
    LevelsSearch<GridBase> levels_;

    // The search by labels.
    const LabelEngine* labels_ = nullptr;
    Cost best_ = kInfinity;
    bool found_ = false;
    bool path_pending_ = false;
    std::vector<grid::Cell> path_;
    std::vector<Connector> from_;
    std::vector<Connector> to_;
    std::vector<std::uint32_t> label_nodes_;
    CutLabels::Scratch label_scratch_;
};

}  // namespace cairn::hpa

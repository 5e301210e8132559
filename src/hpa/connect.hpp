#pragma once
// The connect step: finds the costs between a start or goal and the abstract nodes of its clusters,
// level by level (overlay/endpoint.hpp).

#include <cstdint>

#include "cairn/hpa/query.hpp"
#include "core/memory.hpp"
#include "hpa/cluster_search.hpp"
#include "hpa/snapshot.hpp"
#include "overlay/endpoint.hpp"

namespace cairn::hpa {

/// The start or goal of a query and its connections. Costs are symmetric, so a start and a goal are
/// connected alike.
struct Endpoint : cairn::Endpoint<GridBase> {
    grid::Cell cell = grid::kNoCell;
    std::uint64_t snapshot_id = 0;  ///< of the index that it is connected to; 0 for none
};

/// Makes the connections. Use one per thread.
class Connect {
public:
    /// Makes `end` the endpoint at `cell` and connects it to the nodes of its 1-cluster, by the
    /// move tables or by one search. Does nothing if that has been done.
    void to_first_level(const Snapshot& snapshot, grid::Cell cell, Endpoint& end,
                        grid::SearchStatistics& effort);

    /// Connects an endpoint to the border nodes of its clusters up to `level`.
    void to_level(const Snapshot& snapshot, int level, Endpoint& end,
                  grid::SearchStatistics& effort);

    /// The cost of the cheapest path inside a 1-cluster between two of its cells, by one search;
    /// kInfinity if there is no such path.
    [[nodiscard]] Cost inside_cost(const Snapshot& snapshot, grid::Cell a, grid::Cell b,
                                   grid::SearchStatistics& effort);

    /// The component of an endpoint connected to level 1, or kNoComponent if it cannot leave its
    /// cluster.
    [[nodiscard]] static std::uint32_t component(const Snapshot& snapshot,
                                                 const Endpoint& end) noexcept;

    /// Whether any node of a 1-cluster belongs to a component.
    [[nodiscard]] static bool has_component(const Snapshot& snapshot, std::uint32_t cluster,
                                            std::uint32_t component) noexcept;

    /// The searches inside clusters, to share with others.
    [[nodiscard]] ClusterSearch& inside() noexcept { return inside_; }

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(inside_, search_); }

private:
    ClusterSearch inside_;
    LevelSearch<GridBase> search_;
};

/// The connections of a query's start that its ConnectRule keeps (HPA* paper, section 5, "Simple
/// improvements"). Use one per thread.
class StartRule {
public:
    /// The connections to search with: `start` itself if the query's rule leaves nothing out for
    /// `engine`, otherwise a copy with fewer connections, valid until the next call. `start` must
    /// be connected to level 1 and outlive the query. O(n^2) for n nodes of its cluster.
    [[nodiscard]] Endpoint& apply(const Snapshot& snapshot, const Query& query, Engine engine,
                                  Endpoint& start);

    /// After a search that found nothing: the start with all connections, if a path may need one
    /// that the rule left out; otherwise null. Null also for every further call.
    [[nodiscard]] Endpoint* lift() noexcept;

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(kept_); }

private:
    void leave_out_replaceable(const Snapshot& snapshot, const Endpoint& start);
    void leave_out_backward(const Snapshot& snapshot, const Query& query);

    Endpoint kept_;            ///< the copy with fewer connections
    Endpoint* all_ = nullptr;  ///< the result of the next lift()
};

}  // namespace cairn::hpa

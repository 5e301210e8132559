#pragma once
// Answers the queries of agents on HAA* indexes. The pipeline is HPA*'s, on the agent's view:
// locate, connect, search, refine, smooth.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "cairn/haa/index.hpp"
#include "cairn/hpa/query.hpp"

namespace cairn::haa {

/// An agent's query. Points are anchors. start_blocked and goal_blocked mean that the agent does
/// not fit there.
struct Query : hpa::Query {
    Agent agent;
};
/// Cells are anchors. snapshot_id is that of the agent's view, which hpa::LazyPath takes; 0 where
/// there is none.
using Answer = hpa::Answer;

/// The working memory of queries, and the calls that use it. Any call ends a sliced query begun
/// before it. Keep one per thread and use it for any number of indexes; it keeps the views that it
/// was last asked for alive, up to four. Queries on those take no lock, and once warmed up allocate
/// nothing; views that have become complete since are taken up at once.
class Searcher {
public:
    /// `cached_ends`: as hpa::Searcher.
    explicit Searcher(std::size_t cached_ends = 8);
    ~Searcher();
    Searcher(Searcher&&) noexcept;
    Searcher& operator=(Searcher&&) noexcept;
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;

    /// Answers a query. Returns answer.status: as hpa::Searcher::find; also bad_option (no such
    /// agent) and, where a view has to be made first, too_large. `prepare` the index to spare the
    /// first query of an agent class that.
    StatusCode find(const Index& index, const Query& query, Answer& answer);

    /// The same in slices, as hpa::Searcher::begin and advance.
    void begin(const Index& index, const Query& query, Answer& answer);
    bool advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max());

    /// As hpa::Searcher::costs and find_nearest, for an agent.
    StatusCode costs(const Index& index, Agent agent, grid::Point start,
                     std::span<const grid::Point> goals, std::span<Cost> costs);
    StatusCode find_nearest(const Index& index, const Query& query,
                            std::span<const grid::Point> goals, Answer& answer,
                            std::size_t& nearest);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::haa

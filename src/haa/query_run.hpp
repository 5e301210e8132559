#pragma once
// Queries of HAA*: each is a query of HPA* on the agent's view.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cairn/haa/haa.hpp"
#include "hpa/query_run.hpp"

namespace cairn::haa {

/// Empties an answer. It stays empty if the agent has no view.
void reset(Answer& answer, const Query& query, const Index& index) noexcept;
/// The agent is not checked here, but against the map.
inline void list_path(const Index& index, const Query& /*query*/, const Answer& answer,
                      std::vector<TracePoint>& path) {
    grid::list_path(index.map().width(), answer.cells, path);
}
[[nodiscard]] inline bool in_range(const Query& query) noexcept {
    return hpa::view_query_in_range(query);
}

/// The views that a searcher used last, so that most queries find theirs without a lock.
class HeldViews {
public:
    /// The view of an agent. Null if it cannot be had, with the reason in `status`.
    [[nodiscard]] const hpa::Index* get(const Index& index, Agent agent, StatusCode& status);

private:
    struct Held {
        std::uint64_t snapshot_id = 0;
        std::uint32_t agent_class = 0;
        bool complete = false;   // as is_complete
        std::uint64_t used = 0;  // the time of the last use, by clock_
        std::optional<hpa::Index> view;
    };

    [[nodiscard]] Held* find(const Snapshot& snapshot, std::uint32_t agent_class);

    std::array<Held, 4> held_;
    std::uint64_t clock_ = 0;  // counts calls of `get`
};

/// Answers one query after another: see core/searcher.hpp.
class QueryRun {
public:
    explicit QueryRun(std::size_t cached_endpoints) : run_(cached_endpoints) {}

    void begin(const Index& index, const Query& query, Answer& answer);
    /// True while unfinished.
    bool advance(std::uint64_t budget) { return begun_ && run_.advance(budget); }

    [[nodiscard]] bool searching() const noexcept { return begun_ && run_.searching(); }
    void abandon() noexcept { begun_ = false; }
    void fail(StatusCode status) noexcept {
        if (begun_) run_.fail(status);
    }
    void record(TraceRecorder* trace) noexcept { run_.record(trace); }
    [[nodiscard]] StatusCode check_start(const Index& index, const Query& query);
    /// Bytes held now, the index and its views not counted.
    [[nodiscard]] std::size_t memory() const noexcept { return run_.memory(); }

private:
    HeldViews views_;
    hpa::QueryRun run_;
    bool begun_ = false;  // run_ has the query; false if there is no view
};

}  // namespace cairn::haa

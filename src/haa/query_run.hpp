#pragma once
// One agent's query: HPA*'s, on the view of the agent.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cairn/haa/haa.hpp"
#include "hpa/query_run.hpp"

namespace cairn::haa {

/// Empties an answer; this is the answer where there is no view.
void reset(Answer& answer, const Query& query, const Index& index) noexcept;

/// The views that a searcher used last.
class HeldViews {
public:
    /// The view of an agent, or null and why there is none.
    [[nodiscard]] const hpa::Index* get(const Index& index, Agent agent, StatusCode& status);

private:
    struct Held {
        std::uint64_t snapshot_id = 0;
        std::uint32_t agent_class = 0;
        bool complete = false;
        std::uint64_t used = 0;
        std::optional<hpa::Index> view;
    };

    [[nodiscard]] Held* find(const Snapshot& snapshot, std::uint32_t agent_class);

    std::array<Held, 4> held_;
    std::uint64_t clock_ = 0;
};

class QueryRun {
public:
    explicit QueryRun(std::size_t cached_endpoints) : run_(cached_endpoints) {}

    void begin(const Index& index, const Query& query, Answer& answer);
    /// True while unfinished.
    bool advance(std::uint64_t budget) { return begun_ && run_.advance(budget); }

    [[nodiscard]] bool searching() const noexcept { return begun_ && run_.searching(); }
    void fail(StatusCode status) noexcept {
        if (begun_) run_.fail(status);
    }
    [[nodiscard]] StatusCode check_start(const Index& index, const Query& query);
    /// Bytes held now, the index and its views not counted.
    [[nodiscard]] std::size_t memory() const noexcept { return run_.memory(); }

private:
    HeldViews views_;
    hpa::QueryRun run_;
    bool begun_ = false;
};

}  // namespace cairn::haa

#include "cairn/grid/jps.hpp"

#include <algorithm>
#include <limits>

#include "grid/jps_search.hpp"

namespace cairn::grid {

// From each jump point to the next leads one diagonal and then one straight run.
void JumpSearch::append_cells(std::vector<Cell>& cells) const {
    std::size_t count = cells.size() + 1;
    const auto for_each_jump = [&](const auto& use) {
        for (std::uint32_t to = from_, from = nodes_[to].parent; from != to;
             to = from, from = nodes_[to].parent) {
            use(nodes_[from].point(), nodes_[to].point());
        }
    };
    for_each_jump([&](Point a, Point b) {
        count += static_cast<std::size_t>(std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)));
    });
    cells.resize(count);
    auto out = cells.end();
    *--out = frame_.map().cell(goal_);
    for_each_jump([&](Point a, Point b) {
        const auto sign = [](int d) { return (d > 0) - (d < 0); };
        const Cell row = static_cast<Cell>(sign(a.y - b.y)) * width_;
        const auto column = static_cast<Cell>(sign(a.x - b.x));
        const int columns = std::abs(b.x - a.x);
        const int rows = std::abs(b.y - a.y);
        Cell cell = *out;
        for (int i = columns - rows; i > 0; --i) *--out = cell += column;
        for (int i = rows - columns; i > 0; --i) *--out = cell += row;
        for (int i = std::min(columns, rows); i > 0; --i) *--out = cell += row + column;
    });
}

struct Jps::State {
    JumpSearch search;
    SearchLimits limits;
    StatusCode status = StatusCode::no_path;
    bool running = false;
    bool cost_only = false;

    void finish(StatusCode code) noexcept {
        status = code;
        running = false;
    }

    void advance(std::uint64_t max_expansions) {
        constexpr std::uint64_t kSlice = 64;  // between two looks at the cancel flag
        while (running && max_expansions > 0) {
            if (limits.cancel != nullptr && limits.cancel->cancelled()) {
                return finish(StatusCode::cancelled);
            }
            const std::uint64_t before = search.tally().statistics.expanded;
            const std::uint64_t left = limits.max_expanded - std::min(before, limits.max_expanded);
            const Outcome outcome = search.expand(std::min({max_expansions, kSlice, left}));
            const std::uint64_t after = search.tally().statistics.expanded;
            max_expansions -= std::min(max_expansions, after - before);
            if (outcome == Outcome::found) return finish(StatusCode::ok);
            if (outcome == Outcome::exhausted) {
                return finish(search.tally().pruned ? StatusCode::over_cost_limit
                                                    : StatusCode::no_path);
            }
            if (after >= limits.max_expanded) return finish(StatusCode::budget_exhausted);
        }
    }

    StatusCode take(Path& out) const {
        out.status = running ? StatusCode::budget_exhausted : status;
        out.statistics = search.tally().statistics;
        out.cost = kInfinity;
        out.cells.clear();
        if (out.status != StatusCode::ok) return out.status;
        out.cost = search.cost();
        if (!cost_only) search.append_cells(out.cells);
        return out.status;
    }
};

Jps::Jps() : state_(std::make_unique<State>()) {}
Jps::~Jps() = default;
Jps::Jps(Jps&&) noexcept = default;
Jps& Jps::operator=(Jps&&) noexcept = default;

void Jps::begin(const JpsMap& map, Point start, Point goal, const JpsOptions& options,
                const SearchLimits& limits) {
    State& s = *state_;
    if (const StatusCode code = check_ends(map.map(), start, goal); code != StatusCode::ok) {
        s.search.forget_tally();
        return s.finish(code);
    }
    s.limits = limits;
    s.cost_only = options.cost_only;
    s.search.begin(map.map(), map.bits(), start, goal, limits.max_cost);
    s.running = true;
}

Progress Jps::advance(std::uint64_t max_expansions) {
    state_->advance(max_expansions);
    return state_->running ? Progress::running : Progress::finished;
}

StatusCode Jps::take(Path& out) { return state_->take(out); }

StatusCode Jps::find_path(const JpsMap& map, Point start, Point goal, Path& out,
                          const JpsOptions& options, const SearchLimits& limits) {
    begin(map, start, goal, options, limits);
    advance(std::numeric_limits<std::uint64_t>::max());
    return take(out);
}

const SearchStatistics& Jps::statistics() const noexcept {
    return state_->search.tally().statistics;
}

}  // namespace cairn::grid

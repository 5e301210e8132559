#include "cairn/grid/jps.hpp"

#include <algorithm>
#include <limits>

#include "core/memory.hpp"
#include "grid/endpoints.hpp"
#include "grid/jps_search.hpp"
#include "grid/search_run.hpp"

namespace cairn::grid {

// A diagonal run and then a straight run lead from each jump point to the next.
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

struct Jps::State : SearchRun<JumpSearch> {};

Jps::Jps() : state_(std::make_unique<State>()) {}
Jps::~Jps() = default;
Jps::Jps(Jps&&) noexcept = default;
Jps& Jps::operator=(Jps&&) noexcept = default;

std::size_t Jps::memory() const noexcept { return memory_of(state_); }

void Jps::begin(const JpsMap& map, Point start, Point goal, const JpsOptions& options,
                const SearchLimits& limits) {
    State& s = *state_;
    if (const StatusCode code = check_endpoints(map.map(), start, goal); code != StatusCode::ok) {
        return s.refuse(code);
    }
    s.search.begin(map.map(), map.bits(), start, goal, limits.max_cost);
    s.start(limits, options.cost_only);
}

Progress Jps::advance(std::uint64_t max_expansions) {
    constexpr std::uint64_t kSlice = 64;
    return state_->advance(max_expansions, kSlice) ? Progress::running : Progress::finished;
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

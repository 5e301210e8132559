#include "cairn/mesh/astar.hpp"

#include <algorithm>
#include <limits>

#include "core/memory.hpp"
#include "core/slices.hpp"
#include "mesh/endpoints.hpp"
#include "mesh/portal_search.hpp"

namespace cairn::mesh {
namespace {

constexpr std::uint64_t kSlice = 512;
constexpr std::uint64_t kNoBudget = std::numeric_limits<std::uint64_t>::max();

}  // namespace

// The state of a search, with the members that advance_in_slices needs.
struct Astar::State {
    PortalSearch search;
    SearchLimits limits;
    StatusCode status = StatusCode::no_path;
    bool under_way = false;
    bool found = false;
    bool cost_only = false;

    void refuse(StatusCode code) {
        search.forget_statistics();
        stop(code);
    }
    void start(const SearchLimits& new_limits, bool only_cost) {
        limits = new_limits;
        cost_only = only_cost;
        under_way = true;
    }
    [[nodiscard]] std::size_t memory() const noexcept { return search.memory(); }
    [[nodiscard]] bool searching() const noexcept { return under_way; }
    [[nodiscard]] std::uint64_t expanded() const noexcept { return search.statistics().expanded; }
    bool advance_search(std::uint64_t budget) {
        const Outcome outcome = search.expand(budget);
        found = outcome == Outcome::found;
        return outcome == Outcome::running;
    }
    void finish_search() noexcept {
        stop(found             ? StatusCode::ok
             : search.pruned() ? StatusCode::over_cost_limit
                               : StatusCode::no_path);
    }
    void stop(StatusCode code) noexcept {
        status = code;
        under_way = false;
    }
};

Astar::Astar() : state_(std::make_unique<State>()) {}
Astar::~Astar() = default;
Astar::Astar(Astar&&) noexcept = default;
Astar& Astar::operator=(Astar&&) noexcept = default;

std::size_t Astar::memory() const noexcept { return memory_of(state_); }

void Astar::begin(const Mesh& mesh, const Place& start, const Place& goal,
                  const AstarOptions& options, const SearchLimits& limits) {
    State& s = *state_;
    const StatusCode code = check_endpoints(mesh, start, goal);
    if (code != StatusCode::ok) return s.refuse(code);
    s.search.goals.assign(mesh, {&goal, 1});
    s.search.begin(mesh, start, 1, false, limits.max_cost);
    s.start(limits, options.cost_only);
}

Progress Astar::advance(std::uint64_t max_expansions) {
    State& s = *state_;
    const bool running =
        max_expansions == 0 ? s.under_way : advance_in_slices(s, s.limits, max_expansions, kSlice);
    return running ? Progress::running : Progress::finished;
}

StatusCode Astar::take(Path& out) {
    const State& s = *state_;
    out.status = s.under_way ? StatusCode::budget_exhausted : s.status;
    out.statistics = s.search.statistics();
    out.cost = kInfinity;
    out.links.clear();
    if (out.status != StatusCode::ok) return out.status;
    out.cost = s.search.distances[s.search.reached()];
    if (!s.cost_only) s.search.append_links(out.links);
    return out.status;
}

StatusCode Astar::find_path(const Mesh& mesh, const Place& start, const Place& goal, Path& out,
                            const AstarOptions& options, const SearchLimits& limits) {
    begin(mesh, start, goal, options, limits);
    advance(kNoBudget);
    return take(out);
}

StatusCode Astar::find_nearest(const Mesh& mesh, const Place& start, std::span<const Place> goals,
                               Path& out, std::size_t& reached, const AstarOptions& options,
                               const SearchLimits& limits) {
    State& s = *state_;
    reached = goals.size();
    if (const StatusCode code = check_start(mesh, start); code != StatusCode::ok) {
        s.refuse(code);
    } else if (!s.search.goals.assign(mesh, goals)) {
        s.refuse(StatusCode::goal_blocked);
    } else {
        s.search.begin(mesh, start, goals.size(), false, limits.max_cost);
        s.start(limits, options.cost_only);
        advance(kNoBudget);
        if (s.status == StatusCode::ok) reached = s.search.reached();
    }
    return take(out);
}

StatusCode Astar::distances(const Mesh& mesh, const Place& start, std::span<const Place> goals,
                            std::span<Cost> out, const SearchLimits& limits) {
    State& s = *state_;
    s.refuse(StatusCode::ok);
    if (out.size() != goals.size()) return StatusCode::bad_option;
    std::fill(out.begin(), out.end(), kInfinity);
    if (const StatusCode code = check_start(mesh, start); code != StatusCode::ok) {
        s.refuse(code);
        return code;
    }
    if (!s.search.goals.assign(mesh, goals)) return StatusCode::ok;
    s.search.begin(mesh, start, goals.size(), true, limits.max_cost);
    s.start(limits, true);
    advance(kNoBudget);
    std::copy(s.search.distances.begin(), s.search.distances.end(), out.begin());
    return s.status == StatusCode::no_path ? StatusCode::ok : s.status;
}

const SearchStatistics& Astar::statistics() const noexcept { return state_->search.statistics(); }

}  // namespace cairn::mesh

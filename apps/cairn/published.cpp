#include "published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn::app {
namespace {

/// By how much lengths may be off from being written down: old scenarios have two decimals.
double rounding(std::span<const BenchProblem> problems) {
    const bool two_decimals = std::all_of(problems.begin(), problems.end(), [](const auto& p) {
        const double hundredths = 100 * p.published;
        return std::abs(hundredths - std::round(hundredths)) < 1e-6;
    });
    return two_decimals ? 0.00501 : 0.0;
}

}  // namespace

PublishedCheck check_published(const grid::Map& map, std::span<const BenchProblem> problems,
                               const PlannerRun& astar) {
    constexpr double kTolerance = 1e-5;
    PublishedCheck out;
    const grid::MoveRules& rules = map.options().rules;
    if (rules.neighbourhood != grid::Neighbourhood::eight ||
        rules.corner != grid::CornerRule::strict || !map.uniform()) {
        return out;
    }
    const double rounded = rounding(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const BenchProblem& p = problems[i];
        if (p.published < 0) continue;
        ++out.compared;
        const bool found = astar.cost[i] != kInfinity;
        const double length = astar.length[i];
        const double tolerance = std::max(rounded, kTolerance * length);
        if (found && std::abs(length - p.published) <= tolerance) continue;
        if (out.different++ > 0) continue;
        out.first =
            fmt::format("{},{} to {},{}: published {:.8g}, A* {}", p.start.x, p.start.y, p.goal.x,
                        p.goal.y, p.published, found ? fmt::format("{:.8g}", length) : "no path");
    }
    return out;
}

}  // namespace cairn::app

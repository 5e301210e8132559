#pragma once
// Which planners a benchmark runs.

#include <span>
#include <string>
#include <vector>

#include "bench_haa.hpp"
#include "options.hpp"
#include "planner_spec.hpp"

namespace cairn::app {

/// The planners of these names, on indexes of the options given; before them their baseline,
/// `astar` or `aa`. Errors: bad_option (no such name; planners of both kinds; options that the one
/// kind has not).
[[nodiscard]] Result<std::vector<PlannerSpec>> bench_planners(std::span<const std::string> names,
                                                              const IndexFlags& index,
                                                              const AgentFlags& agents);

}  // namespace cairn::app

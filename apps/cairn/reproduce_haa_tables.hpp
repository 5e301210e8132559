#pragma once
// What was measured of HAA* as tables: see reproduce_exhibit.hpp.

#include <vector>

#include "reproduce_exhibit.hpp"
#include "reproduce_haa_run.hpp"

namespace cairn::app {

/// Table 1: how large the three abstractions are, against the low-level graph.
[[nodiscard]] Exhibit haa_sizes(const std::vector<HaaRun>& runs);
/// Figure 5: how much longer than the optimum paths are.
[[nodiscard]] Exhibit haa_lengths(const std::vector<HaaRun>& runs);
/// The same by agent class, of the runs with the largest agents.
[[nodiscard]] Exhibit haa_agents(const std::vector<HaaRun>& runs);
/// Times against AA*.
[[nodiscard]] Exhibit haa_times(const std::vector<HaaRun>& runs);
/// The author's distances against AA*'s paths. No rows without scenarios of his.
[[nodiscard]] Exhibit haa_published(const std::vector<HaaRun>& runs);

/// Answers that AA* or the agent's footprint contradict.
[[nodiscard]] std::uint64_t wrong_answers(const std::vector<HaaRun>& runs);

}  // namespace cairn::app

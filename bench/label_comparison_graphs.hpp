#pragma once
// The graphs that cut labels are compared on.

#include <filesystem>

#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn::bench {

/// The abstract graph of level 1 that HPA* builds of a `.map` file by default.
[[nodiscard]] Result<Graph> hpa_graph(const std::filesystem::path& map);

/// The subgoal graph of a `.map` file: all direct edges, or only the taut ones, which its
/// engines use.
[[nodiscard]] Result<Graph> subgoal_graph(const std::filesystem::path& map, bool taut);

}  // namespace cairn::bench

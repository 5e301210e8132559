#pragma once
// The graphs that cut labels are compared on.

#include <filesystem>

#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn::bench {

/// The 1-level abstract graph that HPA* with default options makes of a `.map` file.
[[nodiscard]] Result<Graph> hpa_graph(const std::filesystem::path& map);

/// The subgoal graph of a `.map` file: all direct edges, or those that its engines keep.
[[nodiscard]] Result<Graph> subgoal_graph(const std::filesystem::path& map, bool taut);

}  // namespace cairn::bench

#pragma once
// The graphs that cut labels are compared on.

#include <filesystem>

#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn::bench {

/// The 1-level abstract graph that HPA* with default options makes of a `.map` file.
[[nodiscard]] Result<Graph> hpa_graph(const std::filesystem::path& map);

}  // namespace cairn::bench

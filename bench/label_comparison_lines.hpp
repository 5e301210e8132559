#pragma once
// How many cache lines a distance query on cut labels touches.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"

namespace cairn::bench {

/// The cache lines of 64 bytes that hold the records of these nodes and what a distance query from
/// the ones to the others must read of their labels. Left out are the tables that tell how much
/// that is: some 4 to 8 lines, few in all and mostly in the cache.
[[nodiscard]] std::size_t lines_read(const CutLabels& labels, std::span<const std::uint32_t> from,
                                     std::span<const std::uint32_t> to);

/// A node and its first neighbours in the graph, at most `count` in all: like a query's connectors.
[[nodiscard]] std::vector<std::uint32_t> near_nodes(const Graph& graph, std::uint32_t node,
                                                    std::size_t count);

}  // namespace cairn::bench

#pragma once
// The number of cache lines that a distance query on cut labels reads.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"

namespace cairn::bench {

/// The number of 64-byte cache lines that a distance query between two lists of nodes reads from
/// the nodes' records and labels. Not counted are the tables that tell how many entries two labels
/// share: 4 to 8 lines, which are mostly in the cache.
[[nodiscard]] std::size_t lines_read(const CutLabels& labels, std::span<const std::uint32_t> from,
                                     std::span<const std::uint32_t> to);

/// A node and its first neighbours, at most `count` nodes in all, which stand for the connectors of
/// a query.
[[nodiscard]] std::vector<std::uint32_t> near_nodes(const Graph& graph, std::uint32_t node,
                                                    std::size_t count);

}  // namespace cairn::bench

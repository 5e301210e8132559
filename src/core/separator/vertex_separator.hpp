#pragma once
// A small vertex separator of one connected piece of a graph.

#include <cstdint>
#include <vector>

namespace cairn {

/// A piece of a graph with its own node numbers 0..n-1: no loops, no parallel edges.
struct Piece {
    std::vector<std::int32_t> first_out;
    std::vector<std::int32_t> head;

    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(first_out.size() - 1);
    }
};

enum class Side : std::int8_t { left = 0, right = 1, separator = 2 };

/// Puts every node of a connected piece of 3 or more nodes on a side such that no edge joins left
/// and right and the separator is not empty. True if both sides hold a fair share; else the piece
/// has no good separator, and its nodes of most edges were taken. Uses METIS, which is checked and
/// mended; asked up to `tries` times for a large piece, at most three. Deterministic.
[[nodiscard]] bool find_separator(const Piece& piece, std::vector<Side>& sides, int tries = 1);

}  // namespace cairn

#pragma once
// The order of a small piece of a graph, by minimum degree.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "vertex_separator.hpp"

namespace cairn {

/// Takes the node of least degree, joins its neighbours to a clique, and repeats, from the bottom
/// of the order up. Nodes above a high tree are taken later. On pieces of a hundred nodes the tree
/// is as low as by dissection, in less time.
class SmallOrder {
public:
    static constexpr std::size_t kMost = 128;

    /// Fills `order` with the nodes of a piece of at most kMost nodes, topmost first.
    void order(const Piece& piece, std::span<std::uint32_t> order);

private:
    static constexpr std::size_t kWords = kMost / 64;
    using Set = std::array<std::uint64_t, kWords>;

    void take(const Piece& piece);
    void eliminate(std::size_t node);
    [[nodiscard]] std::int32_t rank_of(std::size_t node) const;

    std::array<Set, kMost> adjacent_;
    std::array<std::int32_t, kMost> height_;
    std::array<std::int32_t, kMost> rank_;  ///< the least is next
};

}  // namespace cairn

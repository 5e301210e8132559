#include "small_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace cairn {
namespace {

constexpr std::int32_t kDone = std::numeric_limits<std::int32_t>::max();

std::uint64_t bit(std::size_t node) { return std::uint64_t{1} << (node % 64); }

}  // namespace

void SmallOrder::order(const Piece& piece, std::span<std::uint32_t> order) {
    take(piece);
    const std::size_t count = order.size();
    for (std::size_t left = count; left-- > 0;) {
        // The least rank first and then the node, so that the search vectorises.
        std::int32_t least = kDone;
        for (std::size_t v = 0; v < count; ++v) least = std::min(least, rank_[v]);
        const auto* const found = std::find(rank_.data(), rank_.data() + count, least);
        const auto node = static_cast<std::size_t>(found - rank_.data());
        eliminate(node);
        order[left] = static_cast<std::uint32_t>(node);
    }
}

void SmallOrder::take(const Piece& piece) {
    for (std::size_t v = 0; v < piece.num_nodes(); ++v) {
        adjacent_[v] = {};
        for (auto e = piece.first_out[v]; e < piece.first_out[v + 1]; ++e) {
            const auto to = static_cast<std::size_t>(piece.head[static_cast<std::size_t>(e)]);
            adjacent_[v][to / 64] |= bit(to);
        }
        height_[v] = 0;
        rank_[v] = rank_of(v);
    }
}

void SmallOrder::eliminate(std::size_t node) {
    rank_[node] = kDone;
    const Set& clique = adjacent_[node];
    for (std::size_t word = 0; word < kWords; ++word) {
        for (std::uint64_t rest = clique[word]; rest != 0; rest &= rest - 1) {
            const std::size_t u = word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
            for (std::size_t w = 0; w < kWords; ++w) adjacent_[u][w] |= clique[w];
            adjacent_[u][u / 64] &= ~bit(u);
            adjacent_[u][node / 64] &= ~bit(node);
            height_[u] = std::max(height_[u], height_[node] + 1);
            rank_[u] = rank_of(u);
        }
    }
}

std::int32_t SmallOrder::rank_of(std::size_t node) const {
    std::int32_t degree = 0;
    for (const std::uint64_t word : adjacent_[node]) degree += std::popcount(word);
    return degree + 2 * height_[node];
}

}  // namespace cairn

#include "vertex_separator.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <numeric>

#if defined(CAIRN_HAS_METIS)
#include "core/separator/metis_lock.hpp"
#endif

namespace cairn {
namespace {

#if defined(CAIRN_HAS_METIS)
constexpr std::size_t kSides = 3;
/// Pieces of this many nodes get several tries: separators of large pieces are in most labels.
constexpr std::uint32_t kManyNodes = 400;

/// Runs METIS once; `slack`: allowed imbalance of the sides, in thousandths. False if it fails.
bool separate_by_metis(const Piece& piece, idx_t seed, idx_t slack, std::vector<Side>& sides) {
    auto nodes = static_cast<idx_t>(piece.num_nodes());
    std::array<idx_t, METIS_NOPTIONS> options{};
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = seed;
    options[METIS_OPTION_UFACTOR] = slack;
    std::vector<idx_t> part(piece.num_nodes(), -1);
    idx_t size = 0;
    {
        const std::scoped_lock guard(metis_lock());
        // METIS takes its input by pointers to mutable, but does not write to it.
        if (METIS_ComputeVertexSeparator(&nodes, const_cast<idx_t*>(piece.first_out.data()),
                                         const_cast<idx_t*>(piece.head.data()), nullptr,
                                         options.data(), &size, part.data()) != METIS_OK) {
            return false;
        }
    }
    for (std::size_t v = 0; v < part.size(); ++v) {
        if (part[v] < 0 || part[v] >= static_cast<idx_t>(kSides)) return false;
        sides[v] = static_cast<Side>(part[v]);
    }
    return true;
}

#endif

/// Whether node `v` has a neighbour on `side`.
bool touches(const Piece& piece, std::size_t v, const std::vector<Side>& sides, Side side) {
    const auto near = piece.neighbours(v);
    return std::any_of(near.begin(), near.end(), [&](std::int32_t to) {
        return sides[static_cast<std::size_t>(to)] == side;
    });
}

/// Moves nodes into the separator until it separates, then moves unneeded nodes out of it.
SideCounts repair(const Piece& piece, std::vector<Side>& sides) {
    for (std::size_t v = 0; v < sides.size(); ++v) {
        if (sides[v] == Side::left && touches(piece, v, sides, Side::right)) {
            sides[v] = Side::separator;
        }
    }
    SideCounts counts = count_sides(sides);
    for (std::size_t v = 0; v < sides.size(); ++v) {
        if (sides[v] != Side::separator || counts[2] == 1) continue;
        const bool left = touches(piece, v, sides, Side::left);
        const bool right = touches(piece, v, sides, Side::right);
        if (left && right) continue;
        sides[v] = left || (!right && counts[0] < counts[1]) ? Side::left : Side::right;
        --counts[2];
        ++counts[static_cast<std::size_t>(sides[v])];
    }
    return counts;
}

#if defined(CAIRN_HAS_METIS)
/// The estimated label entries: each node of the piece has one for each node of the separator, and
/// each node of a side of n nodes has 2 sqrt(n) for later separators.
double price(const SideCounts& counts) {
    const auto within_side = [](std::size_t n) {
        return 2 * static_cast<double>(n) * std::sqrt(static_cast<double>(n));
    };
    return static_cast<double>(counts[2] * (counts[0] + counts[1] + counts[2])) +
           within_side(counts[0]) + within_side(counts[1]);
}

/// The cheapest balanced separator of a few runs of METIS. False if there is none.
bool best_of_metis(const Piece& piece, int tries, std::vector<Side>& sides) {
    constexpr std::array<idx_t, 3> kSlack{200, 400, 300};
    const std::size_t count = piece.num_nodes() < kManyNodes
                                  ? 1
                                  : std::min(static_cast<std::size_t>(tries), kSlack.size());
    std::vector<Side> next(piece.num_nodes());
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
        if (!separate_by_metis(piece, static_cast<idx_t>(i + 1), kSlack[i], next)) continue;
        const SideCounts counts = repair(piece, next);
        if (!is_balanced(counts) || price(counts) >= least) continue;
        least = price(counts);
        sides.swap(next);
        next.resize(piece.num_nodes());
    }
    return least < std::numeric_limits<double>::infinity();
}

#endif

/// The median level of a breadth-first search from a node that is farthest from node 0.
SideCounts level_separator(const Piece& piece, std::vector<Side>& sides) {
    std::vector<std::int32_t> order{0};
    std::vector<std::int32_t> level;
    count_hops(piece, order, level);
    order.assign(1, order.back());
    count_hops(piece, order, level);
    const std::int32_t median = level[static_cast<std::size_t>(order[order.size() / 2])];
    for (std::size_t v = 0; v < sides.size(); ++v) {
        sides[v] = level[v] < median    ? Side::left
                   : level[v] == median ? Side::separator
                                        : Side::right;
    }
    return repair(piece, sides);
}

/// For dense pieces: the quarter of the nodes with the most edges; all others are on the left.
void hub_separator(const Piece& piece, std::vector<Side>& sides) {
    std::vector<std::int32_t> nodes(piece.num_nodes());
    std::iota(nodes.begin(), nodes.end(), 0);
    const auto degree = [&](std::int32_t v) {
        return piece.neighbours(static_cast<std::size_t>(v)).size();
    };
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](std::int32_t a, std::int32_t b) { return degree(a) > degree(b); });
    std::fill(sides.begin(), sides.end(), Side::left);
    const std::size_t hubs = nodes.size() / 4 + 1;
    for (std::size_t i = 0; i < hubs; ++i)
        sides[static_cast<std::size_t>(nodes[i])] = Side::separator;
}

}  // namespace

bool find_separator(const Piece& piece, std::vector<Side>& sides, int tries) {
    sides.assign(piece.num_nodes(), Side::left);
#if defined(CAIRN_HAS_METIS)
    if (best_of_metis(piece, tries, sides)) return true;
#else
    if (flow_separator(piece, tries, sides)) return true;
#endif
    const SideCounts counts = level_separator(piece, sides);
    if (is_balanced(counts) && counts[2] <= piece.num_nodes() / 4) return true;
    hub_separator(piece, sides);
    return false;
}

}  // namespace cairn

#pragma once
// The options of an HPA* index (Botea, Mueller, Schaeffer: Near Optimal Hierarchical Path-Finding,
// 2004).

#include <cstdint>
#include <span>

#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::hpa {

/// Which transitions an entrance gets (sections 3.1 and 4.1, appendix A.1.1). The middle of an
/// entrance of w tiles is its tile floor(w / 2), counted from 0 from the west or north.
enum class Transitions : std::uint8_t {
    by_width,  ///< one in the middle, or two at the ends if the entrance has at least
               ///< `wide_entrance` tiles
    middle,    ///< one in the middle for any width (appendix A.1.1)
    every,     ///< one on every tile; with DiagonalCrossings::every paths are optimal
    by_cost,   ///< for terrain costs: as by_width, but in each run of tiles that have one weight on
               ///< either side of the border; a wide run also gets transitions between its ends, at
               ///< most 8 tiles apart. If an entrance has several runs, a transition is left out
               ///< if another one replaces it: going there along the border, across, and back costs
               ///< at most four straight moves over the entrance's mean weight more
};

/// Which diagonal moves across cluster borders become transitions. The paper has none.
enum class DiagonalCrossings : std::uint8_t {
    needed,  ///< only those between two obstacles, which no other move can replace: complete
             ///< under every corner rule
    none,    ///< as in the paper; not complete if the corner rule is `free`
    every,   ///< all legal ones
};

/// The options of an index.
struct Options {
    int cluster_size = 16;  ///< side of a 1-cluster in cells, 2 to 64; the paper's is 10
    int levels = 1;         ///< abstract levels, 1 to 8; more levels never change a cost
    int branching = 2;      ///< an l-cluster is branching x branching (l-1)-clusters, 2 to 4
    Transitions transitions = Transitions::by_cost;
    int wide_entrance = 6;  ///< for by_width and by_cost, in tiles: the paper's T; at least 2
    DiagonalCrossings diagonals = DiagonalCrossings::needed;
    /// Store, for every cell and every abstract node of its cluster, the next move towards the
    /// node (the paper's path cache, section 3.2.2). Connecting and refining are then look-ups.
    /// Takes half a byte for each pair of a cell and a node of its cluster.
    bool move_tables = true;
    /// Build cut labels over the abstract graph of level 1, and their closure. If labels
    /// of all nodes would take more than `label_bytes`, only nodes high in the separator tree have
    /// some, and queries climb the closure up to these: slower, with the same answers.
    bool labels = true;
    /// The most bytes without the closure; 0: 64 a cell, at least 64 MiB.
    std::uint64_t label_bytes = 0;

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
    friend bool operator==(const Options&, const Options&) = default;
};

/// ok, or bad_option with the option at fault. O(1). Thread-safe.
[[nodiscard]] Status check(const Options& options) noexcept;

}  // namespace cairn::hpa

#pragma once
// How an HPA* index is built (Botea, Mueller, Schaeffer: Near Optimal Hierarchical Path-Finding,
// 2004).

#include <cstdint>
#include <span>

#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::hpa {

/// Which transitions an entrance gets (sections 3.1 and 4.1, appendix A.1.1).
enum class Transitions : std::uint8_t {
    by_width,  ///< one in the middle, or two at the ends where the entrance has at least
               ///< `wide_entrance` tiles
    middle,    ///< one in the middle, whatever the width (appendix A.1.1)
    every,     ///< one on every tile: with DiagonalCrossings::every, no length is lost
};

/// Which diagonal moves across cluster borders become transitions. The paper has none.
enum class DiagonalCrossings : std::uint8_t {
    needed,  ///< those between two obstacles, which nothing else replaces: complete under every
             ///< corner rule
    none,    ///< the paper's; incomplete where the corner rule is `free`
    every,   ///< all legal ones
};

/// The middle of an entrance of even width w is its tile floor(w / 2), counted from the west or
/// north.
struct Options {
    int cluster_size = 10;  ///< side of a 1-cluster in cells, 2 to 64
    int levels = 1;         ///< abstract levels, 1 to 8; more levels never change a cost
    int branching = 2;      ///< an l-cluster is branching x branching (l-1)-clusters, 2 to 4
    Transitions transitions = Transitions::by_width;
    int wide_entrance = 6;  ///< the paper's T; at least 2
    DiagonalCrossings diagonals = DiagonalCrossings::needed;
    /// Keep, for every cell and every abstract node of its cluster, the next move towards the node:
    /// connecting and refining then become look-ups, for half a byte per cell and node (the paper's
    /// path cache, section 3.2.2).
    bool move_tables = true;
    /// Build cut labels over the 1-level abstract graph, unless they would take more than
    /// `label_bytes`.
    bool labels = true;
    std::uint64_t label_bytes = std::uint64_t{256} << 20;

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
    friend bool operator==(const Options&, const Options&) = default;
};

/// ok, or bad_option with the option at fault.
[[nodiscard]] Status check(const Options& options);

}  // namespace cairn::hpa

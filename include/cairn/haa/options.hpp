#pragma once
// The options of a HAA* index (D. Harabor, A. Botea, "Hierarchical Path Planning for Multi-Size
// Agents in Heterogeneous Environments", CIG 2008).

#include <cstdint>
#include <span>

#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::haa {

/// Which redundant edges are left out ("Compacting the abstract graph").
enum class Abstraction : std::uint8_t {
    initial,       ///< none: an intra-edge of its own for every agent class that has a path
    high_quality,  ///< intra-edges that are strongly dominated: agent classes with the same cost
                   ///< share an edge. Also those whose cost is the sum of two others of the class
    low_quality,   ///< also transitions that are weakly dominated: every agent class that uses the
                   ///< dominated one can reach and use another one that is kept, at most
                   ///< Options::reach tiles away
};

/// Which transitions an entrance gets. Each agent class has its own entrances.
enum class Transitions : std::uint8_t {
    by_width,        ///< as in HPA*: one in the middle, or two at the ends of wide entrances
    middle,          ///< as in HPA*: one in the middle
    every,           ///< one on every tile
    best_clearance,  ///< as in the paper: one, at the greatest clearance
};

/// The options of an index.
struct Options {
    /// Side of a cluster in cells, 2 to 64. Twice that of HPA*: where terrain is mixed, paths are
    /// shorter and take half the memory (docs/haa-star.md).
    int cluster_size = 20;
    int levels = 1;     ///< abstract levels, 1 to 8; more levels never change a cost
    int branching = 2;  ///< an l-cluster is branching x branching (l-1)-clusters, 2 to 4
    Abstraction abstraction = Abstraction::high_quality;
    Transitions transitions = Transitions::by_width;
    int wide_entrance = 6;  ///< for by_width; at least 2
    /// How many tiles a transition may move along its entrance to coincide with one of a larger
    /// agent, or of an agent of its size with fewer terrains, 0 to 64. Greater values give fewer
    /// nodes and slightly longer paths.
    int shift = 0;
    /// For low_quality: the largest distance in tiles along the border between a transition that is
    /// left out and the one that replaces it, 1 to 64. 64 is the paper's rule, with the fewest
    /// transitions.
    int reach = 2;
    /// What `Index::with_labels` makes for an agent class: move tables (half a byte for each pair
    /// of a cell and a node of its cluster), and cut labels with their closure. If labels of all
    /// nodes would take more than `label_bytes`, only nodes high in the separator tree have some,
    /// and queries climb the closure up to these: slower, with the same answers.
    bool move_tables = true;
    bool labels = true;
    /// The most for the labels of a class; 0: 64 bytes a cell, at least 64 MiB.
    std::uint64_t label_bytes = 0;
    /// The most bytes for all views of agent classes together. Above that the least recently used
    /// view is dropped, and made again when it is needed. The newest view is always kept.
    std::uint64_t view_bytes = std::uint64_t{512} << 20;

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
    friend bool operator==(const Options&, const Options&) = default;
};

/// ok, or bad_option with the option at fault. O(1). Thread-safe.
[[nodiscard]] Status check(const Options& options) noexcept;

}  // namespace cairn::haa

#pragma once
// How a HAA* index is built.

#include <cstdint>
#include <span>

#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::haa {

/// Which of the redundant edges are left out ("Compacting the abstract graph").
enum class Abstraction : std::uint8_t {
    initial,       ///< none: an intra-edge for every size and capability that has a path
    high_quality,  ///< those under strong dominance: another intra-edge between the same nodes is
                   ///< no longer, and open to all agents that could use this one
    low_quality,   ///< also transitions under weak dominance: whoever could cross here can reach
                   ///< and use another one that is kept, at most Options::reach tiles away
};

/// Which transitions an entrance gets. Entrances are found for each agent class.
enum class Transitions : std::uint8_t {
    by_width,        ///< as HPA*: one in the middle, or two at the ends of wide entrances
    middle,          ///< as HPA*: one in the middle
    every,           ///< one on every tile
    best_clearance,  ///< the paper's: one, where clearance is greatest
};

struct Options {
    int cluster_size = 10;  ///< side of a cluster in cells, 2 to 64
    int levels = 1;         ///< abstract levels, 1 to 8; more levels never change a cost
    int branching = 2;      ///< an l-cluster is branching x branching (l-1)-clusters, 2 to 4
    Abstraction abstraction = Abstraction::high_quality;
    Transitions transitions = Transitions::by_width;
    int wide_entrance = 6;  ///< for by_width; at least 2
    /// How many tiles a transition may move along its entrance to coincide with one of a larger
    /// agent, 0 to 64: fewer nodes for paths a little longer.
    int shift = 0;
    /// For low_quality: how many tiles of its border lie at most between a transition that is left
    /// out and one that replaces it, 1 to 64. 64 is the paper's rule: the fewest transitions.
    int reach = 2;
    /// What `Index::with_labels` makes for an agent class: move tables (half a byte per cell and
    /// node of its cluster) and cut labels, unless they would take more than `label_bytes`.
    bool move_tables = true;
    bool labels = true;
    std::uint64_t label_bytes = std::uint64_t{256} << 20;
    /// What all views of agent classes may take together before the one not used for longest is
    /// dropped, to be made again when it is asked for. The one made last is always kept.
    std::uint64_t view_bytes = std::uint64_t{512} << 20;

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
    friend bool operator==(const Options&, const Options&) = default;
};

/// ok, or bad_option with the option at fault.
[[nodiscard]] Status check(const Options& options);

}  // namespace cairn::haa

#pragma once
// Vertex-disjoint paths between two sets of nodes, and the minimum vertex cuts next to them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/separator/piece.hpp"

namespace cairn {

enum class Side : std::int8_t { left = 0, right = 1, separator = 2 };

/// A maximum set of vertex-disjoint paths from source nodes to sink nodes, and so a minimum vertex
/// cut (Menger). Found by Dinic's algorithm: in phases, each of shortest augmenting paths. A source
/// or sink is on at most one path, so it can be in the cut. Keeps its memory from run to run.
///
/// An augmenting path leaves a node for a neighbour. Where the neighbour is on a path already, it
/// pushes that path back: it goes on from the path's node before the neighbour. From a node on a
/// path it may also push that path back, to the node before. So the search is one over nodes.
class DisjointPaths {
public:
    enum class Role : std::uint8_t { source, middle, sink };

    std::vector<Role> role;  ///< by node; the caller sets it before run()

    /// Finds the paths in a piece, which must outlive the calls of `cut`. False if there are more
    /// than `limit` paths; then there is no cut.
    [[nodiscard]] bool run(const Piece& piece, std::size_t limit);

    /// After run(): sets `sides` to the minimum cut nearest to the sinks.
    void cut_at_sinks(std::span<Side> sides) const;
    /// The same for the cut nearest to the sources. Not before cut_at_sinks, whose numbers it uses
    /// up.
    void cut_at_sources(std::span<Side> sides);

private:
    using Node = std::int32_t;
    static constexpr Node kNone = -1;      ///< before_, after_: the node is on no path
    static constexpr Node kPathEnd = -2;   ///< before_, after_: its path begins or ends here
    static constexpr Node kUnseen = -1;    ///< level_: no way from it to a free sink was found
    static constexpr Node kUnusable = -2;  ///< level_: used in this phase, a dead end, or no part
                                           ///< of the search
    static constexpr Node kBack = -1;      ///< next_: back along the path, tried before all edges

    [[nodiscard]] static std::size_t at(Node v) noexcept { return static_cast<std::size_t>(v); }
    [[nodiscard]] bool on_path(Node v) const noexcept { return before_[at(v)] != kNone; }

    void begin();
    [[nodiscard]] bool find_levels();
    void reach(Node v, Node level);
    [[nodiscard]] bool augment(Node source);
    [[nodiscard]] bool step_from(Node v);
    void take_walk();

    /// A step of an augmenting path from `from`: into the node `over`, to go on from `to`. Back
    /// along the path of `from` if `over` is kBack.
    struct Step {
        Node from;
        Node over;
        Node to;
    };

    const Piece* piece_ = nullptr;
    Node last_ = 0;             ///< the level of the sources of a phase
    std::vector<Node> before_;  ///< by node: the node before it on its path
    std::vector<Node> after_;   ///< by node: the node after it on its path
    std::vector<Node> level_;   ///< by node: steps from it to a free sink
    std::vector<Node> next_;    ///< by node: index of the edge to try next, or kBack
    std::vector<Node> active_;  ///< the nodes that paths may need
    std::vector<Node> sources_;
    std::vector<Node> sinks_;
    std::vector<Node> queue_;    ///< nodes, in breadth-first order
    std::vector<Step> walk_;     ///< the augmenting path
    std::vector<char> entered_;  ///< by node: whether the search for a cut enters it
};

}  // namespace cairn

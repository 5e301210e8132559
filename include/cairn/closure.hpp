#pragma once
// The closure of a graph in the order of its separator tree: its customizable contraction hierarchy
// (Dibbelt, Strasser, Wagner 2016), stored sparsely. Climbing answers exact queries from it alone,
// and an edit of the graph repairs it in place of a new build.
//
//   separator tree    A small vertex separator cuts the graph, each part is cut again, and so on.
//                     The nodes of separators are removed one by one, those of the first separator
//                     first. The ancestors of a node are the removed nodes that were still
//                     connected to it when they were removed. Each edge joins a node and an
//                     ancestor of it.
//   place             the number of a node in the tree: at first, its number in depth-first order.
//                     Edits keep it.
//   upper neighbours  of a node: its ancestors that have an edge to the node or to a node below it.
//   closure           an edge from each node to each of its upper neighbours, as long as the
//                     shortest path between the two over nodes below the lower one only; kInfinity
//                     if there is none. In a directed graph an edge has two costs, up to the
//                     upper neighbour and down from it; the tree is that of the graph without
//                     directions.
//   middle            of a closure edge: the topmost node on such a path between its ends, if the
//                     graph has no edge of that length. Both halves are closure edges of the
//                     middle. Of several middles, the one of the greatest rank is taken.
//   rank              an order of the places in which those below come later. At first it is their
//                     own; edits keep it for the places that stay.
//   climb             A query follows the closure edges from all its ends up the tree. Some
//                     shortest path goes up to one node, and from there down.
//   connector         a node and the cost to reach it: where a query enters and leaves the graph.
//
// Of equally short paths, the one that keeps low in the tree is the answer: see docs/labels.md.
//
// A path that costs kInfinity or more counts as none. An object is immutable and cheap to copy (the
// copies share their memory, and an edited closure shares what did not change). All const members
// may be called from any number of threads, each with its own scratch.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// A node where a query enters or leaves the graph, reached at `cost`. Queries ignore connectors
/// whose node is out of range and those that cost kInfinity or more.
struct Connector {
    std::uint32_t node = 0;
    Cost cost = 0;
    friend bool operator==(const Connector&, const Connector&) = default;
};

/// A node of the separator tree and its row of the closure.
struct ClosureNode {
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    std::uint32_t first = 0;    ///< index into costs of its first edge
    std::uint32_t depths = 0;   ///< the same into depths
    std::uint32_t middles = 0;  ///< index into middles of its row, a multiple of 4, plus w: each
                                ///< middle takes 2^w bytes
    std::uint32_t parent = 0;   ///< its parent's place, or kNone
    std::uint32_t node = 0;     ///< its number in the graph, or kNone if an edit removed it
    std::uint16_t depth = 0;    ///< its number of ancestors
    std::uint16_t length = 0;   ///< edges
    friend bool operator==(const ClosureNode&, const ClosureNode&) = default;
};

/// The arrays of a closure, for writing to a file: plain little-endian integers.
struct ClosureArrays {
    std::span<const std::uint32_t> places;  ///< by node of the graph; kNone if it was removed
    std::span<const ClosureNode> nodes;     ///< by place
    std::span<const Cost> costs;            ///< by edge; a row's edges topmost first
    std::span<const std::uint16_t> depths;  ///< by row: of the upper nodes; rows may overlap
    std::span<const std::uint8_t> middles;  ///< by row: see core/labels/closure_view.hpp
    /// Costs and middles of the paths from the upper node down, in a directed graph; else empty.
    std::span<const Cost> down_costs;
    std::span<const std::uint8_t> down_middles;
    std::span<const std::uint32_t> ranks;  ///< by place: its rank; empty if it is the place
    bool directed = false;                 ///< whether the graph is
    /// When the order was last fresh: the nodes, and the sum of their ancestors, themselves
    /// included. Both 0 if it is fresh now.
    std::uint64_t fresh_nodes = 0;
    std::uint64_t fresh_ancestors = 0;
    /// Elements of no meaning at the end of depths and middles, so that rows can be read in steps.
    static constexpr std::size_t kPadding = 16;
};

/// Half of a closure edge while it is unpacked: the place of its lower node, and its index in the
/// row of that node.
struct ClosureHalf {
    std::uint32_t place;
    std::uint32_t edge;
};

/// Working memory of the climbs of one thread. Grows to what the largest query needs.
class ClosureScratch {
public:
    /// Bytes held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    friend class ClimbQuery;
    friend class PagedLabelPath;
    friend class PiecedLabelQuery;
    /// A connector.
    struct Source {
        std::uint32_t position;  ///< of its place: ancestors have lower ones
        std::uint32_t place;
        std::uint32_t index;  ///< in its list
        Cost cost;
        bool goal;
    };
    /// What one side knows of a node: its least cost, the first connector of this cost, and the
    /// place where the last closure edge of its path begins: its own if it is the connector's node.
    struct Seen {
        Cost cost;
        std::uint32_t origin;
        std::uint32_t last;
    };
    /// A node that was visited.
    struct Visit {
        std::uint32_t position;
        std::uint32_t place;
        Seen from;
        Seen to;
    };
    std::vector<std::uint64_t> keys_;  ///< of the sources, in order
    std::vector<Source> sources_;
    std::vector<Visit> visits_;
    std::vector<std::int32_t> least_;   ///< by side and depth
    std::vector<std::uint32_t> trail_;  ///< by side, array of ClimbTrail and depth
    std::vector<std::uint32_t> start_places_;
    std::vector<std::uint32_t> goal_places_;
    std::vector<ClosureHalf> halves_;
};

struct ClosureOptions {
    /// The most steps for the closure, of one or two nanoseconds each. A graph that needs more is
    /// refused as too_large before these steps are done. 0: 10^10, or if that is more, 10,000 a
    /// node. Only graphs without small separators come near this limit.
    std::uint64_t max_steps = 0;
    /// After its first cuts of a part of the graph, `build` tries up to this many cuts beside the
    /// best one, 0 to kMostRecuts. Two give about 2 % fewer label entries than none (12 % where
    /// obstacles lie in rows), and finding the order takes a third more time; more than two give
    /// little.
    int recuts = 2;
    static constexpr int kMostRecuts = 8;
    /// Where the nodes lie, by node, in any unit: helps `build` to find small separators. May be
    /// empty, which gives about 1 % more entries. Answers are correct whatever the points are.
    std::span<const NodePoint> points;
};

/// What an edit did to a graph. Nodes that stay keep their numbers.
struct GraphEdit {
    /// An edge to `node`.
    struct Arc {
        std::uint32_t node;
        Cost cost;  ///< from 1 to below kInfinity
        /// In a directed graph, the cost of the edge from `node`. Then either may be kInfinity, but
        /// not both. In an undirected one it is not read.
        Cost back = kInfinity;
    };
    /// Whether the graph is directed; as before the edit, unless the closure had no places.
    bool directed = false;
    /// The numbers in use after the edit are below this; not below that of the graph before.
    std::uint32_t num_nodes = 0;
    /// The nodes whose arcs have changed, ascending, new and removed ones included. If an edge
    /// changes, both its ends are listed.
    std::span<const std::uint32_t> changed;
    /// Appends the arcs of a node to a list, as they are after the edit; false if the graph no
    /// longer has the node. The number of a removed node may come back as that of a new one in a
    /// later edit. Loops are ignored; of parallel edges the shortest counts.
    std::function<bool(std::uint32_t node, std::vector<Arc>& arcs)> arcs;
};

/// The closure of one graph. See the head of this file for the guarantees and for thread-safety.
class Closure {
public:
    using Options = ClosureOptions;
    using Scratch = ClosureScratch;

    /// The closure of a graph without nodes.
    Closure() = default;

    /// Computes the closure of `graph`, which is not kept. Deterministic: the arrays depend only on
    /// the graph, options.recuts and options.points. Uses the threads of `control`.
    ///
    /// Errors: too_large beyond max_steps, beyond kMaxGraphNodes or kMaxGraphArcs, or for a tree
    /// higher than 65,535; cancelled; bad_option for threads or recuts out of range, or for another
    /// number of points than nodes; out_of_memory. Time for n nodes and m edges: about O(m log n)
    /// for the order, then O(sum over nodes of the square of their upper neighbours); memory about
    /// 12 bytes an edge of the closure.
    [[nodiscard]] static Result<Closure> build(const Graph& graph, const Options& options = {},
                                               const BuildControl& control = {}) noexcept;

    /// The same of a graph that is not needed afterwards: its memory is freed before most of that
    /// of the closure is taken.
    [[nodiscard]] static Result<Closure> build(Graph&& graph, const Options& options = {},
                                               const BuildControl& control = {}) noexcept;

    /// The same in a given order of removal, topmost first. Any permutation of the nodes gives
    /// correct answers, but most permutations give far too many edges. Errors: as build; also
    /// bad_option if `order` is not a permutation. Deterministic.
    [[nodiscard]] static Result<Closure> build_in_order(const Graph& graph,
                                                        std::span<const std::uint32_t> order,
                                                        const Options& options = {},
                                                        const BuildControl& control = {}) noexcept;

    /// The closure of `graph` in the order of this one, computed afresh: for other costs of the
    /// edges. It has as many nodes as this closure; those that edits have removed are nodes without
    /// edges. With the same edges the tree stays; other edges are answered as well, but the tree
    /// may then be a bad one. The wear is measured from when the order was fresh, as after an edit.
    /// Errors: as build_in_order; bad_option for another number of nodes. Deterministic. Time: that
    /// of `build` without finding the order.
    [[nodiscard]] Result<Closure> with_costs(const Graph& graph, const Options& options = {},
                                             const BuildControl& control = {}) const noexcept;

    /// The closure after an edit of the graph. The tree changes only where it must: a removed node
    /// leaves its place empty; a new node goes below its lowest neighbour if all its neighbours lie
    /// on one path of the tree, else below their lowest common ancestor, where it takes over the
    /// children with neighbours below them; and so does one end of a new edge that joins two
    /// branches. The rest is repaired from the bottom up, as far as costs change. The result equals
    /// a closure computed afresh for the same tree. After many edits it is larger than one in a
    /// fresh order: see `wear`. This closure does not change. Errors: too_large for a tree higher
    /// than 65,535, or if the wear would be above kMostWear in a graph that is not small: then
    /// `build` a fresh one; bad_option if the edit names a node out of range, or is directed where
    /// the closure is not, or the other way round; out_of_memory.
    /// Deterministic. Time: that of the rows that change, and O(places) if the tree changes.
    [[nodiscard]] Result<Closure> edited(const GraphEdit& edit) const noexcept;

    /// The same closure for other numbers of the nodes, below `num_nodes`: `now` has the new number
    /// of each node by its old one; ClosureNode::kNone removes a node, which must have no edges.
    /// Errors: bad_option if two nodes have the same number or one is out of range; out_of_memory.
    /// O(places).
    [[nodiscard]] Result<Closure> renumbered(std::span<const std::uint32_t> now,
                                             std::uint32_t num_nodes) const noexcept;

    /// Mean number of ancestors of a node, itself included, divided by that mean when the order was
    /// last fresh: 1 after `build`. If it is above kWornOut, call `build` again.
    /// O(1).
    [[nodiscard]] double wear() const noexcept;
    static constexpr double kWornOut = 1.25;
    static constexpr double kMostWear = 2.5;

    /// A closure over arrays as `arrays()` gave them. They are not copied; `owner` keeps them
    /// alive. Errors: corrupt_file. On accepted arrays no query reads out of bounds or runs
    /// forever. Whether the costs are correct is not checked: that is what a file's checksum is
    /// for. O(edges).
    [[nodiscard]] static Result<Closure> from_arrays(
        const ClosureArrays& arrays, const std::shared_ptr<const void>& owner) noexcept;

    /// What `arrays` does not tell of a closure in a fresh order, without removed nodes.
    struct FreshOrder {
        std::uint64_t nodes = 0;
        std::uint64_t ancestors = 0;  ///< the sum over nodes of theirs, themselves included
    };
    /// Set for a closure whose arrays `in_place` takes: built, or read, and not edited.
    [[nodiscard]] std::optional<FreshOrder> fresh_order() const noexcept;
    /// A closure over the arrays of one in a fresh order, without any check: for files that are
    /// trusted. O(nodes / 4,096 + places / 32). Errors: out_of_memory.
    [[nodiscard]] static Result<Closure> in_place(
        const ClosureArrays& arrays, const FreshOrder& order,
        const std::shared_ptr<const void>& owner) noexcept;

    /// Whether an edit made this closure, so that it has no `arrays`. Renumbering does not count.
    [[nodiscard]] bool in_pages() const noexcept;
    /// The arrays, valid as long as this object or a copy of it. Only of a closure that was built
    /// or read, not of an edited one: see `in_one_piece`. O(1).
    [[nodiscard]] const ClosureArrays& arrays() const noexcept;
    /// This closure, in memory of its own that `arrays` can give. Errors: out_of_memory. O(edges)
    /// for an edited closure, else O(1).
    [[nodiscard]] Result<Closure> in_one_piece() const noexcept;

    /// Whether it is of a directed graph. False without places.
    [[nodiscard]] bool directed() const noexcept;
    /// The numbers of nodes are below this.
    [[nodiscard]] std::uint32_t num_nodes() const noexcept;
    [[nodiscard]] std::uint32_t num_places() const noexcept;
    /// Edges of the closure. O(places).
    [[nodiscard]] std::uint64_t num_edges() const noexcept;

    /// The least cost of a path from one list of connectors to the other: the minimum over all
    /// pairs of the cost of the first, the distance, and the cost of the second. kInfinity if there
    /// is no path. Time O(closure edges of the connectors' ancestors). Allocates only to grow the
    /// scratch.
    [[nodiscard]] Cost distance(std::span<const Connector> from, std::span<const Connector> to,
                                Scratch& scratch) const;

    /// The same cost, and a path of that cost. `nodes` is replaced by the nodes of the path, from
    /// the start connector used to the goal connector used, both included; it is empty if there is
    /// no path. Of equally long paths the one of the first goal connector in the list wins, then
    /// the one by the lowest ancestor, then the one of the first start connector. Time: that of
    /// `distance`, with twice the work for each edge, + O(nodes of the path). Allocates only to
    /// grow the scratch and `nodes`.
    [[nodiscard]] Cost find_path(std::span<const Connector> from, std::span<const Connector> to,
                                 Scratch& scratch, std::vector<std::uint32_t>& nodes) const;

    /// Bytes held, parts that other closures share included. O(places).
    [[nodiscard]] std::uint64_t bytes() const noexcept;

    /// For Cairn's own parts. Null for a graph without nodes.
    struct Storage;
    [[nodiscard]] const Storage* storage() const noexcept { return storage_.get(); }
    explicit Closure(std::shared_ptr<const Storage> storage) noexcept
        : storage_(std::move(storage)) {}

private:
    std::shared_ptr<const Storage> storage_;
};

}  // namespace cairn

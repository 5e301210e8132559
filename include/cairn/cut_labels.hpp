#pragma once
// The engine `cut_labels`: exact distances and paths on an undirected graph, by two-hop labels in
// the order of a separator tree. A query needs no queue and no visited set: the distance between
// two nodes with labels A and B is the minimum of A[k] + B[k] over the common prefix of A and B.
//
//   separator tree    A small vertex separator cuts the graph, each part is cut again, and so on.
//                     The nodes of separators are removed one by one, those of the first separator
//                     first. The ancestors of a node are the removed nodes that were still
//                     connected to it when they were removed.
//   label of v        one Cost for each ancestor of v, topmost first, and last v itself: the
//                     distance from v to that ancestor in the subgraph that was left when the
//                     ancestor was removed.
//   common prefix     the entries of two labels that belong to the same ancestors, down to the
//                     lowest common one. Some shortest path passes one of these ancestors, inside
//                     its subgraph.
//   hop               for each entry of v's label, the first edge of a shortest path from v to the
//                     entry's ancestor, inside that ancestor's subgraph.
//   closure           the graph with an edge between any two nodes that are joined over lower nodes
//                     only; climbing answers from it alone.
//   connector         a node and the cost to reach it: where a query enters and leaves the graph.
//
// After: Farhan, Koehler, Ohrimenko, Wang, "Hierarchical cut labelling" (SIGMOD 2023) and "Stable
// tree labelling" (2025). The labels are computed from the closure of the graph, as in customizable
// contraction hierarchies (Dibbelt, Strasser, Wagner 2016): nodes are contracted in the reverse
// order, and each contraction joins the remaining neighbours of the node by edges.
//
// Two departures from the papers: entries that could only be infinite are left out, and the common
// prefix is found as a range minimum, so the tree may have any depth and any number of branches.
//
// A path that costs kInfinity or more counts as none. An object is immutable and cheap to copy (the
// copies share their arrays); all its const members may be called from any number of threads, each
// with its own scratch.

#include <cstddef>
#include <cstdint>
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

/// The position of a node's label. Nodes between two branchings of the tree form a group; groups
/// are numbered in depth-first order, kBlock of them to a block.
struct CutLabelNode {
    std::uint64_t first = 0;   ///< index into `entries` of its first entry
    std::uint32_t length = 0;  ///< entries, at least 1: the last is the node itself, at distance 0
    std::uint32_t group = 0;   ///< its group
    std::uint32_t before = 0;  ///< minimum of group_common from the block's first group to `group`
    std::uint32_t after = 0;   ///< minimum of group_common from behind `group` to the block's end
    std::uint32_t place = 0;   ///< its number in depth-first order of the tree
    std::uint32_t wide = 0;    ///< kNotWide, or the index of its first hop in `wide_hops`
    friend bool operator==(const CutLabelNode&, const CutLabelNode&) = default;
};

/// The data of a node that paths need, indexed by its place in depth-first order.
struct CutLabelPlace {
    std::uint64_t hops = 0;   ///< index into `hops` of the first hop that leads to this node
    std::uint32_t edges = 0;  ///< index into `head` of its first edge
    std::uint32_t node = 0;   ///< its number in the graph
    friend bool operator==(const CutLabelPlace&, const CutLabelPlace&) = default;
};

/// The nodes between two branchings of the tree.
struct CutLabelGroup {
    std::uint32_t place = 0;   ///< of its topmost node
    std::uint32_t parent = 0;  ///< the group above, whose number is lower; itself if there is none
    friend bool operator==(const CutLabelGroup&, const CutLabelGroup&) = default;
};

/// A node of the separator tree and its row of the closure: the edges to its upper neighbours,
/// which are ancestors. Indexed by place in depth-first order.
struct CutLabelClosure {
    std::uint32_t first = 0;    ///< index into closure_costs and closure_depths of its first edge
    std::uint32_t middles = 0;  ///< index into closure_middles of its row, a multiple of 4, plus w:
                                ///< each middle takes 2^w bytes
    std::uint32_t parent = 0;   ///< its parent's place, or kNoParent
    std::uint32_t node = 0;     ///< its number in the graph
    std::uint16_t depth = 0;    ///< its number of ancestors
    std::uint16_t length = 0;   ///< edges
    static constexpr std::uint32_t kNoParent = 0xffff'ffff;
    friend bool operator==(const CutLabelClosure&, const CutLabelClosure&) = default;
};

/// The arrays of CutLabels, for writing to a file: plain little-endian integers.
struct CutLabelArrays {
    /// In CutLabelNode::wide: the node has at most 255 edges, so its hops are bytes.
    static constexpr std::uint32_t kNotWide = 0xffff'ffff;
    /// The byte in `hops` that refers to `wide_hops`.
    static constexpr std::uint8_t kWideHop = 255;
    /// Groups in a block. Range minima use a table over whole blocks and a scan inside a block.
    static constexpr std::uint32_t kBlock = 16;

    std::span<const CutLabelNode> nodes;  ///< by node
    std::span<const Cost> entries;        ///< of all labels
    /// For each group, the number of entries that its labels share with those of the group before.
    std::span<const std::uint32_t> group_common;
    /// Row j holds, for each block, the minimum of group_common over the 2^j blocks from it on.
    /// There are bit_width(blocks) rows.
    std::span<const std::uint32_t> block_common;

    // Climbing needs the closure. Its arrays are empty if it was not kept.

    std::span<const CutLabelClosure> closure;       ///< by place
    std::span<const Cost> closure_costs;            ///< by edge; a row's edges topmost first
    std::span<const std::uint16_t> closure_depths;  ///< by edge: of its upper node
    std::span<const std::uint8_t> closure_middles;  ///< by row: see core/labels/closure.hpp
    /// Elements of no meaning at the end of closure_depths and closure_middles, so that rows can be
    /// read in steps.
    static constexpr std::size_t kClosurePadding = 16;

    // Paths by labels need the arrays below. They are empty if the labels were built without hops.

    /// The hops to each node a, node by node in the order of places. Those to a: one for a itself
    /// (unused), then one for each node below a, by place. A hop is an edge's number, from 0, among
    /// the edges of the node where it starts, or kWideHop.
    std::span<const std::uint8_t> hops;
    /// The hops of nodes with more than 255 edges, one for each entry of the node's label.
    std::span<const std::uint32_t> wide_hops;
    std::span<const CutLabelPlace> places;
    /// The places that edges lead to, sorted by the place where an edge starts. The edges of one
    /// node keep the graph's order.
    std::span<const std::uint32_t> head;
    std::span<const CutLabelGroup> groups;
};

/// A label, and an `offset` to add to each of its entries.
struct CutLabelRow {
    const Cost* label = nullptr;
    Cost offset = 0;
};

/// Where the best path between two lists of connectors has its topmost node.
struct CutLabelMeeting {
    Cost cost = kInfinity;    ///< of the path; if kInfinity, the other members have no meaning
    std::uint32_t start = 0;  ///< position of the start connector used, in its list
    std::uint32_t goal = 0;   ///< position of the goal connector used, in its list
    std::uint32_t entry = 0;  ///< position of the ancestor's entry in labels of nodes below it
    std::uint32_t place = 0;  ///< of the ancestor
};

/// Working memory of the queries of one thread. Grows to what the largest query needs.
class CutLabelScratch {
public:
    /// Bytes held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    friend class CutLabelQuery;
    /// A connector, and the label of its node.
    struct Item {
        std::uint32_t group;
        std::uint32_t length;
        std::uint32_t index;   ///< in the list of connectors
        std::uint32_t common;  ///< entries shared with the item before
        std::uint64_t first;   ///< as CutLabelNode::first
        Cost cost;
        bool goal;  ///< of the goal's list, not the start's
    };
    /// Items from `begin` to before `end`, whose labels share the first `floor` entries.
    struct Segment {
        std::uint32_t begin, end, floor;
    };
    /// By entry, the least cost over the start's connectors, minus kInfinity.
    std::vector<std::int32_t> least_;
    std::vector<CutLabelRow> from_;
    std::vector<CutLabelRow> to_;
    std::vector<Item> items_;
    std::vector<Segment> segments_;
    /// The nodes of a path from the goal to the ancestor.
    std::vector<std::uint32_t> goal_side_;

    friend class ClimbQuery;
    friend class ClosureUnpacker;
    /// A connector as climbing needs it.
    struct Source {
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
        std::uint32_t place;
        Seen from;
        Seen to;
    };
    /// Half of a closure edge.
    struct Half {
        std::uint32_t place;
        std::uint32_t edge;
    };
    std::vector<Source> sources_;
    std::vector<Visit> visits_;
    std::vector<std::int32_t> climb_least_;   ///< by side and depth
    std::vector<std::uint32_t> climb_trail_;  ///< by side, array of ClimbTrail and depth
    std::vector<std::uint32_t> start_places_;
    std::vector<std::uint32_t> goal_places_;
    std::vector<Half> halves_;
};

struct CutLabelOptions {
    /// Store hops, one byte an entry. Without them there are distances but no paths.
    bool hops = true;
    /// Keep the closure, which climbing needs.
    bool closure = true;
    /// The most bytes for the labels. A graph whose labels need more gets none: then only climbing
    /// answers, or the graph is refused as too_large if the closure is not kept.
    std::uint64_t max_bytes = std::uint64_t{1} << 30;
    /// The most steps for the closure, of one or two nanoseconds each. A graph that needs more is
    /// refused as too_large before these steps are done. Only graphs without small separators come
    /// near this limit.
    std::uint64_t max_steps = 10'000'000'000;
    /// After its first cuts of a part of the graph, `build` tries up to this many cuts beside the
    /// best one, 0 to kMostRecuts. Two give about 2 % fewer entries than none (12 % where obstacles
    /// lie in rows), and finding the order takes a third more time; more than two give little.
    int recuts = 2;
    static constexpr int kMostRecuts = 8;
    /// Where the nodes lie, by node, in any unit: helps `build` to find small separators. May be
    /// empty, which gives about 1 % more entries. Labels are correct whatever the points are.
    std::span<const NodePoint> points;
};

struct CutLabelStatistics {
    std::uint64_t entries = 0;
    double mean_entries = 0;           ///< entries a node
    std::uint32_t max_entries = 0;     ///< the height of the tree, in nodes
    std::uint32_t root_separator = 0;  ///< nodes of the largest topmost group
    std::uint32_t groups = 0;
    std::uint32_t depth = 0;  ///< groups on the longest path from a root to a leaf
    std::uint64_t label_bytes = 0;
    std::uint64_t closure_bytes = 0;
    std::uint64_t hop_bytes = 0;   ///< the arrays that only paths by labels need
    std::uint64_t tree_bytes = 0;  ///< all other arrays
};

/// The labels of one graph. See the head of this file for the guarantees and for thread-safety.
class CutLabels {
public:
    using Options = CutLabelOptions;
    using Scratch = CutLabelScratch;
    using Statistics = CutLabelStatistics;

    /// The labels of a graph without nodes.
    CutLabels() = default;

    /// Computes the labels of `graph`, which is not kept. Deterministic: the arrays depend only on
    /// the graph, options.hops, options.recuts and options.points. Uses the threads of `control`.
    ///
    /// Errors: too_large beyond max_bytes without the closure, beyond max_steps, beyond
    /// kMaxGraphNodes or kMaxGraphArcs, or for a tree higher than 65,535; cancelled; bad_option for
    /// threads or recuts out of range, or for another number of points than nodes; out_of_memory.
    /// Memory while building: usually 1.5 times the result, at most three times max_bytes and a few
    /// hundred bytes a node and edge. Time for n nodes and m edges: about O(m log n) for the order,
    /// then O(entries + steps of the closure).
    [[nodiscard]] static Result<CutLabels> build(const Graph& graph, const Options& options = {},
                                                 const BuildControl& control = {}) noexcept;

    /// The same in a given order of removal, topmost first. Any permutation of the nodes gives
    /// correct labels, but most permutations give far too many entries. Errors: as build; also
    /// bad_option if `order` is not a permutation. Deterministic.
    [[nodiscard]] static Result<CutLabels> build_in_order(
        const Graph& graph, std::span<const std::uint32_t> order, const Options& options = {},
        const BuildControl& control = {}) noexcept;

    /// In `old_node`: a node that was not in the old graph.
    static constexpr std::uint32_t kNewNode = 0xffff'ffff;

    /// The labels of an edited graph. They inherit the order of these labels, adapted where the
    /// graph is new. That saves most of the time of `build`, which finds an order. For each node of
    /// `graph`, `old_node` holds its number in the old graph, or kNewNode; no number may occur
    /// twice. The labels are as correct as fresh ones, and equal those of build_in_order in the
    /// adapted order. After many edits they are larger than fresh ones: see `wear`. Errors: as
    /// build; also bad_option for old_node. Deterministic. Time: that of build without the order.
    [[nodiscard]] Result<CutLabels> rebuilt(const Graph& graph,
                                            std::span<const std::uint32_t> old_node,
                                            const Options& options = {},
                                            const BuildControl& control = {}) const noexcept;

    /// Mean entries a node, divided by that mean when the order was last fresh: 1 after `build` and
    /// `from_arrays`. If it is above kWornOut, call `build` again. O(1).
    [[nodiscard]] double wear() const noexcept {
        return num_nodes() == 0 || fresh_mean_ == 0 ? 1.0 : mean_ / fresh_mean_;
    }
    static constexpr double kWornOut = 1.25;

    /// Labels over arrays as `arrays()` gave them. They are not copied; `owner` keeps them alive.
    /// Errors: corrupt_file. On accepted arrays no query reads out of bounds or runs forever.
    /// Whether the distances are correct is not checked: that is what a file's checksum is for.
    /// Time O(nodes + edges), independent of the number of entries.
    [[nodiscard]] static Result<CutLabels> from_arrays(const CutLabelArrays& arrays,
                                                       std::shared_ptr<const void> owner) noexcept;

    /// Valid as long as this object or a copy of it.
    [[nodiscard]] const CutLabelArrays& arrays() const noexcept { return arrays_; }
    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(arrays_.nodes.size());
    }
    /// Whether there are labels.
    [[nodiscard]] bool has_labels() const noexcept {
        return !arrays_.entries.empty() || arrays_.nodes.empty();
    }
    /// Whether the closure was kept, so that queries can climb.
    [[nodiscard]] bool has_closure() const noexcept {
        return !arrays_.closure.empty() || arrays_.nodes.empty();
    }
    /// What the labels take, or would take if there are none: bytes without the closure.
    [[nodiscard]] std::uint64_t label_bytes() const noexcept { return label_bytes_; }
    /// Whether labels give paths, not only distances.
    [[nodiscard]] bool has_hops() const noexcept { return !arrays_.hops.empty(); }

    /// The distance between two nodes, both below num_nodes(); kInfinity if they are not connected.
    /// Needs labels, as all functions from here to quick_path do.
    /// Time O(length of the common prefix). Never allocates.
    [[nodiscard]] Cost distance(std::uint32_t from, std::uint32_t to) const noexcept;

    /// The least cost of a path from one list of connectors to the other: the minimum over all
    /// pairs of the cost of the first, the distance, and the cost of the second. kInfinity if there
    /// is no path. Time O(entries of all the connectors' labels). Allocates only to grow the
    /// scratch.
    [[nodiscard]] Cost distance(std::span<const Connector> from, std::span<const Connector> to,
                                Scratch& scratch) const;

    /// The same distance where it takes few steps: all pairs have the same common prefix, and its
    /// length times the number of connectors is at most kQuickEntries. Lists that are far apart
    /// usually meet this. Otherwise std::nullopt; it may then pay to drop some connectors first.
    /// Time O(kQuickEntries + connectors).
    [[nodiscard]] std::optional<Cost> quick_distance(std::span<const Connector> from,
                                                     std::span<const Connector> to,
                                                     Scratch& scratch) const;
    static constexpr std::uint64_t kQuickEntries = 3000;
    /// Whether quick_distance has a value. Needs no labels. Time O(connectors).
    [[nodiscard]] bool is_quick(std::span<const Connector> from, std::span<const Connector> to,
                                Scratch& scratch) const;

    /// The same cost, and a path of that cost. `nodes` is replaced by the nodes of the path, from
    /// the start connector used to the goal connector used, both included; it is empty if there is
    /// no path. Needs hops; without them it returns kInfinity. Of equally long paths the one of the
    /// first goal connector in the list wins, then the one by the lowest ancestor, then the one of
    /// the first start connector. Time: that of `distance` + O(nodes of the path). Allocates
    /// only to grow the scratch and `nodes`.
    [[nodiscard]] Cost find_path(std::span<const Connector> from, std::span<const Connector> to,
                                 Scratch& scratch, std::vector<std::uint32_t>& nodes) const;

    using Meeting = CutLabelMeeting;
    /// The topmost node of the path that find_path finds, without the path's nodes: the hops
    /// from both connectors to this ancestor form the path. Paths from other starts with the same
    /// ancestor and goal connector are the same from the ancestor on. Needs hops. Time and memory
    /// as for `distance`.
    [[nodiscard]] Meeting find_meeting(std::span<const Connector> from,
                                       std::span<const Connector> to, Scratch& scratch) const;
    /// The nodes of the path of a meeting that find_meeting found for these lists. Returns false,
    /// with no nodes, if there is no path, or if the hops do not form one, which only happens with
    /// forged labels.
    [[nodiscard]] bool find_path(const Meeting& meeting, std::span<const Connector> from,
                                 std::span<const Connector> to, Scratch& scratch,
                                 std::vector<std::uint32_t>& nodes) const;

    /// As find_path, if quick_distance has a value. Otherwise std::nullopt, and `nodes` is not
    /// changed.
    [[nodiscard]] std::optional<Cost> quick_path(std::span<const Connector> from,
                                                 std::span<const Connector> to, Scratch& scratch,
                                                 std::vector<std::uint32_t>& nodes) const;

    // Climbing answers from the closure alone, so it needs no labels. Without the closure it finds
    // nothing: kInfinity.

    /// The same as distance(from, to, scratch). Time O(closure edges of the connectors' ancestors).
    [[nodiscard]] Cost climb_distance(std::span<const Connector> from,
                                      std::span<const Connector> to, Scratch& scratch) const;
    /// The same cost and the same path as find_path, also without hops. Time: that of
    /// climb_distance, with twice the work for each edge, + O(nodes of the path).
    [[nodiscard]] Cost climb_path(std::span<const Connector> from, std::span<const Connector> to,
                                  Scratch& scratch, std::vector<std::uint32_t>& nodes) const;

    /// The bytes of all arrays. O(1).
    [[nodiscard]] std::uint64_t bytes() const noexcept;
    /// Errors: out_of_memory. Time O(nodes).
    [[nodiscard]] Result<Statistics> statistics() const noexcept;

private:
    CutLabels(const CutLabelArrays& arrays, std::shared_ptr<const void> owner)
        : arrays_(arrays), owner_(std::move(owner)), mean_(find_mean()), fresh_mean_(mean_) {}
    [[nodiscard]] double find_mean() const noexcept {
        double entries = 0;
        for (const CutLabelNode& node : arrays_.nodes) entries += node.length;
        return num_nodes() == 0 ? 0.0 : entries / static_cast<double>(num_nodes());
    }
    friend class CutLabelQuery;
    friend class CutLabelBuilder;

    CutLabelArrays arrays_;
    std::shared_ptr<const void> owner_;
    double mean_ = 0;        ///< entries of a label, if all nodes have one
    double fresh_mean_ = 0;  ///< entries a node when the order was fresh
    std::uint64_t label_bytes_ = 0;
};

}  // namespace cairn

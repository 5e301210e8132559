#pragma once
// The engine `cut_labels`: exact distances and paths on a graph, by two-hop labels in the order of
// a separator tree. A query needs no queue and no visited set: the distance between two nodes with
// labels A and B is the minimum of A[k] + B[k] over the common prefix of A and B. In a directed
// graph A is the start's label up and B the goal's label down.
//
//   separator tree    A small vertex separator cuts the graph, each part is cut again, and so on.
//                     The nodes of separators are removed one by one, those of the first separator
//                     first. The ancestors of a node are the removed nodes that were still
//                     connected to it when they were removed.
//   label of v        one Cost for each ancestor of v, topmost first, and last v itself: the
//                     distance from v to that ancestor in the subgraph that was left when the
//                     ancestor was removed. In a directed graph a node has two: up, the distances
//                     to its ancestors, and down, those from them.
//   common prefix     the entries of two labels that belong to the same ancestors, down to the
//                     lowest common one. Some shortest path passes one of these ancestors, inside
//                     its subgraph.
//   closure           the graph with an edge between any two nodes that are joined over lower nodes
//                     only (cairn/closure.hpp).
//   piece             Where labels of all nodes would take too much memory, only nodes with many
//                     nodes below them have labels. What is below these are the pieces. A query
//                     climbs the closure from its ends to the nodes with labels above their pieces,
//                     and goes on by labels from there.
//   hop               for each entry of v's label, the first step of a shortest path from v to the
//                     entry's ancestor, inside that ancestor's subgraph: to the next node that has
//                     a label. If all nodes have labels, steps are edges of the graph. On a path
//                     down to v, the hop is the last step, taken backwards.
//   connector         a node and the cost to reach it: where a query enters and leaves the graph.
//
// After an edit of the graph and of its closure, `repaired` computes the labels that differ. Such
// labels have no hops: beside each entry they keep where the last closure edge of its path begins,
// and paths are unpacked from the closure.
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

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// The position of a node's label. Nodes between two branchings of the tree form a group; groups
/// are numbered in depth-first order, kBlock of them to a block.
struct CutLabelNode {
    std::uint64_t first = 0;   ///< index of its first entry; in repaired labels the number of a
                               ///< page, times 2^32, and the index into its entries
    std::uint32_t length = 0;  ///< entries: the last is the node itself, at distance 0; 0 if it has
                               ///< no label. Then the members below are those of its lowest
                               ///< ancestor with a label, if it has one
    std::uint32_t group = 0;   ///< its group
    std::uint32_t before = 0;  ///< minimum of group_common from the block's first group to `group`
    std::uint32_t after = 0;   ///< minimum of group_common from behind `group` to the block's end
    std::uint32_t place = 0;   ///< its number in depth-first order of the tree, or kNowhere
    std::uint32_t wide = 0xffff'ffff;  ///< kNotWide, or the index of its first hop in `wide_hops`
    friend bool operator==(const CutLabelNode&, const CutLabelNode&) = default;
};

/// The data of a node that paths need, indexed by its place in depth-first order.
struct CutLabelPlace {
    std::uint64_t hops = 0;   ///< index into `hops` of the first hop that leads to this node
    std::uint32_t steps = 0;  ///< index into `head` of its first step
    std::uint32_t node = 0;   ///< its number in the graph, or ClosureNode::kNone if it was removed
    friend bool operator==(const CutLabelPlace&, const CutLabelPlace&) = default;
};

/// The nodes between two branchings of the tree.
struct CutLabelGroup {
    std::uint32_t place = 0;   ///< of its topmost node
    std::uint32_t parent = 0;  ///< the group above, whose number is lower; itself if there is none
    friend bool operator==(const CutLabelGroup&, const CutLabelGroup&) = default;
};

/// The entries and hops of all labels, one way.
struct CutLabelWay {
    std::span<const Cost> entries;

    // Empty if the labels were built without hops.

    /// The hops on paths between each node a and the nodes below it, node by node in the order of
    /// places: one for a itself (unused), then one for each node below, by place. A hop is a step's
    /// number, from 0, among the steps of the node below, or CutLabelArrays::kWideHop.
    std::span<const std::uint8_t> hops;
    /// The hops of nodes with more than 255 steps, one for each entry of the node's label.
    std::span<const std::uint32_t> wide_hops;
};

/// The arrays of CutLabels, for writing to a file: plain little-endian integers.
struct CutLabelArrays {
    /// In CutLabelNode::place: neither the node nor an ancestor has a label.
    static constexpr std::uint32_t kNowhere = 0xffff'ffff;
    /// In CutLabelNode::wide: the node has at most 255 steps, so its hops are bytes.
    static constexpr std::uint32_t kNotWide = 0xffff'ffff;
    /// The byte in `hops` that refers to `wide_hops`.
    static constexpr std::uint8_t kWideHop = 255;
    /// Groups in a block. Range minima use a table over whole blocks and a scan inside a block.
    static constexpr std::uint32_t kBlock = 16;

    std::span<const CutLabelNode> nodes;  ///< by node
    CutLabelWay up;                       ///< the labels, of paths to ancestors
    CutLabelWay down;                     ///< of paths from ancestors; in an undirected graph, `up`
    /// For each group, the number of entries that its labels share with those of the group before.
    std::span<const std::uint32_t> group_common;
    /// Row j holds, for each block, the minimum of group_common over the 2^j blocks from it on.
    /// There are bit_width(blocks) rows.
    std::span<const std::uint32_t> block_common;

    /// Nodes with at most this many places below them, their own included, have no labels.
    std::uint32_t piece = 0;

    // The arrays below are empty if the labels were built without hops, but for places and groups
    // if there are pieces.

    std::span<const CutLabelPlace> places;
    /// The places that steps lead to, sorted by the place where a step starts. A step is a closure
    /// edge without a middle that has a label, from either end and in either direction; if all
    /// nodes have labels, an edge of the graph.
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

/// What a query of labels with pieces keeps beside CutLabelScratch.
class PiecedLabelScratch {
public:
    /// Bytes held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    friend class CutLabelScratch;
    friend class PiecedLabelQuery;
    /// A node with a label where a path from a connector leaves the pieces.
    struct Portal {
        std::uint32_t node;
        Cost cost;
        std::uint32_t origin;  ///< the first connector of this cost, by its number in the list
        std::uint32_t last;    ///< as ClosureScratch::Seen::last
        std::uint32_t depth;
    };
    /// What one side of a query has.
    struct Side {
        std::vector<Portal> portals;        ///< by origin
        std::vector<Connector> connectors;  ///< those of the portals
        std::vector<std::uint32_t> origins;
        std::vector<std::uint32_t> places;    ///< of the path inside a piece, from its portal down
        std::vector<std::uint32_t> labelled;  ///< the nodes on the path from the portal on that
                                              ///< have labels
    };
    ClosureScratch climb_;  ///< for the climbs up to the labels
    Side from_;
    Side to_;
    std::vector<std::uint32_t> other_;  ///< as Side::labelled, of a path to compare
};

/// Working memory of the queries of one thread. Grows to what the largest query needs.
class CutLabelScratch {
public:
    /// Bytes held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;
    /// For queries of the closure alone, by the same thread.
    [[nodiscard]] ClosureScratch& climb() noexcept { return pieces_.climb_; }

private:
    friend class CutLabelQuery;
    friend class PiecedLabelQuery;
    /// A connector, and the label of its node.
    struct Item {
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
    std::vector<std::uint64_t> keys_;  ///< of the items, in order
    std::vector<Item> items_;
    std::vector<Segment> segments_;
    /// The nodes of a path from the goal to the ancestor.
    std::vector<std::uint32_t> goal_side_;
    PiecedLabelScratch pieces_;
};

struct CutLabelOptions {
    /// Store hops, one byte an entry. Without them there are distances but no paths.
    bool hops = true;
    /// The most bytes for the labels. Where labels of all nodes need more, pieces get none, as
    /// small as this allows (see kPieces); a graph whose labels need more even then gets none: then
    /// only its closure answers.
    std::uint64_t max_bytes = std::uint64_t{1} << 30;
    /// The most places of a piece; 0 gives labels to all nodes. The next of kPieces is taken until
    /// the labels take at most max_bytes.
    std::uint32_t piece = 0;
    static constexpr std::array<std::uint32_t, 4> kPieces{64, 256, 1024, 4096};
    /// How the closure is computed.
    ClosureOptions closure;
};

struct CutLabelStatistics {
    std::uint64_t entries = 0;         ///< of one way
    double mean_entries = 0;           ///< entries a node
    std::uint32_t max_entries = 0;     ///< the height of the tree, in nodes
    std::uint32_t root_separator = 0;  ///< nodes of the largest topmost group
    std::uint32_t groups = 0;
    std::uint32_t depth = 0;  ///< groups on the longest path from a root to a leaf
    std::uint64_t label_bytes = 0;
    std::uint64_t closure_bytes = 0;
    std::uint64_t hop_bytes = 0;   ///< hops, and what is needed to follow them
    std::uint64_t tree_bytes = 0;  ///< all other arrays
};

/// The labels of one graph, and their closure. See the head of this file for the guarantees and for
/// thread-safety.
class CutLabels {
public:
    using Options = CutLabelOptions;
    using Scratch = CutLabelScratch;
    using Statistics = CutLabelStatistics;

    /// The labels of a graph without nodes.
    CutLabels() = default;
    /// No labels but a closure.
    explicit CutLabels(Closure closure) noexcept : closure_(std::move(closure)) {}
    /// No labels but a closure, which edits and renumbering made of that of `before`, or one in a
    /// fresh order. `repaired` can start from the labels of `before`, which this object keeps alive
    /// if they were repaired, too, and if the order is not fresh.
    CutLabels(Closure closure, const CutLabels& before) noexcept
        : closure_(std::move(closure)),
          pages_(closure_.in_pages() && closure_.directed() == before.closure_.directed()
                     ? before.pages_
                     : nullptr) {}

    /// Computes the closure of `graph`, and labels. Neither graph nor options are kept. If labels
    /// would need more than max_bytes, there are pieces; if they would even with the largest
    /// pieces, there are no labels: see has_labels. Deterministic: the arrays depend only on the
    /// graph and the options. Uses the threads of `control`. Errors: as Closure::build. Memory
    /// while building: usually 1.5 times the result and a few hundred bytes a node and edge. Time:
    /// that of Closure::build + O(entries).
    [[nodiscard]] static Result<CutLabels> build(const Graph& graph, const Options& options = {},
                                                 const BuildControl& control = {}) noexcept;

    /// The same of a graph that is not needed afterwards, as Closure::build of one.
    [[nodiscard]] static Result<CutLabels> build(Graph&& graph, const Options& options = {},
                                                 const BuildControl& control = {}) noexcept;

    /// The same in a given order of removal, topmost first: see Closure::build_in_order.
    [[nodiscard]] static Result<CutLabels> build_in_order(
        const Graph& graph, std::span<const std::uint32_t> order, const Options& options = {},
        const BuildControl& control = {}) noexcept;

    /// The labels of the graph of `closure`, which may be an edited one. Its removed nodes have no
    /// labels. Errors: bad_option for threads out of range; cancelled; out_of_memory. Time
    /// O(entries + edges of the closure).
    [[nodiscard]] static Result<CutLabels> build(const Closure& closure,
                                                 const Options& options = {},
                                                 const BuildControl& control = {}) noexcept;

    /// The labels of build(closure()), in pages if the closure was edited: the same costs and
    /// paths. If this object was made from labels in pages of an earlier closure, only the labels
    /// that differ are computed, and the pages of the others are shared; else all are computed.
    /// Pieces are as in `build`, by the bytes of pages, which are up to a quarter more. If the
    /// closure was not edited, or labels in pages would need more than max_bytes even with the
    /// largest pieces, this is build(closure()). Deterministic: it does not matter which labels
    /// this object was made from. Errors: as build. Time on the calling thread: O(places), and for
    /// each label that differs O(closure edges of its node * entries that differ).
    [[nodiscard]] Result<CutLabels> repaired(const Options& options = {},
                                             const BuildControl& control = {}) const noexcept;
    /// Whether `repaired` made these labels. Then `arrays` lacks entries and hops.
    [[nodiscard]] bool in_pages() const noexcept { return pages_ != nullptr && has_labels(); }
    /// These labels in arrays, with hops if they are in pages: then those of build(closure()), on
    /// the calling thread. Errors: out_of_memory. Time: O(1), or that of build.
    [[nodiscard]] Result<CutLabels> in_one_piece() const noexcept;
    /// The same, always built, for a closure that is closure() renumbered. No labels if this object
    /// has none.
    [[nodiscard]] Result<CutLabels> in_one_piece(const Closure& renumbered) const noexcept;

    /// Labels over arrays as `arrays()` gave them, for a closure that was read before. They are not
    /// copied; `owner` keeps them alive. Errors: corrupt_file. On accepted arrays no query reads
    /// out of bounds or runs forever. Whether the distances are correct is not checked: that is
    /// what a file's checksum is for. Time O(nodes + edges), independent of the number of entries.
    [[nodiscard]] static Result<CutLabels> from_arrays(Closure closure,
                                                       const CutLabelArrays& arrays,
                                                       std::shared_ptr<const void> owner) noexcept;

    /// Valid as long as this object or a copy of it. Empty if there are no labels.
    [[nodiscard]] const CutLabelArrays& arrays() const noexcept { return arrays_; }
    [[nodiscard]] const Closure& closure() const noexcept { return closure_; }
    [[nodiscard]] std::uint32_t num_nodes() const noexcept { return closure_.num_nodes(); }
    /// Whether there are labels.
    [[nodiscard]] bool has_labels() const noexcept {
        return !arrays_.nodes.empty() || closure_.num_nodes() == 0;
    }
    /// The bytes of the labels, without the closure; if there are none, what those with the largest
    /// pieces would take.
    [[nodiscard]] std::uint64_t label_bytes() const noexcept { return label_bytes_; }
    /// Whether the labels have hops: not if they are in pages, or were built without.
    [[nodiscard]] bool has_hops() const noexcept { return with_hops_; }
    /// Whether labels give paths, not only distances: they have hops, or are in pages.
    [[nodiscard]] bool has_paths() const noexcept { return with_hops_ || in_pages(); }
    /// The most nodes of a piece; 0 if all nodes have labels.
    [[nodiscard]] std::uint32_t piece() const noexcept { return arrays_.piece; }

    /// The distance between two nodes, both below num_nodes(); kInfinity if no path leads from the
    /// first to the second, or if one has no label. Needs labels, as all queries below do. Time
    /// O(length of the common prefix). Never allocates.
    [[nodiscard]] Cost distance(std::uint32_t from, std::uint32_t to) const noexcept;

    /// The least cost of a path from one list of connectors to the other: the minimum over all
    /// pairs of the cost of the first, the distance, and the cost of the second. kInfinity if there
    /// is no path. Time O(entries of all the connectors' labels); with pieces, O(closure edges of
    /// the connectors' ancestors in pieces + entries of the labels above these). Allocates only to
    /// grow the scratch.
    [[nodiscard]] Cost distance(std::span<const Connector> from, std::span<const Connector> to,
                                Scratch& scratch) const;

    /// The same distance where it takes few steps: there are no pieces, all pairs have the same
    /// common prefix, and its length times the number of connectors is at most kQuickEntries. Lists
    /// that are far apart usually meet this. Otherwise std::nullopt; it may then pay to drop some
    /// connectors first. Time O(kQuickEntries + connectors).
    [[nodiscard]] std::optional<Cost> quick_distance(std::span<const Connector> from,
                                                     std::span<const Connector> to,
                                                     Scratch& scratch) const;
    static constexpr std::uint64_t kQuickEntries = 3000;

    /// The same cost, and a path of that cost. `nodes` is replaced by the nodes of the path, from
    /// the start connector used to the goal connector used, both included; it is empty if there is
    /// no path. Unless has_paths(), it returns kInfinity. Of equally long paths the one of the
    /// first goal connector in the list wins, then the one by the lowest ancestor, then the one of
    /// the first start connector. Time: that of `distance` + O(nodes of the path). Allocates
    /// only to grow the scratch and `nodes`.
    [[nodiscard]] Cost find_path(std::span<const Connector> from, std::span<const Connector> to,
                                 Scratch& scratch, std::vector<std::uint32_t>& nodes) const;

    using Meeting = CutLabelMeeting;
    /// The topmost node of the path that find_path finds, without the path's nodes: the hops
    /// from both connectors to this ancestor form the path. Paths from other starts with the same
    /// ancestor and goal connector are the same from the ancestor on. Needs paths, and labels of
    /// all nodes. Time and memory as for `distance`.
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

    /// The bytes of labels and closure, and of outdated labels that `repaired` can start from.
    /// O(places).
    [[nodiscard]] std::uint64_t bytes() const noexcept;
    /// Errors: out_of_memory. Time O(nodes).
    [[nodiscard]] Result<Statistics> statistics() const noexcept;

    /// For Cairn's own parts. Null unless the labels are in pages.
    struct Pages;
    [[nodiscard]] const Pages* pages() const noexcept {
        return in_pages() ? pages_.get() : nullptr;
    }

private:
    friend class CutLabelQuery;
    friend class CutLabelBuilder;

    [[nodiscard]] Cost pieced_distance(std::span<const Connector> from,
                                       std::span<const Connector> to, Scratch& scratch) const;
    [[nodiscard]] Cost find_pieced_path(std::span<const Connector> from,
                                        std::span<const Connector> to, Scratch& scratch,
                                        std::vector<std::uint32_t>& nodes) const;

    Closure closure_;
    CutLabelArrays arrays_;
    std::shared_ptr<const Pages> pages_;  ///< repaired labels, of this closure or an earlier one
    std::shared_ptr<const void> owner_;
    std::uint64_t label_bytes_ = 0;
    bool with_hops_ = false;
};

}  // namespace cairn

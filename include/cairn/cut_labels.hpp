#pragma once
// The engine `cut_labels`: exact distances and paths on an undirected graph from two-hop labels in
// the order of a separator tree. No queue, no visited set, no id comparison: a distance is the
// minimum over k of A[k] + B[k] along the common prefix of two arrays.
//
//   separator tree    A small vertex separator cuts the graph, each part is cut again, and so on.
//                     Removing the separators' nodes one by one, every node has as its ancestors
//                     the removed nodes that it was still connected to when they were removed.
//   label of v        one Cost for each ancestor of v, topmost first, and at last v itself:
//                     the distance from v to that ancestor in the subgraph that was left when the
//                     ancestor was removed.
//   common prefix     two labels speak of the same ancestors exactly up to the lowest common one,
//                     and some shortest path passes one of those, inside its subgraph.
//   hop               for each entry, the edge of v that begins such a shortest path.
//   connector         a node with the cost of getting to it: where a query enters and leaves.
//
// After: Farhan, Koehler, Ohrimenko, Wang, "Hierarchical cut labelling" (SIGMOD 2023) and "Stable
// tree labelling" (2025); the closure that the labels are computed from is that of customizable
// contraction hierarchies (Dibbelt, Strasser, Wagner 2016). We depart from them in leaving out
// entries that could only be infinite, and in finding the common prefix as a range minimum, so the
// tree may have any depth and any number of branches.
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

/// One end of a query: `node` can be had for `cost`. A query ignores connectors whose node is
/// out of range and those that cost kInfinity or more.
struct Connector {
    std::uint32_t node = 0;
    Cost cost = 0;
    friend bool operator==(const Connector&, const Connector&) = default;
};

/// Where a node's label lies. Nodes between two branchings of the tree form a group; the groups are
/// numbered in depth-first order.
struct CutLabelNode {
    std::uint64_t first = 0;   ///< index of its first entry
    std::uint32_t length = 0;  ///< entries, at least 1: the last is the node itself, at distance 0
    std::uint32_t group = 0;   ///< its group
    std::uint32_t before = 0;  ///< least of group_common from the group's block's begin up to it
    std::uint32_t after = 0;   ///< least of group_common behind the group up to its block's end
    std::uint32_t place = 0;   ///< its number in depth-first order
    std::uint32_t wide = 0;    ///< kNotWide, or index into `wide_hops` of its first hop
    friend bool operator==(const CutLabelNode&, const CutLabelNode&) = default;
};

/// What paths need of a node, by its place in depth-first order.
struct CutLabelPlace {
    std::uint64_t hops = 0;   ///< index of its own hop, which those of the nodes below it follow
    std::uint32_t edges = 0;  ///< index into `head` of its first edge
    std::uint32_t node = 0;
    friend bool operator==(const CutLabelPlace&, const CutLabelPlace&) = default;
};

struct CutLabelGroup {
    std::uint32_t place = 0;   ///< of its topmost node
    std::uint32_t parent = 0;  ///< the group above, of lesser number; of a topmost group: itself
    friend bool operator==(const CutLabelGroup&, const CutLabelGroup&) = default;
};

/// All that CutLabels is made of, for writing to a file. Plain arrays of little-endian integers.
struct CutLabelArrays {
    static constexpr std::uint32_t kNotWide = 0xffff'ffff;
    /// The byte in `hops` that refers to `wide_hops`.
    static constexpr std::uint8_t kWideHop = 255;
    /// Groups a block: range minima are taken over whole blocks by table, inside by scan.
    static constexpr std::uint32_t kBlock = 16;

    std::span<const CutLabelNode> nodes;
    std::span<const Cost> entries;
    /// For each group, how many entries its labels share with those of the group before.
    std::span<const std::uint32_t> group_common;
    /// Row j: least of group_common over 2^j whole blocks from each one on; bit_width(blocks) rows.
    std::span<const std::uint32_t> block_common;

    // The rest is for paths, and empty if built without hops.

    /// For each node, and for each node below it in order of place: which edge leads to it.
    std::span<const std::uint8_t> hops;
    /// The hops of nodes with more than 255 edges, each beside its label.
    std::span<const std::uint32_t> wide_hops;
    std::span<const CutLabelPlace> places;
    /// The places that edges lead to, by the place they come from, in the graph's order.
    std::span<const std::uint32_t> head;
    std::span<const CutLabelGroup> groups;
};

/// A label, whose ancestors can be had for `offset` more than it says.
struct CutLabelRow {
    const Cost* label = nullptr;
    Cost offset = 0;
};

/// Where the best path between two lists of connectors has its topmost ancestor.
struct CutLabelMeeting {
    Cost cost = kInfinity;    ///< of the path; the rest is of no meaning without one
    std::uint32_t start = 0;  ///< the winning connectors' places in their lists
    std::uint32_t goal = 0;
    std::uint32_t entry = 0;  ///< of the ancestor, in the labels below it
    std::uint32_t place = 0;  ///< of the ancestor
};

/// Working memory of one thread's queries; grows to what the largest query needed.
class CutLabelScratch {
    friend class CutLabelQuery;
    struct Item {
        std::uint32_t group;
        std::uint32_t length;
        std::uint32_t index;   ///< in the list of connectors
        std::uint32_t common;  ///< entries shared with the item before
        std::uint64_t first;
        Cost cost;
        bool goal;
    };
    struct Segment {
        std::uint32_t begin, end, floor;
    };
    /// Minimum over the start's connectors, by entry, less kInfinity.
    std::vector<std::int32_t> least_;
    std::vector<CutLabelRow> from_;
    std::vector<CutLabelRow> to_;
    std::vector<Item> items_;
    std::vector<Segment> segments_;
    /// The goal's half of a path, from the goal up.
    std::vector<std::uint32_t> goal_side_;
};

struct CutLabelOptions {
    /// Store hops (a byte an entry), without which there are distances but no paths.
    bool hops = true;
    /// Bytes that the labels may take; more is refused as too_large, before they are computed.
    std::uint64_t max_bytes = std::uint64_t{1} << 30;
    /// Work on the closure, a nanosecond or two a step; more is refused as too_large, before it is
    /// done. Only graphs without small separators come near.
    std::uint64_t max_steps = 10'000'000'000;
    /// How often to look for the separator of a piece of 400 nodes or more, 1 to 3; the best is
    /// taken. Three save some 3 % of the entries, up to 12, and take 2.7 times as long for the
    /// order.
    int separator_tries = 1;
};

struct CutLabelStatistics {
    std::uint64_t entries = 0;
    double mean_entries = 0;           ///< a node
    std::uint32_t max_entries = 0;     ///< the height of the tree
    std::uint32_t root_separator = 0;  ///< the most nodes before a first branching
    std::uint32_t groups = 0;
    std::uint32_t depth = 0;  ///< groups on the longest way down
    std::uint64_t label_bytes = 0;
    std::uint64_t hop_bytes = 0;   ///< hops and the adjacency they refer to
    std::uint64_t tree_bytes = 0;  ///< all else
    [[nodiscard]] std::uint64_t bytes() const noexcept {
        return label_bytes + hop_bytes + tree_bytes;
    }
};

class CutLabels {
public:
    using Options = CutLabelOptions;
    using Scratch = CutLabelScratch;
    using Statistics = CutLabelStatistics;

    /// Labels of no node.
    CutLabels() = default;

    /// Computes the labels of `graph`, which is not kept. Deterministic: the arrays depend on the
    /// graph, options.hops and options.separator_tries alone. The order comes from METIS, which
    /// draws from the C library's rand(); calls are seeded and kept apart by a lock, but a program
    /// that calls rand() meanwhile from another thread may get another, equally correct, order.
    ///
    /// Errors: too_large beyond max_bytes (with the bytes needed, unless it is far beyond) or
    /// max_steps; cancelled; bad_option for negative threads or bad separator_tries. Memory while
    /// building: commonly half as much again as the result, at most max_bytes * 3 (5 with weights
    /// of zero) and some hundred bytes a node and edge. Time: O(m log n) for the order, then
    /// O(entries + steps).
    [[nodiscard]] static Result<CutLabels> build(const Graph& graph, const Options& options = {},
                                                 const BuildControl& control = {});

    /// The same in a given order of removal, topmost first: any permutation of the nodes gives
    /// right labels, most give far too large ones. Errors: also bad_option if it is none.
    /// Deterministic.
    [[nodiscard]] static Result<CutLabels> build_in_order(const Graph& graph,
                                                          std::span<const std::uint32_t> order,
                                                          const Options& options = {},
                                                          const BuildControl& control = {});

    /// In `old_node`: a node that the old graph had not.
    static constexpr std::uint32_t kNewNode = 0xffff'ffff;

    /// Labels of an edited graph without looking for an order, which is most of the time of
    /// `build`: these labels' order is kept, and where the graph is new, mended. For each node of
    /// `graph`, `old_node` says its number here or kNewNode; no two may have the same. The labels
    /// are as right as fresh ones, and exactly those of build_in_order in the mended order, but
    /// many edits make them larger: see `wear`. Errors: as build; also bad_option for old_node.
    /// Deterministic.
    [[nodiscard]] Result<CutLabels> rebuilt(const Graph& graph,
                                            std::span<const std::uint32_t> old_node,
                                            const Options& options = {},
                                            const BuildControl& control = {}) const;

    /// Entries a node, as a multiple of what they were when the order was last fresh: 1 after
    /// `build` and `from_arrays`. Above kWornOut it is time for `build` again.
    [[nodiscard]] double wear() const noexcept {
        return num_nodes() == 0 || fresh_mean_ == 0 ? 1.0 : mean_entries() / fresh_mean_;
    }
    static constexpr double kWornOut = 1.25;

    /// Takes arrays as `arrays()` gave them, without copying them: `owner` keeps them alive. Any
    /// arrays are accepted or refused with corrupt_file such that no query on accepted ones reads
    /// out of bounds or runs on forever; whether they are right is for the file's checksum to say.
    /// Time O(nodes + edges), whatever the number of entries.
    [[nodiscard]] static Result<CutLabels> from_arrays(const CutLabelArrays& arrays,
                                                       std::shared_ptr<const void> owner);

    [[nodiscard]] const CutLabelArrays& arrays() const noexcept { return arrays_; }
    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(arrays_.nodes.size());
    }
    [[nodiscard]] bool has_hops() const noexcept { return !arrays_.hops.empty(); }

    /// The distance between two nodes, both below num_nodes(); kInfinity if they are not connected.
    /// Time O(common prefix). Never allocates.
    [[nodiscard]] Cost distance(std::uint32_t from, std::uint32_t to) const noexcept;

    /// The least of cost + distance + cost over all pairs of connectors; kInfinity if there is no
    /// path. Time O(entries of all the connectors' labels). Allocates only to grow the scratch.
    [[nodiscard]] Cost distance(std::span<const Connector> from, std::span<const Connector> to,
                                Scratch& scratch) const;

    /// The same where it takes few steps, as between lists that are far from each other: where all
    /// pairs share the same entries, at most kQuickEntries in all labels together. Else nothing;
    /// then it may pay to leave connectors out. Time O(kQuickEntries + connectors).
    [[nodiscard]] std::optional<Cost> quick_distance(std::span<const Connector> from,
                                                     std::span<const Connector> to,
                                                     Scratch& scratch) const;
    static constexpr std::uint64_t kQuickEntries = 3000;

    /// The distance, and into `nodes` (replacing what is there) the nodes of such a path, from the
    /// winning start connector's to the winning goal connector's, both included; emptied if there
    /// is none. Needs hops, else there is never a path. Of equal paths the one of the first goal
    /// connector in the list wins, then the topmost ancestor, then the first start connector.
    /// Time O(nodes of the path) more. Allocates only to grow the scratch and `nodes`.
    [[nodiscard]] Cost find_path(std::span<const Connector> from, std::span<const Connector> to,
                                 Scratch& scratch, std::vector<std::uint32_t>& nodes) const;

    using Meeting = CutLabelMeeting;
    /// Where that path has its topmost ancestor, without its nodes: the hops from both connectors
    /// to there make it up. Ways from elsewhere that meet there for the same goal connector go on
    /// to it alike. Time and memory as for the distance.
    [[nodiscard]] Meeting find_meeting(std::span<const Connector> from,
                                       std::span<const Connector> to, Scratch& scratch) const;
    /// The nodes of the path of a meeting found for these lists, as above. False, and no nodes, if
    /// there is none, as only forged labels may have it.
    [[nodiscard]] bool find_path(const Meeting& meeting, std::span<const Connector> from,
                                 std::span<const Connector> to, Scratch& scratch,
                                 std::vector<std::uint32_t>& nodes) const;

    /// The same where quick_distance says something. `nodes` is left alone where it says nothing.
    [[nodiscard]] std::optional<Cost> quick_path(std::span<const Connector> from,
                                                 std::span<const Connector> to, Scratch& scratch,
                                                 std::vector<std::uint32_t>& nodes) const;

    /// Time O(nodes).
    [[nodiscard]] Statistics statistics() const;

private:
    CutLabels(const CutLabelArrays& arrays, std::shared_ptr<const void> owner)
        : arrays_(arrays), owner_(std::move(owner)), fresh_mean_(mean_entries()) {}
    [[nodiscard]] double mean_entries() const noexcept {
        return num_nodes() == 0
                   ? 0.0
                   : static_cast<double>(arrays_.entries.size()) / static_cast<double>(num_nodes());
    }
    friend class CutLabelQuery;
    friend class CutLabelBuilder;

    CutLabelArrays arrays_;
    std::shared_ptr<const void> owner_;
    double fresh_mean_ = 0;  ///< entries a node when the order was fresh
};

}  // namespace cairn

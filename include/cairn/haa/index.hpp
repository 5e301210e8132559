#pragma once
// The HAA* index of an annotated map: one abstract graph for agents of all sizes and capabilities.
//
// D. Harabor, A. Botea, "Hierarchical Path Planning for Multi-Size Agents in Heterogeneous
// Environments", CIG 2008. The paper's terms and ours:
//
//   clearance, capability   AnnotatedMap
//   AA*                     grid::Astar on AnnotatedMap::class_map
//   cluster, entrance       as HPA*; entrances of every agent class
//   inter-edge              a move between two nodes across a border; an agent may use it where its
//                           class map has that move
//   intra-edge              the optimal cost between two nodes inside a cluster for some agents,
//                           annotated with a capability and a clearance: who includes the one and
//                           is no larger than the other may use it
//   HAA*                    the search on the edges that an agent may use: its view
//
// A view is what is left of the graph for one agent class: an HPA* index of its class map, whose
// clusters are read off the annotated ones. It is made when it is first asked for, and kept within
// Options::view_bytes. So an agent has every engine and form of answer that HPA* has, and pays for
// the test of edges once.
//
// Guarantees. Complete for every agent class and abstraction: a path is found exactly where one
// exists on the class map. Every step is legal for the agent, the cost that of the path, never
// below the optimum, the same for every number of levels and every engine.
//
// Departures from the paper. Entrances are found per agent class, since the best transition of a
// wide run may leave larger agents without one. Weak dominance compares each transition only with
// those still kept. A path may leave the cluster that holds both start and goal. Inter-edges cost
// the real move.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cairn/control.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/status.hpp"

namespace cairn::haa {

struct Snapshot;

struct IndexStatistics {
    std::size_t clusters = 0;
    std::size_t nodes = 0;
    std::size_t inter_edges = 0;  ///< joined nodes, counted once for all agents
    std::size_t intra_edges = 0;  ///< annotated ones: several may join the same nodes
    std::size_t graph_bytes = 0;  ///< the abstraction: all that is needed to make views
    std::size_t map_bytes = 0;    ///< terrain and clearances
    std::size_t views = 0;        ///< made and kept at the moment
    std::size_t view_bytes = 0;   ///< what they take, about
};

/// An immutable index of one map snapshot. Copies share everything, views included; const members
/// may be called from any thread.
class Index {
public:
    /// Builds the abstraction, on all cores; the result does not depend on their number. Time
    /// O(cells * nodes per cluster) for each agent class that differs from others in a cluster.
    /// Errors: bad_option; cancelled; too_large.
    [[nodiscard]] static Result<Index> build(const AnnotatedMap& map, const Options& options = {},
                                             const BuildControl& control = {});

    /// The index of the edited map: clusters with an anchor that some agent class can stand on no
    /// longer, or now, or at another cost, or next to one, are redone, in the
    /// abstraction and in all views there are; in a low-quality abstraction those beside them, too.
    /// This index, and every query running on it, is untouched. The result equals one built afresh;
    /// views that the edit changes have no labels until `with_labels`, which takes over the
    /// order of the last ones. Errors: as AnnotatedMap::edited; too_large.
    [[nodiscard]] Result<Index> edited(std::span<const grid::TerrainEdit> edits) const;

    /// This index, in which the agent classes named have complete views: with move tables and
    /// labels if the options say so. To be called on a worker while queries go on. Views belong to
    /// all copies of the index, so this one has them, too; those that are complete stay as they
    /// are. Where all together would pass Options::view_bytes, those named last are kept; one in
    /// any case. Errors: bad_option (no such agent, or a bad number of threads); cancelled;
    /// too_large; out_of_memory.
    [[nodiscard]] Result<Index> with_labels(std::span<const Agent> agents,
                                            const BuildControl& control = {}) const;
    /// The same for the agent classes that have a view, complete or not: those asked for so far,
    /// and after an edit those that the last index had.
    [[nodiscard]] Result<Index> with_labels(const BuildControl& control = {}) const;
    /// Whether the view of an agent has labels; false where there is no such agent or no view.
    [[nodiscard]] bool has_labels(Agent agent) const;
    /// Whether all views that there are have labels; false where there are none.
    [[nodiscard]] bool has_labels() const;
    /// ok, or why the view of an agent has no labels.
    [[nodiscard]] Status labels_status(Agent agent) const;

    /// What there is for an agent: its view, made without labels and move tables if there is none
    /// yet. O(1) if there is, else O(map + its share of the abstraction). Errors: bad_option (no
    /// such agent); too_large.
    [[nodiscard]] Result<hpa::Index> view(Agent agent) const;

    [[nodiscard]] const AnnotatedMap& map() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;
    /// A hash of the map, the options that the abstraction depends on, and the edits since, in
    /// their order. Never 0.
    [[nodiscard]] std::uint64_t snapshot_id() const noexcept;
    /// Whether a path connects two anchors for an agent; false where either is outside, the agent
    /// does not fit there, or there is no such agent. Makes the agent's view if there is none.
    [[nodiscard]] bool reachable(Agent agent, grid::Point a, grid::Point b) const;

    /// O(index).
    [[nodiscard]] IndexStatistics statistics() const;
    /// Bytes of the index and its map; parts that other snapshots share count in full. O(index).
    [[nodiscard]] std::size_t memory() const;

    /// Equal maps and abstractions, bit for bit; views are not compared.
    friend bool operator==(const Index& a, const Index& b);

    /// For Cairn's own parts.
    [[nodiscard]] const Snapshot& snapshot() const noexcept { return *snapshot_; }
    explicit Index(std::shared_ptr<const Snapshot> snapshot) noexcept
        : snapshot_(std::move(snapshot)) {}

private:
    std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace cairn::haa

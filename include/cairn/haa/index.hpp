#pragma once
// The HAA* index of an annotated map: one abstract graph for agents of all sizes and capabilities.
//
// D. Harabor, A. Botea, "Hierarchical Path Planning for Multi-Size Agents in Heterogeneous
// Environments", CIG 2008. The paper's terms and ours:
//
//   clearance, capability   AnnotatedMap
//   AA*                     grid::Astar on AnnotatedMap::class_map
//   cluster, entrance       as in HPA*; each agent class has its own entrances
//   inter-edge              a move between two nodes across a border, annotated with the agent
//                           classes that use it: those whose entrances chose it
//   intra-edge              the optimal cost between two nodes inside a cluster, annotated with the
//                           agent classes that use it (the paper: a capability and a clearance)
//   HAA*                    the search on an agent's view: the edges that it uses
//
// A view is the part of the graph that one agent class uses: an HPA* index of its class map, made
// from the annotated clusters. A view is made on first use; Options::view_bytes limits how many are
// kept. An agent therefore has every engine and form of answer of HPA*, and edges are tested only
// once for each class.
//
// Guarantees. Complete for every agent class and every Abstraction: a path is found exactly if one
// exists on the class map. Every step is legal for the agent. The cost is that of the path, never
// below the optimum, and the same for every number of levels and every engine.
//
// Departures from the paper. Entrances are found for each agent class, since the best transition of
// a wide entrance may be too narrow for larger agents. A class uses only the transitions of its own
// entrances: with those of others its graph is several times as large. Intra-edges whose cost is a
// sum of others are left out. Weak dominance compares a transition only with transitions that are
// still kept. If start and goal lie in one cluster, a path may leave it. Inter-edges cost the real
// move.

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
    std::size_t inter_edges = 0;  ///< pairs of joined nodes, counted once for all agents
    /// Annotated edges: between two nodes one for each cost; in the initial abstraction one for
    /// each class.
    std::size_t intra_edges = 0;
    std::size_t graph_bytes = 0;  ///< the abstraction, from which views are made
    std::size_t map_bytes = 0;    ///< terrain and clearances
    std::size_t views = 0;        ///< that exist now
    std::size_t view_bytes = 0;   ///< their bytes, approximately
};

/// An immutable index of one map snapshot. Copies share everything, views included; const members
/// may be called from any thread.
class Index {
public:
    /// Builds the abstraction on all cores; the result does not depend on their number. Time
    /// O(cells * nodes of a cluster), for each cluster times the number of agent classes that
    /// differ in it. Errors: bad_option; cancelled; out_of_memory.
    [[nodiscard]] static Result<Index> build(const AnnotatedMap& map, const Options& options = {},
                                             const BuildControl& control = {}) noexcept;

    /// The index of the edited map. A cluster is rebuilt, in the abstraction and in all existing
    /// views, if the edit changes the weight of one of its anchors, or of an anchor next to it, for
    /// some agent class; in a low-quality abstraction also the clusters beside it. This index, and
    /// every query running on it, does not change. The result equals an index built from scratch,
    /// except that changed views have no labels until `with_labels`. Their closures are repaired,
    /// as in hpa::Index::edited, so Engine::climb answers at once. Time O(rebuilt clusters * agent
    /// classes), and for each view that of hpa::Index::edited. Errors: as AnnotatedMap::edited;
    /// too_large (a view, as hpa::Index::build); out_of_memory.
    [[nodiscard]] Result<Index> edited(std::span<const grid::TerrainEdit> edits) const noexcept;

    /// The index of the same map for agents with other terrain costs: `capabilities` as for
    /// AnnotatedMap::with_costs. Agents can stand where they could, so transitions and nodes stay,
    /// and the result equals an index built from scratch for them. It has the views of this index
    /// under the new costs, as far as Options::view_bytes allows, with labels and closures where
    /// these have them. Their order stays. Time: that of `build` without entrances, for the
    /// clusters near terrain whose costs change; and for each view whose capability changes that of
    /// AnnotatedMap::class_map and hpa::Index::with_costs. Errors: as AnnotatedMap::with_costs;
    /// bad_option (number of threads); cancelled; too_large (a view, as hpa::Index::build);
    /// out_of_memory.
    [[nodiscard]] Result<Index> with_costs(std::span<const Capability> capabilities,
                                           const BuildControl& control = {}) const noexcept;

    /// Completes the views of these agent classes, with move tables and labels as the options say,
    /// and returns this index. Usually called on a worker thread while queries continue. All copies
    /// of an index share its views, so this index gets them, too. Complete views are not built
    /// again. After an edit labels are computed as in hpa::Index::with_labels. If all views
    /// together would exceed Options::view_bytes, those of the last agents in `agents` are kept, at
    /// least one. Errors: bad_option (no such agent, or number of threads); cancelled; too_large as
    /// `edited`; out_of_memory.
    [[nodiscard]] Result<Index> with_labels(std::span<const Agent> agents,
                                            const BuildControl& control = {}) const noexcept;
    /// The same for all agent classes that have a view, complete or not: those used so far, and
    /// after an edit those of the index before it.
    [[nodiscard]] Result<Index> with_labels(const BuildControl& control = {}) const noexcept;
    /// As with_labels, for the views that have a closure. Their labels are always repaired: the
    /// order is kept even if the closure is worn out, so that the paths are those that
    /// Engine::climb has found since the edit. Errors and time: as with_labels.
    [[nodiscard]] Result<Index> with_repaired_labels(
        const BuildControl& control = {}) const noexcept;
    /// A new index, which shares no views with this one, where closures that are worn out
    /// (Closure::kWornOut) are in a fresh order. Their views have no labels until `with_labels`.
    /// Costs stay, but other paths of the same cost may be found. Errors: as Closure::build. Time:
    /// that of Closure::build for each such view.
    [[nodiscard]] Result<Index> with_fresh_order(const BuildControl& control = {}) const noexcept;
    /// The largest Closure::wear of a view's closure; 1 if there is none. O(agent classes).
    [[nodiscard]] double wear() const noexcept;
    /// Whether the view of an agent has labels; false if there is no such agent or no view.
    [[nodiscard]] bool has_labels(Agent agent) const noexcept;
    /// Whether all existing views have labels; false if there are none.
    [[nodiscard]] bool has_labels() const noexcept;
    /// Whether the view of an agent has the closure of its labels, for Engine::climb; false if
    /// there is no such agent or no view.
    [[nodiscard]] bool has_closure(Agent agent) const noexcept;
    /// Whether all existing views have a closure; false if there are none.
    [[nodiscard]] bool has_closure() const noexcept;
    /// ok, or why the view of an agent has no labels.
    [[nodiscard]] Status labels_status(Agent agent) const noexcept;

    /// The view of an agent. If it does not exist yet, it is made without labels and move tables.
    /// O(1) if it exists, otherwise O(map + its part of the abstraction + n^3 for its
    /// n nodes of each cluster). Errors: bad_option (no
    /// such agent); too_large as `edited`; out_of_memory.
    [[nodiscard]] Result<hpa::Index> view(Agent agent) const noexcept;

    [[nodiscard]] const AnnotatedMap& map() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;
    /// A hash of the map, the options that the abstraction depends on, and the edits and other
    /// costs since, in their order. Equal for equal histories on every machine, and different for
    /// others except by chance. Never 0.
    [[nodiscard]] std::uint64_t snapshot_id() const noexcept;
    /// ok if a path connects two anchors for an agent; otherwise start_outside, goal_outside,
    /// start_blocked or goal_blocked (the agent does not fit there), no_path, or an error of
    /// `view`. Makes the agent's view if there is none; O(cluster) if there is one.
    [[nodiscard]] StatusCode reachable(Agent agent, grid::Point a, grid::Point b) const noexcept;

    /// Errors: out_of_memory. O(index).
    [[nodiscard]] Result<IndexStatistics> statistics() const noexcept;
    /// Bytes of the index, its views and its map; parts shared with other snapshots count in full.
    /// O(index).
    [[nodiscard]] std::size_t memory() const noexcept;

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

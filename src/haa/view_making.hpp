#pragma once
// Makes views: HPA* indexes of agent classes, whose first level comes from the annotated clusters.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/status.hpp"
#include "core/labels/planner_labels.hpp"
#include "haa/snapshot.hpp"

namespace cairn::haa {

/// The options of views without move tables and labels. HPA* has no best_clearance: such views are
/// named middle, which changes nothing, since their transitions come from the annotated clusters.
[[nodiscard]] hpa::Options view_options(const Options& options) noexcept;

/// A view without move tables and labels, made on all cores. Errors: too_large.
[[nodiscard]] Result<hpa::Index> make_view(const Snapshot& snapshot, std::uint32_t agent_class);

/// Whether a view has the move tables and labels that the options ask for. A view whose labels
/// would be too large is complete without them.
[[nodiscard]] bool is_complete(const hpa::Index& view, const Options& options) noexcept;

/// A view with the parts added that is_complete asks for. Errors: cancelled.
[[nodiscard]] Result<hpa::Index> completed(const hpa::Index& view, const Options& options,
                                           OrderUse order, const BuildControl& control);

/// The edits that turn the class map of `agent` before an edit into the one after it: the anchors
/// whose weight changed, in few rectangles of one weight each. `areas` hold all these anchors. An
/// anchor in several areas may be set several times. Calls AnnotatedMap::weight twice per cell of
/// `areas`.
[[nodiscard]] std::vector<grid::TerrainEdit> class_edits(const AnnotatedMap& before,
                                                         const AnnotatedMap& after, Agent agent,
                                                         std::span<const grid::Rect> areas);

/// What an edit of an index changes for one agent class.
struct ClassEdit {
    std::span<const grid::TerrainEdit> edits;  ///< as class_edits: of its class map
    std::span<const grid::Rect> areas;         ///< hold all anchors whose clearance has changed
    std::span<const std::uint32_t> changed;    ///< clusters whose records have changed, sorted
};

/// A view after an edit that led to the index `after`. A view that does not change keeps its
/// labels. Errors: too_large.
[[nodiscard]] Result<hpa::Index> edited_view(const hpa::Index& view, const Snapshot& after,
                                             std::uint32_t agent_class, const ClassEdit& edit);

/// A view under other costs, of the index `after`: its nodes and order stay, and it has labels and
/// a closure if `view` has. `costs` is its capability before; if that is the same, so is the view.
/// Errors: cancelled; too_large.
[[nodiscard]] Result<hpa::Index> view_with_costs(const hpa::Index& view, const Capability& costs,
                                                 const Snapshot& after, std::uint32_t agent_class,
                                                 const BuildControl& control);

/// The approximate memory of a view. Parts shared with other views count in full, but not
/// clearances, which are the annotated map's.
[[nodiscard]] std::size_t view_bytes(const hpa::Index& view, const Snapshot& snapshot,
                                     std::uint32_t agent_class) noexcept;

}  // namespace cairn::haa

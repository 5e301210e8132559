#pragma once
// Makes views: the HPA* indexes of agent classes, with the annotated clusters for their first
// level.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/options.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/status.hpp"
#include "haa/snapshot.hpp"

namespace cairn::haa {

/// The options of views without move tables and labels. HPA* has no best_clearance, but what is
/// read from annotated clusters does not depend on its transitions.
[[nodiscard]] hpa::Options view_options(const Options& options) noexcept;

/// A view without move tables and labels, made on all cores. Errors: too_large.
[[nodiscard]] Result<hpa::Index> make_view(const Snapshot& snapshot, std::uint32_t agent_class);

/// Whether a view has all that the options ask for, or its labels turned out too large.
[[nodiscard]] bool is_complete(const hpa::Index& view, const Options& options) noexcept;

/// A view with the missing parts. Errors: cancelled.
[[nodiscard]] Result<hpa::Index> completed(const hpa::Index& view, const Options& options,
                                           const BuildControl& control);

/// The edits that turn the class map of `agent` on `before` into that on `after`, where the maps
/// differ at most at the anchors in `areas`: the cells whose weight changed, in few rectangles of
/// one weight each. An anchor in several areas may be set several times. O(areas).
[[nodiscard]] std::vector<grid::TerrainEdit> class_edits(const AnnotatedMap& before,
                                                         const AnnotatedMap& after, Agent agent,
                                                         std::span<const grid::Rect> areas);

/// A view after an edit. `after` is the edited index, `edits` those of the class map, and `changed`
/// (sorted) the clusters whose annotated records have changed. A view that does not change keeps
/// its labels. Errors: too_large.
[[nodiscard]] Result<hpa::Index> edited_view(const hpa::Index& view, const Snapshot& after,
                                             std::uint32_t agent_class,
                                             std::span<const grid::TerrainEdit> edits,
                                             std::span<const std::uint32_t> changed);

}  // namespace cairn::haa

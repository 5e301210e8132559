#pragma once
// What an edit of an annotated map does to the class maps.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"

namespace cairn::haa {

/// The edits that turn the class map of `agent` on `before` into that on `after`, where the maps
/// differ at most at the anchors in `areas`: cells whose weight changed, in few rectangles of one
/// weight each. Anchors in several areas may be set repeatedly. O(areas).
[[nodiscard]] std::vector<grid::TerrainEdit> class_edits(const AnnotatedMap& before,
                                                         const AnnotatedMap& after, Agent agent,
                                                         std::span<const grid::Rect> areas);

}  // namespace cairn::haa

#pragma once
// The edits of class maps that follow from an edit of an annotated map.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"

namespace cairn::haa {

/// The edits that turn the class map of `agent` on `before` into that on `after`, where the maps
/// differ at most at the anchors in `areas`: the cells whose weight changed, in few rectangles of
/// one weight each. An anchor in several areas may be set several times. O(areas).
[[nodiscard]] std::vector<grid::TerrainEdit> class_edits(const AnnotatedMap& before,
                                                         const AnnotatedMap& after, Agent agent,
                                                         std::span<const grid::Rect> areas);

}  // namespace cairn::haa

#pragma once
// The picture of terrain for one agent class.

#include <string>

#include "cairn/haa/annotated_map.hpp"
#include "terrain.hpp"

namespace cairn::render {

/// Light where the agent's capability can stand, tinted where its size cannot, dim elsewhere;
/// `shades`: the darker the less clearance there is. Adds what is present to the legend.
[[nodiscard]] Ground agent_ground(const haa::AnnotatedMap& map, haa::Agent agent, bool shades,
                                  const grid::Rect& area, Legend& legend);

/// "ground+trees": the terrains of a capability.
[[nodiscard]] std::string terrains_text(const haa::Capability& capability);

}  // namespace cairn::render

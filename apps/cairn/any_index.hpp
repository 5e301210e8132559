#pragma once
// An index of any kind, in memory or in a file, and the maps that indexes are for.

#include <filesystem>
#include <span>
#include <variant>

#include "cairn/grid/map.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/subgoal/index.hpp"
#include "options/haa.hpp"

namespace cairn::app {

using AnyIndex = std::variant<hpa::Index, subgoal::Index, haa::Index>;
/// HAA*'s indexes are for AgentTerrain, all others for grid::Map.
using AnyMap = std::variant<grid::Map, AgentTerrain>;

/// Errors: as cairn::save.
[[nodiscard]] Status save(const std::filesystem::path& file, const AnyIndex& index);
/// The file's own kind, which `map` must be for. Errors: as cairn::load.
[[nodiscard]] Result<AnyIndex> load_any_index(const std::filesystem::path& file, const AnyMap& map);
/// Errors: as Index::edited.
[[nodiscard]] Result<AnyIndex> edited(const AnyIndex& index,
                                      std::span<const grid::TerrainEdit> edits);

}  // namespace cairn::app

#pragma once
// An index of either kind, in memory or in a file.

#include <filesystem>
#include <span>
#include <variant>

#include "cairn/grid/map.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::app {

using AnyIndex = std::variant<hpa::Index, subgoal::Index>;

[[nodiscard]] const grid::Map& map_of(const AnyIndex& index);

/// Errors: as io::save_index.
[[nodiscard]] Status save(const std::filesystem::path& file, const AnyIndex& index);
/// The file's own kind. Errors: as io::load_index.
[[nodiscard]] Result<AnyIndex> load_any_index(const std::filesystem::path& file,
                                              const grid::Map& map);
/// Errors: as Index::edited.
[[nodiscard]] Result<AnyIndex> edited(const AnyIndex& index,
                                      std::span<const grid::TerrainEdit> edits);

}  // namespace cairn::app

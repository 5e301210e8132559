#include "any_index.hpp"

#include "cairn/index_file.hpp"

namespace cairn::app {
namespace {

template <class Index>
Result<AnyIndex> any(Result<Index> index) {
    if (!index) return tl::unexpected(std::move(index.error()));
    return AnyIndex(std::move(*index));
}

}  // namespace

Status save(const std::filesystem::path& file, const AnyIndex& index) {
    return std::visit([&](const auto& i) { return cairn::save(i, file); }, index);
}

Result<AnyIndex> load_any_index(const std::filesystem::path& file, const AnyMap& map) {
    const auto info = inspect(file);
    if (!info) return tl::unexpected(info.error());
    if (const auto* terrain = std::get_if<AgentTerrain>(&map))
        return any(load<haa::Index>(file, terrain->image));
    const auto& grid_map = std::get<grid::Map>(map);
    return info->kind == "subgoal" ? any(load<subgoal::Index>(file, grid_map))
                                   : any(load<hpa::Index>(file, grid_map));
}

Result<AnyIndex> edited(const AnyIndex& index, std::span<const grid::TerrainEdit> edits) {
    return std::visit([&](const auto& i) { return any(i.edited(edits)); }, index);
}

}  // namespace cairn::app

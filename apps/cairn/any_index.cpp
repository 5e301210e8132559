#include "any_index.hpp"

#include "cairn/index_file/haa_index_file.hpp"
#include "cairn/index_file/hpa_index_file.hpp"
#include "cairn/index_file/index_kind.hpp"
#include "cairn/index_file/subgoal_index_file.hpp"

namespace cairn::app {
namespace {

template <class Index>
Result<AnyIndex> any(Result<Index> index) {
    if (!index) return tl::unexpected(std::move(index.error()));
    return AnyIndex(std::move(*index));
}

}  // namespace

Status save(const std::filesystem::path& file, const AnyIndex& index) {
    return std::visit([&](const auto& i) { return index_file::save_index(file, i); }, index);
}

Result<AnyIndex> load_any_index(const std::filesystem::path& file, const AnyMap& map) {
    const auto kind = index_file::index_kind(file);
    if (!kind) return tl::unexpected(kind.error());
    if (const auto* terrain = std::get_if<AgentTerrain>(&map))
        return any(index_file::load_haa_index(file, &terrain->image));
    const auto& grid_map = std::get<grid::Map>(map);
    return *kind == index_file::IndexKind::subgoal
               ? any(index_file::load_subgoal_index(file, grid_map))
               : any(index_file::load_index(file, grid_map));
}

Result<AnyIndex> edited(const AnyIndex& index, std::span<const grid::TerrainEdit> edits) {
    return std::visit([&](const auto& i) { return any(i.edited(edits)); }, index);
}

}  // namespace cairn::app

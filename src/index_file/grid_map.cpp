#include "index_file/grid_map.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/guarded.hpp"

namespace cairn::index_file {
namespace {

/// The contents of the section map_options.
struct StoredMapOptions {
    std::uint32_t straight;
    std::uint32_t diagonal;
    std::uint32_t neighbourhood;
    std::uint32_t corner;
    std::array<std::uint8_t, 256> weights;
    std::array<std::uint64_t, 256> histogram;  ///< grid::Map::Parts::histogram
};
static_assert(sizeof(StoredMapOptions) == 16 + 256 + 2048);

// Moves and histogram of an untrusted file are not used: the map is made from its terrain.
bool read_held(Frame& file, grid::Map& map) {
    const auto options = file.read<StoredMapOptions>(Section::map_options);
    auto terrain = file.read_array<std::uint8_t>(Section::map_terrain);
    auto moves = file.read_array<std::uint8_t>(Section::map_moves);
    if (!file.ok()) return false;
    if (options.size() != 1) return file.refuse("the options of the map have a wrong size");
    const StoredMapOptions& stored = options.front();
    const IndexFileInfo& info = file.info();
    const std::int64_t cells = std::int64_t{info.width} * info.height;
    if (info.width < 1 || info.height < 1 || terrain.size() != static_cast<std::uint64_t>(cells) ||
        moves.size() != terrain.size())
        return file.refuse("the terrain does not have as many cells as the map");
    if (stored.neighbourhood > static_cast<std::uint32_t>(grid::Neighbourhood::eight) ||
        stored.corner > static_cast<std::uint32_t>(grid::CornerRule::free))
        return file.refuse("the map has unknown rules");
    grid::Map::Parts parts;
    parts.width = info.width;
    parts.height = info.height;
    parts.options = {{static_cast<grid::Neighbourhood>(stored.neighbourhood),
                      static_cast<grid::CornerRule>(stored.corner)},
                     {stored.straight, stored.diagonal},
                     {stored.weights}};
    parts.terrain = std::move(terrain);
    if (!file.trusted()) {
        auto made = grid::Map::create(parts.width, parts.height, parts.terrain, parts.options);
        if (!made) return file.refuse_contents(made.error());
        map = std::move(*made);
        return file.check_map(map);
    }
    parts.moves = std::move(moves);
    parts.histogram = stored.histogram;
    auto made = grid::Map::of_parts(std::move(parts));
    if (!made) return file.refuse_contents(made.error());
    map = std::move(*made);
    return true;
}

}  // namespace

void write_map(const grid::Map& map, FrameWriter& out) {
    const grid::Map::Parts parts = map.parts();
    const auto& [rules, costs, weights] = parts.options;
    out.keep(Section::map_options,
             std::vector<StoredMapOptions>{
                 {costs.straight, costs.diagonal, static_cast<std::uint32_t>(rules.neighbourhood),
                  static_cast<std::uint32_t>(rules.corner), weights.weight, parts.histogram}});
    out.keep(Section::map_terrain, parts.terrain);
    out.keep(Section::map_moves, parts.moves);
}

bool read_map(Frame& file, const grid::Map* given, grid::Map& map) {
    if (given == nullptr) return read_held(file, map);
    map = *given;
    return file.check_map(map) && file.pass_over(Section::map_options) &&
           file.pass_over(Section::map_terrain) && file.pass_over(Section::map_moves);
}

}  // namespace cairn::index_file

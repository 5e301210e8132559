#pragma once
// The tile of a layer of a tile cache, as dtTileCache::buildNavMeshTile makes it.
//
// Detour's functions for layers trust their data, and are not safe even for layers that Recast
// makes: they write beyond a region's list of 16 neighbours, and beyond arrays on the stack when
// they remove a vertex where many polygons meet. Here they get memory with room behind each
// allocation, and only vertices that can be removed within those arrays.

#include <DetourAlloc.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "cairn/detour/tile_set.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

/// Zeroed memory for Detour's functions for layers, which do not check that they got it: throws
/// bad_alloc. `reset` frees all of it.
class LayerMemory : public dtTileCacheAlloc {
public:
    void reset() override { blocks_.clear(); }
    void* alloc(std::size_t size) override;
    void free(void* /*memory*/) override {}

private:
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

/// Frees Detour's memory.
struct FreeDetourMemory {
    void operator()(unsigned char* memory) const noexcept { dtFree(memory); }
};

/// Makes tiles of layers.
class LayerMesher {
public:
    /// Both must outlive this object. Valid parameters only: see check_cache_params.
    LayerMesher(const dtTileCacheParams& params, const TileCacheOptions& options)
        : params_(params), options_(options) {}

    /// The bytes of a tile, empty if nobody can walk on the layer. Valid until the next call.
    /// Errors, without names: corrupt_file; wrong_version; too_large (a limit of Detour, or more
    /// than `steps_left` steps, from which those taken are subtracted). Throws bad_alloc.
    Result<std::string_view> tile_of(std::string_view layer, std::uint64_t& steps_left);

private:
    Status decompress(std::string_view compressed);
    [[nodiscard]] Status check_connections() const;
    Status build_contours();
    Status build_polygons(std::uint64_t& steps_left);
    Status make_mesh(std::uint64_t& steps_left);
    Result<std::string_view> make_tile();
    [[nodiscard]] int climb() const noexcept;

    const dtTileCacheParams& params_;
    const TileCacheOptions& options_;
    dtTileCacheLayerHeader header_{};
    LayerMemory memory_;       // of the layer and its contours
    LayerMemory mesh_memory_;  // of the mesh
    dtTileCacheLayer layer_{};
    dtTileCacheContourSet* contours_ = nullptr;
    dtTileCachePolyMesh* mesh_ = nullptr;
    std::uint64_t mesh_steps_ = 0;  // to make the mesh: cubes of the corners of contours
    std::unique_ptr<unsigned char, FreeDetourMemory> tile_;
};

/// Errors: corrupt_file.
[[nodiscard]] Status check_cache_params(const dtTileCacheParams& params);

}  // namespace cairn::detour

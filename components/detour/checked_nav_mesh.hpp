#pragma once
// A dtNavMesh from tiles that nobody has checked.

#include <DetourNavMesh.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "cairn/detour/nav_mesh.hpp"
#include "cairn/status.hpp"
#include "detour/tile_checker.hpp"

namespace cairn::detour {

/// Whether references have the bits for the tiles and polygons that there is room for.
[[nodiscard]] bool can_be_named(const dtNavMeshParams& params) noexcept;
/// The most maxTiles for a file of so many tiles: Detour allocates them all at once.
[[nodiscard]] std::int64_t most_tiles(int tiles) noexcept;

/// Checks tiles and adds them to a dtNavMesh. Messages name neither the file nor the tile.
class CheckedNavMesh {
public:
    /// `file_size`: in bytes. Detour's work for the tiles may grow with it.
    explicit CheckedNavMesh(std::size_t file_size) : file_size_(file_size) {}

    /// Begins the mesh of a file of so many tiles. Errors: corrupt_file; too_large. Throws
    /// bad_alloc.
    Status start(const dtNavMeshParams& params, int tiles);
    /// Adds a tile with that reference, which must be checked; 0: Detour chooses one. `link_size`:
    /// as in TileLayout. Errors: those of TileChecker; corrupt_file; too_large. Throws bad_alloc.
    Status add(dtTileRef ref, std::string_view bytes, std::size_t link_size);
    /// corrupt_file if the mesh cannot have a tile of that reference.
    [[nodiscard]] Status check_ref(dtTileRef ref) const;
    /// The mesh, which has then left this object.
    [[nodiscard]] NavMesh take() noexcept { return std::move(nav_mesh_); }

private:
    Status check_work(const dtMeshHeader& tile, const TileWork& work);

    std::uint64_t file_size_;
    NavMesh nav_mesh_;
    std::map<std::pair<int, int>, TileWork> work_of_;  // of all layers at a position
    std::uint64_t work_done_ = 0;                      // pairs of edges compared
};

}  // namespace cairn::detour

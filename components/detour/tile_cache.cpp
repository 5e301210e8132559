// Reads the sets of tile caches.

#include <DetourTileCache.h>

#include "detour/checked_nav_mesh.hpp"
#include "detour/layer_mesh.hpp"
#include "detour/set_reader.hpp"

namespace cairn::detour {
namespace {

// The most steps for the layers' meshes: kFreeSteps, and kStepsPerByte more for each byte of the
// file. Real layers need 1 to 30 per byte.
constexpr std::uint64_t kFreeSteps = std::uint64_t{1} << 28;
constexpr std::uint64_t kStepsPerByte = 1'024;

/// What comes after magic and version.
struct CacheHeader {
    std::int32_t layers = 0;
    dtNavMeshParams mesh{};
    dtTileCacheParams cache{};
};

struct LayerHeader {
    dtCompressedTileRef ref = 0;
    std::int32_t size = 0;
};

/// Reads a set after its magic and version.
class TileCacheParser {
public:
    TileCacheParser(const SetReader& file, const TileCacheOptions& options)
        : file_(file),
          steps_left_(kFreeSteps + kStepsPerByte * file.unread.size()),
          nav_mesh_(file.unread.size()),
          mesher_(header_.cache, options) {}

    Result<NavMesh> parse() {
        if (!file_.take(header_)) {
            return tl::unexpected(
                file_.refuse(StatusCode::corrupt_file, "too short for a tile cache"));
        }
        Status s = check_cache_params(header_.cache);
        if (s.ok()) s = nav_mesh_.start(header_.mesh, header_.layers);
        s = s.ok() ? file_.for_each_tile(header_.layers, [&] { return layer(); }) : file_.refuse(s);
        if (!s.ok()) return tl::unexpected(std::move(s));
        return nav_mesh_.take();
    }

private:
    Status layer() {
        LayerHeader head;
        if (!file_.take(head)) return corrupt("the file ends before it");
        std::string_view bytes;
        if (Status s = file_.take_bytes(head.size, bytes); !s.ok()) return s;
        const auto tile = mesher_.tile_of(bytes, steps_left_);
        if (!tile) return tile.error();
        return tile->empty() ? Status() : nav_mesh_.add(0, *tile, sizeof(dtLink));
    }

    SetReader file_;
    CacheHeader header_;
    std::uint64_t steps_left_;
    CheckedNavMesh nav_mesh_;
    LayerMesher mesher_;
};

}  // namespace

Result<NavMesh> parse_tile_cache(SetReader file, const TileCacheOptions& options) {
    return TileCacheParser(file, options).parse();
}

}  // namespace cairn::detour

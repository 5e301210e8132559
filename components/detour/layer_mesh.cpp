#include "detour/layer_mesh.hpp"

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <new>
#include <span>
#include <utility>

#include "detour/detour_mesh.hpp"
#include "detour/fastlz.hpp"
#include "detour/tile_checker.hpp"

namespace cairn::detour {
namespace {

// More than 256 regions of 28 bytes: where a region has more than 16 neighbours, Detour reads and
// writes as far as that behind the last one.
constexpr std::size_t kRoomBehind = 16 << 10;
// Detour walks around a region for as many steps as the layer has cells, and divides by the number
// of corners that it has met; the first two steps meet one each.
constexpr std::size_t kLeastCells = 2;
// The most triangles of a layer: Detour numbers their edges with 16 bits.
constexpr int kMostTriangles = 0xffff / 3;
// Detour's arrays for a vertex that it removes have room for so many edges at it, and for so many
// around the hole, where one more corner than edges may arise.
constexpr std::size_t kMostEdgesAtVertex = 16;
constexpr std::size_t kMostEdgesAround = 35;
constexpr unsigned char kRemove = 0x80;  // the mark of a corner that need not stay

/// RecastDemo's areas and flags.
void set_areas_and_flags(std::span<unsigned char> areas, std::uint16_t* flags) {
    constexpr unsigned char kWater = 1;
    constexpr unsigned char kDoor = 3;
    for (std::size_t p = 0; p < areas.size(); ++p) {
        if (areas[p] == DT_TILECACHE_WALKABLE_AREA) areas[p] = 0;
        flags[p] = areas[p] == kWater ? 2 : areas[p] == kDoor ? 5 : 1;
    }
}

std::span<const std::uint16_t> corners_of(const dtTileCachePolyMesh& mesh, int polygon) {
    const std::span<const std::uint16_t> all(
        &mesh.polys[std::size_t{2} * DT_VERTS_PER_POLYGON * static_cast<std::size_t>(polygon)],
        DT_VERTS_PER_POLYGON);
    return {all.begin(), std::find(all.begin(), all.end(), DT_TILECACHE_NULL_IDX)};
}

/// Whether Detour can remove a vertex: its arrays suffice, and the edges around the hole are one
/// chain or ring.
bool can_be_removed(const dtTileCachePolyMesh& mesh, std::uint16_t vertex) {
    std::vector<std::uint16_t> neighbours;
    std::map<std::uint16_t, std::uint16_t> around;  // the end of each edge around the hole
    std::vector<std::uint16_t> ends;
    for (int p = 0; p < mesh.npolys; ++p) {
        const auto corners = corners_of(mesh, p);
        const auto uses = std::count(corners.begin(), corners.end(), vertex);
        if (uses == 0) continue;
        if (uses > 1) return false;
        for (std::size_t c = 0; c < corners.size(); ++c) {
            const std::uint16_t from = corners[c];
            const std::uint16_t to = corners[(c + 1) % corners.size()];
            if (from == vertex || to == vertex) {
                neighbours.push_back(from == vertex ? to : from);
            } else {
                if (!around.emplace(from, to).second) return false;
                ends.push_back(to);
            }
        }
    }
    std::sort(neighbours.begin(), neighbours.end());
    std::sort(ends.begin(), ends.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    if (around.empty() || std::adjacent_find(ends.begin(), ends.end()) != ends.end() ||
        neighbours.size() > kMostEdgesAtVertex || around.size() > kMostEdgesAround)
        return false;
    // Follow the chain from the edge before which there is none, if there is one.
    auto at = std::find_if(around.begin(), around.end(), [&](const auto& edge) {
        return !std::binary_search(ends.begin(), ends.end(), edge.first);
    });
    if (at == around.end()) at = around.begin();
    std::size_t length = 0;
    for (; at != around.end() && length < around.size(); ++length) at = around.find(at->second);
    return length == around.size();
}

/// The marks to remove a vertex, by the vertex's number in the mesh that dtBuildTileCachePolyMesh
/// makes of contours: corners at one place, at most 2 apart in height, are one vertex.
std::vector<std::vector<unsigned char*>> marks_of(const dtTileCacheContourSet& contours) {
    struct Vertex {
        int height = 0;
        std::size_t number = 0;
    };
    std::map<std::pair<int, int>, std::vector<Vertex>> vertices;  // by place
    std::vector<std::vector<unsigned char*>> marks;
    for (int i = 0; i < contours.nconts; ++i) {
        const dtTileCacheContour& contour = contours.conts[i];
        if (contour.nverts < 3) continue;
        for (int c = 0; c < contour.nverts; ++c) {
            unsigned char* const corner = &contour.verts[std::ptrdiff_t{4} * c];
            std::vector<Vertex>& here = vertices[{corner[0], corner[2]}];
            const auto found = std::find_if(here.rbegin(), here.rend(), [&](const Vertex& v) {
                return std::abs(v.height - int{corner[1]}) <= 2;
            });
            const std::size_t number = found == here.rend() ? marks.size() : found->number;
            if (found == here.rend()) {
                here.push_back({corner[1], number});
                marks.emplace_back();
            }
            if ((corner[3] & kRemove) != 0) marks[number].push_back(&corner[3]);
        }
    }
    return marks;
}

}  // namespace

void* LayerMemory::alloc(std::size_t size) {
    return blocks_.emplace_back(std::make_unique<std::byte[]>(size + kRoomBehind)).get();
}

Status check_cache_params(const dtTileCacheParams& params) {
    const auto side = [](float length) { return usable(&length, 1) && length >= 1e-3F; };
    if (!side(params.cs) || !side(params.ch))
        return corrupt("a cell's side and height must be 0.001 to 1e7");
    for (const float length : {params.walkableHeight, params.walkableRadius, params.walkableClimb,
                               params.maxSimplificationError}) {
        if (!usable(&length, 1) || length < 0)
            return corrupt(
                "an agent's height, radius or climb, or the greatest error of "
                "edges, is negative or not finite");
    }
    return {};
}

Result<std::string_view> LayerMesher::tile_of(std::string_view layer, std::uint64_t& steps_left) {
    memory_.reset();
    mesh_memory_.reset();
    tile_.reset();
    Status s = decompress(layer);
    if (s.ok()) s = check_connections();
    if (s.ok()) s = build_contours();
    if (s.ok()) s = build_polygons(steps_left);
    if (!s.ok()) return tl::unexpected(std::move(s));
    if (mesh_->npolys == 0) return std::string_view();
    return make_tile();
}

Status LayerMesher::decompress(std::string_view compressed) {
    constexpr std::size_t kHeaderSize = (sizeof(dtTileCacheLayerHeader) + 3) / 4 * 4;
    if (compressed.size() <= kHeaderSize)
        return corrupt(fmt::format("{} bytes are too few for a layer", compressed.size()));
    std::memcpy(&header_, compressed.data(), sizeof(header_));
    compressed.remove_prefix(kHeaderSize);
    if (header_.magic != DT_TILECACHE_MAGIC) return corrupt("it does not begin with 'DTLR'");
    if (header_.version != DT_TILECACHE_VERSION) {
        return {StatusCode::wrong_version,
                fmt::format("version {}: only {} is known", header_.version, DT_TILECACHE_VERSION)};
    }
    const std::size_t cells = std::size_t{header_.width} * header_.height;
    if (cells < kLeastCells)
        return corrupt(fmt::format("{} x {} cells", header_.width, header_.height));
    auto* const grids = static_cast<unsigned char*>(memory_.alloc(4 * cells));
    const std::span<unsigned char> out(grids, 3 * cells);
    std::size_t size = 0;
    if (options_.compressor == nullptr) {
        size = decode_fastlz(compressed, out);
    } else {
        int written = 0;
        const auto* const in = reinterpret_cast<const unsigned char*>(compressed.data());
        const dtStatus done = options_.compressor->decompress(
            in, static_cast<int>(compressed.size()), grids, static_cast<int>(out.size()), &written);
        if (dtStatusSucceed(done)) size = static_cast<std::size_t>(written);
    }
    if (size != out.size()) {
        return corrupt(fmt::format("its {} x {} cells cannot be decompressed{}", header_.width,
                                   header_.height,
                                   options_.compressor == nullptr ? " by FastLZ" : ""));
    }
    layer_ = {&header_, 0, grids, grids + cells, grids + 2 * cells, grids + 3 * cells};
    return {};
}

// Detour walks to where connections lead.
Status LayerMesher::check_connections() const {
    for (int y = 0; y < header_.height; ++y) {
        for (int x = 0; x < header_.width; ++x) {
            // The directions beyond the border: x - 1, y + 1, x + 1, y - 1.
            const unsigned beyond = (x == 0 ? 1U : 0) | (y + 1 == header_.height ? 2U : 0) |
                                    (x + 1 == header_.width ? 4U : 0) | (y == 0 ? 8U : 0);
            if ((layer_.cons[x + y * header_.width] & beyond) == 0) continue;
            return corrupt(fmt::format("the cell {}, {} is connected beyond its cells", x, y));
        }
    }
    return {};
}

int LayerMesher::climb() const noexcept {
    // Heights are 0 to 255.
    return static_cast<int>(std::min(params_.walkableClimb / params_.ch, 255.0F));
}

Status LayerMesher::build_contours() {
    contours_ = dtAllocTileCacheContourSet(&memory_);
    if (dtStatusFailed(dtBuildTileCacheRegions(&memory_, layer_, climb())))
        return {StatusCode::too_large, "more than 255 regions"};
    if (dtStatusFailed(dtBuildTileCacheContours(&memory_, layer_, climb(),
                                                params_.maxSimplificationError, *contours_)))
        return {StatusCode::too_large, "a region with too many corners"};
    return {};
}

Status LayerMesher::make_mesh(std::uint64_t& steps_left) {
    if (mesh_steps_ > steps_left)
        return {StatusCode::too_large, "too many corners of its regions and of those before"};
    steps_left -= mesh_steps_;
    mesh_memory_.reset();
    mesh_ = dtAllocTileCachePolyMesh(&mesh_memory_);
    if (dtStatusSucceed(dtBuildTileCachePolyMesh(&mesh_memory_, *contours_, *mesh_))) return {};
    return {StatusCode::too_large, "more polygons than Detour can build"};
}

// Makes the mesh without removing vertices, and then again and again with one more vertex to
// remove, in Detour's order. So it is known which polygons meet at the next one.
Status LayerMesher::build_polygons(std::uint64_t& steps_left) {
    int triangles = 0;
    mesh_steps_ = 0;
    for (int i = 0; i < contours_->nconts; ++i) {
        const int corners = contours_->conts[i].nverts;
        if (corners < 3) continue;
        triangles += corners - 2;
        const auto n = static_cast<std::uint64_t>(corners);
        mesh_steps_ += n * n * n;
    }
    if (triangles > kMostTriangles) return {StatusCode::too_large, "too many corners of regions"};
    const auto marks = marks_of(*contours_);
    for (const auto& of_vertex : marks) {
        for (unsigned char* const mark : of_vertex) *mark &= static_cast<unsigned char>(~kRemove);
    }
    Status s = make_mesh(steps_left);
    std::size_t removed = 0;
    for (std::size_t v = 0; s.ok() && v < marks.size(); ++v) {
        if (marks[v].empty() || !can_be_removed(*mesh_, static_cast<std::uint16_t>(v - removed)))
            continue;
        for (unsigned char* const mark : marks[v]) *mark |= kRemove;
        const int before = mesh_->nverts;
        s = make_mesh(steps_left);
        removed += static_cast<std::size_t>(before - mesh_->nverts);
    }
    return s;
}

Result<std::string_view> LayerMesher::make_tile() {
    dtNavMeshCreateParams params{};
    params.verts = mesh_->verts;
    params.vertCount = mesh_->nverts;
    params.polys = mesh_->polys;
    params.polyAreas = mesh_->areas;
    params.polyFlags = mesh_->flags;
    params.polyCount = mesh_->npolys;
    params.nvp = DT_VERTS_PER_POLYGON;
    params.walkableHeight = params_.walkableHeight;
    params.walkableRadius = params_.walkableRadius;
    params.walkableClimb = params_.walkableClimb;
    params.tileX = header_.tx;
    params.tileY = header_.ty;
    params.tileLayer = header_.tlayer;
    params.cs = params_.cs;
    params.ch = params_.ch;
    std::copy_n(header_.bmin, 3, params.bmin);
    std::copy_n(header_.bmax, 3, params.bmax);
    if (options_.process != nullptr) {
        options_.process->process(&params, mesh_->areas, mesh_->flags);
    } else {
        set_areas_and_flags({mesh_->areas, static_cast<std::size_t>(mesh_->npolys)}, mesh_->flags);
    }
    unsigned char* bytes = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&params, &bytes, &size)) throw std::bad_alloc();
    tile_.reset(bytes);
    return std::string_view(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

}  // namespace cairn::detour

#include "cairn/detour/recast_builder.hpp"

#include <DetourAlloc.h>
#include <DetourNavMeshBuilder.h>
#include <fmt/format.h>
#include <Recast.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "detour/detour_mesh.hpp"

namespace cairn::detour {
namespace {

constexpr double kMostCells = 1 << 25;  // of a mesh in one piece
constexpr double kMostTiles = 1 << 20;
constexpr double kMostAlong = 1 << 24;  // cells along a side
constexpr double kMostHigh = RC_SPAN_MAX_HEIGHT;
constexpr int kMostSpans = 1 << 24;  // rcCompactCell numbers them with 24 bits
constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 28;  // of a triangle and a tile
constexpr int kMostVertices = 0xffff;                         // of a tile
constexpr int kReferenceBits = 22;  // for tiles and polygons; the other bits are salt
constexpr int kUsualTileBits = 14;  // RecastDemo's maximum
constexpr int kTriangleCorners = 3;
// RecastDemo's area and flag of walkable ground.
constexpr unsigned char kGroundArea = 0;
constexpr std::uint16_t kWalkFlag = 1;

struct Range {
    const char* name;
    float value;
    float low;
    float high;
};

int bits_for(std::size_t count) {
    return count <= 1 ? 0 : static_cast<int>(std::bit_width(count - 1));
}

Status check_options(const RecastOptions& o) {
    constexpr float kLong = 1e6F;
    const std::array<Range, 12> ranges{
        {{"cell_size", o.cell_size, 1e-3F, 1e3F},
         {"cell_height", o.cell_height, 1e-3F, 1e3F},
         {"agent_height", o.agent_height, 0, kLong},
         {"agent_radius", o.agent_radius, 0, 127 * o.cell_size},
         {"agent_climb", o.agent_climb, 0, kLong},
         {"agent_slope", o.agent_slope, 0, 89},
         {"region_min_size", o.region_min_size, 0, 1e4F},
         {"region_merge_size", o.region_merge_size, 0, 1e4F},
         {"edge_max_length", o.edge_max_length, 0, kLong},
         {"edge_max_error", o.edge_max_error, 0, kLong},
         {"detail_sample_distance", o.detail_sample_distance, 0, kLong},
         {"detail_max_error", o.detail_max_error, 0, kLong}}};
    for (const Range& range : ranges) {
        if (range.value >= range.low && range.value <= range.high) continue;
        return {StatusCode::bad_option, fmt::format("{} {}: must be {} to {}", range.name,
                                                    range.value, range.low, range.high)};
    }
    if (o.corners < 3 || o.corners > DT_VERTS_PER_POLYGON)
        return {StatusCode::bad_option, fmt::format("corners {}: must be 3 to 6", o.corners)};
    if (o.tile_size != 0 && (o.tile_size < 16 || o.tile_size > 1024)) {
        return {StatusCode::bad_option,
                fmt::format("tile_size {}: must be 0 (one piece) or 16 to 1,024", o.tile_size)};
    }
    return {};
}

Status check_triangles(const Triangles& triangles) {
    if (triangles.corners.size() % kTriangleCorners != 0)
        return {StatusCode::bad_option, "the last triangle has not three corners"};
    if (triangles.size() > std::size_t{1} << 26 || triangles.vertices.size() > std::size_t{1} << 28)
        return {StatusCode::too_large, "more than 2^26 triangles or 2^28 vertices"};
    for (std::size_t v = 0; v < triangles.vertices.size(); ++v) {
        const auto& [x, y, z] = triangles.vertices[v];
        const std::array<float, 3> point{x, y, z};
        if (usable(point.data(), 3)) continue;
        return {StatusCode::bad_option,
                fmt::format("vertex {} is not finite or lies beyond 1e7", v)};
    }
    for (std::size_t c = 0; c < triangles.corners.size(); ++c) {
        if (triangles.corners[c] < triangles.vertices.size()) continue;
        return {StatusCode::bad_option, fmt::format("triangle {}: there is no vertex {}",
                                                    c / kTriangleCorners, triangles.corners[c])};
    }
    return {};
}

template <class T, auto Free>
struct Freer {
    void operator()(T* object) const noexcept { Free(object); }
};
/// What a function of Recast or Detour allocated. Throws bad_alloc if that is null.
template <class T>
T* allocated(T* object) {
    if (object == nullptr) throw std::bad_alloc();
    return object;
}

template <class T, auto Free>
using Owned = std::unique_ptr<T, Freer<T, Free>>;

/// The bytes made by dtCreateNavMeshData; none where there is no walkable ground.
struct TileBytes {
    Owned<unsigned char, dtFree> bytes;
    int size = 0;
};

/// Geometry as Recast takes it: three coordinates per vertex, three vertex numbers per triangle.
struct RecastGeometry {
    std::span<const float> vertices;
    std::span<const int> corners;
};

/// The position of a tile in the grid of tiles.
struct TilePlace {
    int x = 0;
    int y = 0;
};

int square(float side) { return static_cast<int>(side * side); }

/// Valid options in Recast's units, computed as in RecastDemo; without bounds and sizes.
rcConfig recast_config(const RecastOptions& options) noexcept {
    rcConfig config{};
    config.cs = options.cell_size;
    config.ch = options.cell_height;
    config.walkableSlopeAngle = options.agent_slope;
    config.walkableHeight = static_cast<int>(std::ceil(options.agent_height / config.ch));
    config.walkableClimb = static_cast<int>(std::floor(options.agent_climb / config.ch));
    config.walkableRadius = static_cast<int>(std::ceil(options.agent_radius / config.cs));
    config.maxEdgeLen = static_cast<int>(options.edge_max_length / config.cs);
    config.maxSimplificationError = options.edge_max_error;
    config.minRegionArea = square(options.region_min_size);
    config.mergeRegionArea = square(options.region_merge_size);
    config.maxVertsPerPoly = options.corners;
    config.detailSampleDist =
        options.detail_sample_distance < 0.9F ? 0 : config.cs * options.detail_sample_distance;
    config.detailSampleMaxError = config.ch * options.detail_max_error;
    return config;
}

/// Recast's functions say only whether they succeeded. If not, memory ran out, unless the log
/// speaks of a limit of Recast's.
class RecastLog : public rcContext {
public:
    [[nodiscard]] bool limit_reached() const noexcept { return limit_reached_; }

protected:
    void doLog(const rcLogCategory /*category*/, const char* message, const int length) override {
        const std::string_view text(message, static_cast<std::size_t>(std::max(length, 0)));
        for (const std::string_view word : {"oo many", "overflow"})
            limit_reached_ = limit_reached_ || text.find(word) != std::string_view::npos;
    }

private:
    bool limit_reached_ = false;
};

/// One run of Recast's pipeline: triangles to the bytes of one tile.
class TilePipeline {
public:
    TilePipeline(const RecastGeometry& geometry, const rcConfig& config,
                 const RecastOptions& options)
        : geometry_(geometry), config_(config), options_(options) {}

    /// Makes a tile; the configuration must have its bounds and sizes. After each step calls
    /// go_on(share done), and stops if that returns false. Errors: cancelled; too_large;
    /// out_of_memory.
    Result<TileBytes> run(const TilePlace& place, const std::function<bool(double)>& go_on) {
        struct Step {
            bool (TilePipeline::*make)();
            double done;
        };
        constexpr std::array<Step, 5> kSteps{{{&TilePipeline::rasterize, 0.25},
                                              {&TilePipeline::compact, 0.4},
                                              {&TilePipeline::partition, 0.7},
                                              {&TilePipeline::trace, 0.75},
                                              {&TilePipeline::polygonize, 0.95}}};
        for (const Step& step : kSteps) {
            if (!(this->*step.make)()) {
                if (!log_.limit_reached() && !too_many_spans_ && !too_many_vertices())
                    return out_of_memory();
                return fail(StatusCode::too_large, "more cells or polygons than Recast can build");
            }
            if (!go_on(step.done)) return fail(StatusCode::cancelled);
        }
        return bytes(place);
    }

private:
    int num_triangles() const {
        return static_cast<int>(geometry_.corners.size() / kTriangleCorners);
    }

    bool rasterize() {
        field_.reset(allocated(rcAllocHeightfield()));
        if (!rcCreateHeightfield(&log_, *field_, config_.width, config_.height, config_.bmin,
                                 config_.bmax, config_.cs, config_.ch))
            return false;
        const auto vertices = static_cast<int>(geometry_.vertices.size() / 3);
        std::vector<unsigned char> areas(static_cast<std::size_t>(num_triangles()), RC_NULL_AREA);
        rcMarkWalkableTriangles(&log_, config_.walkableSlopeAngle, geometry_.vertices.data(),
                                vertices, geometry_.corners.data(), num_triangles(), areas.data());
        if (!rcRasterizeTriangles(&log_, geometry_.vertices.data(), vertices,
                                  geometry_.corners.data(), areas.data(), num_triangles(), *field_,
                                  config_.walkableClimb))
            return false;
        rcFilterLowHangingWalkableObstacles(&log_, config_.walkableClimb, *field_);
        rcFilterLedgeSpans(&log_, config_.walkableHeight, config_.walkableClimb, *field_);
        rcFilterWalkableLowHeightSpans(&log_, config_.walkableHeight, *field_);
        return true;
    }

    bool compact() {
        too_many_spans_ = rcGetHeightFieldSpanCount(&log_, *field_) > kMostSpans;
        if (too_many_spans_) return false;
        compact_.reset(allocated(rcAllocCompactHeightfield()));
        const bool made = rcBuildCompactHeightfield(&log_, config_.walkableHeight,
                                                    config_.walkableClimb, *field_, *compact_);
        field_.reset();
        return made && rcErodeWalkableArea(&log_, config_.walkableRadius, *compact_);
    }

    bool partition() {
        return rcBuildDistanceField(&log_, *compact_) &&
               rcBuildRegions(&log_, *compact_, config_.borderSize, config_.minRegionArea,
                              config_.mergeRegionArea);
    }

    bool trace() {
        contours_.reset(allocated(rcAllocContourSet()));
        return rcBuildContours(&log_, *compact_, config_.maxSimplificationError, config_.maxEdgeLen,
                               *contours_);
    }

    /// Whether the mesh has more vertices than a tile of Detour's can hold.
    bool too_many_vertices() const { return mesh_ != nullptr && mesh_->nverts >= kMostVertices; }

    bool polygonize() {
        if (contours_->nconts == 0) return true;
        mesh_.reset(allocated(rcAllocPolyMesh()));
        details_.reset(allocated(rcAllocPolyMeshDetail()));
        return rcBuildPolyMesh(&log_, *contours_, config_.maxVertsPerPoly, *mesh_) &&
               !too_many_vertices() &&
               rcBuildPolyMeshDetail(&log_, *mesh_, *compact_, config_.detailSampleDist,
                                     config_.detailSampleMaxError, *details_);
    }

    Result<TileBytes> bytes(const TilePlace& place) {
        if (mesh_ == nullptr || mesh_->npolys == 0) return TileBytes{};
        for (int p = 0; p < mesh_->npolys; ++p) {
            if (mesh_->areas[p] == RC_WALKABLE_AREA) mesh_->areas[p] = kGroundArea;
            mesh_->flags[p] = kWalkFlag;
        }
        dtNavMeshCreateParams params = create_params();
        params.tileX = place.x;
        params.tileY = place.y;
        unsigned char* made = nullptr;
        TileBytes tile;
        // Nothing but memory is left to fail: polygonize() made no more than Detour can hold.
        if (!dtCreateNavMeshData(&params, &made, &tile.size)) return out_of_memory();
        tile.bytes.reset(made);
        return tile;
    }

    dtNavMeshCreateParams create_params() const {
        dtNavMeshCreateParams params{};
        params.verts = mesh_->verts;
        params.vertCount = mesh_->nverts;
        params.polys = mesh_->polys;
        params.polyAreas = mesh_->areas;
        params.polyFlags = mesh_->flags;
        params.polyCount = mesh_->npolys;
        params.nvp = mesh_->nvp;
        params.detailMeshes = details_->meshes;
        params.detailVerts = details_->verts;
        params.detailVertsCount = details_->nverts;
        params.detailTris = details_->tris;
        params.detailTriCount = details_->ntris;
        params.walkableHeight = options_.agent_height;
        params.walkableRadius = options_.agent_radius;
        params.walkableClimb = options_.agent_climb;
        std::copy_n(mesh_->bmin, 3, params.bmin);
        std::copy_n(mesh_->bmax, 3, params.bmax);
        params.cs = config_.cs;
        params.ch = config_.ch;
        params.buildBvTree = true;
        return params;
    }

    RecastGeometry geometry_;
    const rcConfig& config_;
    const RecastOptions& options_;
    RecastLog log_;
    bool too_many_spans_ = false;
    Owned<rcHeightfield, rcFreeHeightField> field_;
    Owned<rcCompactHeightfield, rcFreeCompactHeightfield> compact_;
    Owned<rcContourSet, rcFreeContourSet> contours_;
    Owned<rcPolyMesh, rcFreePolyMesh> mesh_;
    Owned<rcPolyMeshDetail, rcFreePolyMeshDetail> details_;
};

/// A grid of square tiles, in units of the geometry. A triangle touches a tile if its bounding
/// rectangle meets the tile or the border around it.
struct TileGrid {
    float x = 0;  ///< of the least corner
    float z = 0;
    int columns = 0;
    int rows = 0;
    float side = 1;
    float border = 0;
};

/// Triangles by the tiles they touch, seen from above.
class TriangleBuckets {
public:
    TriangleBuckets(std::span<const float> vertices, std::span<const int> corners,
                    const TileGrid& grid)
        : vertices_(vertices), corners_(corners), grid_(grid) {}

    /// Errors: too_large (more than 2^28 pairs of a triangle and a tile).
    Status sort() {
        const auto tiles =
            static_cast<std::size_t>(grid_.columns) * static_cast<std::size_t>(grid_.rows);
        first_.assign(tiles + 1, 0);
        std::uint64_t pairs = 0;
        for (std::size_t t = 0; t < corners_.size() / kTriangleCorners; ++t) {
            for_each_tile(t, [&](std::size_t tile) {
                ++first_[tile + 1];
                ++pairs;
            });
            if (pairs > kMostPairs) {
                return {StatusCode::too_large,
                        "triangles that each touch very many tiles: use larger tiles"};
            }
        }
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        triangles_.resize(pairs);
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t t = 0; t < corners_.size() / kTriangleCorners; ++t) {
            for_each_tile(t, [&](std::size_t tile) {
                triangles_[next[tile]++] = static_cast<std::uint32_t>(t);
            });
        }
        return {};
    }

    /// The triangles that touch a tile, ascending. Tiles are numbered row by row, along x.
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t tile) const noexcept {
        return {triangles_.data() + first_[tile], first_[tile + 1] - first_[tile]};
    }

private:
    struct Interval {
        int first = 0;
        int last = -1;  // inclusive
    };

    /// The columns (`axis` 0: x) or rows (2: z) of the tiles that a triangle touches.
    Interval along(std::size_t triangle, std::size_t axis) const {
        const bool x = axis == 0;
        const double origin = x ? double{grid_.x} : double{grid_.z};
        const int count = x ? grid_.columns : grid_.rows;
        const auto at = [&](std::size_t corner) {
            const int vertex = corners_[kTriangleCorners * triangle + corner];
            return double{vertices_[3 * static_cast<std::size_t>(vertex) + axis]};
        };
        const auto [low, high] = std::minmax({at(0), at(1), at(2)});
        const auto tile = [&](double value) {
            const double place = std::floor((value - origin) / double{grid_.side});
            return static_cast<int>(std::clamp(place, -1.0, static_cast<double>(count)));
        };
        return {std::max(tile(low - double{grid_.border}), 0),
                std::min(tile(high + double{grid_.border}), count - 1)};
    }

    /// Calls use(tile) for all tiles that a triangle touches.
    template <class Use>
    void for_each_tile(std::size_t triangle, const Use& use) const {
        const Interval columns = along(triangle, 0);
        const Interval rows = along(triangle, 2);
        for (int row = rows.first; row <= rows.last; ++row) {
            for (int column = columns.first; column <= columns.last; ++column) {
                use(static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.columns) +
                    static_cast<std::size_t>(column));
            }
        }
    }

    std::span<const float> vertices_;
    std::span<const int> corners_;
    TileGrid grid_;
    std::vector<std::uint32_t> first_;  // per tile, and one more
    std::vector<std::uint32_t> triangles_;
};

class Builder {
public:
    Builder(const Triangles& triangles, const RecastOptions& options, const BuildControl& control)
        : options_(options), control_(control), config_(recast_config(options)) {
        vertices_.reserve(3 * triangles.vertices.size());
        for (const mesh::Point& p : triangles.vertices)
            vertices_.insert(vertices_.end(), {p.x, p.y, p.z});
        corners_.assign(triangles.corners.begin(), triangles.corners.end());
    }

    Result<NavMesh> build() {
        if (!corners_.empty()) {
            rcCalcBounds(vertices_.data(), static_cast<int>(vertices_.size() / 3), config_.bmin,
                         config_.bmax);
        }
        if (Status s = check_extent(); !s.ok()) return tl::unexpected(std::move(s));
        rcCalcGridSize(config_.bmin, config_.bmax, config_.cs, &config_.width, &config_.height);
        return options_.tile_size == 0 ? in_one_piece() : in_tiles();
    }

private:
    /// What Detour's failure means: too_large, with a message, or out_of_memory.
    static tl::unexpected<Status> failed(dtStatus status, const char* message) {
        if (dtStatusDetail(status, DT_OUT_OF_MEMORY)) return fail(StatusCode::out_of_memory, {});
        return fail(StatusCode::too_large, message);
    }

    /// To call before the size of the grid is computed in integers and allocated.
    Status check_extent() const {
        const auto cells = [this](int axis, float size) {
            return std::ceil((double{config_.bmax[axis]} - double{config_.bmin[axis]}) /
                             double{size});
        };
        const double width = cells(0, config_.cs);
        const double depth = cells(2, config_.cs);
        const double height = cells(1, config_.ch);
        const double side = std::max(options_.tile_size, 1);
        const double tiles = std::ceil(width / side) * std::ceil(depth / side);
        const bool fits = options_.tile_size == 0
                              ? width * depth <= kMostCells && width < 65'535 && depth < 65'535
                              : tiles <= kMostTiles;
        if (fits && width <= kMostAlong && depth <= kMostAlong && height < kMostHigh) return {};
        return {StatusCode::too_large,
                fmt::format("a grid of {} x {} cells, {} high: at most 2^25 cells and 65,534 "
                            "along a side in one piece, 2^20 tiles otherwise, and 8,190 high; use "
                            "larger cells or tiles",
                            width, depth, height)};
    }

    Result<NavMesh> in_one_piece() {
        // Recast writes out of bounds if the grid has no cells.
        if (config_.width == 0 || config_.height == 0) return empty(config_.cs, config_.cs);
        const auto go_on = [this](double done) {
            if (control_.progress) control_.progress(done);
            return !control_.cancelled();
        };
        auto tile = TilePipeline({vertices_, corners_}, config_, options_).run({}, go_on);
        if (!tile) return tl::unexpected(std::move(tile.error()));
        if (tile->bytes == nullptr) return empty(config_.cs, config_.cs);
        NavMesh mesh(allocated(dtAllocNavMesh()));
        const dtStatus made = mesh->init(tile->bytes.get(), tile->size, DT_TILE_FREE_DATA);
        if (dtStatusFailed(made)) return failed(made, "more polygons than Detour can name");
        static_cast<void>(tile->bytes.release());
        return mesh;
    }

    Result<NavMesh> empty(float width, float depth) const {
        dtNavMeshParams params{};
        std::copy_n(config_.bmin, 3, params.orig);
        params.tileWidth = width;
        params.tileHeight = depth;
        params.maxTiles = 1;
        params.maxPolys = 1;
        NavMesh mesh(allocated(dtAllocNavMesh()));
        const dtStatus made = mesh->init(&params);
        if (dtStatusFailed(made)) return failed(made, "more tiles than Detour can name");
        return mesh;
    }

    Result<NavMesh> in_tiles() {
        columns_ = (config_.width + options_.tile_size - 1) / options_.tile_size;
        rows_ = (config_.height + options_.tile_size - 1) / options_.tile_size;
        const auto count = static_cast<std::uint32_t>(columns_) * static_cast<std::uint32_t>(rows_);
        config_.tileSize = options_.tile_size;
        config_.borderSize = config_.walkableRadius + 3;  // as in RecastDemo
        config_.width = config_.height = options_.tile_size + 2 * config_.borderSize;
        const float border = static_cast<float>(config_.borderSize + 1) * config_.cs;
        TriangleBuckets buckets(
            vertices_, corners_,
            {config_.bmin[0], config_.bmin[2], columns_, rows_, tile_side(), border});
        if (Status s = buckets.sort(); !s.ok()) return tl::unexpected(std::move(s));
        tiles_.resize(count);
        faults_.resize(count);
        Progress progress(control_, std::max<std::size_t>(count, 1));
        const auto build = [&](std::vector<int>& corners, std::uint32_t tile) {
            faults_[tile] = build_one(tile, buckets.of(tile), corners);
        };
        const Status s = on_threads(control_, [&] {
            return for_each_item(
                count, control_, progress, [] { return std::vector<int>(); }, build);
        });
        if (!s.ok()) return tl::unexpected(s);
        return joined();
    }

    float tile_side() const { return static_cast<float>(options_.tile_size) * config_.cs; }

    Status build_one(std::uint32_t number, std::span<const std::uint32_t> triangles,
                     std::vector<int>& corners) {
        if (triangles.empty()) return {};
        corners.clear();
        for (const std::uint32_t t : triangles) {
            const auto first = corners_.begin() + kTriangleCorners * std::ptrdiff_t{t};
            corners.insert(corners.end(), first, first + kTriangleCorners);
        }
        const TilePlace place{static_cast<int>(number) % columns_,
                              static_cast<int>(number) / columns_};
        const rcConfig config = config_of(place);
        auto tile = TilePipeline({vertices_, corners}, config, options_).run(place, [](double) {
            return true;
        });
        if (!tile) return std::move(tile.error());
        tiles_[number] = std::move(*tile);
        return {};
    }

    /// The configuration of a tile: its bounds include the border that Recast needs around it.
    rcConfig config_of(const TilePlace& place) const {
        rcConfig config = config_;
        const float border = static_cast<float>(config.borderSize) * config.cs;
        const std::array<std::pair<int, int>, 2> axes{{{0, place.x}, {2, place.y}}};
        for (const auto& [axis, at] : axes) {
            const float begin = config_.bmin[axis] + static_cast<float>(at) * tile_side();
            const float end = config_.bmin[axis] + static_cast<float>(at + 1) * tile_side();
            config.bmin[axis] = begin - border;
            config.bmax[axis] = end + border;
        }
        return config;
    }

    /// The mesh of all tiles. References have as many bits for tiles as RecastDemo's, or as needed.
    Result<NavMesh> joined() {
        const auto fault =
            std::find_if(faults_.begin(), faults_.end(), [](const Status& s) { return !s.ok(); });
        if (fault != faults_.end()) {
            if (fault->code == StatusCode::out_of_memory) return out_of_memory();
            return fail(fault->code,
                        fmt::format("tile {}: {}", fault - faults_.begin(), fault->message));
        }
        const auto filled = std::count_if(tiles_.begin(), tiles_.end(),
                                          [](const TileBytes& tile) { return tile.size > 0; });
        const int bits = std::max(std::min(bits_for(tiles_.size()), kUsualTileBits),
                                  bits_for(static_cast<std::size_t>(filled)));
        dtNavMeshParams params{};
        std::copy_n(config_.bmin, 3, params.orig);
        params.tileWidth = params.tileHeight = tile_side();
        params.maxTiles = 1 << bits;
        params.maxPolys = 1 << (kReferenceBits - bits);
        NavMesh mesh(allocated(dtAllocNavMesh()));
        const dtStatus made = mesh->init(&params);
        if (dtStatusFailed(made)) return failed(made, "more tiles than Detour can name");
        for (TileBytes& tile : tiles_) {
            if (tile.bytes == nullptr) continue;
            const dtStatus added =
                mesh->addTile(tile.bytes.get(), tile.size, DT_TILE_FREE_DATA, 0, nullptr);
            if (dtStatusFailed(added)) {
                return failed(added,
                              "more polygons in a tile than Detour can name: use smaller tiles");
            }
            static_cast<void>(tile.bytes.release());
        }
        return mesh;
    }

    RecastOptions options_;
    const BuildControl& control_;
    rcConfig config_;
    std::vector<float> vertices_;
    std::vector<int> corners_;
    int columns_ = 0;
    int rows_ = 0;
    std::vector<TileBytes> tiles_;
    std::vector<Status> faults_;
};

}  // namespace

Result<NavMesh> build_navmesh(const Triangles& triangles, const RecastOptions& options,
                              const BuildControl& control) noexcept try {
    if (Status s = check_options(options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_triangles(triangles); !s.ok()) return tl::unexpected(std::move(s));
    auto mesh = Builder(triangles, options, control).build();
    if (mesh && control.progress) control.progress(1);
    return mesh;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::detour

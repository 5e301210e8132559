#include "cairn/detour/recast_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "detour/recast_tile.hpp"
#include "detour/tile_check.hpp"
#include "detour/triangle_buckets.hpp"

namespace cairn::detour {
namespace {

constexpr double kMostCells = 1 << 25;
constexpr double kMostTiles = 1 << 20;
constexpr double kMostAlong = 1 << 24;
constexpr double kMostHigh = RC_SPAN_MAX_HEIGHT;
constexpr int kReferenceBits = 22;  // for tiles and polygons; the rest is salt
constexpr int kUsualTileBits = 14;  // the most that RecastDemo leaves for tiles
constexpr int kTriangleSides = 3;

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
    if (triangles.corners.size() % kTriangleSides != 0)
        return {StatusCode::bad_option, "the last triangle has not three corners"};
    if (triangles.size() > std::size_t{1} << 26 || triangles.vertices.size() > std::size_t{1} << 28)
        return {StatusCode::too_large, "more than 2^26 triangles or 2^28 vertices"};
    for (std::size_t v = 0; v < triangles.vertices.size(); ++v) {
        const mesh::Point& p = triangles.vertices[v];
        const std::array<float, 3> point{p.x, p.y, p.z};
        if (usable(point.data(), 3)) continue;
        return {StatusCode::bad_option,
                fmt::format("vertex {} is not finite or lies beyond 1e7", v)};
    }
    for (std::size_t c = 0; c < triangles.corners.size(); ++c) {
        if (triangles.corners[c] < triangles.vertices.size()) continue;
        return {StatusCode::bad_option, fmt::format("triangle {}: there is no vertex {}",
                                                    c / kTriangleSides, triangles.corners[c])};
    }
    return {};
}

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
    static tl::unexpected<Status> too_large(const char* message) {
        return fail(StatusCode::too_large, message);
    }

    /// Runs before anything of the grid's size is allocated, or counted in integers.
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
        const auto step = [this](double done) {
            if (control_.progress) control_.progress(done);
            return !control_.cancelled();
        };
        auto tile = build_tile({vertices_, corners_}, config_, options_, {}, step);
        if (!tile) return tl::unexpected(std::move(tile.error()));
        if (tile->bytes == nullptr) return empty(config_.cs, config_.cs);
        NavMesh mesh(dtAllocNavMesh());
        const dtStatus made = mesh->init(tile->bytes.get(), tile->size, DT_TILE_FREE_DATA);
        if (dtStatusFailed(made)) return too_large("more polygons than Detour can name");
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
        NavMesh mesh(dtAllocNavMesh());
        if (dtStatusFailed(mesh->init(&params))) return too_large("not enough memory");
        return mesh;
    }

    Result<NavMesh> in_tiles() {
        columns_ = (config_.width + options_.tile_size - 1) / options_.tile_size;
        rows_ = (config_.height + options_.tile_size - 1) / options_.tile_size;
        const auto count = static_cast<std::uint32_t>(columns_) * static_cast<std::uint32_t>(rows_);
        config_.tileSize = options_.tile_size;
        config_.borderSize = config_.walkableRadius + 3;
        config_.width = config_.height = options_.tile_size + 2 * config_.borderSize;
        auto buckets =
            TriangleBuckets::sort(vertices_, corners_,
                                  {config_.bmin[0], config_.bmin[2], columns_, rows_, tile_side(),
                                   static_cast<float>(config_.borderSize + 1) * config_.cs});
        if (!buckets) return tl::unexpected(std::move(buckets.error()));
        tiles_.resize(count);
        faults_.resize(count);
        Progress progress(control_, std::max<std::size_t>(count, 1));
        const auto build = [&](std::vector<int>& corners, std::uint32_t tile) {
            faults_[tile] = build_one(tile, buckets->of(tile), corners);
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
            const auto first = corners_.begin() + kTriangleSides * std::ptrdiff_t{t};
            corners.insert(corners.end(), first, first + kTriangleSides);
        }
        const TilePlace place{static_cast<int>(number) % columns_,
                              static_cast<int>(number) / columns_};
        auto tile = build_tile({vertices_, corners}, config_of(place), options_, place,
                               [](double) { return true; });
        if (!tile) return std::move(tile.error());
        tiles_[number] = std::move(*tile);
        return {};
    }

    /// With the border that tiles need beyond their edges.
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

    /// As many bits for tiles as RecastDemo, or as are needed.
    Result<NavMesh> joined() {
        const auto fault =
            std::find_if(faults_.begin(), faults_.end(), [](const Status& s) { return !s.ok(); });
        if (fault != faults_.end()) {
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
        NavMesh mesh(dtAllocNavMesh());
        if (dtStatusFailed(mesh->init(&params))) return too_large("not enough memory");
        for (TileBytes& tile : tiles_) {
            if (tile.bytes == nullptr) continue;
            if (dtStatusFailed(
                    mesh->addTile(tile.bytes.get(), tile.size, DT_TILE_FREE_DATA, 0, nullptr)))
                return too_large("more polygons in a tile than Detour can name: use smaller tiles");
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
                              const BuildControl& control) {
    if (Status s = check_options(options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    return guarded([&]() -> Result<NavMesh> {
        if (Status s = check_triangles(triangles); !s.ok()) return tl::unexpected(std::move(s));
        auto mesh = Builder(triangles, options, control).build();
        if (mesh && control.progress) control.progress(1);
        return mesh;
    });
}

}  // namespace cairn::detour

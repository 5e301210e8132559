#include "detour/recast_tile.hpp"

#include <DetourNavMeshBuilder.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace cairn::detour {
namespace {

// RecastDemo's value for walkable ground.
constexpr unsigned char kGroundArea = 0;
constexpr std::uint16_t kWalkFlag = 1;
constexpr int kMostVertices = 0xffff;

template <class T, auto Free>
struct Freer {
    void operator()(T* object) const noexcept { Free(object); }
};
template <class T, auto Free>
using Owned = std::unique_ptr<T, Freer<T, Free>>;

class TilePipeline {
public:
    TilePipeline(const RecastGeometry& geometry, const rcConfig& config,
                 const RecastOptions& options)
        : geometry_(geometry), config_(config), options_(options) {}

    Result<TileBytes> run(const TilePlace& place, const std::function<bool(double)>& step) {
        struct Step {
            bool (TilePipeline::*make)();
            double done;
        };
        constexpr std::array<Step, 5> kSteps{{{&TilePipeline::rasterize, 0.25},
                                              {&TilePipeline::compact, 0.4},
                                              {&TilePipeline::partition, 0.7},
                                              {&TilePipeline::trace, 0.75},
                                              {&TilePipeline::polygonize, 0.95}}};
        for (const Step& next : kSteps) {
            if (!(this->*next.make)())
                return fail(StatusCode::too_large, "more cells or polygons than Recast can build");
            if (!step(next.done)) return fail(StatusCode::cancelled);
        }
        return bytes(place);
    }

private:
    int num_triangles() const { return static_cast<int>(geometry_.corners.size() / 3); }

    bool rasterize() {
        field_.reset(rcAllocHeightfield());
        if (field_ == nullptr ||
            !rcCreateHeightfield(&context_, *field_, config_.width, config_.height, config_.bmin,
                                 config_.bmax, config_.cs, config_.ch))
            return false;
        const auto vertices = static_cast<int>(geometry_.vertices.size() / 3);
        std::vector<unsigned char> areas(static_cast<std::size_t>(num_triangles()), RC_NULL_AREA);
        rcMarkWalkableTriangles(&context_, config_.walkableSlopeAngle, geometry_.vertices.data(),
                                vertices, geometry_.corners.data(), num_triangles(), areas.data());
        if (!rcRasterizeTriangles(&context_, geometry_.vertices.data(), vertices,
                                  geometry_.corners.data(), areas.data(), num_triangles(), *field_,
                                  config_.walkableClimb))
            return false;
        rcFilterLowHangingWalkableObstacles(&context_, config_.walkableClimb, *field_);
        rcFilterLedgeSpans(&context_, config_.walkableHeight, config_.walkableClimb, *field_);
        rcFilterWalkableLowHeightSpans(&context_, config_.walkableHeight, *field_);
        return true;
    }

    bool compact() {
        compact_.reset(rcAllocCompactHeightfield());
        const bool made = compact_ != nullptr &&
                          rcBuildCompactHeightfield(&context_, config_.walkableHeight,
                                                    config_.walkableClimb, *field_, *compact_);
        field_.reset();
        return made && rcErodeWalkableArea(&context_, config_.walkableRadius, *compact_);
    }

    bool partition() {
        return rcBuildDistanceField(&context_, *compact_) &&
               rcBuildRegions(&context_, *compact_, config_.borderSize, config_.minRegionArea,
                              config_.mergeRegionArea);
    }

    bool trace() {
        contours_.reset(rcAllocContourSet());
        return contours_ != nullptr &&
               rcBuildContours(&context_, *compact_, config_.maxSimplificationError,
                               config_.maxEdgeLen, *contours_);
    }

    bool polygonize() {
        if (contours_->nconts == 0) return true;
        mesh_.reset(rcAllocPolyMesh());
        details_.reset(rcAllocPolyMeshDetail());
        return mesh_ != nullptr && details_ != nullptr &&
               rcBuildPolyMesh(&context_, *contours_, config_.maxVertsPerPoly, *mesh_) &&
               mesh_->nverts < kMostVertices &&
               rcBuildPolyMeshDetail(&context_, *mesh_, *compact_, config_.detailSampleDist,
                                     config_.detailSampleMaxError, *details_);
    }

    Result<TileBytes> bytes(const TilePlace& place) {
        if (mesh_ == nullptr || mesh_->npolys == 0) return TileBytes{};
        for (int p = 0; p < mesh_->npolys; ++p) {
            if (mesh_->areas[p] == RC_WALKABLE_AREA) mesh_->areas[p] = kGroundArea;
            mesh_->flags[p] = kWalkFlag;
        }
        dtNavMeshCreateParams params = polygons();
        params.tileX = place.x;
        params.tileY = place.y;
        unsigned char* made = nullptr;
        TileBytes tile;
        if (!dtCreateNavMeshData(&params, &made, &tile.size))
            return fail(StatusCode::too_large, "more polygons than a tile of Detour's can hold");
        tile.bytes.reset(made);
        return tile;
    }

    dtNavMeshCreateParams polygons() const {
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

    const RecastGeometry& geometry_;
    const rcConfig& config_;
    const RecastOptions& options_;
    rcContext context_{false};
    Owned<rcHeightfield, rcFreeHeightField> field_;
    Owned<rcCompactHeightfield, rcFreeCompactHeightfield> compact_;
    Owned<rcContourSet, rcFreeContourSet> contours_;
    Owned<rcPolyMesh, rcFreePolyMesh> mesh_;
    Owned<rcPolyMeshDetail, rcFreePolyMeshDetail> details_;
};

int square(float side) { return static_cast<int>(side * side); }

}  // namespace

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

Result<TileBytes> build_tile(const RecastGeometry& geometry, const rcConfig& config,
                             const RecastOptions& options, const TilePlace& place,
                             const std::function<bool(double)>& step) {
    return TilePipeline(geometry, config, options).run(place, step);
}

}  // namespace cairn::detour

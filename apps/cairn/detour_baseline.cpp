#include "detour_baseline.hpp"

#include "terrain_file.hpp"

#ifdef CAIRN_APP_DETOUR
#include <DetourCommon.h>
#include <DetourNavMeshQuery.h>

#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/tile_set.hpp"
#endif

namespace cairn::app {

#ifdef CAIRN_APP_DETOUR

namespace {

struct FreeQuery {
    void operator()(dtNavMeshQuery* query) const noexcept { dtFreeNavMeshQuery(query); }
};

/// Detour's mesh, its query object and what they answer.
struct DetourState {
    static constexpr int kNodes = 65'535;

    detour::NavMesh nav_mesh;
    detour::PolyRefs refs;
    std::unique_ptr<dtNavMeshQuery, FreeQuery> query{dtAllocNavMeshQuery()};
    dtQueryFilter filter;
    std::vector<dtPolyRef> path;
    int count = 0;
    dtStatus status = DT_FAILURE;
    std::vector<float> corners;

    void ask(const MeshPair& pair) {
        count = 0;
        status = query->findPath(refs.ref(pair.start.polygon), refs.ref(pair.goal.polygon),
                                 &pair.start.point.x, &pair.goal.point.x, &filter, path.data(),
                                 &count, static_cast<int>(path.size()));
    }

    [[nodiscard]] double length(const MeshPair& pair) {
        constexpr std::size_t kAxes = 3;
        int corner_count = 0;
        query->findStraightPath(&pair.start.point.x, &pair.goal.point.x, path.data(), count,
                                corners.data(), nullptr, nullptr, &corner_count,
                                static_cast<int>(corners.size() / kAxes));
        double sum = 0;
        for (int i = 1; i < corner_count; ++i) {
            const float* at = corners.data() + kAxes * static_cast<std::size_t>(i);
            sum += static_cast<double>(dtVdist(at - kAxes, at));
        }
        return sum;
    }
};

}  // namespace

Result<std::optional<MeshPlanner>> detour_baseline(const std::filesystem::path& file,
                                                   const mesh::Mesh& mesh) {
    if (extension_of(file) != ".bin") return std::nullopt;
    auto nav_mesh = detour::read_tile_set(file);
    if (!nav_mesh) return tl::unexpected(std::move(nav_mesh.error()));
    const auto state = std::make_shared<DetourState>();
    state->nav_mesh = std::move(*nav_mesh);
    state->refs = detour::PolyRefs(*state->nav_mesh);
    state->query->init(state->nav_mesh.get(), DetourState::kNodes);
    state->path.resize(std::size_t{mesh.num_polygons()} + 1);
    state->corners.resize(3 * (state->path.size() + 1));
    const auto ask = [state](const MeshPair& pair) { state->ask(pair); };
    const auto reply = [state](const MeshPair& pair) {
        MeshReply result;
        const bool whole =
            dtStatusSucceed(state->status) && !dtStatusDetail(state->status, DT_PARTIAL_RESULT);
        result.status = whole ? StatusCode::ok : StatusCode::no_path;
        if (whole) result.length = state->length(pair);
        return result;
    };
    return MeshPlanner{"detour", ask, reply};
}

#else

Result<std::optional<MeshPlanner>> detour_baseline(const std::filesystem::path& /*file*/,
                                                   const mesh::Mesh& /*mesh*/) {
    return std::nullopt;
}

#endif

}  // namespace cairn::app

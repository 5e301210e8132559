#pragma once
// The calls that plan a path in Detour's form, on an object that has them: a dtNavMeshQuery or a
// detour::PathQuery. Only in builds with Detour.

#include <DetourNavMeshQuery.h>
#include <DetourStatus.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cairn/detour/poly_refs.hpp"
#include "cairn/mesh/paths.hpp"
#include "cairn/mesh/point.hpp"

namespace cairn::app {

inline constexpr int kDetourNodes = 65'535;  ///< the most search nodes that Detour supports

/// The start and the end of a path.
struct DetourPair {
    dtPolyRef start = 0;
    dtPolyRef end = 0;
    mesh::Point from;
    mesh::Point to;
};
[[nodiscard]] inline DetourPair detour_pair(const detour::PolyRefs& refs,
                                            const mesh::Request& request) {
    return {refs.ref(request.start.polygon), refs.ref(request.goal.polygon), request.start.point,
            request.goal.point};
}

/// An object with findPath and findStraightPath, its last answer, and room for any path over a mesh
/// of `polygons` polygons.
template <class Query>
class DetourCalls {
public:
    template <class... Arguments>
    explicit DetourCalls(std::size_t polygons, Arguments&&... arguments)
        : query(std::forward<Arguments>(arguments)...),
          path_(2 * polygons + 1),  // Cairn's path may have a polygon twice
          corners_(3 * (path_.size() + 2)) {}

    void find(const DetourPair& pair, const dtQueryFilter& filter) {
        count_ = 0;
        status_ = query.findPath(pair.start, pair.end, &pair.from.x, &pair.to.x, &filter,
                                 path_.data(), &count_, static_cast<int>(path_.size()));
    }
    /// Pulls the string in the path found. False if there is none.
    bool pull(const DetourPair& pair) {
        num_corners_ = 0;
        const dtStatus pulled = query.findStraightPath(
            &pair.from.x, &pair.to.x, path_.data(), count_, corners_.data(), nullptr, nullptr,
            &num_corners_, static_cast<int>(corners_.size() / 3));
        return dtStatusSucceed(pulled) && num_corners_ > 0;
    }

    /// Whether the path found leads to the end.
    [[nodiscard]] bool complete() const {
        return dtStatusSucceed(status_) && !dtStatusDetail(status_, DT_PARTIAL_RESULT);
    }
    /// Whether the search ended because it had no more nodes.
    [[nodiscard]] bool out_of_nodes() const {
        return dtStatusDetail(status_, DT_OUT_OF_NODES) && !complete();
    }
    [[nodiscard]] std::span<const dtPolyRef> path() const {
        return {path_.data(), static_cast<std::size_t>(count_)};
    }
    /// The coordinates of the string's points.
    [[nodiscard]] std::span<const float> corners() const {
        return {corners_.data(), 3 * static_cast<std::size_t>(num_corners_)};
    }

    Query query;

private:
    std::vector<dtPolyRef> path_;
    int count_ = 0;
    dtStatus status_ = DT_FAILURE;
    std::vector<float> corners_;
    int num_corners_ = 0;
};

}  // namespace cairn::app

#include "cairn/batch/find_paths.hpp"

#include <utility>

#include "cairn/batch/searcher.hpp"

namespace cairn::batch {
namespace {

template <class Routes, class Planner, class Trip, class... Rest>
[[nodiscard]] Result<Routes> find_once(const Planner& planner, std::span<const Trip> trips,
                                       const Rest&... rest) {
    Routes routes;
    Status status = Searcher().find_paths(planner, trips, routes, rest...);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return routes;
}

}  // namespace

Result<CellRoutes> find_paths(const hpa::Index& index, std::span<const CellTrip> trips,
                              const hpa::Query& model, const Options& options,
                              const BuildControl& control) {
    return find_once<CellRoutes>(index, trips, model, options, control);
}

Result<CellRoutes> find_paths(const haa::Index& index, std::span<const AgentTrip> trips,
                              const haa::Query& model, const Options& options,
                              const BuildControl& control) {
    return find_once<CellRoutes>(index, trips, model, options, control);
}

Result<CellRoutes> find_paths(const subgoal::Index& index, std::span<const CellTrip> trips,
                              const subgoal::Query& model, const Options& options,
                              const BuildControl& control) {
    return find_once<CellRoutes>(index, trips, model, options, control);
}

Result<CellRoutes> find_paths(const grid::Map& map, std::span<const CellTrip> trips,
                              const grid::AstarOptions& astar, const SearchLimits& limits,
                              const Options& options, const BuildControl& control) {
    return find_once<CellRoutes>(map, trips, astar, limits, options, control);
}

Result<MeshRoutes> find_paths(const hna::Index& index, std::span<const MeshTrip> trips,
                              const hna::Query& model, const Options& options,
                              const BuildControl& control) {
    return find_once<MeshRoutes>(index, trips, model, options, control);
}

Result<MeshRoutes> find_paths(const mesh::Mesh& mesh, std::span<const MeshTrip> trips,
                              const SearchLimits& limits, const Options& options,
                              const BuildControl& control) {
    return find_once<MeshRoutes>(mesh, trips, limits, options, control);
}

}  // namespace cairn::batch

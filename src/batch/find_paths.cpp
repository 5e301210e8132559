#include "cairn/batch/find_paths.hpp"

#include <span>
#include <tuple>
#include <vector>

#include "batch/batch_run.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/hna/searcher.hpp"
#include "cairn/hpa/searcher.hpp"
#include "cairn/navmesh/astar.hpp"
#include "cairn/subgoal/searcher.hpp"

namespace cairn::batch {
namespace {

void take_ends(const auto& trip, auto& query) {
    query.start = trip.start;
    query.goal = trip.goal;
    if constexpr (requires { trip.agent; }) query.agent = trip.agent;
}

template <class TTrip, class Index, class Searcher, class Query, class Answer>
class CellAsker {
public:
    using Trip = TTrip;
    using Routes = CellRoutes;

    CellAsker(const Index& index, const Query& model, Cells cells)
        : index_(&index), query_(model), cells_(cells) {}

    const Answer& ask(const Trip& trip) {
        take_ends(trip, query_);
        searcher_.find(*index_, query_, answer_);
        return answer_;
    }

    [[nodiscard]] std::uint64_t expanded() const noexcept {
        if constexpr (requires { answer_.statistics.search; }) {
            return answer_.statistics.search.expanded;
        } else {
            return answer_.statistics.expanded;
        }
    }
    [[nodiscard]] std::tuple<std::span<const grid::Cell>> lists() {
        if (cells_ == Cells::all || answer_.cells.empty()) return {answer_.cells};
        grid::waypoints(index_->map().width(), answer_.cells, turning_);
        return {turning_};
    }
    [[nodiscard]] static auto lists_of(Routes& routes) { return std::tie(routes.cells); }

private:
    const Index* index_;
    Query query_;
    Cells cells_;
    Searcher searcher_;
    Answer answer_;
    std::vector<grid::Cell> turning_;
};

using HpaAsker = CellAsker<CellTrip, hpa::Index, hpa::Searcher, hpa::Query, hpa::Answer>;
using HaaAsker = CellAsker<AgentTrip, haa::Index, haa::Searcher, haa::Query, haa::Answer>;
using SubgoalAsker =
    CellAsker<CellTrip, subgoal::Index, subgoal::Searcher, subgoal::Query, subgoal::Answer>;

// A* without an index, spelled as the planners that have one.
struct BareGrid {
    [[nodiscard]] const grid::Map& map() const noexcept { return *bare; }
    const grid::Map* bare;
};
struct BareQuery {
    grid::Point start;
    grid::Point goal;
    grid::AstarOptions astar;
    SearchLimits limits;
};
class BareSearcher {
public:
    void find(const BareGrid& grid, const BareQuery& query, grid::Path& path) {
        astar_.find_path(grid.map(), query.start, query.goal, path, query.astar, query.limits);
    }

private:
    grid::Astar astar_;
};

using BareAsker = CellAsker<CellTrip, BareGrid, BareSearcher, BareQuery, grid::Path>;

class HnaAsker {
public:
    using Trip = MeshTrip;
    using Routes = MeshRoutes;

    HnaAsker(const hna::Index& index, const hna::Query& model) : index_(&index), query_(model) {}

    const hna::Answer& ask(const Trip& trip) {
        take_ends(trip, query_);
        searcher_.find(*index_, query_, answer_);
        return answer_;
    }

    [[nodiscard]] std::uint64_t expanded() const noexcept {
        return answer_.statistics.search.expanded;
    }
    [[nodiscard]] std::tuple<std::span<const navmesh::Polygon>, std::span<const navmesh::Waypoint>>
    lists() const {
        return {answer_.polygons, answer_.waypoints};
    }
    [[nodiscard]] static auto lists_of(Routes& routes) {
        return std::tie(routes.polygons, routes.waypoints);
    }

private:
    const hna::Index* index_;
    hna::Query query_;
    hna::Searcher searcher_;
    hna::Answer answer_;
};

class AstarAsker {
public:
    using Trip = MeshTrip;
    using Routes = MeshRoutes;

    AstarAsker(const navmesh::Mesh& mesh, const SearchLimits& limits)
        : mesh_(&mesh), limits_(limits) {}

    const navmesh::Path& ask(const Trip& trip) {
        astar_.find_path(*mesh_, trip.start, trip.goal, path_, {}, limits_);
        polygons_.clear();
        if (path_.status != StatusCode::ok) return path_;
        navmesh::polygons(*mesh_, trip.start.polygon, path_.links, polygons_);
        return path_;
    }

    [[nodiscard]] std::uint64_t expanded() const noexcept { return path_.statistics.expanded; }
    [[nodiscard]] std::tuple<std::span<const navmesh::Polygon>, std::span<const navmesh::Waypoint>>
    lists() const {
        return {polygons_, {}};
    }
    [[nodiscard]] static auto lists_of(Routes& routes) { return HnaAsker::lists_of(routes); }

private:
    const navmesh::Mesh* mesh_;
    SearchLimits limits_;
    navmesh::Astar astar_;
    navmesh::Path path_;
    std::vector<navmesh::Polygon> polygons_;
};

template <class Asker, class... Arguments>
[[nodiscard]] auto run(std::span<const typename Asker::Trip> trips, const Options& options,
                       const BuildControl& control, const Arguments&... arguments) {
    return BatchRun<Asker>(trips, options, control).run([&] { return Asker(arguments...); });
}

}  // namespace

Result<CellRoutes> find_paths(const hpa::Index& index, std::span<const CellTrip> trips,
                              const hpa::Query& model, const Options& options,
                              const BuildControl& control) {
    return run<HpaAsker>(trips, options, control, index, model, options.cells);
}

Result<CellRoutes> find_paths(const haa::Index& index, std::span<const AgentTrip> trips,
                              const haa::Query& model, const Options& options,
                              const BuildControl& control) {
    return run<HaaAsker>(trips, options, control, index, model, options.cells);
}

Result<CellRoutes> find_paths(const subgoal::Index& index, std::span<const CellTrip> trips,
                              const subgoal::Query& model, const Options& options,
                              const BuildControl& control) {
    return run<SubgoalAsker>(trips, options, control, index, model, options.cells);
}

Result<CellRoutes> find_paths(const grid::Map& map, std::span<const CellTrip> trips,
                              const grid::AstarOptions& astar, const SearchLimits& limits,
                              const Options& options, const BuildControl& control) {
    return run<BareAsker>(trips, options, control, BareGrid{&map}, BareQuery{{}, {}, astar, limits},
                          options.cells);
}

Result<MeshRoutes> find_paths(const hna::Index& index, std::span<const MeshTrip> trips,
                              const hna::Query& model, const Options& options,
                              const BuildControl& control) {
    return run<HnaAsker>(trips, options, control, index, model);
}

Result<MeshRoutes> find_paths(const navmesh::Mesh& mesh, std::span<const MeshTrip> trips,
                              const SearchLimits& limits, const Options& options,
                              const BuildControl& control) {
    return run<AstarAsker>(trips, options, control, mesh, limits);
}

}  // namespace cairn::batch

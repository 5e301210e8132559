#pragma once
// What answers one trip after another for one thread, planner by planner; see Crew.

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "cairn/batch/routes.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/haa/searcher.hpp"
#include "cairn/hna/searcher.hpp"
#include "cairn/hpa/searcher.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/subgoal/searcher.hpp"

namespace cairn::batch {

inline void take_ends(const auto& trip, auto& query) {
    query.start = trip.start;
    query.goal = trip.goal;
    if constexpr (requires { trip.agent; }) query.agent = trip.agent;
}

template <class TTrip, class Index, class Searcher, class Query, class Answer>
class CellAsker {
public:
    using Trip = TTrip;
    using Routes = CellRoutes;

    /// The index must outlive what is asked of it.
    void prepare(const Index& index, const Query& model, Cells cells) {
        index_ = &index;
        query_ = model;
        cells_ = cells;
    }

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
    const Index* index_ = nullptr;
    Query query_;
    Cells cells_ = Cells::all;
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
    const grid::Map* bare = nullptr;
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

    void prepare(const hna::Index& index, const hna::Query& model) {
        index_ = &index;
        query_ = model;
    }

    const hna::Answer& ask(const Trip& trip) {
        take_ends(trip, query_);
        searcher_.find(*index_, query_, answer_);
        return answer_;
    }

    [[nodiscard]] std::uint64_t expanded() const noexcept {
        return answer_.statistics.search.expanded;
    }
    [[nodiscard]] std::tuple<std::span<const mesh::Polygon>, std::span<const mesh::Waypoint>>
    lists() const {
        return {answer_.polygons, answer_.waypoints};
    }
    [[nodiscard]] static auto lists_of(Routes& routes) {
        return std::tie(routes.polygons, routes.waypoints);
    }

private:
    const hna::Index* index_ = nullptr;
    hna::Query query_;
    hna::Searcher searcher_;
    hna::Answer answer_;
};

class AstarAsker {
public:
    using Trip = MeshTrip;
    using Routes = MeshRoutes;

    void prepare(const mesh::Mesh& mesh, const SearchLimits& limits) {
        mesh_ = &mesh;
        limits_ = limits;
    }

    const mesh::Path& ask(const Trip& trip) {
        astar_.find_path(*mesh_, trip.start, trip.goal, path_, {}, limits_);
        polygons_.clear();
        if (path_.status != StatusCode::ok) return path_;
        mesh::polygons(*mesh_, trip.start.polygon, path_.links, polygons_);
        return path_;
    }

    [[nodiscard]] std::uint64_t expanded() const noexcept { return path_.statistics.expanded; }
    [[nodiscard]] std::tuple<std::span<const mesh::Polygon>, std::span<const mesh::Waypoint>>
    lists() const {
        return {polygons_, {}};
    }
    [[nodiscard]] static auto lists_of(Routes& routes) { return HnaAsker::lists_of(routes); }

private:
    const mesh::Mesh* mesh_ = nullptr;
    SearchLimits limits_;
    mesh::Astar astar_;
    mesh::Path path_;
    std::vector<mesh::Polygon> polygons_;
};

}  // namespace cairn::batch

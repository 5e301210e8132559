#pragma once
// The checks of `cairn verify` on meshes: random queries with every engine, compared with
// Dijkstra's algorithm over the links of the mesh.

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cairn/hna/hna.hpp"
#include "cairn/hna/index.hpp"
#include "checks/checks.hpp"

namespace cairn::app {

/// Checks that the mesh's links, costs and bounds are consistent.
[[nodiscard]] Check check_mesh(const mesh::Mesh& mesh);

/// Draws starts, goals and edits, runs queries and counts failures.
class NavmeshChecks {
public:
    explicit NavmeshChecks(std::uint64_t seed) : random_(seed) {}

    /// Sets the index of later runs. The counts go on.
    void set_index(const hna::Index& index);
    /// Draws one start and `count` goals, and runs a query of each method for each goal. False if
    /// there is no free polygon. Needs set_index.
    bool run(int count);

    [[nodiscard]] std::vector<Check> checks() const {
        return {reachability_, costs_, corridors_, waypoints_};
    }
    /// The number of pairs of start and goal that a path connects.
    [[nodiscard]] std::uint64_t paths() const noexcept { return paths_; }
    /// Gives a random polygon an area from 0 to 3, and blocks one in three. Needs set_index.
    [[nodiscard]] mesh::PolygonEdit random_edit();

private:
    /// A random point of a random free polygon.
    [[nodiscard]] mesh::Place draw();
    void run_pair(const mesh::Place& start, const mesh::Place& goal, Cost optimum);
    /// `query`: names the query in failures.
    void check_answer(const hna::Answer& answer, const std::string& query);

    Check reachability_{"reachable if and only if Dijkstra finds a path"};
    Check costs_{"every engine gives the least cost"};
    Check corridors_{"every link open, every cost the corridor's"};
    Check waypoints_{"waypoints join start and goal and are no detour"};
    std::uint64_t paths_ = 0;

    std::mt19937_64 random_;
    std::optional<hna::Index> index_;
    std::vector<hna::Query> methods_;  // the engines, with each way to connect start and goal
    std::vector<mesh::Polygon> free_;  // neither blocked nor a connection
    hna::Searcher searcher_;
    hna::Answer answer_;
};

}  // namespace cairn::app

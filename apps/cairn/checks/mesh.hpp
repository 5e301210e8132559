#pragma once
// Random queries on a mesh. Every answer of every engine is compared with Dijkstra's algorithm over
// the mesh.

#include <cstdint>
#include <random>
#include <vector>

#include "cairn/hna/hna.hpp"
#include "cairn/hna/index.hpp"
#include "checks/checks.hpp"

namespace cairn::app {

/// Checks that the mesh's links, costs and bounds are consistent.
[[nodiscard]] Check check_mesh(const mesh::Mesh& mesh);

class NavmeshChecks {
public:
    explicit NavmeshChecks(std::uint64_t seed) : random_(seed) {}

    /// Sets the index of later queries.
    void aim_at(const hna::Index& index);
    /// Runs `count` queries from one start. False if there is no free polygon.
    bool ask(int count);

    [[nodiscard]] std::vector<Check> checks() const {
        return {reachability_, costs_, corridors_, strings_};
    }
    [[nodiscard]] std::uint64_t paths() const noexcept { return paths_; }
    /// A random polygon with a random area up to 3, or blocked.
    [[nodiscard]] mesh::PolygonEdit random_edit();

private:
    [[nodiscard]] mesh::Place draw();
    void ask_one(const mesh::Place& start, const mesh::Place& goal, Cost optimum);
    void check_answer(const hna::Answer& answer, const std::string& which);

    Check reachability_{"reachable exactly where Dijkstra gets"};
    Check costs_{"every engine gives the least cost"};
    Check corridors_{"every link open, every cost the corridor's"};
    Check strings_{"strings join start and goal and are no detour"};
    std::uint64_t paths_ = 0;

    std::mt19937_64 random_;
    std::vector<hna::Index> index_;  // empty, or the index queried
    std::vector<hna::Query> ways_;   // queries of each method
    std::vector<mesh::Polygon> free_;
    hna::Searcher searcher_;
    hna::Answer answer_;
};

}  // namespace cairn::app

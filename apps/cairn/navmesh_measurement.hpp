#pragma once
// Planners on a navigation mesh measured side by side: the same pairs, in one process, every answer
// checked.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "measurement.hpp"

namespace cairn::app {

struct MeshPair {
    mesh::Place start;
    mesh::Place goal;
};

/// Centres of polygons of the largest component.
[[nodiscard]] std::vector<MeshPair> random_pairs(const mesh::Mesh& mesh, int count,
                                                 std::uint64_t seed);
/// Pairs that no path connects; none if there is but one component.
[[nodiscard]] std::vector<MeshPair> parted_pairs(const mesh::Mesh& mesh, int count,
                                                 std::uint64_t seed);

struct MeshReply {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;  ///< by the mesh's scoring; kInfinity where the planner has none
    double length = 0;      ///< of the string pulled in the corridor; 0 if there is none
    std::uint64_t expanded = 0;
};

/// One way of answering. `ask` is what is measured, `reply` says what the last one came to.
struct MeshPlanner {
    std::string name;
    std::function<void(const MeshPair&)> ask;
    std::function<MeshReply(const MeshPair&)> reply;
};

/// A* over the polygons: the baseline.
[[nodiscard]] MeshPlanner polygon_astar(const mesh::Mesh& mesh);

/// A planner on an index by its name: see mesh_planner_names. Nothing if there is none such, or the
/// index cannot be asked that way.
[[nodiscard]] std::optional<MeshPlanner> index_planner(const hna::Index& index,
                                                       const std::string& name);
[[nodiscard]] const std::vector<std::string>& mesh_planner_names();

/// Measures one planner. `optima` are the costs of polygon_astar, empty for itself; `lengths` those
/// of its strings. In the run, `error` is how much longer a string is than that baseline's.
[[nodiscard]] PlannerRun measure_mesh(const MeshPlanner& planner,
                                      const std::vector<MeshPair>& pairs,
                                      const PlannerRun* baseline, const MeasureOptions& options);

}  // namespace cairn::app

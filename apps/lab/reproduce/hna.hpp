#pragma once
// The experiments of section 7.1 of the HNA* paper, on any meshes.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/control.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/mesh/mesh.hpp"

namespace cairn::app {

/// The paper's parameters (section 7.1.2).
inline constexpr std::array kHnaLevels{1, 2, 3};
inline constexpr std::array kHnaMus{2, 4, 6, 8, 10, 15, 20};

/// A mesh with both scorings, and the starts and goals: random points in polygons of the largest
/// component.
struct HnaMesh {
    std::string name;
    mesh::Mesh centres;
    mesh::Mesh midpoints;
    std::vector<std::pair<mesh::Place, mesh::Place>> pairs;
};
void draw_pairs(HnaMesh& mesh, int count, std::uint64_t seed);

/// Mean microseconds of a query, and of connecting S and G.
struct HnaTime {
    double total = 0;
    double connect = 0;
};

/// One hierarchy, scored by centres as in the paper.
struct HnaCell {
    int levels = 1;
    int mu = 2;
    HnaTime search;                ///< S and G connected by a search each
    HnaTime pccp;                  ///< by the paths from polygon centres
    HnaTime labels;                ///< cut labels over the HNG of level 1
    double inter_edges = 0;        ///< mean over the clusters of the top level that have any
    double bound = 0;              ///< mean of equation 3 for these clusters
    std::size_t path_bytes = 0;    ///< PCCP with whole paths (table 1)
    std::size_t next_bytes = 0;    ///< with the next cell (section 7.1.1)
    std::size_t portal_bytes = 0;  ///< from portals, which is exact
    std::uint64_t wrong = 0;       ///< answers whose cost is not A*'s
};

struct HnaGrid {
    std::string name;
    std::size_t polygons = 0;
    std::size_t connected = 0;
    double astar = 0;  ///< mean microseconds of A* over the polygons
    std::vector<HnaCell> cells;
};

struct HnaControl {
    const CancelFlag* cancel = nullptr;
    std::function<void()> step;                 ///< after each hierarchy, or each crowd
    int threads = 0;                            ///< of crowds; 0: one per processor
    std::optional<batch::DeviceKind> device{};  ///< on which the largest crowd also plans
};

/// Errors: cancelled; those of building an index.
[[nodiscard]] Result<HnaGrid> measure_grid(const HnaMesh& mesh, const HnaControl& control);

/// Figure 7: a path chosen by costs from polygon centres, and one chosen by costs from S and G,
/// both pulled tight; by ascending straight distance.
struct HnaOffset {
    double distance = 0;
    double exact = 0;    ///< length
    double centres = 0;  ///< length
};
[[nodiscard]] Result<std::vector<HnaOffset>> measure_offsets(const HnaMesh& mesh,
                                                             const HnaControl& control);

}  // namespace cairn::app

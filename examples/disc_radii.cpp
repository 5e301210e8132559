// One mesh for a scout, a soldier and a wagon: each finds the way that is wide enough for it.

#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/hna/discs.hpp"
#include "cairn/mesh/from_grid.hpp"

using namespace cairn;

namespace {

// A yard, and a yard behind a wall with a narrow gap and a gate.
constexpr std::array<std::string_view, 7> kYard{
    "....................",  //
    "....................",  //
    "....................",  //
    "@@@.@@@@@@@@@@@...@@",  //
    "....................",  //
    "....................",  //
    "....................",
};

Result<mesh::Mesh> yard() {
    std::vector<std::uint8_t> terrain;
    for (const std::string_view row : kYard) terrain.insert(terrain.end(), row.begin(), row.end());
    const auto map = grid::Map::create(static_cast<int>(kYard[0].size()),
                                       static_cast<int>(kYard.size()), terrain);
    if (!map) return tl::unexpected(map.error());
    return mesh::mesh_from_grid(*map);
}

}  // namespace

int main() {
    const auto mesh = yard();
    if (!mesh) return 1;
    // An index for each size. They share the mesh and its partition.
    constexpr std::array radii{0.3, 0.5, 1.2};
    const auto index = hna::DiscIndex::build(*mesh, radii);
    if (!index) return 1;
    std::printf("%zu narrow places\n", index->clearance().gates().size());

    hna::DiscSearcher searcher;  // one per thread; it keeps its memory
    hna::DiscAnswer answer;
    for (const double radius : {0.3, 0.5, 0.6, 1.2}) {
        // Places without a polygon are located first.
        const hna::DiscQuery query{.start = {mesh::kNone, {3.5F, 0, 1.5F}},
                                   .goal = {mesh::kNone, {3.5F, 0, 5.5F}},
                                   .radius = radius};
        if (searcher.find(*index, query, answer) != StatusCode::ok) return 1;
        std::printf("radius %.1f: length %.2f, %zu waypoints\n", radius, answer.length,
                    answer.waypoints.size());
    }
    // Whether a disc gets somewhere takes no search.
    const StatusCode code = index->reachable(answer.start, answer.goal, 1.2);
    std::printf("a disc of radius 1.2 %s\n", code == StatusCode::ok ? "gets there" : "does not");
    return code == StatusCode::ok ? 0 : 1;
}

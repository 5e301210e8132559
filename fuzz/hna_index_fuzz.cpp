// Any bytes as an HNA* index file, with valid checksums, give an index or an error. On an accepted
// index and on the index after an edit, queries by every engine end and find legal corridors; A*
// of both levels finds the same cost.

#include <algorithm>
#include <cstdlib>

#include "cairn/hna/hna.hpp"
#include "index_file_fuzz.hpp"

namespace {

using namespace cairn;
using fuzz::require;

/// Requires that each link is open and leads from a polygon of the answer to the next.
void check_corridor(const hna::Index& index, const hna::Answer& answer) {
    const mesh::Mesh& mesh = index.mesh();
    require(answer.polygons.size() == answer.links.size() + 1);
    for (std::size_t i = 0; i < answer.links.size(); ++i) {
        const mesh::Link link = answer.links[i];
        require(mesh.open(link) && mesh.polygon_of(link) == answer.polygons[i]);
        require(mesh.polygon_of(mesh::twin(link)) == answer.polygons[i + 1]);
    }
}

void find_paths(const hna::Index& index, std::size_t seed) {
    const mesh::Mesh& mesh = index.mesh();
    const std::uint32_t polygons = mesh.num_polygons();
    if (polygons == 0) return;
    hna::Searcher searcher;
    hna::Answer answer;
    for (int i = 0; i < 8; ++i) {
        seed = fuzz::next_random(seed);
        const auto from = static_cast<mesh::Polygon>((seed >> 33) % polygons);
        const auto to = static_cast<mesh::Polygon>((seed >> 20) % polygons);
        hna::Query query;
        query.start = {from, mesh.centre(from)};
        query.goal = {to, mesh.centre(to)};
        query.engine = hna::Engine::astar;
        query.search_level = hna::SearchLevel::first;
        const StatusCode status = searcher.find(index, query, answer);
        const Cost cost = answer.cost;
        query.search_level = hna::SearchLevel::automatic;
        for (const hna::Engine engine : {hna::Engine::astar, hna::Engine::cut_labels}) {
            query.engine = engine;
            const StatusCode engine_status = searcher.find(index, query, answer);
            if (engine_status == StatusCode::ok) check_corridor(index, answer);
            // Labels of a forged file may give another cost.
            if (engine_status == StatusCode::unsupported || engine == hna::Engine::cut_labels)
                continue;
            require(engine_status == status && answer.cost == cost);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto index = fuzz::open_index<hna::Index>(data, size, "hna");
    if (!index) return 0;
    find_paths(*index, size);
    if (index->mesh().num_polygons() == 0) return 0;
    const auto polygon = static_cast<mesh::Polygon>(size % index->mesh().num_polygons());
    const mesh::PolygonEdit edit{polygon, index->mesh().area(polygon),
                                 !index->mesh().blocked(polygon)};
    const auto edited = index->edited(std::span(&edit, 1));
    if (!edited) return 0;
    find_paths(*edited, size + 1);
    const auto completed = edited->with_labels();
    if (completed) find_paths(*completed, size + 2);
    return 0;
}

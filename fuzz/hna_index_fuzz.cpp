// Any bytes as an HNA* index file, their checksums put right, give an index or an error; queries by
// every engine on an index that was accepted, and on what an edit makes of it, end, and those
// without labels agree.

#include <algorithm>
#include <cstdlib>

#include "cairn/hna/hna.hpp"
#include "index_file_fuzz.hpp"

namespace {

using namespace cairn;
using fuzz::require;

void check(const hna::Index& index, const hna::Answer& answer) {
    const mesh::Mesh& mesh = index.mesh();
    require(answer.polygons.size() == answer.links.size() + 1);
    for (std::size_t i = 0; i < answer.links.size(); ++i) {
        const mesh::Link link = answer.links[i];
        require(mesh.open(link) && mesh.polygon_of(link) == answer.polygons[i]);
        require(mesh.polygon_of(mesh::twin(link)) == answer.polygons[i + 1]);
    }
}

void ask(const hna::Index& index, std::size_t seed) {
    const mesh::Mesh& mesh = index.mesh();
    const std::uint32_t polygons = mesh.num_polygons();
    if (polygons == 0) return;
    hna::Searcher searcher;
    hna::Answer answer;
    for (int i = 0; i < 8; ++i) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        const auto from = static_cast<mesh::Polygon>((seed >> 33) % polygons);
        const auto to = static_cast<mesh::Polygon>((seed >> 20) % polygons);
        hna::Query query;
        query.start = {from, mesh.centre(from)};
        query.goal = {to, mesh.centre(to)};
        query.engine = hna::Engine::levels;
        const StatusCode status = searcher.find(index, query, answer);
        const Cost cost = answer.cost;
        for (const hna::Engine engine :
             {hna::Engine::astar, hna::Engine::levels, hna::Engine::cut_labels}) {
            query.engine = engine;
            const StatusCode other = searcher.find(index, query, answer);
            if (other == StatusCode::ok) check(index, answer);
            if (other == StatusCode::unsupported || engine == hna::Engine::cut_labels) continue;
            require(other == status && answer.cost == cost);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto index = fuzz::open_index<hna::Index>(data, size, "hna");
    if (!index) return 0;
    ask(*index, size);
    if (index->mesh().num_polygons() == 0) return 0;
    const auto polygon = static_cast<mesh::Polygon>(size % index->mesh().num_polygons());
    const mesh::PolygonEdit edit{polygon, index->mesh().area(polygon),
                                 !index->mesh().blocked(polygon)};
    const auto edited = index->edited(std::span(&edit, 1));
    if (!edited) return 0;
    ask(*edited, size + 1);
    const auto completed = edited->with_labels();
    if (completed) ask(*completed, size + 2);
    return 0;
}

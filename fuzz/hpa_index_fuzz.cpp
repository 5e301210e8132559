// Any bytes as an HPA* index file, with valid checksums, give an index or an error. On an accepted
// index and on the index after an edit, queries end and find legal paths.

#include <cstdlib>

#include "cairn/hpa/hpa.hpp"
#include "hpa_index_cases.hpp"
#include "index_file_fuzz.hpp"

namespace {

using namespace cairn;

void find_paths(const hpa::Index& index, std::size_t seed) {
    static hpa::Searcher searcher;
    static hpa::Answer answer;
    const grid::Map& map = index.map();
    for (std::size_t i = 0; i < 24; ++i) {
        seed = fuzz::next_random(seed);
        hpa::Query query;
        query.start = map.point(static_cast<grid::Cell>((seed >> 33) % map.size()));
        query.goal = map.point(static_cast<grid::Cell>((seed >> 20) % map.size()));
        query.engine = static_cast<hpa::Engine>(i % 4);
        query.smoothing = static_cast<hpa::Smoothing>(i / 4 % 4);
        query.connect = static_cast<hpa::ConnectRule>(i % 3);
        query.try_direct_line = false;
        if (searcher.find(index, query, answer) != StatusCode::ok) continue;
        if (grid::path_cost(map, answer.cells) >= kInfinity) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const grid::Map map = fuzz::hpa_index_map();
    const auto index = fuzz::open_index<hpa::Index>(data, size, "hpa", map);
    if (!index) return 0;
    find_paths(*index, size);
    const auto cell = static_cast<grid::Cell>(size % map.size());
    const grid::TerrainEdit edit{{map.point(cell).x, map.point(cell).y, 1, 1},
                                 static_cast<std::uint8_t>(map.passable(cell) ? '#' : '4')};
    if (const auto edited = index->edited(std::span(&edit, 1)); edited)
        find_paths(*edited, size + 1);
    return 0;
}

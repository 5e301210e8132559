// Any bytes as a subgoal index file, with valid checksums, give an index or an error. On an
// accepted index and on the index after an edit, queries end and find legal paths.

#include <cstdlib>

#include "cairn/subgoal/subgoal.hpp"
#include "index_file_fuzz.hpp"
#include "subgoal_index_cases.hpp"

namespace {

using namespace cairn;

void find_paths(const subgoal::Index& index, std::size_t seed) {
    static subgoal::Searcher searcher;
    static subgoal::Answer answer;
    const grid::Map& map = index.map();
    for (std::size_t i = 0; i < 24; ++i) {
        seed = fuzz::next_random(seed);
        subgoal::Query query;
        query.start = map.point(static_cast<grid::Cell>((seed >> 33) % map.size()));
        query.goal = map.point(static_cast<grid::Cell>((seed >> 20) % map.size()));
        query.engine = static_cast<subgoal::Engine>(i % 4);
        query.nearest_reachable = i % 5 == 0;
        if (searcher.find(index, query, answer) != StatusCode::ok) continue;
        if (grid::path_cost(map, answer.cells) >= kInfinity) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const grid::Map map = fuzz::subgoal_index_map();
    const auto index = fuzz::open_index<subgoal::Index>(data, size, "subgoal", map);
    if (!index) return 0;
    find_paths(*index, size);
    const auto cell = static_cast<grid::Cell>(size % map.size());
    const grid::TerrainEdit edit{{map.point(cell).x, map.point(cell).y, 1, 1},
                                 static_cast<std::uint8_t>(map.passable(cell) ? '#' : '.')};
    const auto edited = index->edited(std::span(&edit, 1));
    if (!edited) return 0;
    find_paths(*edited, size + 1);
    if (const auto completed = edited->with_labels(); completed) find_paths(*completed, size + 2);
    return 0;
}

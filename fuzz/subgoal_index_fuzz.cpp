// Any bytes as a subgoal index file, their checksums put right, give an index or an error; queries
// on an index that was accepted, and on what an edit makes of it, end and give legal paths.

#include <cstdlib>

#include "cairn/subgoal/subgoal.hpp"
#include "index_file_fuzz.hpp"
#include "subgoal_index_cases.hpp"

namespace {

using namespace cairn;

void ask(const subgoal::Index& index, std::size_t seed) {
    static subgoal::Searcher searcher;
    static subgoal::Answer answer;
    const grid::Map& map = index.map();
    for (std::size_t i = 0; i < 24; ++i) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
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
    ask(*index, size);
    const auto cell = static_cast<grid::Cell>(size % map.size());
    const grid::TerrainEdit edit{{map.point(cell).x, map.point(cell).y, 1, 1},
                                 static_cast<std::uint8_t>(map.passable(cell) ? '#' : '.')};
    const auto edited = index->edited(std::span(&edit, 1));
    if (!edited) return 0;
    ask(*edited, size + 1);
    if (const auto completed = edited->with_labels(); completed) ask(*completed, size + 2);
    return 0;
}

// Any bytes as a HAA* index file, with valid checksums, give an index or an error. On an accepted
// index and on the index after an edit, queries of all agents end and find legal paths.

#include <algorithm>
#include <cstdlib>

#include "cairn/haa/haa.hpp"
#include "index_file_fuzz.hpp"

namespace {

using namespace cairn;

/// Makes ground ('.') an obstacle ('@'), and the reverse.
constexpr std::uint8_t kToggle = '.' ^ '@';

/// Cell number `cell`, modulo the size of the map.
grid::Point point(const haa::AnnotatedMap& map, std::size_t cell) {
    const auto width = static_cast<std::size_t>(map.width());
    return {static_cast<int>(cell % map.size() % width),
            static_cast<int>(cell % map.size() / width)};
}

void find_paths(const haa::Index& index, std::size_t seed) {
    haa::Searcher searcher;
    haa::Answer answer;
    const haa::AnnotatedMap& map = index.map();
    const std::uint32_t classes = std::min<std::uint32_t>(map.classes(), 4);
    for (std::uint32_t i = 0; i < 6 * classes; ++i) {
        seed = fuzz::next_random(seed);
        haa::Query query;
        query.agent = map.agent((static_cast<std::uint32_t>(seed) + i / 6) % map.classes());
        query.start = point(map, seed >> 33);
        query.goal = point(map, seed >> 20);
        query.engine = static_cast<hpa::Engine>(i % 4);
        query.try_direct_line = false;
        if (searcher.find(index, query, answer) != StatusCode::ok) continue;
        const auto view = index.view(query.agent);
        if (!view || grid::path_cost(view->map(), answer.cells) >= kInfinity) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto index = fuzz::open_index<haa::Index>(data, size, "haa");
    if (!index) return 0;
    const haa::AnnotatedMap& map = index->map();
    const haa::Agent agent = map.agent(static_cast<std::uint32_t>(size % map.classes()));
    (void)index->with_labels(std::span(&agent, 1));
    find_paths(*index, size);
    const grid::Point p = point(map, size);
    const grid::TerrainEdit edit{{p.x, p.y, 1, 1},
                                 static_cast<std::uint8_t>(map.terrain(map.cell(p)) ^ kToggle)};
    const auto edited = index->edited(std::span(&edit, 1));
    if (!edited) return 0;
    find_paths(*edited, size + 1);
    (void)edited->with_labels(std::span(&agent, 1));
    return 0;
}

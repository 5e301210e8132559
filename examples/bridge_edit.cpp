// A bomb destroys a bridge. The edit makes a new snapshot of the index in microseconds. Users of
// the old snapshot are not affected. A worker thread builds the new labels.

#include <array>
#include <cstdio>
#include <future>

#include "cairn/grid/generate.hpp"
#include "cairn/hpa/hpa.hpp"

using namespace cairn;

namespace {

/// Two banks, a river between them, and two bridges, each two cells wide.
grid::TerrainImage river() {
    grid::TerrainImage image = *grid::generate(
        {.kind = grid::MapKind::open, .width = 100, .height = 60, .size = {}, .density = {}});
    for (int y = 28; y < 32; ++y) {
        for (int x = 0; x < image.width; ++x) image.set(x, y, 'W');
        for (const int bridge_x : {20, 21, 80, 81}) image.set(bridge_x, y, '.');
    }
    return image;
}

/// Prints the length of a path from the north bank to the south bank.
void cross(const char* situation, const hpa::Index& index, hpa::Searcher& searcher) {
    hpa::Query query;
    query.start = {20, 5};
    query.goal = {20, 55};
    hpa::Answer answer;
    const StatusCode code = searcher.find(index, query, answer);
    if (code != StatusCode::ok) {
        std::printf("%-32s %s\n", situation, describe(code).data());
        return;
    }
    std::printf("%-32s length %.1f, labels: %s\n", situation,
                path_length(index.map(), answer.cells), index.has_labels() ? "yes" : "no");
}

}  // namespace

int main() {
    const auto map = grid::make_map(river());
    const auto index = map ? hpa::Index::build(*map) : fail(StatusCode::bad_option);
    if (!index) return 1;
    hpa::Searcher searcher;
    cross("two bridges:", *index, searcher);

    const std::array bomb{grid::TerrainEdit{{20, 28, 2, 4}, 'W'}};
    const auto bombed = index->edited(bomb);
    if (!bombed) return 1;
    cross("the near one is destroyed:", *bombed, searcher);
    cross("on the old snapshot:", *index, searcher);

    // Meanwhile queries use an engine that needs no labels.
    auto worker = std::async(std::launch::async, [index = *bombed] { return index.with_labels(); });
    const auto relabelled = worker.get();
    if (!relabelled) return 1;
    cross("labels are ready:", *relabelled, searcher);

    const std::array second_bomb{grid::TerrainEdit{{80, 28, 2, 4}, 'W'}};
    const auto cut_off = relabelled->edited(second_bomb);
    if (!cut_off) return 1;
    cross("no bridge is left:", *cut_off, searcher);
    const bool as_expected = index->reachable({20, 5}, {20, 55}) == cairn::StatusCode::ok &&
                             cut_off->reachable({20, 5}, {20, 55}) == cairn::StatusCode::no_path;
    return as_expected ? 0 : 1;
}

// One HAA* index for units of different sizes: a scout of one cell that goes through trees, and a
// wagon of three by three cells that keeps to open ground. Then trees are felled.

#include <array>
#include <cstdio>
#include <string>

#include "cairn/formats/movingai.hpp"
#include "cairn/haa/haa.hpp"

using namespace cairn;

namespace {

/// Prints how far a path leads an agent.
void send(const haa::Index& index, const char* name, haa::Agent agent) {
    haa::Searcher searcher;
    haa::Answer answer;
    haa::Query query;
    query.agent = agent;
    query.start = {47, 27};
    query.goal = {201, 201};
    query.nearest_reachable = true;  // if the agent does not fit there, go as near as possible
    if (searcher.find(index, query, answer) == StatusCode::ok) {
        std::printf("%s: %zu moves to %d,%d\n", name, answer.cells.size() - 1, answer.goal.x,
                    answer.goal.y);
    } else {
        std::printf("%s: %s\n", name, std::string(describe(answer.status)).c_str());
    }
}

}  // namespace

int main() {
    const auto terrain = formats::read_map("maps/forest.map");
    if (!terrain) return std::puts(terrain.error().message.c_str()), 1;
    haa::AnnotationOptions annotation;
    annotation.capabilities = {haa::Capability(haa::terrain_set({haa::kGround})),
                               haa::Capability(haa::terrain_set({haa::kGround, haa::kTrees}))};
    annotation.max_size = 3;
    const auto map = haa::AnnotatedMap::create(*terrain, annotation);
    const auto index = map ? haa::Index::build(*map) : fail(StatusCode::bad_option);
    if (!index) return 1;

    const haa::Agent scout{.capability = 1, .size = 1};
    const haa::Agent wagon{.capability = 0, .size = 3};
    // Makes the views of both agents. A game does this on a worker thread while it runs. Otherwise
    // the first query makes the view, without labels.
    if (!index->with_labels(std::array{scout, wagon})) return 1;
    send(*index, "scout", scout);
    send(*index, "wagon", wagon);

    const auto felled = index->edited(std::array{grid::TerrainEdit{{40, 20, 170, 190}, '.'}});
    if (!felled) return 1;
    send(*felled, "wagon, with all trees felled", wagon);
    return 0;
}

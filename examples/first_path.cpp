// A short program that finds a path with an HPA* index.

#include <cstdio>

#include "cairn/formats/movingai.hpp"
#include "cairn/hpa/hpa.hpp"

int main() {
    const auto map = cairn::formats::load_map("maps/rooms.map");
    if (!map) return std::puts(map.error().message.c_str()), 1;
    const auto index = cairn::hpa::Index::build(*map);
    if (!index) return std::puts(index.error().message.c_str()), 1;
    cairn::hpa::Searcher searcher;  // one per thread
    cairn::hpa::Answer answer;      // reused: a warmed query allocates nothing
    searcher.find(*index, {.start = {35, 252}, .goal = {222, 217}}, answer);
    std::printf("%zu cells, length %.1f\n", answer.cells.size(), path_length(*map, answer.cells));
}

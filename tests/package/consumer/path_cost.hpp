#pragma once
// A path by HPA*, for the programs outside Cairn that use its part hpa.

#include <cairn/grid/map.hpp>
#include <cairn/hpa/hpa.hpp>
#include <cairn/parts.hpp>
#include <cairn/version.hpp>
#include <cstdint>
#include <cstdio>
#include <vector>

#if !CAIRN_HAS_HPA
#error "cairn/parts.hpp does not list HPA*"
#endif

inline constexpr int kSide = 40;
/// The cost of path_cost(): 39 moves to the right, and 39 down to the gap and up again.
inline constexpr double kExpected = 39 + 2 * 39;

/// The cost of a path from the top left to the top right corner of a map of kSide x kSide cells
/// with straight moves only. A wall between them leaves only the bottom row open. -1 on an error.
inline double path_cost() {
    std::vector<std::uint8_t> terrain(std::size_t{kSide} * kSide, '.');
    for (int y = 0; y + 1 < kSide; ++y) terrain[static_cast<std::size_t>(y * kSide + 20)] = '@';
    cairn::grid::MapOptions options;
    options.rules.neighbourhood = cairn::grid::Neighbourhood::four;
    const auto map = cairn::grid::Map::create(kSide, kSide, terrain, options);
    if (!map) return -1;
    const auto index = cairn::hpa::Index::build(*map);
    if (!index) return -1;
    cairn::hpa::Searcher searcher;
    cairn::hpa::Answer answer;
    searcher.find(*index, {.start = {0, 0}, .goal = {kSide - 1, 0}, .limits = {}}, answer);
    std::printf("cairn %s: %zu cells\n", cairn::version().data(), answer.cells.size());
    return static_cast<double>(answer.cells.size()) - 1;
}

#pragma once

#include <cairn/grid/map.hpp>
#include <cairn/hpa/hpa.hpp>
#include <cairn/parts.hpp>
#include <cairn/version.hpp>
#include <cstdint>
#include <cstdio>
#include <vector>

#if !CAIRN_HAS_HPA
#error "cairn/parts.hpp does not say that there is HPA*"
#endif

inline constexpr int kSide = 40;
/// From the left to the right edge, down to the gap below the wall and up again, straight.
inline constexpr double kExpected = 39 + 2 * 39;

/// The length of the path in a map of kSide x kSide cells, moves straight only, from the top left
/// to the top right corner, with a wall between them that leaves the bottom row; -1 where it fails.
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

#pragma once
// The map and the indexes that the corpus of hpa_index_fuzz consists of.

#include <string>
#include <string_view>
#include <vector>

#include "cairn/hpa/index.hpp"

namespace cairn::fuzz {

inline grid::Map hpa_index_map() {
    static constexpr std::string_view kCells =
        "....1.......#.."
        ".##...#.2.#...."
        "..#.#.#...#.##."
        ".....#...##...."
        "###.....#....#."
        "..#.##....#..#."
        "......#.#....#."
        ".#.##.#.#.##..."
        ".#......#...3.."
        "...####...#.#.#"
        ".2......#.....#"
        "...#.#....##...";
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::weighted();
    options.rules.corner = grid::CornerRule::both_blocked;
    const std::vector<std::uint8_t> terrain(kCells.begin(), kCells.end());
    return grid::Map::create(15, 12, terrain, options).value();
}

struct HpaIndexCase {
    std::string name;
    hpa::Options options;
};

inline std::vector<HpaIndexCase> hpa_index_cases() {
    std::vector<HpaIndexCase> cases;
    for (int bits = 0; bits < 8; ++bits) {
        hpa::Options options;
        options.cluster_size = 4;
        options.levels = (bits & 1) != 0 ? 3 : 1;
        options.move_tables = (bits & 2) != 0;
        options.labels = (bits & 4) != 0;
        options.wide_entrance = 3;
        options.transitions = hpa::Transitions::by_width;
        cases.push_back({std::string("levels") + std::to_string(options.levels) +
                             (options.move_tables ? "-tables" : "") +
                             (options.labels ? "-labels" : ""),
                         options});
    }
    cases.push_back({"by-cost", cases.back().options});
    cases.back().options.transitions = hpa::Transitions::by_cost;
    return cases;
}

/// The index of a case.
inline hpa::Index build(const HpaIndexCase& c) {
    return hpa::Index::build(hpa_index_map(), c.options).value();
}

}  // namespace cairn::fuzz

#pragma once
// The map and the indexes that the corpus of subgoal_index_fuzz consists of.

#include <string>
#include <string_view>
#include <vector>

#include "cairn/subgoal/index.hpp"

namespace cairn::fuzz {

inline grid::Map subgoal_index_map() {
    static constexpr std::string_view kCells =
        "..................."
        ".##...#....#......."
        "..#.......##.......";
    std::string text;
    for (int i = 0; i < 3; ++i) text += kCells;
    text += "....#.....#....#..#";
    const std::vector<std::uint8_t> terrain(text.begin(), text.end());
    return grid::Map::create(19, 10, terrain, {}).value();
}

struct SubgoalIndexCase {
    std::string name;
    subgoal::Options options;
    bool complete;  ///< with levels and labels; else the index of an edit, which has neither
};

inline std::vector<SubgoalIndexCase> subgoal_index_cases() {
    std::vector<SubgoalIndexCase> cases;
    for (int bits = 0; bits < 8; ++bits) {
        subgoal::Options options;
        options.levels = (bits & 1) != 0 ? 3 : 1;
        options.labels = (bits & 2) != 0;
        options.edges = (bits & 4) != 0 ? subgoal::Edges::h_reachable : subgoal::Edges::direct;
        cases.push_back({std::string("levels") + std::to_string(options.levels) +
                             (options.labels ? "-labels" : "") + ((bits & 4) != 0 ? "-h" : ""),
                         options, true});
    }
    cases.push_back({"edited", {}, false});
    return cases;
}

/// The index of a case.
inline subgoal::Index build(const SubgoalIndexCase& c) {
    const auto index = subgoal::Index::build(subgoal_index_map(), c.options).value();
    return c.complete ? index : index.edited({}).value();
}

}  // namespace cairn::fuzz

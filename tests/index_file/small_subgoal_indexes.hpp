#pragma once
// Small subgoal graph indexes and queries for the tests of index files.

#include <string>
#include <vector>

#include "cairn/index_file/subgoal_index_file.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "small_indexes.hpp"

namespace cairn::index_file::test {

inline subgoal::Index build(const grid::Map& map, const subgoal::Options& options) {
    return subgoal::Index::build(map, options).value();
}

/// Loads from memory that is the index's own.
inline Result<subgoal::Index> load_subgoals(std::string bytes, const grid::Map& map) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return subgoal_index_from_bytes(as_bytes(*owner), owner, "test.crsg", map);
}

inline subgoal::Query query(const grid::Map& map, grid::Cell start, grid::Cell goal,
                            subgoal::Engine engine) {
    subgoal::Query query;
    query.start = map.point(start);
    query.goal = map.point(goal);
    query.engine = engine;
    return query;
}

/// The engines that an index has.
inline std::vector<subgoal::Engine> engines(const subgoal::Index& index) {
    std::vector<subgoal::Engine> engines{subgoal::Engine::astar};
    if (index.complete()) engines.push_back(subgoal::Engine::levels);
    if (index.has_labels()) engines.push_back(subgoal::Engine::cut_labels);
    return engines;
}

/// An index of its map edited at one cell, without engines.
inline subgoal::Index toggled(const subgoal::Index& index, grid::Cell cell) {
    const grid::Point p = index.map().point(cell);
    const grid::TerrainEdit edit{{p.x, p.y, 1, 1},
                                 static_cast<std::uint8_t>(1 - index.map().terrain(cell))};
    return index.edited(std::span(&edit, 1)).value();
}

}  // namespace cairn::index_file::test

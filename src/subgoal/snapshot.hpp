#pragma once
// The parts of a subgoal graph index. Immutable once it is shared.

#include <cstdint>
#include <memory>

#include "cairn/grid/map.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/options.hpp"
#include "subgoal/subgoal_bits.hpp"
#include "subgoal/subgoal_graph.hpp"

namespace cairn::subgoal {

struct Engines;

struct Snapshot {
    std::uint64_t id = 0;
    Options options;
    grid::Map map;
    SubgoalBits bits;
    SubgoalGraph graph;
    std::shared_ptr<const Engines> engines;  ///< of this snapshot; null after an edit
    /// Those of the last snapshot that had them, for the order of their labels.
    std::shared_ptr<const Engines> earlier_engines;
};

/// The id of an index built afresh. Never 0. O(map).
[[nodiscard]] std::uint64_t fresh_snapshot_id(const grid::Map& map, const Options& options);

/// ok, or unsupported: why the map has no subgoal graph.
[[nodiscard]] Status check(const grid::Map& map);

/// The subgoals' cells, by number. O(map / 64 + subgoals).
[[nodiscard]] std::vector<grid::Cell> subgoal_cells(const SubgoalBits& bits);

}  // namespace cairn::subgoal

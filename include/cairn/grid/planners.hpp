#pragma once
// A* and jump point search as planners (cairn/planner.hpp): grid searches without an index, for
// code that is written for all planners, such as searchers and batches. Also find_path, a single
// call for a first path.

#include <cstdint>
#include <span>
#include <string_view>

#include "cairn/control.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/jps.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/grid/paths.hpp"
#include "cairn/searcher.hpp"

namespace cairn {
struct Field;
}

namespace cairn::grid {

/// How much an answer holds.
enum class Detail : std::uint8_t {
    cost,  ///< only the cost
    path,  ///< every cell
};

/// A query of A*.
struct AstarQuery {
    Point start{};
    Point goal{};
    Detail detail = Detail::path;
    OpenList open = OpenList::heap;
    SearchLimits limits{};

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
};

/// A* over the cells (cairn/grid/astar.hpp): exact on every map.
struct AstarPlanner {
    static constexpr std::string_view kName = "astar";
    static constexpr std::string_view kSummary = "exact, any map, no index";
    static constexpr bool kExact = true;
    using Map = grid::Map;
    using Options = NoOptions;
    using Index = grid::Map;
    using Place = Point;
    using Query = AstarQuery;
    using Answer = Path;
    using Detail = grid::Detail;
    using Request = grid::Request;
    using Paths = grid::Paths;
    using Edit = TerrainEdit;
    using Step = Cell;

    [[nodiscard]] static Result<Index> build(const Map& map, const Options& /*options*/ = {},
                                             const BuildControl& /*control*/ = {}) noexcept {
        return map;
    }
};

/// A query of jump point search.
struct JpsQuery {
    Point start{};
    Point goal{};
    Detail detail = Detail::path;
    SearchLimits limits{};

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
};

/// Jump point search (cairn/grid/jps.hpp): exact on the maps that JpsMap::create accepts.
struct JpsPlanner {
    static constexpr std::string_view kName = "jps";
    static constexpr std::string_view kSummary = "exact, maps of one terrain, no index";
    static constexpr bool kExact = true;
    using Map = grid::Map;
    using Options = NoOptions;
    using Index = JpsMap;
    using Place = Point;
    using Query = JpsQuery;
    using Answer = Path;
    using Detail = grid::Detail;
    using Request = grid::Request;
    using Paths = grid::Paths;
    using Edit = TerrainEdit;
    using Step = Cell;

    [[nodiscard]] static Result<Index> build(const Map& map, const Options& /*options*/ = {},
                                             const BuildControl& /*control*/ = {}) noexcept {
        return JpsMap::create(map);
    }
};

using AstarSearcher = cairn::Searcher<AstarPlanner>;
using JpsSearcher = cairn::Searcher<JpsPlanner>;

}  // namespace cairn::grid

namespace cairn {

/// A shortest path from `start` to `goal`, every cell, by jump point search if the map allows it,
/// otherwise by A*. Errors: start_outside, goal_outside, start_blocked, goal_blocked; no_path;
/// out_of_memory. Every call goes over the whole map, even for a short path. For many queries build
/// an index, or keep a grid::JpsMap and a searcher. Thread-safe.
[[nodiscard]] Result<grid::Path> find_path(const grid::Map& map, grid::Point start,
                                           grid::Point goal) noexcept;

}  // namespace cairn

#pragma once
// Jump point search: exact paths on uniform-cost grids, also right after an edit, since there is
// next to no preprocessing. One or two orders of magnitude faster than A*, except on random
// obstacles.
//
//   D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", AAAI 2011;
//   D. Harabor, A. Grastien, "Improving jump point search", ICAPS 2014.
//
// The papers' terms and ours:
//
//   jump point                a free cell beside which an obstacle ends; only these are expanded
//   jump; block-based         straight scans over JpsMap's bits, 64 cells at a step
//     scanning (JPS (B))
//   pruning of intermediate   a diagonal jump puts the jump points that straight scans from its
//     jump points             cells find onto the open list, not the cells themselves
//     (JPS (B+P))
//   goal                      found by the scan that passes it
//
// Departures from the papers: they let a diagonal move pass one blocked corner. Here the corner
// rule is strict, so paths turn only at the ends of straight moves, and every jump point is entered
// by a straight move. Costs are the map's integers.
//
// Guarantee: a path of least cost, the same cost as Astar's, or the proof that there is none.
// Deterministic: the same calls give the same path on every machine. Between a jump point of the
// path and the next one, the path is a diagonal run and then a straight one; either may be empty.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cairn/control.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/search_trace.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

struct ObstacleBits;

/// A map and its obstacles as bits, about 0.3 bytes a cell. An immutable snapshot: cheap to copy,
/// and all const members may be called from any number of threads.
class JpsMap {
public:
    /// Makes the bits of `map`. Errors: unsupported, with the reason, unless the map has eight
    /// neighbours, the strict corner rule, one weight for all free cells, and straight < diagonal <
    /// 2 * straight. O(size): one or two milliseconds for 1024 x 1024 cells.
    [[nodiscard]] static Result<JpsMap> create(const Map& map) noexcept;

    /// The snapshot after `edits`, applied in order. Shares everything that they do not change.
    /// Errors: as Map::edited; unsupported if they add a second weight. Time as Map::edited.
    [[nodiscard]] Result<JpsMap> edited(std::span<const TerrainEdit> edits) const noexcept;

    [[nodiscard]] const Map& map() const noexcept { return map_; }
    /// Bytes of the bits, including memory shared with other snapshots. O(1).
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// For the library's own use.
    [[nodiscard]] const ObstacleBits& bits() const noexcept { return *bits_; }

private:
    JpsMap(const Map& map, std::shared_ptr<const ObstacleBits> bits)
        : map_(map), bits_(std::move(bits)) {}

    Map map_;
    std::shared_ptr<const ObstacleBits> bits_;
};

struct JpsOptions {
    bool cost_only = false;  ///< leave Path::cells empty
};

/// Jump point search with its scratch memory: 40 to 70 bytes for each jump point that the largest
/// search so far reached. Serves any number of queries on any maps, one at a time: use one object
/// per thread. Memory grows when needed and is kept, so a query that needs no more than an earlier
/// one allocates nothing.
class Jps {
public:
    Jps();
    ~Jps();
    Jps(Jps&&) noexcept;
    Jps& operator=(Jps&&) noexcept;

    /// Writes the cheapest path from `start` to `goal` into `out`, whose memory is reused. Returns
    /// out.status, as Astar::find_path does; limits.max_expanded counts jump points. O(size)
    /// expansions, each O(size) in the worst case.
    StatusCode find_path(const JpsMap& map, Point start, Point goal, Path& out,
                         const JpsOptions& options = {}, const SearchLimits& limits = {});

    /// find_path with an object of its own, which also records the search (cairn/search_trace.hpp).
    static StatusCode trace_path(const JpsMap& map, Point start, Point goal, Path& out,
                                 SearchTrace& trace, const JpsOptions& options = {},
                                 const SearchLimits& limits = {});

    /// Begins a search in slices. `map` and limits.cancel must stay valid until the search is
    /// finished or another one begins. Any other search with this object ends it.
    void begin(const JpsMap& map, Point start, Point goal, const JpsOptions& options = {},
               const SearchLimits& limits = {});

    /// Expands up to `max_expansions` more jump points. Slicing does not change the result.
    Progress advance(std::uint64_t max_expansions);

    /// The result of the search begun last, as find_path gives it, once advance() has returned
    /// finished. Before that it returns budget_exhausted with the statistics so far, and the search
    /// can go on.
    StatusCode take(Path& out);

    /// The effort of the last search.
    [[nodiscard]] const SearchStatistics& statistics() const noexcept;

    /// Bytes of scratch memory held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cairn::grid

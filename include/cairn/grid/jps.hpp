#pragma once
// Jump point search: exact paths on uniform-cost grids without preprocessing, faster than A* by an
// order of magnitude or two but on random noise, and current after every edit.
//
//   D. Harabor, A. Grastien: Online graph pruning for pathfinding on grid maps. AAAI 2011.
//   D. Harabor, A. Grastien: Improving jump point search. ICAPS 2014.
//
// | paper | here |
// | --- | --- |
// | jump point | free cell beside which an obstacle ends; the search expands only those |
// | jump, block-based scanning (JPS (B)) | straight scans, 64 cells at a step, over JpsMap's bits |
// | intermediate jump point, pruning (JPS (B+P)) | a diagonal jump queues what its cells see
// straight ahead, not those cells | | goal | found by the scan that passes it |
//
// Departures: the papers let a diagonal move pass one blocked corner; here the corner rule is
// strict, so that paths turn only at the ends of straight moves, and every jump point is entered
// by one. Costs are the map's integers.
//
// Guarantee: a path of least cost, the same as Astar's, or the proof that there is none.
// Deterministic: the same calls give the same path on every machine. Of two points of the path
// found that one diagonal and then one straight run connect, it takes them in this order.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cairn/control.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

struct ObstacleBits;

/// A map and its obstacles as bits, some 0.3 bytes a cell. An immutable snapshot: cheap to copy,
/// and all const members may be called from any number of threads.
class JpsMap {
public:
    /// Errors: unsupported, with the reason, unless the map has eight neighbours, the strict corner
    /// rule, one terrain weight among its free cells, and straight < diagonal < 2 * straight.
    /// O(size), a millisecond or two for 1024 x 1024 cells.
    [[nodiscard]] static Result<JpsMap> create(const Map& map);

    /// The snapshot after `edits`, applied in order. Shares what they leave untouched. Errors: as
    /// Map::edited and create, the latter if they bring a second weight.
    [[nodiscard]] Result<JpsMap> edited(std::span<const TerrainEdit> edits) const;

    [[nodiscard]] const Map& map() const noexcept { return map_; }
    /// Memory of the bits, shared or not.
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

/// Jump point search with its scratch memory: some 40 bytes for each jump point that the largest
/// search so far came to. Good for any number of queries on any maps, one at a time: use one
/// object per thread. Memory grows when needed and is kept, so a query that needs no more than an
/// earlier one allocates nothing.
class Jps {
public:
    Jps();
    ~Jps();
    Jps(Jps&&) noexcept;
    Jps& operator=(Jps&&) noexcept;

    /// The cheapest path from `start` to `goal` into `out`, whose memory is reused. Returns
    /// out.status as Astar::find_path does, with the same meaning of `limits`; max_expanded counts
    /// jump points. O(size) expansions, each O(size) in the worst case.
    StatusCode find_path(const JpsMap& map, Point start, Point goal, Path& out,
                         const JpsOptions& options = {}, const SearchLimits& limits = {});

    /// Starts a search to be advanced in slices. `map` and limits.cancel must stay where they are
    /// until the search is finished or another one begins. Any other search with this object ends
    /// it.
    void begin(const JpsMap& map, Point start, Point goal, const JpsOptions& options = {},
               const SearchLimits& limits = {});

    /// Expands up to `max_expansions` more jump points. Slicing does not change the result.
    Progress advance(std::uint64_t max_expansions);

    /// The result of the search begun last, as find_path's. Needs advance() to have returned
    /// finished; before that, returns budget_exhausted with the statistics so far, and the search
    /// may go on.
    StatusCode take(Path& out);

    /// What the last search cost.
    [[nodiscard]] const SearchStatistics& statistics() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cairn::grid

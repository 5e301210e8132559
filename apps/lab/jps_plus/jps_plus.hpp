#pragma once
// JPS+, jump point search on distances that are computed in advance, with goal bounding or without:
// the strongest published search on grids that cairn-lab compares Cairn's planners with.
//
//   D. Harabor, A. Grastien, "Improving jump point search", ICAPS 2014
//   S. Rabin, N. Sturtevant, "Combining bounding boxes and JPS to prune grid pathfinding", AAAI
//   2016
//
// Departures from the papers, each of which makes queries faster: only jump points entered by a
// straight move are put on the open list, not the cells of a diagonal walk at which straight jumps
// begin (as the 2014 paper's pruning of intermediate jump points); a cell from which the goal lies
// in one diagonal and one straight run ends the search at once; all eight rectangles of a cell are
// tested in a few instructions. The open list is a radix heap, whose lowest bucket is a stack.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "cairn/control.hpp"
#include "cairn/field.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/status.hpp"
#include "grid/jump_nodes.hpp"
#include "grid/open_radix.hpp"
#include "jps_plus/goal_bounds.hpp"
#include "jps_plus/jump_table.hpp"

namespace cairn::jps_plus {

struct Options {
    bool goal_bounds = false;

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
    friend bool operator==(const Options&, const Options&) = default;
};

/// An immutable value: cheap to copy, and any number of threads may read it.
class Index {
public:
    /// Errors: unsupported, with the reason, for maps that JpsMap::create refuses, and those on
    /// which a path could cost kInfinity; cancelled; out_of_memory. O(size), with goal bounds
    /// O(free cells squared).
    [[nodiscard]] static Result<Index> build(const grid::Map& map, const Options& options = {},
                                             const BuildControl& control = {}) noexcept;

    [[nodiscard]] const grid::Map& map() const noexcept { return map_; }
    [[nodiscard]] const JumpTable& table() const noexcept { return *table_; }
    /// By cell; null without goal bounds.
    [[nodiscard]] const GoalBounds* bounds() const noexcept { return bounds_.get(); }
    /// The bytes of all this, without the map. O(1).
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    Index(const grid::Map& map, JumpTable table, std::shared_ptr<const GoalBounds[]> bounds);

    grid::Map map_;
    std::shared_ptr<const JumpTable> table_;
    std::shared_ptr<const GoalBounds[]> bounds_;
};

/// What the lab's lists of planners need (bench/planners.hpp).
struct Planner {
    static constexpr std::string_view kName = "jps+";
    using Map = grid::Map;
    using Options = jps_plus::Options;
    using Index = jps_plus::Index;

    [[nodiscard]] static Result<Index> build(const Map& map, const Options& options,
                                             const BuildControl& control) noexcept {
        return Index::build(map, options, control);
    }
};

/// The search with its working memory, for one thread. A warmed query allocates nothing.
class Search {
public:
    /// Writes a path of least cost, every cell, into `out`, whose memory is reused. Returns
    /// out.status, as grid::Jps::find_path does. Throws std::bad_alloc.
    StatusCode find_path(const Index& index, grid::Point start, grid::Point goal, grid::Path& out);

private:
    template <bool kBounded>
    bool search(grid::Point start);
    template <bool kBounded>
    bool expand(std::uint32_t number);
    template <int kX, int kY>
    bool jump_straight(grid::Point p, grid::Cell c, Cost g);
    template <bool kBounded, int kX, int kY>
    bool jump_diagonally(grid::Point p, grid::Cell c, Cost g);
    void generate(grid::Point p, Cost g, unsigned entry);
    bool finish(Cost g);
    [[nodiscard]] Cost bound(grid::Point p) const noexcept;

    const Jumps* jumps_ = nullptr;
    const std::uint8_t* turns_ = nullptr;
    const GoalBounds* bounds_ = nullptr;
    std::int32_t width_ = 0;
    Cost straight_ = 0;
    Cost diagonal_ = 0;
    grid::Point goal_;
    std::uint32_t from_ = 0;  // the node being expanded
    SearchStatistics statistics_;
    grid::JumpNodes nodes_;
    grid::OpenRadix open_;
};

}  // namespace cairn::jps_plus

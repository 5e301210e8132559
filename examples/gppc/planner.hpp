#pragma once
// The planner of both entries: a subgoal graph, and jump point search while the graph of a changed
// map is being built. Its answers are complete paths.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cairn/grid/planners.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "completer.hpp"

namespace gppc {

inline constexpr char kName[] = "Cairn-subgoal-graphs";

/// A map with the competition's rules: no cutting of corners. `terrain` has 1 for a traversable
/// cell, else 0, row by row. Costs are the closest integers to 1 : sqrt 2 that fit a map of this
/// size.
[[nodiscard]] cairn::Result<cairn::grid::Map> make_map(int width, int height,
                                                       std::span<const std::uint8_t> terrain);

/// Builds the index of `map` and saves it to `file`. Errors are printed to stderr, since the
/// competition's functions return nothing.
void preprocess(const cairn::Result<cairn::grid::Map>& map, const std::filesystem::path& file);

class Planner {
public:
    /// Loads the index from `file`, or builds it if there is no file of this map. Null, with a
    /// message on stderr, if there is no map or its index cannot be built.
    [[nodiscard]] static std::unique_ptr<Planner> open(const cairn::Result<cairn::grid::Map>& map,
                                                       const std::filesystem::path& file);

    /// Changes the map. From then on jump point search finds paths. Once it has taken as long as
    /// the subgoal graph and its labels probably take to build, a worker thread builds them, and
    /// queries use them as soon as they are ready. So many changes with few queries between them do
    /// not pay for graphs that no query uses.
    void change(std::span<const cairn::grid::TerrainEdit> edits);

    /// Every cell of a shortest path. Empty if there is none, or, as the competition's rules say,
    /// if start and goal are one cell. Valid until the next call.
    [[nodiscard]] std::span<const cairn::grid::Cell> path(cairn::grid::Point start,
                                                          cairn::grid::Point goal);

    [[nodiscard]] const cairn::grid::Map& map() const noexcept { return map_.map(); }
    /// The bytes of the indexes and of the searchers' working memory.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    Planner(cairn::grid::JpsMap map, const cairn::subgoal::Index& index);

    void take_index();

    cairn::grid::JpsMap map_;
    std::optional<cairn::subgoal::Index> index_;  // of map_; none until it is built
    cairn::subgoal::Searcher searcher_;
    cairn::subgoal::Answer answer_;
    cairn::grid::JpsSearcher jps_;
    cairn::grid::Path jps_answer_;
    Completer completer_;
    bool completing_ = false;  // the completer builds the index of map_
    double patience_us_;       // of jump point search since a change, until the completer starts
    double searched_us_ = 0;   // the time of jump point search since a change
};

/// Converts the cells of a path to the competition's points. `Point` has members x and y.
/// Consecutive cells are neighbours, so only the first one takes a division.
template <class Point>
void to_points(std::span<const cairn::grid::Cell> cells, int width, std::vector<Point>& points) {
    points.resize(cells.size());
    if (cells.empty()) return;
    const auto w = static_cast<cairn::grid::Cell>(width);
    cairn::grid::Cell y = cells[0] / w;
    cairn::grid::Cell row = y * w;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] < row) {
            row -= w;
            --y;
        } else if (cells[i] - row >= w) {
            row += w;
            ++y;
        }
        using Coordinate = decltype(Point::x);
        points[i].x = static_cast<Coordinate>(cells[i] - row);
        points[i].y = static_cast<Coordinate>(y);
    }
}

}  // namespace gppc

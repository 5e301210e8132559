#pragma once
// What both entries are made of: a subgoal graph of the map that stays current while the map
// changes, and answers with whole paths.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "cairn/subgoal/subgoal.hpp"
#include "completer.hpp"

namespace gppc {

inline constexpr char kName[] = "Cairn-subgoal-graphs";

/// The competition's map: no cutting of corners. `terrain` has 1 for a traversable cell, else 0,
/// row by row. Costs are the closest integers to 1 : sqrt 2 with which no path overflows, even were
/// all cells traversable.
[[nodiscard]] cairn::Result<cairn::grid::Map> make_map(int width, int height,
                                                       std::span<const std::uint8_t> terrain);

/// Builds the index of `map` and saves it to `file`. What goes wrong is said on stderr, for the
/// competition's functions return nothing.
void preprocess(const cairn::Result<cairn::grid::Map>& map, const std::filesystem::path& file);

class Planner {
public:
    /// Loads the index from `file`; builds it where there is no file, or not one of this map. Null
    /// (with a word on stderr) if the map is one that subgoal graphs cannot have.
    [[nodiscard]] static std::unique_ptr<Planner> open(const cairn::Result<cairn::grid::Map>& map,
                                                       const std::filesystem::path& file);

    /// Changes the map. The subgoal graph is current, and paths are shortest, when this returns;
    /// labels follow from a worker thread, and queries use them as soon as they are there.
    void change(std::span<const cairn::grid::TerrainEdit> edits);

    /// Every cell of a shortest path. Empty if there is none, or if start and goal are one cell:
    /// the competition's rules want that. Valid until the next call.
    [[nodiscard]] std::span<const cairn::grid::Cell> path(cairn::grid::Point start,
                                                          cairn::grid::Point goal);

    [[nodiscard]] const cairn::grid::Map& map() const noexcept { return index_.map(); }

private:
    explicit Planner(cairn::subgoal::Index index) : index_(std::move(index)) {}
    void take_completed();

    cairn::subgoal::Index index_;
    cairn::subgoal::Searcher searcher_;
    cairn::subgoal::Answer answer_;
    Completer completer_;
};

/// The path's cells as the competition's points, without a division for each. `Point` has x and y.
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

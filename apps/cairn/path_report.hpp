#pragma once
// How `cairn path` shows its answer.

#include <cstdint>
#include <optional>
#include <string>

#include "any_planner.hpp"
#include "command.hpp"

namespace cairn::app {

/// What A* made of the same query.
struct Comparison {
    double seconds = 0;
    Cost cost = kInfinity;
    double length = 0;
    std::uint64_t expanded = 0;
};

struct PathReport {
    const AnyPlanner* planner = nullptr;  ///< its last answer is what is shown
    grid::Point start;
    Reply reply;  ///< ok
    double seconds = 0;
    std::optional<std::size_t> nearest;  ///< which of several goals it is
    std::optional<Comparison> astar;

    /// With every cell, or only the turning points.
    [[nodiscard]] std::string text(bool every_cell) const;
    [[nodiscard]] Json json(bool every_cell) const;
    /// The map in letters, the path drawn over it, as wide as who moves. Errors: bad_option (too
    /// large for a terminal).
    [[nodiscard]] Result<std::string> drawing() const;

private:
    [[nodiscard]] std::vector<grid::Cell> points(bool every_cell) const;
    [[nodiscard]] double length() const;
    /// The ground of the drawing: of an agent that of the smallest one of its capability.
    [[nodiscard]] std::string ground() const;
    void draw_place(std::string& letters, grid::Cell place) const;
};

}  // namespace cairn::app

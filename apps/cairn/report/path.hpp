#pragma once
// The output of `cairn path`.

#include <cstdint>
#include <optional>
#include <string>

#include "cairn/hna/hna.hpp"
#include "command.hpp"
#include "options/planner.hpp"

namespace cairn::app {

/// The answer of A* to the same query.
struct Comparison {
    double seconds = 0;
    Cost cost = kInfinity;
    double length = 0;  ///< of paths over cells
    std::uint64_t expanded = 0;
};

struct PathReport {
    const GridPlanner* planner = nullptr;  ///< shows its last answer, whose status is ok
    grid::Point start;
    AnswerDetails answer;  ///< of that
    double seconds = 0;
    std::optional<std::size_t> nearest;  ///< the number of the goal, if there are several
    std::optional<Comparison> astar;

    /// With every cell, or only the turning points.
    [[nodiscard]] std::string text(bool every_cell) const;
    [[nodiscard]] Json json(bool every_cell) const;
    /// The map in letters, with the path drawn over it, as wide as the agent. Errors: bad_option
    /// (too large for a terminal).
    [[nodiscard]] Result<std::string> drawing() const;
    /// The end of the path.
    [[nodiscard]] grid::Point goal() const { return std::get<grid::Point>(answer.goal); }

private:
    [[nodiscard]] Cost cost() const { return planner->answer.cost(); }
    [[nodiscard]] std::vector<grid::Cell> points(bool every_cell) const;
    [[nodiscard]] double length() const;
    /// The ground of the drawing; for an agent that of the smallest agent with its capability.
    [[nodiscard]] std::string ground() const;
    void draw_place(std::string& letters, grid::Cell place) const;
};

/// The output of `cairn path` for a mesh.
struct MeshPathReport {
    const hna::Index* index = nullptr;
    hna::Answer answer;
    hna::Detail detail = hna::Detail::path;
    double seconds = 0;
    bool polygons = false;
    std::optional<std::size_t> nearest;  ///< the number of the goal, if there are several
    std::optional<Comparison> astar;

    [[nodiscard]] std::string text() const;
    [[nodiscard]] Json json() const;

private:
    [[nodiscard]] double units() const { return index->mesh().units_per_length(); }
    [[nodiscard]] std::uint64_t expanded() const {
        const hna::QueryStatistics& s = answer.statistics;
        return s.connect.expanded + s.search.expanded + s.refine.expanded;
    }
};

[[nodiscard]] Json place_json(const mesh::Place& place);

}  // namespace cairn::app

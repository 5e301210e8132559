#pragma once
// The output of `cairn path`.

#include <cstdint>
#include <optional>
#include <string>

#include "cairn/hna/hna.hpp"
#include "command.hpp"
#include "options/mesh.hpp"
#include "options/planner.hpp"
#include "requests.hpp"
#include "trace.hpp"

namespace cairn::app {

/// The answer of A* to the same query.
struct Comparison {
    double seconds = 0;
    Cost cost = kInfinity;
    double length = 0;           ///< on grids only, in straight steps
    std::uint64_t expanded = 0;  ///< nodes
};

/// The output of `cairn path` for a map.
struct PathReport {
    const GridPlanner* planner = nullptr;  ///< its last answer is shown; that has status ok
    grid::Point start;
    AnswerDetails answer;                ///< the details of planner->answer
    double seconds = 0;                  ///< of the query
    std::optional<std::size_t> nearest;  ///< the number of the goal, if there are several
    std::optional<Comparison> astar;     ///< with --compare
    std::optional<TraceReport> trace;    ///< with --trace
    std::optional<RowsReport> paths;     ///< with --paths

    /// `every_cell`: lists all cells; else only the turning points.
    [[nodiscard]] std::string text(bool every_cell) const;
    [[nodiscard]] Json json(bool every_cell) const;
    /// The map in letters, and over it the path, as wide as the agent. Errors: bad_option (a map
    /// too large for a terminal).
    [[nodiscard]] Result<std::string> drawing() const;
    /// The end of the path.
    [[nodiscard]] grid::Point goal() const { return std::get<grid::Point>(answer.goal); }

private:
    [[nodiscard]] Cost cost() const { return planner->answer.cost(); }
    /// The cells to list; without cells in the answer, its abstract nodes.
    [[nodiscard]] std::vector<grid::Cell> points(bool every_cell) const;
    /// In straight steps.
    [[nodiscard]] double length() const;
    /// A letter for each cell, by its weight; for an agent by the weight for its capability.
    [[nodiscard]] std::string ground() const;
    /// Marks the cells covered at a point of the path.
    void draw_point(std::string& letters, grid::Cell point) const;
};

/// The output of `cairn path` for a mesh.
struct MeshPathReport {
    const hna::Index* index = nullptr;
    hna::Answer answer;
    hna::Detail detail = hna::Detail::path;  ///< of the query
    double seconds = 0;                      ///< of the query
    bool polygons = false;                   ///< list those of the corridor in the text too
    std::optional<std::size_t> nearest;      ///< the number of the goal, if there are several
    std::optional<Comparison> astar;         ///< with --compare
    std::optional<TraceReport> trace;        ///< with --trace
    std::optional<RowsReport> paths;         ///< with --paths

    [[nodiscard]] std::string text() const;
    [[nodiscard]] Json json() const;

private:
    /// The cost of length 1.
    [[nodiscard]] double units() const { return index->mesh().units_per_length(); }
    [[nodiscard]] std::uint64_t expanded() const {
        const hna::QueryStatistics& s = answer.statistics;
        return s.connect.expanded + s.search.expanded + s.refine.expanded;
    }
};

/// The path of a disc over a mesh.
struct DiscPathReport {
    const DiscPath& path;
    bool polygons = false;  ///< list them

    [[nodiscard]] std::string text() const;
    [[nodiscard]] Json json() const;
};

[[nodiscard]] Json place_json(const mesh::Place& place);
[[nodiscard]] std::string engine_name(hna::Engine engine);

}  // namespace cairn::app

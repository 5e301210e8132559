#pragma once
// The options --requests and --paths of `cairn path`: many requests from a file, and paths as rows
// of numbers.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/grid/paths.hpp"
#include "cairn/mesh/funnel.hpp"
#include "command.hpp"
#include "text.hpp"

namespace cairn::app {

/// A file of paths that has been written.
struct PathsReport {
    std::string file;
    std::size_t rows = 0;

    void add_to(Facts& facts) const;
    [[nodiscard]] Json json() const;
};

/// The option --paths. A row is the number of the request, from 0, and a point of its path, in the
/// order of the path. Requests without a path have no rows.
struct PathsFlag {
    std::string file;

    void add_to(CLI::App& command, Context& context);
    [[nodiscard]] bool given() const { return !file.empty(); }
    /// Writes rows of 3: request, x and y of a cell. Without --paths it does nothing. Errors:
    /// unsupported (neither .npy nor .csv); those of writing.
    [[nodiscard]] Result<std::optional<PathsReport>> write(
        std::span<const std::int32_t> rows) const;
    /// Writes the waypoints of one path: request 0, x, y and z.
    [[nodiscard]] Result<std::optional<PathsReport>> write(
        std::span<const mesh::Waypoint> waypoints) const;

private:
    template <class Number>
    [[nodiscard]] Result<std::optional<PathsReport>> write_rows(
        std::span<const Number> rows, const std::vector<std::string>& names) const;
};

/// Appends the rows of a path on a map of this width.
void append_rows(std::int32_t request, std::span<const grid::Cell> cells, std::int32_t width,
                 std::vector<std::int32_t>& rows);

/// Reads requests: a .npy of n x 4 integers, or the starts and goals of a MovingAI .scen. Errors:
/// unsupported (another extension); those of the readers.
[[nodiscard]] Result<std::vector<grid::Request>> load_requests(const std::string& file);

/// The output of `cairn path --requests`.
struct BatchReport {
    std::string planner;
    std::size_t requests = 0;
    std::map<StatusCode, std::size_t> statuses;  ///< how many requests have each
    double seconds = 0;
    double length = 0;  ///< of all paths, in straight steps
    std::optional<PathsReport> paths;

    [[nodiscard]] std::string text() const;
    [[nodiscard]] Json json() const;
    [[nodiscard]] std::size_t found() const;
};

}  // namespace cairn::app

#pragma once
// The options --requests, --paths and --statuses of `cairn path`: many requests from a file, and
// their paths and statuses as rows of numbers.

#include <array>
#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/paths.hpp"
#include "cairn/mesh/funnel.hpp"
#include "command.hpp"
#include "text.hpp"

namespace cairn::app {

/// A file of rows that has been written.
struct RowsReport {
    std::string file;
    std::size_t rows = 0;

    void add_to(Facts& facts, std::string_view what = "paths") const;
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
    [[nodiscard]] Result<std::optional<RowsReport>> write(std::span<const std::int32_t> rows) const;
    /// Writes rows of 4: request, x, y and z of a waypoint.
    [[nodiscard]] Result<std::optional<RowsReport>> write(std::span<const double> rows) const;
};

/// How a request of --requests was answered.
struct RequestStatus {
    StatusCode code = StatusCode::ok;
    std::int32_t cost = -1;  ///< of its path; -1: none, or not asked for
};

/// How request `i` of a batch was answered.
[[nodiscard]] RequestStatus status_of(const AnyPaths& found, std::size_t i);

/// The columns of a file of statuses, and the row of a request in its .npy.
inline constexpr std::size_t kStatusColumns = 3;
[[nodiscard]] inline std::array<std::int32_t, kStatusColumns> status_row(
    std::int32_t request, const RequestStatus& status) noexcept {
    return {request, static_cast<std::int32_t>(status.code), status.cost};
}

/// The option --statuses. A row for each request: its number, from 0, its status and the cost of
/// its path.
struct StatusesFlag {
    std::string file;

    void add_to(CLI::App& command, Context& context);
    [[nodiscard]] bool given() const { return !file.empty(); }
    /// Writes a .csv with names of statuses, where a missing cost is empty, or a .npy with numbers
    /// of cairn::StatusCode, where it is -1. Else as PathsFlag::write.
    [[nodiscard]] Result<std::optional<RowsReport>> write(
        std::span<const RequestStatus> statuses) const;
};

/// Appends the rows of a path on a map of this width.
void append_rows(std::int32_t request, std::span<const grid::Cell> cells, std::int32_t width,
                 std::vector<std::int32_t>& rows);

/// Appends the rows of a path on a mesh.
void append_rows(std::int32_t request, std::span<const mesh::Waypoint> waypoints,
                 std::vector<double>& rows);

/// Reads requests: a .npy of n x 4 integers, or the starts and goals of a MovingAI .scen. Errors:
/// unsupported (another extension); those of the readers.
[[nodiscard]] Result<std::vector<grid::Request>> load_requests(const std::string& file);
/// Reads requests on a mesh: a .npy of n x 6 numbers. Errors: as load_requests.
[[nodiscard]] Result<std::vector<mesh::Request>> load_mesh_requests(const std::string& file);

/// A batch of `cairn path --requests`.
struct RequestBatch {
    const AnyIndex& index;
    const AnyQuery& query;  ///< the options of each request
    AnyRequests requests;
    double unit = 1;  ///< the cost of length 1
    int threads = 0;  ///< as BuildControl::threads
};
/// Answers a batch, writes the files of the options and prints a report. Errors: those of the batch
/// and of writing.
[[nodiscard]] Outcome answer_batch(Context& context, AnySearcher& searcher,
                                   const RequestBatch& batch, const PathsFlag& paths,
                                   const StatusesFlag& statuses);

/// The output of `cairn path --requests`.
struct BatchReport {
    std::string planner;
    std::size_t requests = 0;
    std::map<StatusCode, std::size_t> statuses;  ///< how many requests have each
    double seconds = 0;
    double length = 0;  ///< of all paths, in straight steps
    std::optional<RowsReport> paths;
    std::optional<RowsReport> status_rows;  ///< with --statuses

    [[nodiscard]] std::string text() const;
    [[nodiscard]] Json json() const;
    [[nodiscard]] std::size_t found() const;
};

}  // namespace cairn::app

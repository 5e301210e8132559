#include "requests.hpp"

#include <iterator>

#include "cairn/file.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/formats/npy.hpp"
#include "files.hpp"

namespace cairn::app {

namespace {

/// Writes rows of numbers into the file of an option: as a .npy, or as a .csv whose lines
/// `text(row)` makes. Nothing if the option was not given.
template <class Number, class Text>
Result<std::optional<RowsReport>> write_rows(std::string_view option, const std::string& file,
                                             const std::vector<std::string>& names,
                                             std::span<const Number> rows, Text&& text) {
    if (file.empty()) return std::nullopt;
    const std::string extension = file == kStandardOutput ? ".csv" : extension_of(file);
    std::string bytes;
    if (extension == ".npy") {
        auto made = formats::format_npy(rows, names.size());
        if (!made) return tl::unexpected(std::move(made.error()));
        bytes = std::move(*made);
    } else if (extension == ".csv") {
        bytes = fmt::format("{}\n", fmt::join(names, ","));
        for (std::size_t i = 0; i < rows.size(); i += names.size())
            fmt::format_to(std::back_inserter(bytes), "{}\n", text(rows.subspan(i, names.size())));
    } else {
        return fail(StatusCode::unsupported,
                    fmt::format("{}: {} is written as .npy or .csv", file, option));
    }
    if (Status written = write_file_atomically(file, bytes); !written.ok())
        return tl::unexpected(std::move(written));
    return RowsReport{file, rows.size() / names.size()};
}

/// The width of the map of an index of a grid.
int grid_width(const AnyMap& map) {
    if (const auto* const agents = std::get_if<haa::AnnotatedMap>(&map)) return agents->width();
    return std::get<grid::Map>(map).width();
}

constexpr auto kNumbers = [](const auto& row) { return fmt::format("{}", fmt::join(row, ",")); };

/// An option of `cairn path` that writes such a file.
void add_rows_option(CLI::App& command, Context& context, const char* name, std::string& file,
                     const char* help) {
    writes_file(command.add_option(name, file, help), context)->type_name("FILE")->group("Output");
}

}  // namespace

void RowsReport::add_to(Facts& facts, std::string_view what) const {
    facts.add(std::string(what), fmt::format("{} rows, written to {}", grouped(rows), file));
}

Json RowsReport::json() const { return {{"file", file}, {"rows", rows}}; }

void PathsFlag::add_to(CLI::App& command, Context& context) {
    add_rows_option(command, context, "--paths", file,
                    "Write paths as rows of numbers, a request and a point: .npy or .csv");
}

Result<std::optional<RowsReport>> PathsFlag::write(std::span<const std::int32_t> rows) const {
    return write_rows("--paths", file, {"request", "x", "y"}, rows, kNumbers);
}

Result<std::optional<RowsReport>> PathsFlag::write(std::span<const double> rows) const {
    return write_rows("--paths", file, {"request", "x", "y", "z"}, rows, kNumbers);
}

void StatusesFlag::add_to(CLI::App& command, Context& context) {
    add_rows_option(command, context, "--statuses", file,
                    "With --requests: write the status and the cost of each request: .csv or .npy");
}

RequestStatus status_of(const AnyPaths& found, std::size_t i) {
    const bool has_cost = found.status(i) == StatusCode::ok && found.cost(i) != kInfinity;
    return {found.status(i), has_cost ? static_cast<std::int32_t>(found.cost(i)) : -1};
}

Result<std::optional<RowsReport>> StatusesFlag::write(
    std::span<const RequestStatus> statuses) const {
    std::vector<std::int32_t> rows;
    for (std::size_t i = 0; i < statuses.size(); ++i) {
        const auto row = status_row(static_cast<std::int32_t>(i), statuses[i]);
        rows.insert(rows.end(), row.begin(), row.end());
    }
    return write_rows("--statuses", file, {"request", "status", "cost"},
                      std::span<const std::int32_t>(rows), [](std::span<const std::int32_t> row) {
                          return fmt::format("{},{},{}", row[0],
                                             name(static_cast<StatusCode>(row[1])),
                                             row[2] < 0 ? "" : fmt::format("{}", row[2]));
                      });
}

void append_rows(std::int32_t request, std::span<const grid::Cell> cells, std::int32_t width,
                 std::vector<std::int32_t>& rows) {
    for (const grid::Cell cell : cells) {
        const grid::Point p = grid::point_of(width, cell);
        rows.insert(rows.end(), {request, p.x, p.y});
    }
}

void append_rows(std::int32_t request, std::span<const mesh::Waypoint> waypoints,
                 std::vector<double>& rows) {
    for (const mesh::Waypoint& waypoint : waypoints) {
        rows.insert(rows.end(),
                    {double(request), waypoint.point.x, waypoint.point.y, waypoint.point.z});
    }
}

Result<std::vector<grid::Request>> load_requests(const std::string& file) {
    const std::string extension = extension_of(file);
    if (extension == ".npy") return formats::load_npy_requests(file);
    if (extension != ".scen") {
        return fail(StatusCode::unsupported,
                    fmt::format("{}: --requests reads .npy and .scen", file));
    }
    return formats::load_scenario(file).map([](const formats::Scenario& scenario) {
        return mapped(scenario.problems, [](const formats::ScenarioProblem& problem) {
            return grid::Request{problem.start, problem.goal};
        });
    });
}

Result<std::vector<mesh::Request>> load_mesh_requests(const std::string& file) {
    if (extension_of(file) != ".npy") {
        return fail(StatusCode::unsupported,
                    fmt::format("{}: --requests on a mesh reads .npy", file));
    }
    const auto opened = formats::NpyRequests<mesh::Request>::open(file);
    if (!opened) return tl::unexpected(opened.error());
    std::vector<mesh::Request> requests(opened->size());
    if (Status read = opened->read(0, requests); !read.ok()) return tl::unexpected(std::move(read));
    return requests;
}

Outcome answer_batch(Context& context, AnySearcher& searcher, const RequestBatch& batch,
                     const PathsFlag& paths, const StatusesFlag& statuses) {
    AnyPaths found;
    BuildControl control;
    control.cancel = &context.cancel;
    control.threads = batch.threads;
    const double begin = now();
    Status status =
        searcher.find_paths(batch.index, batch.query, batch.requests, found, {}, control);
    BatchReport report;
    report.seconds = now() - begin;
    if (!status.ok()) return tl::unexpected(std::move(status));
    const PlannerInfo& planner = batch.index.planner();
    report.planner = std::string(planner.name);
    report.requests = found.size();
    const int width =
        planner.space == Space::grid && paths.given() ? grid_width(batch.index.map()) : 0;
    std::vector<std::int32_t> cells;
    std::vector<double> waypoints;
    std::vector<RequestStatus> of_requests(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        of_requests[i] = status_of(found, i);
        ++report.statuses[found.status(i)];
        if (found.status(i) != StatusCode::ok) continue;
        if (of_requests[i].cost >= 0) report.length += double(of_requests[i].cost) / batch.unit;
        if (!paths.given()) continue;
        const auto number = static_cast<std::int32_t>(i);
        append_rows(number, found.cells(i), width, cells);
        append_rows(number, found.waypoints(i), waypoints);
    }
    auto written = planner.space == Space::grid ? paths.write(cells) : paths.write(waypoints);
    if (!written) return tl::unexpected(std::move(written.error()));
    report.paths = std::move(*written);
    written = statuses.write(of_requests);
    if (!written) return tl::unexpected(std::move(written.error()));
    report.status_rows = std::move(*written);
    say(context, report.json(), report.text());
    return report.found() > 0 || report.requests == 0 ? kDone : kNoPath;
}

std::size_t BatchReport::found() const {
    const auto ok = statuses.find(StatusCode::ok);
    return ok == statuses.end() ? 0 : ok->second;
}

std::string BatchReport::text() const {
    Facts facts;
    facts.add("requests", grouped(requests));
    facts.add("found", fmt::format("{}   length {:.2f} in all", grouped(found()), length));
    for (const auto& [status, count] : statuses) {
        if (status != StatusCode::ok)
            facts.add("", fmt::format("{}: {}", grouped(count), describe(status)));
    }
    facts.add("time", fmt::format("{}, {} a request", duration(seconds),
                                  duration(requests == 0 ? 0 : seconds / double(requests))));
    if (paths) paths->add_to(facts);
    if (status_rows) status_rows->add_to(facts, "statuses");
    return facts.text();
}

Json BatchReport::json() const {
    Json by_status = Json::object();
    for (const auto& [status, count] : statuses) by_status[std::string(name(status))] = count;
    Json out{{"planner", planner},
             {"requests", requests},
             {"statuses", by_status},
             {"length", length},
             {"seconds", seconds}};
    if (paths) out["paths"] = paths->json();
    if (status_rows) out["status_rows"] = status_rows->json();
    return out;
}

}  // namespace cairn::app

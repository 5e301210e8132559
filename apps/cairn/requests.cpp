#include "requests.hpp"

#include <iterator>

#include "cairn/file.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/formats/npy.hpp"
#include "files.hpp"

namespace cairn::app {

void PathsReport::add_to(Facts& facts) const {
    facts.add("paths", fmt::format("{} rows, written to {}", grouped(rows), file));
}

Json PathsReport::json() const { return {{"file", file}, {"rows", rows}}; }

void PathsFlag::add_to(CLI::App& command, Context& context) {
    writes_file(command.add_option("--paths", file,
                                   "Write paths as rows of numbers, a request and a point: .npy "
                                   "or .csv"),
                context)
        ->type_name("FILE")
        ->group("Output");
}

template <class Number>
Result<std::optional<PathsReport>> PathsFlag::write_rows(
    std::span<const Number> rows, const std::vector<std::string>& names) const {
    if (!given()) return std::nullopt;
    const std::string extension = file == kStandardOutput ? ".csv" : extension_of(file);
    std::string bytes;
    if (extension == ".npy") {
        auto made = formats::format_npy(rows, names.size());
        if (!made) return tl::unexpected(std::move(made.error()));
        bytes = std::move(*made);
    } else if (extension == ".csv") {
        bytes = fmt::format("{}\n", fmt::join(names, ","));
        for (std::size_t i = 0; i < rows.size(); i += names.size())
            fmt::format_to(std::back_inserter(bytes), "{}\n",
                           fmt::join(rows.subspan(i, names.size()), ","));
    } else {
        return fail(StatusCode::unsupported,
                    fmt::format("{}: --paths is written as .npy or .csv", file));
    }
    if (Status written = write_file_atomically(file, bytes); !written.ok())
        return tl::unexpected(std::move(written));
    return PathsReport{file, rows.size() / names.size()};
}

Result<std::optional<PathsReport>> PathsFlag::write(std::span<const std::int32_t> rows) const {
    return write_rows(rows, {"request", "x", "y"});
}

Result<std::optional<PathsReport>> PathsFlag::write(
    std::span<const mesh::Waypoint> waypoints) const {
    std::vector<double> rows;
    for (const mesh::Waypoint& waypoint : waypoints)
        rows.insert(rows.end(), {0, waypoint.point.x, waypoint.point.y, waypoint.point.z});
    return write_rows(std::span<const double>(rows), {"request", "x", "y", "z"});
}

void append_rows(std::int32_t request, std::span<const grid::Cell> cells, std::int32_t width,
                 std::vector<std::int32_t>& rows) {
    for (const grid::Cell cell : cells) {
        const grid::Point p = grid::point_of(width, cell);
        rows.insert(rows.end(), {request, p.x, p.y});
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
    return out;
}

}  // namespace cairn::app

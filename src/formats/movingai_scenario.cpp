#include "cairn/formats/movingai.hpp"
#include "core/guarded.hpp"
#include "scenario_fields.hpp"

namespace cairn::formats {
namespace {

Status parse_grid_problem(const LineReader& lines, ScenarioProblem& problem) {
    std::array<std::string_view, kScenarioFields.size()> fields;
    if (Status s = split_fields(lines, fields); !s.ok()) return s;
    const std::array<IntegerField, 7> integers{
        {{0, &problem.bucket, 0, std::numeric_limits<std::int32_t>::max()},
         {2, &problem.map_width, 0, grid::Map::kMaxSide},
         {3, &problem.map_height, 0, grid::Map::kMaxSide},
         {4, &problem.start.x, 0, grid::Map::kMaxSide - 1},
         {5, &problem.start.y, 0, grid::Map::kMaxSide - 1},
         {6, &problem.goal.x, 0, grid::Map::kMaxSide - 1},
         {7, &problem.goal.y, 0, grid::Map::kMaxSide - 1}}};
    if (Status s = parse_integers(lines, fields, kScenarioFields, integers); !s.ok()) return s;
    if (Status s = parse_map_name(lines, fields[1], problem.map); !s.ok()) return s;
    return parse_length(lines, fields[8], kScenarioFields[8], problem.optimal_length);
}

std::string grid_line(const ScenarioProblem& p) {
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.8f}\n", p.bucket, p.map, p.map_width,
                       p.map_height, p.start.x, p.start.y, p.goal.x, p.goal.y, p.optimal_length);
}

bool grid_reads_back(const LineReader& line, const ScenarioProblem& problem) {
    // The length is rounded to eight decimals; numbers in range always read back equal.
    ScenarioProblem copy;
    return parse_grid_problem(line, copy).ok() && copy.map == problem.map;
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text, std::string_view name) noexcept try {
    return parse_problems(text, name, read_scenario_version, parse_grid_problem)
        .map([](std::vector<ScenarioProblem> problems) { return Scenario{std::move(problems)}; });
} catch (...) {
    return out_of_memory();
}

Result<Scenario> load_scenario(const std::string& path) noexcept try {
    return parse_file(path, kMaxScenarioBytes, parse_scenario);
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_scenario(const Scenario& scenario) noexcept try {
    return format_problems("version 1\n", scenario.problems, grid_line, grid_reads_back,
                           "a scenario: a number is out of range or the map name is not a file "
                           "name");
} catch (...) {
    return out_of_memory();
}

Status write_scenario(const std::string& path, const Scenario& scenario) noexcept try {
    return write_formatted(path, format_scenario(scenario));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats

#include "cairn/formats/haa_scenario.hpp"

#include "cairn/grid/map.hpp"
#include "core/guarded.hpp"
#include "scenario_fields.hpp"

namespace cairn::formats {
namespace {

constexpr std::int32_t kLastCell = grid::Map::kMaxSide - 1;
constexpr std::int32_t kMaxSize = 255;
constexpr std::array<const char*, 8> kFields{"map name", "start x",    "start y",    "goal x",
                                             "goal y",   "capability", "agent size", "distance"};

// The number that stands for a set of terrains in the files of the author's program.
struct Code {
    std::int32_t number;
    haa::TerrainSet terrains;
};
constexpr std::array<Code, 3> kCodes{{{4, haa::terrain_set({haa::kGround})},
                                      {64, haa::terrain_set({haa::kTrees})},
                                      {68, haa::terrain_set({haa::kGround, haa::kTrees})}}};

Status parse_terrains(const LineReader& lines, std::string_view word, haa::TerrainSet& terrains) {
    const auto number = parse_number<std::int32_t>(word);
    for (const Code& code : kCodes) {
        if (number != code.number) continue;
        terrains = code.terrains;
        return {};
    }
    return lines.error_at(
        word, fmt::format("capability {}: 4 (ground), 64 (trees) and 68 (both) are known",
                          excerpt(word)));
}

std::int32_t code_of(haa::TerrainSet terrains) {
    for (const Code& code : kCodes) {
        if (code.terrains == terrains) return code.number;
    }
    return 0;  // refused by parse_terrains, so the problem is not written
}

Status parse_agent_problem(const LineReader& lines, HaaProblem& problem) {
    std::array<std::string_view, kFields.size()> fields;
    if (Status s = split_fields(lines, fields); !s.ok()) return s;
    if (Status s = parse_map_name(lines, fields[0], problem.map); !s.ok()) return s;
    const std::array<IntegerField, 5> integers{{{1, &problem.start.x, 0, kLastCell},
                                                {2, &problem.start.y, 0, kLastCell},
                                                {3, &problem.goal.x, 0, kLastCell},
                                                {4, &problem.goal.y, 0, kLastCell},
                                                {6, &problem.size, 1, kMaxSize}}};
    if (Status s = parse_integers(lines, fields, kFields, integers); !s.ok()) return s;
    if (Status s = parse_terrains(lines, fields[5], problem.terrains); !s.ok()) return s;
    return parse_length(lines, fields[7], kFields[7], problem.distance);
}

std::string agent_line(const HaaProblem& p) {
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", p.map, p.start.x, p.start.y, p.goal.x,
                       p.goal.y, code_of(p.terrains), p.size, p.distance);
}

bool agent_reads_back(const LineReader& line, const HaaProblem& problem) {
    HaaProblem copy;
    return parse_agent_problem(line, copy).ok() && copy == problem;
}

Status read_version(LineReader& lines) {
    if (!lines.next()) return lines.error_at(0, "the file is empty; a HAA* scenario begins with 2");
    std::string_view rest = lines.line();
    const std::string_view version = next_word(rest);
    if (!parse_number<std::int32_t>(version) || !next_word(rest).empty())
        return lines.error_at(0, "a HAA* scenario begins with a line that says 2");
    if (version == "2") return {};
    return lines.error_at(
        version, fmt::format("HAA* scenario version {}: only 2 is known", excerpt(version)),
        StatusCode::wrong_version);
}

}  // namespace

Result<HaaScenario> parse_haa_scenario(std::string_view text, std::string_view name) noexcept try {
    return parse_problems(text, name, read_version, parse_agent_problem)
        .map([](std::vector<HaaProblem> problems) { return HaaScenario{std::move(problems)}; });
} catch (...) {
    return out_of_memory();
}

Result<HaaScenario> load_haa_scenario(const std::string& path) noexcept try {
    return parse_file(path, kMaxScenarioBytes, parse_haa_scenario);
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_haa_scenario(const HaaScenario& scenario) noexcept try {
    return format_problems(
        "2\n", scenario.problems, agent_line, agent_reads_back,
        "a HAA* scenario: a number is out of range, the terrains are not ground, "
        "trees or both, or the map name is not a file name");
} catch (...) {
    return out_of_memory();
}

Status write_haa_scenario(const std::string& path, const HaaScenario& scenario) noexcept try {
    return write_formatted(path, format_haa_scenario(scenario));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats

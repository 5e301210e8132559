#include <array>
#include <span>

#include "cairn/file.hpp"
#include "cairn/formats/polyanya.hpp"
#include "scenario_fields.hpp"

namespace cairn::formats {
namespace {

Status parse_problem(const LineReader& lines, PolyanyaProblem& problem) {
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    std::array<std::string_view, kScenarioFields.size()> fields;
    if (Status s = split_fields(lines, trim_right(lines.line()), fields); !s.ok()) return s;
    const std::array<IntegerField, 3> integers{{{0, &problem.bucket, 0, kMost},
                                                {2, &problem.map_width, 0, kMost},
                                                {3, &problem.map_height, 0, kMost}}};
    if (Status s = parse_integers(lines, fields, kScenarioFields, integers); !s.ok()) return s;
    if (Status s = check_map_name(lines, fields[1]); !s.ok()) return s;
    problem.map = fields[1];
    const std::array<float*, 4> coordinates{&problem.start.x, &problem.start.z, &problem.goal.x,
                                            &problem.goal.z};
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        const auto value = parse_number<float>(fields[4 + i]);
        if (!value) {
            return lines.error_at(fields[4 + i],
                                  fmt::format("{} {}: needs a number", kScenarioFields[4 + i],
                                              excerpt(fields[4 + i])));
        }
        *coordinates[i] = *value;
    }
    const auto length = parse_number<double>(fields[8], 0.0);
    if (!length) {
        return lines.error_at(
            fields[8],
            fmt::format("optimal length {}: needs a number, not negative", excerpt(fields[8])));
    }
    problem.optimal_length = *length;
    return {};
}

}  // namespace

Result<std::vector<PolyanyaProblem>> parse_polyanya_scenario(std::string_view text,
                                                             std::string_view name) {
    LineReader lines(text, name);
    if (Status s = read_scenario_version(lines); !s.ok()) return tl::unexpected(std::move(s));
    std::vector<PolyanyaProblem> problems;
    while (lines.next()) {
        if (trim_right(lines.line()).empty()) continue;
        PolyanyaProblem& problem = problems.emplace_back();
        if (Status s = parse_problem(lines, problem); !s.ok()) return tl::unexpected(std::move(s));
    }
    return problems;
}

Result<std::vector<PolyanyaProblem>> load_polyanya_scenario(const std::string& path) {
    const auto text = read_file(path, kMaxScenarioBytes);
    if (!text) return tl::unexpected(text.error());
    return parse_polyanya_scenario(*text, path);
}

}  // namespace cairn::formats

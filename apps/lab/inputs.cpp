#include "inputs.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cairn/formats/movingai.hpp"

namespace cairn::app {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> expand_maps(const std::vector<std::string>& inputs, int most) {
    std::vector<fs::path> files;
    for (const std::string& input : inputs) {
        std::error_code error;
        if (!fs::is_directory(input, error)) {
            files.emplace_back(input);
            continue;
        }
        std::vector<fs::path> folder;
        for (const auto& entry : fs::directory_iterator(input, error)) {
            if (entry.path().extension() == ".map") folder.push_back(entry.path());
        }
        if (error) return fail(StatusCode::io_error, fmt::format("{}: {}", input, error.message()));
        std::sort(folder.begin(), folder.end());
        const std::size_t kept =
            most > 0 ? std::min(folder.size(), static_cast<std::size_t>(most)) : folder.size();
        for (std::size_t i = 0; i < kept; ++i) files.push_back(folder[i * folder.size() / kept]);
    }
    if (files.empty())
        return fail(StatusCode::bad_option,
                    "no map given: name .map files or a folder that holds some");
    return files;
}

void add_max_maps(CLI::App& command, int& most) {
    command.add_option("--max-maps", most, "Most maps of each folder, spread over it")
        ->check(CLI::Range(1, 1'000'000))
        ->group("Input");
}

Result<std::vector<Problem>> scenario_problems(const fs::path& file, const grid::Map& map,
                                               int count) {
    const auto scenario = formats::load_scenario(file);
    if (!scenario) return tl::unexpected(scenario.error());
    const auto& all = scenario->problems;
    const std::size_t kept = std::min(all.size(), static_cast<std::size_t>(count));
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < kept; ++i) {
        const auto& p = all[i * all.size() / kept];
        if (map.contains(p.start) && map.contains(p.goal))
            problems.push_back({p.start, p.goal, p.optimal_length});
    }
    return problems;
}

Result<std::filesystem::path> data_folder(const std::string& data,
                                          const std::filesystem::path& inner,
                                          const std::string& message) {
    std::filesystem::path folder = data;
    if (data.empty()) {
        const char* set = std::getenv("CAIRN_DATA");
        if (set == nullptr) return fail(StatusCode::bad_option, message);
        folder = set;
    }
    std::error_code error;
    return std::filesystem::is_directory(folder / inner, error) ? folder / inner : folder;
}

namespace {

/// The rounding error of published lengths: old scenarios have two decimals.
double rounding(std::span<const Problem> problems) {
    const bool two_decimals = std::all_of(problems.begin(), problems.end(), [](const auto& p) {
        const double hundredths = 100 * p.published;
        return std::abs(hundredths - std::round(hundredths)) < 1e-6;
    });
    return two_decimals ? 0.00501 : 0.0;
}

}  // namespace

PublishedCheck check_published(const grid::Map& map, std::span<const Problem> problems,
                               std::span<const Cost> costs, std::span<const double> lengths) {
    constexpr double kTolerance = 1e-5;
    PublishedCheck out;
    const grid::MoveRules& rules = map.options().rules;
    if (rules.neighbourhood != grid::Neighbourhood::eight ||
        rules.corner != grid::CornerRule::strict || !map.uniform()) {
        return out;
    }
    const double rounded = rounding(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const Problem& p = problems[i];
        if (p.published < 0) continue;
        ++out.compared;
        const bool found = costs[i] != kInfinity;
        const double length = lengths[i];
        const double tolerance = std::max(rounded, kTolerance * length);
        if (found && std::abs(length - p.published) <= tolerance) continue;
        if (out.different++ > 0) continue;
        out.first =
            fmt::format("{},{} to {},{}: published {:.8g}, A* {}", p.start.x, p.start.y, p.goal.x,
                        p.goal.y, p.published, found ? fmt::format("{:.8g}", length) : "no path");
    }
    return out;
}

}  // namespace cairn::app

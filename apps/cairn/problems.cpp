#include "problems.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <random>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/components.hpp"

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
    command.add_option("--max-maps", most, "At most so many maps of each folder, spread over it")
        ->check(CLI::Range(1, 1'000'000))
        ->group("Input");
}

Result<std::vector<BenchProblem>> scenario_problems(const fs::path& file, const grid::Map& map,
                                                    int count) {
    const auto scenario = formats::load_scenario(file);
    if (!scenario) return tl::unexpected(scenario.error());
    const auto& all = scenario->problems;
    const std::size_t kept = std::min(all.size(), static_cast<std::size_t>(count));
    std::vector<BenchProblem> problems;
    for (std::size_t i = 0; i < kept; ++i) {
        const auto& p = all[i * all.size() / kept];
        if (map.contains(p.start) && map.contains(p.goal))
            problems.push_back({p.start, p.goal, p.optimal_length});
    }
    return problems;
}

Result<std::vector<BenchProblem>> random_problems(const grid::Map& map, int count,
                                                  std::uint64_t seed) {
    const grid::Components components = grid::Components::build(map);
    std::vector<grid::Cell> cells;
    bool solvable = false;
    for (grid::Cell c = 0; c < map.size(); ++c) {
        if (!map.passable(c)) continue;
        cells.push_back(c);
        solvable = solvable || map.moves(c) != 0;
    }
    if (!solvable) return fail(StatusCode::no_path, "no two cells of the map are connected");

    // Raw output and modulo instead of a distribution: the same numbers with every standard
    // library.
    std::mt19937_64 random(seed);
    std::vector<BenchProblem> problems;
    while (problems.size() < static_cast<std::size_t>(count)) {
        const grid::Cell a = cells[random() % cells.size()];
        const grid::Cell b = cells[random() % cells.size()];
        if (a != b && components.of(a) == components.of(b))
            problems.push_back({map.point(a), map.point(b)});
    }
    return problems;
}

}  // namespace cairn::app

// A small harness for the entries to the Grid-based Path Planning Competition in this folder, with
// the flags of the competition's own.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "planner.hpp"
#include "tracks.hpp"

using namespace cairn;

namespace {

constexpr char kUsage[] =
    "usage: example_gppc FLAG MAP [SCENARIO]\n"
    "  -pre      preprocess the map: write an index into index_data/\n"
    "  -run      solve the scenario's problems, with the index if there is one\n"
    "  -check    the same, and check that every path is legal and as long as the scenario says\n"
    "  -full     -pre, then -check\n"
    "  -dynamic  change the map between problems, and check every path against A*\n"
    "       example_gppc -compare PROBLEMS MAP...\n"
    "            A*, jump point search and the entry side by side, in the competition's measures,\n"
    "            on PROBLEMS problems of each MAP.scen, spread over it; a row for each folder\n"
    "       example_gppc -compare-dynamic CHANGES QUERIES MAP...\n"
    "            the entry beside jump point search whose bits are made again after each change:\n"
    "            CHANGES changes, each followed by QUERIES problems of MAP.scen; rows for each "
    "map\n";

Result<gppc::Contest> load(const char* map_file, const char* scenario_file) {
    const auto image = formats::read_map(map_file);
    if (!image) return tl::unexpected(image.error());
    std::vector<std::uint8_t> terrain;
    const auto weights = grid::TerrainWeights::movingai();
    for (const std::uint8_t letter : image->terrain) terrain.push_back(weights.weight[letter]);
    auto map = gppc::make_map(image->width, image->height, terrain);
    if (!map) return tl::unexpected(map.error());

    formats::Scenario scenario;
    if (scenario_file != nullptr) {
        auto loaded = formats::load_scenario(scenario_file);
        if (!loaded) return tl::unexpected(loaded.error());
        scenario = std::move(*loaded);
    }
    for (const formats::ScenarioProblem& problem : scenario.problems) {
        if (map->contains(problem.start) && map->contains(problem.goal)) continue;
        return fail(StatusCode::wrong_map, "the scenario has problems that lie outside the map");
    }
    const std::string stem = std::filesystem::path(map_file).stem().string();
    return gppc::Contest{std::move(*map), std::move(scenario),
                         std::filesystem::path("index_data") / (gppc::kName + ("-" + stem))};
}

std::string scenario_of(const char* map) { return std::string(map) + ".scen"; }

std::size_t number(const char* argument) {
    return static_cast<std::size_t>(std::max(std::atoi(argument), 1));
}

/// -compare-dynamic, of the flags; `arguments` are what follows it.
int compare_dynamic(std::span<char*> arguments) {
    const gppc::TraceShape shape{.changes = number(arguments[0]), .queries = number(arguments[1])};
    std::puts(gppc::kDynamicComparison);
    int wrong = 0;
    for (const char* map : arguments.subspan(2)) {
        const auto contest = load(map, scenario_of(map).c_str());
        if (!contest) return std::fprintf(stderr, "%s\n", contest.error().message.c_str()), 3;
        const auto path = std::filesystem::absolute(map);
        const auto set = path.parent_path().filename();
        wrong += run_dynamic_comparison((set / path.stem()).generic_string(), *contest, shape);
    }
    return wrong == 0 ? 0 : 1;
}

/// -compare, of the flags; `arguments` are what follows it.
int compare(std::span<char*> arguments) {
    const std::size_t count = number(arguments[0]);
    std::puts(gppc::kComparison);
    int wrong = 0;
    std::vector<gppc::Contest> contests;
    const auto set_of = [](const char* map) {
        return std::filesystem::absolute(map).parent_path().filename().string();
    };
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        auto contest = load(arguments[i], scenario_of(arguments[i]).c_str());
        if (!contest) return std::fprintf(stderr, "%s\n", contest.error().message.c_str()), 3;
        auto& problems = contest->scenario.problems;
        std::vector<formats::ScenarioProblem> chosen;
        for (std::size_t k = 0; k < std::min(count, problems.size()); ++k)
            chosen.push_back(problems[k * problems.size() / std::min(count, problems.size())]);
        problems = std::move(chosen);
        contests.push_back(std::move(*contest));
        if (i + 1 < arguments.size() && set_of(arguments[i + 1]) == set_of(arguments[i])) continue;
        wrong += run_comparison(set_of(arguments[i]), contests);
        contests.clear();
    }
    return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view flag = argc > 1 ? argv[1] : "";
    if (flag == "-compare" && argc > 3)
        return compare(std::span(argv, static_cast<std::size_t>(argc)).subspan(2));
    if (flag == "-compare-dynamic" && argc > 4)
        return compare_dynamic(std::span(argv, static_cast<std::size_t>(argc)).subspan(2));
    const bool dynamic = flag == "-dynamic";
    const bool check = flag == "-check" || flag == "-full";
    const gppc::Steps steps{.preprocess = flag == "-pre" || flag == "-full",
                            .run = flag == "-run" || check,
                            .check = check};
    const bool known_flag = dynamic || steps.preprocess || steps.run;
    const bool needs_scenario = flag != "-pre";
    if (!known_flag || argc < (needs_scenario ? 4 : 3)) return std::fputs(kUsage, stderr), 2;
    const auto contest = load(argv[2], needs_scenario ? argv[3] : nullptr);
    if (!contest) return std::fprintf(stderr, "%s\n", contest.error().message.c_str()), 3;
    const int wrong = dynamic ? run_dynamic(*contest) : run_classic(*contest, steps);
    return wrong == 0 ? 0 : 1;
}

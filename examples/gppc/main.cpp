// A small harness for the entries to the Grid-based Path Planning Competition in this folder, with
// the flags of the competition's own.

#include <cstdio>
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
    "  -dynamic  change the map between problems, and check every path against A*\n";

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

}  // namespace

int main(int argc, char** argv) {
    const std::string_view flag = argc > 1 ? argv[1] : "";
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

// cairn generate: maps and scenarios from a seed.

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/generate.hpp"
#include "command.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "options/grid.hpp"
#include "problems.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

// Kinds that are not a grid::MapKind.
constexpr const char* kWorkedExample = "worked-example";
constexpr const char* kScenario = "scenario";

struct Generate {
    std::string kind;
    std::string output;
    FormatFlag format;
    grid::GenerateOptions options;
    std::string map_file;
    int count = 100;
    std::string area;  ///< of the map that is written; empty: all of it
    MapFlags map;

    Outcome run(Context& context);
    Outcome make_scenario(Context& context) const;
    [[nodiscard]] Outcome write(Context& context, const grid::TerrainImage& image,
                                const Json& facts = {}) const;
};

Outcome Generate::write(Context& context, const grid::TerrainImage& image,
                        const Json& facts) const {
    if (Status status = write_terrain(output, format.extension(output, ".map"), image);
        !status.ok())
        return tl::unexpected(status);
    Json out{{"file", output}, {"kind", kind}, {"width", image.width}, {"height", image.height}};
    if (!facts.empty()) out.update(facts);
    say(context, out,
        fmt::format("{} map of {} x {} cells, written to {}\n", kind, image.width, image.height,
                    output));
    return kDone;
}

/// Writes random solvable problems with their optimal lengths, ordered by length.
Outcome Generate::make_scenario(Context& context) const {
    constexpr double kBucketLength = 4;  // as in MovingAI's scenarios
    if (map_file.empty()) {
        return fail(
            StatusCode::bad_option,
            "a scenario needs its map: cairn generate scenario arena.map.scen --map arena.map");
    }
    const auto grid_map = map.load(map_file);
    if (!grid_map) return tl::unexpected(grid_map.error());
    const auto problems = random_problems(*grid_map, count, options.seed);
    if (!problems)
        return fail(problems.error().code,
                    fmt::format("{}: {}", map_file, problems.error().message));

    formats::Scenario scenario;
    grid::Astar astar;
    grid::Path path;
    ProgressBar bar("solving");
    for (const Problem& problem : *problems) {
        const grid::AstarOptions fastest{.open = grid::OpenList::buckets, .cost_only = false};
        const StatusCode code = astar.find_path(*grid_map, problem.start, problem.goal, path,
                                                fastest, {.cancel = &context.cancel});
        if (code != StatusCode::ok) return fail(code);
        const double length = path_length(*grid_map, path.cells);
        scenario.problems.push_back({static_cast<int>(length / kBucketLength),
                                     std::filesystem::path(map_file).filename().string(),
                                     grid_map->width(), grid_map->height(), problem.start,
                                     problem.goal, length});
        bar.show(static_cast<double>(scenario.problems.size()) / static_cast<double>(count));
    }
    std::stable_sort(
        scenario.problems.begin(), scenario.problems.end(),
        [](const auto& a, const auto& b) { return a.optimal_length < b.optimal_length; });
    if (Status status = formats::write_scenario(output, scenario); !status.ok())
        return tl::unexpected(status);
    say(context, {{"file", output}, {"map", map_file}, {"problems", count}},
        fmt::format("{} solvable problems on {}, lengths {:.1f} to {:.1f}, written to {}\n", count,
                    map_file, scenario.problems.front().optimal_length,
                    scenario.problems.back().optimal_length, output));
    return kDone;
}

grid::TerrainImage part_of(const grid::TerrainImage& image, const grid::Rect& area) {
    grid::TerrainImage part{area.width, area.height, {}};
    part.terrain.reserve(static_cast<std::size_t>(area.width) *
                         static_cast<std::size_t>(area.height));
    for (int y = area.y; y < area.y + area.height; ++y) {
        for (int x = area.x; x < area.x + area.width; ++x) part.terrain.push_back(image.at(x, y));
    }
    return part;
}

Outcome Generate::run(Context& context) {
    if (kind == kScenario) return make_scenario(context);
    if (kind == kWorkedExample) {
        const grid::ExampleProblem example = grid::worked_example().value();
        return write(context, example.image,
                     {{"start", {example.start.x, example.start.y}},
                      {"goal", {example.goal.x, example.goal.y}}});
    }
    options.kind = *grid::map_kind(kind);
    const auto image = grid::generate(options);
    if (!image) return tl::unexpected(image.error());
    if (area.empty()) return write(context, *image);
    const auto part = parse_rectangle(area, 0);
    const grid::Rect whole{0, 0, image->width, image->height};
    if (!part || part->width < 1 || part->height < 1 || part->x > whole.width - part->width ||
        part->y > whole.height - part->height) {
        return fail(StatusCode::bad_option,
                    fmt::format("--area '{}': write column,row,width,height of a part of the map "
                                "of {} x {} cells",
                                area, whole.width, whole.height));
    }
    return write(context, part_of(*image, *part));
}

std::vector<std::string> kind_names() {
    auto names =
        mapped(grid::kMapKinds, [](grid::MapKind kind) { return std::string(name(kind)); });
    names.emplace_back(kWorkedExample);
    names.emplace_back(kScenario);
    return names;
}

}  // namespace

void add_generate(CLI::App& app, Context& context) {
    auto options = std::make_shared<Generate>();
    CLI::App* command = add_command(
        app, context, "generate",
        "Make a map, or a scenario for one, from a seed. A scenario is a list of random solvable "
        "problems with their optimal lengths. The same options give the same bytes everywhere.",
        "  cairn generate rooms arena.map --seed 7\n"
        "  cairn generate caves caves.png --width 512 --height 256\n"
        "  cairn generate worked-example example.map     like the HPA* paper's Figure 1\n"
        "  cairn generate scenario arena.map.scen --map arena.map --count 200");
    command
        ->add_option("kind", options->kind,
                     "open, random, rooms, maze, caves, city, forest, terrain (weighted hills), "
                     "worked-example (40 x 40), or scenario")
        ->required()
        ->check(one_of(kind_names()))
        ->type_name(fmt::format("{}", fmt::join(kind_names(), "|")));
    writes_file(command
                    ->add_option("output", options->output,
                                 "File to write: .map, .png, .pgm or .yaml; .scen for a scenario; "
                                 "- is standard output")
                    ->required(),
                context);
    options->format.add_to(*command, kMapFormats);
    const std::string group = "Output";
    auto& o = options->options;
    command->add_option("--width", o.width, "Cells across")->capture_default_str()->group(group);
    command->add_option("--height", o.height, "Cells down")->capture_default_str()->group(group);
    command->add_option("--seed", o.seed, "Seed of the map")->capture_default_str()->group(group);
    command
        ->add_option("--size", o.size,
                     "Size of rooms, corridors, blocks or hills; the default depends on the kind "
                     "of map")
        ->type_name("CELLS")
        ->group(group);
    command
        ->add_option("--density", o.density,
                     "Share of obstacles, trees, rock, water, extra doors or plazas")
        ->type_name("PERCENT")
        ->group(group);
    add_value(*command, "--area", options->area, "X,Y,W,H", "Output",
              "Write only this part of the map, which is the same whatever parts it is written in");
    reads_file(add_value(*command, "--map", options->map_file, "FILE", "Scenario",
                         "The map that a scenario is for"),
               context);
    add_number(*command, "--count", options->count, 1, 10'000'000, "N", "Scenario",
               "Problems of a scenario");
    options->map.add_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app

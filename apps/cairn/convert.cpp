// cairn convert: maps between their formats.

#include <CLI/CLI.hpp>
#include <optional>

#include "cairn/formats/raster.hpp"
#include "command.hpp"
#include "options.hpp"
#include "terrain_file.hpp"

namespace cairn::app {
namespace {

struct Convert {
    std::string input;
    std::string output;
    bool unknown_is_free = false;
    std::optional<double> resolution;
    std::vector<double> origin;

    Outcome run(Context& context) const;
    [[nodiscard]] Result<formats::OccupancyMap> read() const;
};

Result<formats::OccupancyMap> Convert::read() const {
    const std::string extension = std::filesystem::path(input).extension().string();
    if (extension == ".yaml" || extension == ".yml")
        return formats::load_occupancy_map(input, {.unknown_is_free = unknown_is_free});
    return formats::load_terrain(input).map([](grid::TerrainImage image) {
        return formats::OccupancyMap{std::move(image), {}};
    });
}

Outcome Convert::run(Context& context) const {
    auto map = read();
    if (!map) return tl::unexpected(map.error());
    if (resolution) map->geo.resolution = *resolution;
    if (!origin.empty()) map->geo.origin = {origin[0], origin[1]};
    if (Status written = write_terrain(output, map->terrain, map->geo); !written.ok())
        return tl::unexpected(written);
    const auto& [width, height, terrain] = map->terrain;
    if (context.json) {
        say(Json{{"input", input}, {"output", output}, {"width", width}, {"height", height}});
    } else {
        say("{}: {} x {} cells, written to {}\n", input, width, height, output);
    }
    return kDone;
}

}  // namespace

void add_convert(CLI::App& app, Context& context) {
    auto options = std::make_shared<Convert>();
    CLI::App* command = add_command(
        app, context, "convert",
        "Convert a map between MovingAI .map, pictures (.png, .pgm) and Nav2's .yaml with its "
        "picture. The extensions say which. In pictures light pixels are free; terrain weights are "
        "kept by .map alone.",
        "  cairn convert arena.map arena.png\n"
        "  cairn convert floor.yaml floor.map --unknown-is-free\n"
        "  cairn convert arena.map arena.yaml --resolution 0.05 --origin -10 -10");
    command->add_option("input", options->input, "Map to read")->required();
    command->add_option("output", options->output, "Map to write")->required();
    command
        ->add_flag("--unknown-is-free", options->unknown_is_free,
                   "Cells that a .yaml map calls unknown are free")
        ->group("Map");
    command->add_option("--resolution", options->resolution, "Metres a cell, for .yaml")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("METRES")
        ->group("Output");
    command
        ->add_option("--origin", options->origin,
                     "Where the lower-left corner lies in the world, for .yaml")
        ->expected(2)
        ->type_name("X Y")
        ->group("Output");
    on_run(command, context, options);
}

}  // namespace cairn::app

// cairn build: an index file from a map.

#include <CLI/CLI.hpp>
#include <filesystem>

#include "any_index.hpp"
#include "any_report.hpp"
#include "command.hpp"
#include "options.hpp"
#include "planner_options.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct Build {
    std::string map_file;
    std::string output;
    MapFlags map;
    PlannerFlags planner;

    Outcome run(Context& context) const;
};

Outcome Build::run(Context& context) const {
    std::filesystem::path file = output;
    if (output.empty()) file = std::filesystem::path(map_file).replace_extension(".cairn");
    const auto loaded = planner.load(map_file, map);
    if (!loaded) return tl::unexpected(loaded.error());

    const double begin = now();
    const auto built = planner.build(context, *loaded);
    if (!built) return tl::unexpected(built.error());
    const double seconds = now() - begin;
    if (Status saved = save(file, *built); !saved.ok()) return tl::unexpected(saved);

    std::error_code ignored;
    const auto file_bytes = std::filesystem::file_size(file, ignored);
    if (context.json) {
        const auto parts = index_json(*built);
        if (!parts) return tl::unexpected(parts.error());
        Json out{{"file", file.string()},
                 {"file_bytes", ignored ? 0 : file_bytes},
                 {"build_seconds", seconds},
                 {"map", map_json(*built)}};
        out.update(*parts);
        say(out);
        return kDone;
    }
    const auto parts = index_text(*built);
    if (!parts) return tl::unexpected(parts.error());
    say("{}: {}\n\n{}\n", map_file, map_text(*built), *parts);
    const auto cells = std::visit([](const auto& i) { return i.map().size(); }, *built);
    say("built in {} ({} million cells a second), written to {}\n", duration(seconds),
        significant(static_cast<double>(cells) / seconds / 1e6), file.string());
    return kDone;
}

}  // namespace

void add_build(CLI::App& app, Context& context) {
    auto options = std::make_shared<Build>();
    CLI::App* command = add_command(
        app, context, "build",
        "Build the index of a map and save it. An index answers queries much faster than searching "
        "the map, and loads without a rebuild. Ctrl-C stops the build and leaves an old file as it "
        "was.",
        "  cairn build arena.map                     writes arena.cairn\n"
        "  cairn build arena.map small.cairn --no-tables --no-labels\n"
        "  cairn build arena.map arena.cairn --planner subgoal\n"
        "  cairn build arena.map agents.cairn --planner haa --capabilities ground,ground+trees:2 "
        "--max-size 3\n"
        "  cairn build world.png --planner haa --palette colours.json --capabilities ground,water\n"
        "  cairn build city.map city.cairn --levels 3 --corners both-blocked");
    command->add_option("map", options->map_file, "Map: .map, .png, .pgm or Nav2 .yaml")
        ->required();
    command->add_option("output", options->output,
                        "Index file to write (default: the map's name with .cairn)");
    options->map.add_to(*command);
    options->planner.add_to(*command, /*bare=*/false);
    on_run(command, context, options);
}

}  // namespace cairn::app

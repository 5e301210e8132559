// cairn build: an index file from a map.

#include <filesystem>

#include "cairn/io/hpa_index_file.hpp"
#include "command.hpp"
#include "index_report.hpp"
#include "options.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct Build {
    std::string map_file;
    std::string output;
    MapFlags map;
    IndexFlags index;

    Outcome run(Context& context) const;
};

Outcome Build::run(Context& context) const {
    std::filesystem::path file = output;
    if (output.empty()) file = std::filesystem::path(map_file).replace_extension(".cairn");
    const auto grid_map = map.load(map_file);
    if (!grid_map) return tl::unexpected(grid_map.error());

    const double begin = now();
    const auto built = index.build(context, *grid_map);
    if (!built) return tl::unexpected(built.error());
    const double seconds = now() - begin;
    if (Status saved = io::save_index(file, *built); !saved.ok()) return tl::unexpected(saved);

    const hpa::IndexStatistics statistics = built->statistics();
    std::error_code ignored;
    const auto file_bytes = std::filesystem::file_size(file, ignored);
    if (context.json) {
        Json out{{"file", file.string()},
                 {"file_bytes", ignored ? 0 : file_bytes},
                 {"build_seconds", seconds},
                 {"map", map_json(*grid_map)}};
        out.update(index_json(*built, statistics));
        say(out);
        return kDone;
    }
    say("{}: {}\n\n{}\n{}\n", map_file, map_text(*grid_map), level_table(statistics),
        size_facts(*built, statistics));
    say("built in {} ({} million cells a second), written to {}\n", duration(seconds),
        significant(static_cast<double>(grid_map->size()) / seconds / 1e6), file.string());
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
        "  cairn build city.map city.cairn --levels 3 --corners both-blocked");
    command->add_option("map", options->map_file, "Map: .map, .png, .pgm or Nav2 .yaml")
        ->required();
    command->add_option("output", options->output,
                        "Index file to write (default: the map's name with .cairn)");
    options->map.add_to(*command);
    options->index.add_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app

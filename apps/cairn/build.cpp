// cairn build: builds the index of a map or a mesh and saves it.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "build.hpp"
#include "cairn/index_file.hpp"
#include "cairn/work_folder.hpp"
#include "command.hpp"
#include "files.hpp"
#include "options/grid.hpp"
#include "options/mesh.hpp"
#include "options/planner.hpp"
#include "report/index.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// The index file to write: `output`, or if that is empty the input's name with `extension`.
Result<std::string> index_file_of(const std::string& input, const std::string& output,
                                  const char* extension) {
    if (!output.empty()) return output;
    if (input != kStandardInput)
        return std::filesystem::path(input).replace_extension(extension).string();
    return fail(StatusCode::bad_option,
                "name the index file to write: standard input has no name to make it of");
}

template <class Value>
Status status_of(const Result<Value>& result) {
    return result ? Status{} : result.error();
}

/// The option --work, the folder that it names, and the processes that share it.
struct Work {
    std::string path;
    BuildTeam team;
    bool lines = false;        ///< --progress
    std::uint64_t memory = 0;  ///< --memory; 0: no limit
    std::unique_ptr<WorkFolder> folder;

    void add_to(CLI::App& command, const Context& context) {
        if (context.limit_memory != nullptr) {
            command
                .add_option("--memory", memory,
                            "Hold about this much in memory (2G, 500M): large arrays lie in a file "
                            "in the folder of the output. The cells of a map and its clusters "
                            "are held anyway")
                ->transform(CLI::AsSizeValue(false).description(""))
                ->type_name("SIZE")
                ->group("Output");
        }
        add_value(command, "--work", path, "FOLDER", "Output",
                  team.alone() ? "Keep what is finished in this folder: a build that was stopped "
                                 "goes on there. It is removed when the index is saved"
                               : "The folder in which the processes keep what they have finished, "
                                 "and from which a build that was stopped goes on; it is removed "
                                 "when the index is saved (default: the output with .work)");
        if (!team.alone()) {
            command.add_flag("--progress", lines, "Write a line after each tenth of the work")
                ->group("Output");
        }
    }
    /// Call it before the input is loaded.
    [[nodiscard]] Status limit(const Context& context, const std::string& output) const {
        if (memory == 0) return {};
        const std::filesystem::path beside = std::filesystem::path(output).parent_path();
        return context.limit_memory(beside.empty() ? "." : beside.string(), memory);
    }
    /// What was built, and the seconds that it took.
    template <class Index>
    struct Built {
        Index index;
        double seconds = 0;
    };
    /// Builds an index by build(), for which `flags` has the options, and saves it by save(index)
    /// at process 0; the others get nothing.
    template <class Build, class Save,
              class Index = typename std::invoke_result_t<Build>::value_type>
    [[nodiscard]] Result<std::optional<Built<Index>>> run(const std::string& output,
                                                          IndexFlags& flags, const Build& build,
                                                          const Save& save) {
        if (Status opened = open(output, flags); !opened.ok())
            return tl::unexpected(std::move(opened));
        const double begin = now();
        auto built = build();
        if (Status status = team.agree(status_of(built)); !status.ok())
            return tl::unexpected(std::move(status));
        if (!team.first()) return std::nullopt;
        const double seconds = now() - begin;
        if (Status saved = save(*built); !saved.ok()) return tl::unexpected(std::move(saved));
        return Built<Index>{std::move(*built), seconds};
    }
    /// Call it when the index is saved.
    [[nodiscard]] Status finish(Json& facts, std::string& text) const {
        if (folder == nullptr) return {};
        facts["checkpoints"] = {{"found", folder->found()}, {"kept", folder->kept()}};
        text += fmt::format("\n\n{} checkpoints found in {}, {} added", folder->found(), path,
                            folder->kept());
        return folder->clear();
    }

private:
    /// Opens the folder, if one is given or needed, for the builds of `index`.
    [[nodiscard]] Status open(const std::string& output, IndexFlags& index) {
        if (path.empty() && team.alone()) return {};
        if (!team.alone() && output == kStandardOutput)
            return team.agree({StatusCode::bad_option, "name the index file to write"});
        if (path.empty()) path = output + ".work";
        if (!team.alone() && index.threads == 0) index.threads = team.threads();
        Status status;
        if (team.first()) status = open_own();
        if (status = team.agree(std::move(status)); !status.ok()) return status;
        if (!team.first()) status = open_own();
        if (status = team.agree(std::move(status)); !status.ok()) return status;
        index.checkpoints = folder.get();
        index.progress_lines = lines && team.first();
        return {};
    }
    [[nodiscard]] Status open_own() {
        auto opened = WorkFolder::open(path, team.teammate);
        if (!opened) return std::move(opened.error());
        folder = std::move(*opened);
        return {};
    }
};

/// Prints what was built. `facts` (JSON) and `text` describe the input and the index; `speed`: what
/// was built in a second.
Outcome report(const Context& context, const std::string& input, const std::string& file,
               double seconds, const Json& facts, const std::string& text,
               const std::string& speed) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    const std::uint64_t bytes = error ? 0 : size;
    Json out{{"file", file}, {"file_bytes", bytes}, {"build_seconds", seconds}};
    out.update(facts);
    const std::string size_text = bytes == 0 ? "index" : byte_size(static_cast<double>(bytes));
    say(context, out,
        fmt::format("{}: {}\nbuilt in {} ({} a second), {} written to {}\n", input, text,
                    duration(seconds), speed, size_text, file));
    return kDone;
}

struct Build {
    std::string map_file;
    std::string output;
    bool with_map = false;
    MapFlags map;
    PlannerFlags planner;
    Work work;

    Outcome run(Context& context) {
        const auto index_file = index_file_of(map_file, output, ".cairn");
        if (!index_file) return tl::unexpected(index_file.error());
        if (Status limited = work.limit(context, *index_file); !limited.ok())
            return tl::unexpected(std::move(limited));
        const auto loaded = planner.load(map_file, map);
        if (Status status = work.team.agree(status_of(loaded)); !status.ok())
            return tl::unexpected(std::move(status));
        const auto made = work.run(
            *index_file, planner.index, [&] { return planner.build(context, *loaded); },
            [&](const AnyIndex& index) { return index.save(*index_file, {.with_map = with_map}); });
        if (!made) return tl::unexpected(made.error());
        if (!*made) return kDone;
        const auto& [built, seconds] = **made;

        auto text = index_text(built);
        if (!text) return tl::unexpected(text.error());
        Json facts{{"map", map_json(built)}};
        const auto parts = index_json(built);
        if (!parts) return tl::unexpected(parts.error());
        facts.update(*parts);
        if (Status finished = work.finish(facts, *text); !finished.ok())
            return tl::unexpected(std::move(finished));
        const auto cells = visit_index(built, [](const auto& own) { return own.map().size(); });
        return report(context, map_file, *index_file, seconds, facts,
                      fmt::format("{}\n\n{}", map_text(built), *text),
                      significant(static_cast<double>(cells) / seconds / 1e6) + " million cells");
    }
};

struct MeshBuild {
    std::string file;
    std::string output;
    std::string save_mesh;
    HnaFlags index;
    Work work;

    Outcome run(Context& context) {
        const auto index_file = index_file_of(file, output, ".crhn");
        if (!index_file) return tl::unexpected(index_file.error());
        if (Status limited = work.limit(context, *index_file); !limited.ok())
            return tl::unexpected(std::move(limited));
        const auto loaded = index.mesh.load(context, file);
        if (Status status = work.team.agree(status_of(loaded)); !status.ok())
            return tl::unexpected(std::move(status));
        if (Status saved = work.team.agree(save_tiles(context)); !saved.ok())
            return tl::unexpected(std::move(saved));
        const auto made = work.run(
            *index_file, index.index,
            [&] { return index.index.build<hna::Planner>(context, *loaded); },
            [&](const hna::Index& own) { return cairn::save(own, *index_file); });
        if (!made) return tl::unexpected(made.error());
        if (!*made) return kDone;
        const auto& [built, seconds] = **made;

        Json facts{{"mesh", mesh_json(*loaded)}};
        facts.update(index_json(built));
        std::string text = index_text(built);
        if (Status finished = work.finish(facts, text); !finished.ok())
            return tl::unexpected(std::move(finished));
        return report(context, file, *index_file, seconds, facts,
                      fmt::format("{}\n\n{}", mesh_text(*loaded), text),
                      significant(loaded->num_polygons() / seconds / 1e3) + " thousand polygons");
    }

private:
    [[nodiscard]] Status save_tiles(Context& context) const {
        if (save_mesh.empty() || !work.team.first()) return {};
        if (extension_of(file) != ".obj" || extension_of(save_mesh) != ".bin")
            return {StatusCode::bad_option, "--save-mesh writes the mesh of an .obj as a .bin"};
        return index.mesh.recast.write_tiles(context, file, save_mesh);
    }
};

void add_grid_build(CLI::App& app, Context& context, const BuildTeam& team) {
    auto options = std::make_shared<Build>();
    options->work.team = team;
    CLI::App* command = add_command(
        app, context, "build",
        "Build the index of a map or a mesh and save it. An index answers queries much faster than "
        "searching the map, and loads without a rebuild. Ctrl-C stops the build and keeps an old "
        "file.",
        team.alone()
            ? "  cairn build arena.map                     writes arena.cairn\n"
              "  cairn build arena.map small.cairn --no-tables --no-labels\n"
              "  cairn build arena.map arena.cairn --planner subgoal\n"
              "  cairn build arena.map agents.cairn --planner haa --capabilities "
              "ground,ground+trees:2 --max-size 3\n"
              "  cairn build world.png --planner haa --palette colours.json --capabilities "
              "ground,water\n"
              "  cairn build city.map city.cairn --levels 3 --corners both-blocked\n"
              "  cairn build city.map city.cairn --work city.work      goes on if it was stopped"
            : "  mpirun -n 4 cairn-mpi build city.map city.cairn --planner hpa --with-map");
    reads_file(command->add_option("map", options->map_file, kMapHelp)->required(), context);
    writes_file(command->add_option("output", options->output,
                                    "Index file to write, - to standard output (default: the "
                                    "map's name with .cairn)"),
                context);
    command
        ->add_flag(
            "--with-map", options->with_map,
            "hpa, subgoal: write the map into the index file, too. path, verify and inspect then "
            "take the file in place of the map, and with --checks none a large one of hpa "
            "opens in milliseconds")
        ->group("Output");
    options->work.add_to(*command, context);
    options->map.add_to(*command);
    options->planner.add_to(*command, /*bare=*/false);
    on_run(command, context, options);
}

void add_mesh_build(CLI::App& app, Context& context, const BuildTeam& team) {
    auto options = std::make_shared<MeshBuild>();
    options->work.team = team;
    CLI::App* command = add_command(
        app, context, "build",
        "Build the HNA* index of a mesh and save it, with the mesh in it. All subcommands take the "
        "file in place of the mesh. Ctrl-C stops the build and keeps an old file.",
        "  cairn build arena.mesh                     writes arena.crhn\n"
        "  cairn build dungeon.obj dungeon.crhn --levels 2 --mu 10\n"
        "  cairn build level.bin level.crhn --scoring centres --pccp centres "
        "--area-cost 1=2.5\n"
        "  cairn build arena.map arena.crhn                   a map as a mesh of rectangles");
    reads_file(
        command->add_option("file", options->file, "Mesh, geometry or map; - is standard input")
            ->required(),
        context);
    writes_file(add_value(*command, "output,-o,--output", options->output, "FILE", "Output",
                          "Index file to write, - to standard output (default: the mesh's name "
                          "with .crhn)"),
                context);
    add_mesh_planner(*command);
    options->index.add_to(*command);
    add_value(*command, "--save-mesh", options->save_mesh, "FILE", "Output",
              "Also write the mesh that Recast makes of an .obj, as a .bin");
    options->work.add_to(*command, context);
    on_run(command, context, options);
}

}  // namespace

void add_team_build(CLI::App& app, Context& context, const BuildTeam& team) {
    context.mesh ? add_mesh_build(app, context, team) : add_grid_build(app, context, team);
}

void add_build(CLI::App& app, Context& context) { add_team_build(app, context, {}); }

}  // namespace cairn::app

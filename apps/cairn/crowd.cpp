// cairn crowd: many agents that walk on a map or a mesh while edits change it.

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "cairn/batch/device.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/index_file.hpp"
#include "cairn/render/drawing.hpp"
#include "command.hpp"
#include "crowd/run.hpp"
#include "crowd/world.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "options/mesh.hpp"
#include "options/planner.hpp"

namespace cairn::app {
namespace {

enum class CrowdPlanner : std::uint8_t { automatic, hpa, subgoal, haa, hna };

struct CrowdOptions {
    std::filesystem::path file;
    CrowdPlanner planner = CrowdPlanner::automatic;
    CrowdPlan plan;
    std::string picture;
    std::optional<batch::DeviceKind> device;  ///< answers the queries too, if set
    MapFlags map;
    PlannerFlags flags;  ///< of grids; of a mesh only those that HNA* has

    Outcome run(Context& context);

private:
    [[nodiscard]] Status check() const;
    /// Errors: no_device.
    [[nodiscard]] Result<CrowdControl> control(const Context& context) const {
        CrowdControl out{&context.cancel, flags.index.threads};
        if (!device) return out;
        auto opened = open_device(*device, flags.index.threads);
        if (!opened) return tl::unexpected(std::move(opened.error()));
        out.device = *std::move(opened);
        return out;
    }
    [[nodiscard]] Result<std::unique_ptr<CrowdWorld>> open(Context& context,
                                                           const CrowdControl& control);
    [[nodiscard]] Result<std::unique_ptr<CrowdWorld>> open_grid(Context& context,
                                                                const CrowdControl& control);
    [[nodiscard]] Result<AnyIndex> agents_index(Context& context, const AnyMap& annotated) const;
    [[nodiscard]] Result<hna::Index> mesh_index(Context& context) const;
};

Status CrowdOptions::check() const {
    const std::string extension = extension_of(picture);
    if (!picture.empty() && extension != ".png" && extension != ".svg")
        return {StatusCode::bad_option,
                fmt::format("--picture {}: a picture ends in .png or .svg", picture)};
    for (const auto& [name, value] : {std::pair{"--seconds", plan.seconds},
                                      {"--rate", plan.rate},
                                      {"--edits", plan.edits},
                                      {"--speed", plan.speed}}) {
        if (!std::isfinite(value))
            return {StatusCode::bad_option, fmt::format("{}: write a number", name)};
    }
    if (plan.num_frames() < 1)
        return {StatusCode::bad_option, "--seconds: a frame takes 0.04 s, write at least that"};
    return {};
}

Result<hna::Index> CrowdOptions::mesh_index(Context& context) const {
    constexpr std::string_view message = "is for maps and their planners, not for meshes";
    Status status = map.refuse_given(message);
    if (status.ok()) status = flags.haa.refuse_given(message);
    if (status.ok() && !is_mesh_file(file)) {
        status = flags.index.fields.refuse_given(
            "is not for index files, which have options of their own");
        if (status.ok()) return cairn::load<hna::Index>(file);
    }
    hna::Options options;
    if (status.ok()) status = flags.index.fields.set(options);
    if (!status.ok()) return tl::unexpected(std::move(status));
    NavmeshFlags mesh_flags;
    mesh_flags.limits = map.limits;
    const auto mesh = mesh_flags.load(context, file);
    if (!mesh) return tl::unexpected(mesh.error());
    ProgressBar bar("building");
    return hna::Index::build(*mesh, options, bar.control(context, flags.index.threads));
}

// The index of HAA*. It keeps all views: one that is dropped and made again lacks the closure, and
// the moment when that happens depends on the threads.
Result<AnyIndex> CrowdOptions::agents_index(Context& context, const AnyMap& annotated) const {
    auto options = flags.index.options<haa::Planner>();
    if (!options) return tl::unexpected(std::move(options.error()));
    options->view_bytes = std::numeric_limits<std::uint64_t>::max();
    ProgressBar bar("building");
    const auto index = haa::Index::build(std::get<haa::AnnotatedMap>(annotated), *options,
                                         bar.control(context, flags.index.threads));
    if (!index) return tl::unexpected(index.error());
    return AnyIndex::of<haa::Planner>(*index);
}

Result<std::unique_ptr<CrowdWorld>> CrowdOptions::open_grid(Context& context,
                                                            const CrowdControl& control) {
    flags.name = planner == CrowdPlanner::subgoal ? "subgoal"
                 : planner == CrowdPlanner::haa   ? "haa"
                                                  : "hpa";
    const auto loaded = flags.load(file, map);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto index = planner == CrowdPlanner::haa ? agents_index(context, *loaded)
                                                    : flags.build(context, *loaded);
    if (!index) return tl::unexpected(index.error());
    return make_world(*index, control);
}

Result<std::unique_ptr<CrowdWorld>> CrowdOptions::open(Context& context,
                                                       const CrowdControl& control) {
    const bool grid = is_terrain_file(file);
    if (planner == CrowdPlanner::hna || (planner == CrowdPlanner::automatic && !grid)) {
        const auto index = mesh_index(context);
        if (!index) return tl::unexpected(index.error());
        return make_world(*index, control);
    }
    if (grid) return open_grid(context, control);
    return fail(
        StatusCode::bad_option,
        fmt::format("--planner: {} is not a map; the planner of meshes is hna: leave --planner out",
                    file.string()));
}

Outcome CrowdOptions::run(Context& context) {
    if (Status status = check(); !status.ok()) return tl::unexpected(std::move(status));
    const auto crowd_control = control(context);
    if (!crowd_control) return tl::unexpected(crowd_control.error());
    const auto world = open(context, *crowd_control);
    if (!world) return tl::unexpected(world.error());
    const auto figures = run_crowd(**world, plan, context);
    if (!figures) return tl::unexpected(figures.error());
    if (!picture.empty()) {
        const auto drawing = (*world)->draw_flow(
            fmt::format("{}: {} agents, {} s", file.filename().string(), plan.agents,
                        static_cast<double>(figures->frames) / kFramesPerSecond));
        if (!drawing) return tl::unexpected(drawing.error());
        if (Status s = render::write_picture(picture, *drawing); !s.ok())
            return tl::unexpected(std::move(s));
    }
    say(context, crowd_json(**world, plan, *figures), crowd_text(**world, plan, *figures));
    if (figures->wrong() > 0) return kFailed;
    return figures->stopped ? kCancelled : kDone;
}

void add_crowd_options(CLI::App& command, CrowdOptions& options) {
    CrowdPlan& plan = options.plan;
    const auto add = [&](const char* name, auto& value, auto least, auto most, const char* type,
                         const char* help) {
        add_number(command, name, value, least, most, type, "Crowd", help);
    };
    add("--agents", plan.agents, 1, 1'000'000, "N", "How many");
    add("--seconds", plan.seconds, 0, 3600, "S", "Simulated time, in frames of 1/25 s");
    add("--rate", plan.rate, 0, kFramesPerSecond, "N",
        "Queries of an agent a second, to renew its path; agents that arrive also query a path to "
        "a new goal");
    add("--speed", plan.speed, 0, 1000, "LENGTH",
        "Cells, or units of the mesh, that an agent walking in a second");
    add("--goals", plan.goals, 0, 1'000'000, "N",
        "Number of goals that agents share; 0: each agent draws its own");
    add("--edits", plan.edits, 0, 100, "N",
        "Changes a second: each blocks up to 6 x 6 cells, or a polygon, or frees them again");
    add("--edit-frames", plan.edit_frames, 1, 1000, "N",
        "Make the changes of N frames as one edit, in the last of them");
    add_device_flag(command, options.device,
                    "Also find all paths by labels on a device: gpu; host - the processors in its "
                    "place; auto - a GPU if there is one. The index is copied there again after "
                    "edits")
        ->group("Crowd");
    add_value(command, "--seed", plan.seed, "N", "Crowd", "Seed of the agents and the edits");
    add_value(command, "--picture", options.picture, "FILE", "Output",
              "Draw how many agents have passed each place: .png or .svg");
    add_value(command, "--frames", plan.frames, "PREFIX", "Output",
              "Draw the agents each second: PREFIX0000.png, PREFIX0001.png, and so on");
}

}  // namespace

void add_crowd(CLI::App& app, Context& context) {
    auto options = std::make_shared<CrowdOptions>();
    CLI::App* command = add_command(
        app, context, "crowd",
        "Simulate a crowd on a map or a mesh. In each frame agents get their paths in one batch "
        "and walk on, while edits block and free places and a worker repairs the labels. Prints "
        "milliseconds a frame and how many agents that serves, for each method, and checks every "
        "step.",
        "  cairn crowd arena.map --agents 10000\n"
        "  cairn crowd arena.map --planner subgoal --edits 5 --picture flow.png\n"
        "  cairn crowd arena.map --planner haa --capabilities ground,ground+trees --max-size 3\n"
        "  cairn crowd level.bin --agents 50000 --goals 20 --rate 2 --frames frame-\n"
        "  cairn crowd level.crhn --device auto --json");
    reads_file(
        command
            ->add_option("file", options->file,
                         "Map (.map, .png, .pgm, .npy, .yaml, .tmj, .tmx), mesh (.mesh, .bin, "
                         ".obj) or mesh's index; - is standard input")
            ->required(),
        context);
    using enum CrowdPlanner;
    add_choice<CrowdPlanner>(
        *command, "--planner", options->planner,
        {{"auto", automatic}, {"hpa", hpa}, {"subgoal", subgoal}, {"haa", haa}, {"hna", hna}},
        "Planner",
        "auto: hpa on maps, hna on meshes; hna also takes maps, as a mesh of rectangles; haa: "
        "agents of all sizes and capabilities in turn");
    add_crowd_options(*command, *options);
    options->map.add_to(*command);
    options->flags.index.add_to(*command, Space::grid);
    options->flags.haa.add_to(*command);
    command->get_option("--threads")
        ->description(
            "Threads for builds and queries; 0: one per processor. Changes only the times");
    on_run(command, context, options);
}

}  // namespace cairn::app

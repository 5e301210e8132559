#include "options/mesh.hpp"

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <cmath>

#include "cairn/formats/polyanya.hpp"
#include "cairn/index_file.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/locator.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "options/grid.hpp"
#include "text.hpp"

#ifdef CAIRN_APP_DETOUR
#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/recast_builder.hpp"
#include "cairn/detour/tile_set.hpp"
#include "cairn/detour/triangles.hpp"
#endif

namespace cairn::app {

bool is_tile_source(const std::filesystem::path& file) {
    const std::string extension = extension_of(file);
    return extension == ".bin" || extension == ".obj";
}

Status RecastFlags::refuse_given(std::string_view message) const {
    return app::refuse_given(all_, message);
}

#ifdef CAIRN_APP_DETOUR

struct RecastFlags::Settings {
    detour::RecastOptions recast;

    /// The dtNavMesh of a .bin file, or of an .obj file through Recast.
    [[nodiscard]] Result<detour::NavMesh> nav_mesh(Context& context,
                                                   const std::filesystem::path& file) const;
};

Result<detour::NavMesh> RecastFlags::Settings::nav_mesh(Context& context,
                                                        const std::filesystem::path& file) const {
    if (extension_of(file) == ".bin") return detour::read_tile_set(file);
    const auto triangles = detour::read_obj(file);
    if (!triangles) return tl::unexpected(triangles.error());
    ProgressBar bar("Recast");
    auto built = detour::build_navmesh(*triangles, recast, bar.control(context, 0));
    if (!built && built.error().code == StatusCode::bad_option)
        built.error().message = as_option(std::move(built.error().message));
    return built;
}

RecastFlags::RecastFlags() : settings_(std::make_shared<Settings>()) {}

void RecastFlags::add_to(CLI::App& command) {
    detour::RecastOptions& o = settings_->recast;
    const auto add = [&](const char* name, auto& value, const char* type, const char* help) {
        all_.push_back(add_value(command, name, value, type, "Recast, for .obj", help));
    };
    add("--cell-size", o.cell_size, "L", "Side of a cell of Recast's grid, in units of the .obj");
    add("--cell-height", o.cell_height, "L", "Height of a cell");
    add("--agent-height", o.agent_height, "L", "Height of agents");
    add("--agent-radius", o.agent_radius, "L", "Radius of agents: walls are that much thicker");
    add("--agent-climb", o.agent_climb, "L", "Highest step that agents take");
    add("--agent-slope", o.agent_slope, "DEGREES", "Steepest ground that agents walk on");
    add("--region-min-size", o.region_min_size, "CELLS", "Side of the smallest region kept");
    add("--region-merge-size", o.region_merge_size, "CELLS", "Side up to which regions are merged");
    add("--edge-max-length", o.edge_max_length, "L", "Longest edge; 0: any");
    add("--edge-max-error", o.edge_max_error, "CELLS", "How far edges may lie off the border");
    add("--corners", o.corners, "N", "Most corners of a polygon, 3 to 6");
    add("--tile-size", o.tile_size, "CELLS", "Side of a tile, 16 to 1024; 0: one piece");
}

Result<mesh::Mesh> RecastFlags::load(Context& context, const std::filesystem::path& file,
                                     const mesh::MeshOptions& options) const {
    const auto built = settings_->nav_mesh(context, file);
    if (!built) return tl::unexpected(built.error());
    dtQueryFilter filter;
    for (std::size_t area = 0; area < mesh::kAreas; ++area)
        filter.setAreaCost(static_cast<int>(area), options.area_costs[area]);
    auto converted = detour::convert(**built, filter, options);
    if (!converted) {
        return fail(converted.error().code,
                    fmt::format("{}: {}", file.string(), converted.error().message));
    }
    return std::move(converted->mesh);
}

Status RecastFlags::write_tiles(Context& context, const std::filesystem::path& input,
                                const std::filesystem::path& output) const {
    const auto built = settings_->nav_mesh(context, input);
    if (!built) return built.error();
    return detour::write_tile_set(output, **built);
}

#else

namespace {

Status no_detour(const std::filesystem::path& file) {
    return {StatusCode::unsupported,
            fmt::format("{}: this cairn is built without Detour (CAIRN_DETOUR), and reads no .bin "
                        "or .obj",
                        file.string())};
}

}  // namespace

struct RecastFlags::Settings {};

RecastFlags::RecastFlags() = default;

void RecastFlags::add_to(CLI::App& /*command*/) {}

Result<mesh::Mesh> RecastFlags::load(Context& /*context*/, const std::filesystem::path& file,
                                     const mesh::MeshOptions& /*options*/) const {
    return tl::unexpected(no_detour(file));
}

Status RecastFlags::write_tiles(Context& /*context*/, const std::filesystem::path& input,
                                const std::filesystem::path& /*output*/) const {
    return no_detour(input);
}

#endif

Result<mesh::Place> parse_place(const std::string& text, const std::string& name,
                                const mesh::Mesh& mesh) {
    if (text.starts_with('#')) {
        const auto polygon = parse_number<mesh::Polygon>(std::string_view(text).substr(1));
        if (polygon && *polygon < mesh.num_polygons())
            return mesh::Place{*polygon, mesh.centre(*polygon)};
        return fail(StatusCode::bad_option, fmt::format("{} '{}': the mesh has polygons #0 to #{}",
                                                        name, text, mesh.num_polygons() - 1));
    }
    if (const auto xyz = parse_numbers<double, 3>(text)) {
        const auto at = [&](std::size_t i) { return static_cast<float>((*xyz)[i]); };
        return mesh::Place{mesh::kNone, {at(0), at(1), at(2)}};
    }
    const auto xz = parse_numbers<double, 2>(text);
    if (!xz) {
        return fail(
            StatusCode::bad_option,
            fmt::format("{} '{}': write x,y,z, or x,z, or a polygon such as #17", name, text));
    }
    mesh::Place place{mesh::kNone, {static_cast<float>((*xz)[0]), 0, static_cast<float>((*xz)[1])}};
    const auto locator = mesh::Locator::create(mesh).value();
    place.polygon = locator.find(mesh, place.point);
    if (place.polygon != mesh::kNone)
        place.point.y = mesh::height(mesh, place.polygon, place.point);
    return place;
}

Result<bool> names_mesh(const Arguments& arguments, Context& context) {
    constexpr std::array kExtensions{".mesh", ".bin", ".obj", ".crhn"};
    if (arguments.planner == "hna") return true;
    std::vector<std::string> files = arguments.words;
    const bool asks = std::ranges::any_of(
        arguments.options, [](const std::string& o) { return o == "--help" || o == "-h"; });
    const bool streamed =
        !files.empty() && (files.front() == "-" || files.front() == kStandardInput);
    if (streamed && !asks) {
        if (Status kept = keep_input(context); !kept.ok()) return tl::unexpected(std::move(kept));
        files.front() = kStandardInput;
    }
    files.insert(files.end(), arguments.outputs.begin(), arguments.outputs.end());
    for (const std::string& file : files) {
        if (std::ranges::find(kExtensions, extension_of(file)) != kExtensions.end()) return true;
        std::error_code error;
        if (is_terrain_file(file) || !std::filesystem::is_regular_file(file, error)) continue;
        const auto info = cairn::inspect(file);
        if (info && info->kind == "hna") return true;
    }
    return false;
}

bool is_mesh_file(const std::filesystem::path& file) {
    return extension_of(file) == ".mesh" || is_tile_source(file) || is_terrain_file(file);
}

void NavmeshFlags::add_to(CLI::App& command) {
    using mesh::Scoring;
    mesh_options_ = {
        add_choice<Scoring>(
            command, "--scoring", scoring,
            {{"midpoints", Scoring::portal_midpoints},
             {"parts", Scoring::portal_parts},
             {"centres", Scoring::polygon_centres}},
            "Mesh",
            "How a path is scored: midpoints - lines over the middles of portals, as Detour does; "
            "parts - over the middles of parts of portals, for the shortest paths; centres - lines "
            "from polygon centre to centre, as the paper does"),
        add_number(command, "--longest-part", longest_part, 0, 1e7, "LENGTH", "Mesh",
                   "With --scoring parts: portals longer than this are divided; 0: as short as "
                   "about twice the bytes allow"),
        command
            .add_option("--area-cost", area_costs,
                        "Cost of a unit of length in an area, 0.001 to 1000, or inf if agents may "
                        "not enter it; may be repeated")
            ->type_name("AREA=COST")
            ->allow_extra_args(false)
            ->group("Mesh"),
    };
    add_picture_flags(command, limits, "Mesh");
    recast.add_to(command);
}

Result<mesh::MeshOptions> NavmeshFlags::options() const {
    mesh::MeshOptions out;
    out.scoring = scoring;
    out.longest_part = longest_part;
    if (longest_part > 0 && scoring != mesh::Scoring::portal_parts)
        return fail(StatusCode::bad_option, "--longest-part is only for --scoring parts");
    for (const std::string& text : area_costs) {
        const std::vector<std::string> parts = split(text, '=');
        const auto area = parse_number<std::size_t>(parts.front());
        const auto cost = parse_number<float>(parts.back());
        if (parts.size() != 2 || !area || *area >= mesh::kAreas || !cost || std::isnan(*cost)) {
            return fail(StatusCode::bad_option,
                        fmt::format("--area-cost '{}': write area=cost, for example 1=2.5, areas "
                                    "being 0 to {}",
                                    text, mesh::kAreas - 1));
        }
        out.area_costs[*area] = *cost;
    }
    return out;
}

Result<mesh::Mesh> NavmeshFlags::load(Context& context, const std::filesystem::path& file) const {
    const auto mesh_options = options();
    if (!mesh_options) return tl::unexpected(mesh_options.error());
    if (extension_of(file) != ".obj") {
        Status status =
            recast.refuse_given("is for Recast, which makes meshes of .obj files: leave it out");
        if (!status.ok()) return tl::unexpected(std::move(status));
    }
    if (extension_of(file) == ".mesh") return formats::load_polyanya(file, *mesh_options);
    if (is_tile_source(file)) return recast.load(context, file, *mesh_options);
    if (!is_terrain_file(file)) {
        return fail(StatusCode::unsupported,
                    fmt::format("{}: meshes are .mesh (Polyanya), .bin (Detour), .obj, or maps: "
                                ".map, .png, .pgm, .npy, .yaml, .tmj, .tmx",
                                file.string()));
    }
    if (!area_costs.empty()) {
        return fail(StatusCode::bad_option,
                    "--area-cost is not for maps: the weights of their terrain are the costs");
    }
    const auto map = formats::load_terrain_map(file, {}, limits);
    if (!map) return tl::unexpected(map.error());
    return mesh::mesh_from_grid(*map, *mesh_options);
}

Status NavmeshFlags::refuse_given(std::string_view message) const {
    Status status = app::refuse_given(mesh_options_, message);
    return status.ok() ? recast.refuse_given(message) : status;
}

void HnaFlags::add_to(CLI::App& command) {
    mesh.add_to(command);
    index.add_to(command, Space::mesh);
}

Result<hna::Index> HnaFlags::load_or_build(Context& context,
                                           const std::filesystem::path& file) const {
    if (is_mesh_file(file)) {
        const auto loaded = mesh.load(context, file);
        if (!loaded) return tl::unexpected(loaded.error());
        return index.build<hna::Planner>(context, *loaded);
    }
    constexpr std::string_view message =
        "with an index file: the index was built with options of its own; leave the option out, or "
        "build another index";
    Status status = mesh.refuse_given(message);
    if (status.ok()) status = index.fields.refuse_given(message);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return cairn::load<hna::Index>(file);
}

void DiscFlags::add_to(CLI::App& command) {
    add_number(command, "--radius", radius, 0, 1e7, "R", "Query",
               "The agent is a disc of this radius, in the units of the mesh, and keeps it from "
               "walls. A mesh that was made for a radius has its walls drawn back already: give "
               "the rest");
}

Result<DiscPath> DiscFlags::find(Context& context, const HnaFlags& flags,
                                 const std::filesystem::path& file, const std::string& start,
                                 const std::string& goal, const QueryFlags& query,
                                 int rounds) const {
    hna::Options options;
    mesh::Mesh mesh;
    if (is_mesh_file(file)) {
        auto loaded = flags.mesh.load(context, file);
        if (!loaded) return tl::unexpected(std::move(loaded.error()));
        const auto parsed = flags.index.options<hna::Planner>();
        if (!parsed) return tl::unexpected(parsed.error());
        mesh = std::move(*loaded);
        options = *parsed;
    } else {
        const auto opened = flags.load_or_build(context, file);
        if (!opened) return tl::unexpected(opened.error());
        mesh = opened->mesh();
        options = opened->options();
    }
    const auto from = parse_place(start, "start", mesh);
    if (!from) return tl::unexpected(from.error());
    const auto to = parse_place(goal, "goal", mesh);
    if (!to) return tl::unexpected(to.error());
    ProgressBar bar("building");
    auto index = hna::DiscIndex::build(mesh, {&radius, 1}, options,
                                       bar.control(context, flags.index.threads));
    if (!index) return tl::unexpected(std::move(index.error()));
    const auto parsed_query =
        query.query<hna::Planner>(index->clearance().mesh().units_per_length());
    if (!parsed_query) return tl::unexpected(parsed_query.error());
    DiscPath path{.index = std::move(*index), .query = {}, .answer = {}};
    path.query = {.start = *from,
                  .goal = *to,
                  .radius = radius,
                  .reach = parsed_query->reach,
                  .limits = parsed_query->limits};
    hna::DiscSearcher searcher;
    const StatusCode code = searcher.find(path.index, path.query, path.answer);
    if (code == StatusCode::start_blocked || code == StatusCode::goal_blocked) {
        return fail(code,
                    fmt::format("{} to {}: the {} is nearer than {} to a wall", start, goal,
                                code == StatusCode::start_blocked ? "start" : "goal", radius));
    }
    if (code != StatusCode::ok)
        return fail(code, fmt::format("{} to {}: {}", start, goal, describe(code)));
    path.seconds = least_time(rounds, [&] { searcher.find(path.index, path.query, path.answer); });
    return path;
}

void add_mesh_planner(CLI::App& command) {
    command
        .add_option_function<std::string>(
            "--planner", [](const std::string&) {},
            "hna is the planner of meshes; with hna a map becomes a mesh of rectangles")
        ->check(one_of(std::vector<std::string>{"hna"}))
        ->type_name("hna")
        ->default_str("hna")
        ->group("Planner");
}

}  // namespace cairn::app

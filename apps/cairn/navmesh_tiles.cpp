#include "navmesh_tiles.hpp"

#include <CLI/CLI.hpp>

#include "options.hpp"
#include "terrain_file.hpp"

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

Status RecastFlags::none(std::string_view message) const { return refuse_given(all_, message); }

#ifdef CAIRN_APP_DETOUR

struct RecastFlags::Settings {
    detour::RecastOptions recast;
    int threads = 0;

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
    BuildControl control;
    control.progress = bar.callback();
    control.cancel = &context.cancel;
    control.threads = threads;
    auto built = detour::build_navmesh(*triangles, recast, control);
    if (!built && built.error().code == StatusCode::bad_option)
        built.error().message = as_option(std::move(built.error().message));
    return built;
}

RecastFlags::RecastFlags() : settings_(std::make_shared<Settings>()) {}

void RecastFlags::add_to(CLI::App& command) {
    detour::RecastOptions& o = settings_->recast;
    const auto add = [&](const char* name, auto& value, const char* type, const char* help) {
        all_.push_back(command.add_option(name, value, help)
                           ->type_name(type)
                           ->capture_default_str()
                           ->group("Recast, for .obj"));
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

}  // namespace cairn::app

// cairn-lab mosaic: one large tile set of several levels, side by side and joined by ramps.

#include "lab.hpp"

#ifdef CAIRN_APP_DETOUR

#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/detour/recast_builder.hpp"
#include "cairn/detour/tile_set.hpp"
#include "cairn/detour/triangles.hpp"
#include "cairn/mesh/reachability.hpp"
#include "inputs.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;
using detour::Triangles;
using mesh::Point;

constexpr float kGap = 40;         // between levels, for ramps
constexpr float kRampWidth = 6;    // leaves room for agents of the default radius
constexpr float kLanding = 2;      // how far a ramp reaches over the ground at its ends
constexpr float kSteepest = 0.7F;  // rise of a ramp per length; Recast's limit is 1
constexpr int kRampsPerBorder = 6;

/// A level at its place in the mosaic.
struct Level {
    Triangles triangles;
    std::vector<Point> ground;  ///< centres of the polygons of its largest component
    Point low;                  ///< the least coordinates of its vertices
    Point high;                 ///< the greatest
};

void move(Level& level, float x, float y, float z) {
    for (auto* points : {&level.triangles.vertices, &level.ground}) {
        for (Point& p : *points) p = {p.x + x, p.y + y, p.z + z};
    }
    level.low = level.high = level.triangles.vertices.front();
    for (const Point& p : level.triangles.vertices) {
        for (float Point::*const axis : {&Point::x, &Point::y, &Point::z}) {
            level.low.*axis = std::min(level.low.*axis, p.*axis);
            level.high.*axis = std::max(level.high.*axis, p.*axis);
        }
    }
}

/// Errors: those of Recast and of `convert`; unsupported (nobody can stand in the level).
Result<std::vector<Point>> ground_of(const Triangles& triangles,
                                     const detour::RecastOptions& recast,
                                     const BuildControl& control) {
    const auto nav_mesh = detour::build_navmesh(triangles, recast, control);
    if (!nav_mesh) return tl::unexpected(nav_mesh.error());
    const auto converted = detour::convert(**nav_mesh, dtQueryFilter(), {});
    if (!converted) return tl::unexpected(converted.error());
    const mesh::Mesh& mesh = converted->mesh;
    const auto reachability = mesh::Reachability::build(mesh).value();
    std::vector<Point> ground;
    for (const mesh::Polygon p : free_polygons(mesh)) {
        if (reachability.component(p) == reachability.largest()) ground.push_back(mesh.centre(p));
    }
    if (ground.empty()) return fail(StatusCode::unsupported, "no ground to stand on");
    return ground;
}

/// Adds a strip of ground from a to b, level at its ends.
void add_ramp(const Point& a, const Point& b, Triangles& out) {
    const float x = b.x - a.x;
    const float z = b.z - a.z;
    const float length = std::hypot(x, z);
    const float along_x = x / length * kLanding;
    const float along_z = z / length * kLanding;
    const float side_x = -z / length * kRampWidth / 2;
    const float side_z = x / length * kRampWidth / 2;
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    for (const Point& p : {Point{a.x - along_x, a.y, a.z - along_z}, a, b,
                           Point{b.x + along_x, b.y, b.z + along_z}}) {
        out.vertices.push_back({p.x - side_x, p.y, p.z - side_z});
        out.vertices.push_back({p.x + side_x, p.y, p.z + side_z});
    }
    for (std::uint32_t v = first; v < first + 6; v += 2)
        out.corners.insert(out.corners.end(), {v, v + 1, v + 3, v, v + 3, v + 2});
}

/// The place of the ground that is farthest in the direction `sign` along x, or along z, of those
/// whose other coordinate is in [low, high).
std::optional<Point> outermost(const Level& level, float Point::*axis, float sign, float low,
                               float high) {
    float Point::*const other = axis == &Point::x ? &Point::z : &Point::x;
    std::optional<Point> found;
    for (const Point& p : level.ground) {
        if (p.*other < low || p.*other >= high) continue;
        if (!found || sign * (p.*axis) > sign * ((*found).*axis)) found = p;
    }
    return found;
}

/// Joins two levels, of which `b` follows `a` along the axis, by ramps between the outermost places
/// of strips across the border. Returns how many.
int join(const Level& a, const Level& b, float Point::*axis, Triangles& out) {
    float Point::*const other = axis == &Point::x ? &Point::z : &Point::x;
    const auto strip = [&](const Level& level, int i) {
        const float low = level.low.*other;
        return low + (level.high.*other - low) * static_cast<float>(i) / kRampsPerBorder;
    };
    int ramps = 0;
    for (int i = 0; i < kRampsPerBorder; ++i) {
        const auto from = outermost(a, axis, 1, strip(a, i), strip(a, i + 1));
        const auto to = outermost(b, axis, -1, strip(b, i), strip(b, i + 1));
        if (!from || !to) continue;
        const float length = std::hypot(to->x - from->x, to->z - from->z);
        if (std::abs(to->y - from->y) > kSteepest * length) continue;
        add_ramp(*from, *to, out);
        ++ramps;
    }
    return ramps;
}

struct MosaicOptions {
    std::vector<std::string> inputs;
    std::string output;
    int repeat = 1;
    float cell_size = detour::RecastOptions::tiled().cell_size;

    Outcome run(Context& context) const;

private:
    [[nodiscard]] Result<std::vector<Level>> levels(const detour::RecastOptions& recast,
                                                    const BuildControl& control) const;
};

/// The levels in a square of rows; their ground is at height 0 at the mean.
Result<std::vector<Level>> MosaicOptions::levels(const detour::RecastOptions& recast,
                                                 const BuildControl& control) const {
    const auto files = expand_geometry(inputs);
    if (!files) return tl::unexpected(files.error());
    std::vector<Level> all;
    for (const fs::path& file : *files) {
        auto triangles = detour::read_obj(file.string());
        if (!triangles) return tl::unexpected(triangles.error());
        auto ground = ground_of(*triangles, recast, control);
        if (!ground) return tl::unexpected(of_file(file, ground.error()));
        all.push_back({*std::move(triangles), *std::move(ground), {}, {}});
        double height = 0;
        for (const Point& p : all.back().ground) height += double{p.y};
        move(all.back(), 0,
             -static_cast<float>(height / static_cast<double>(all.back().ground.size())), 0);
    }
    const std::size_t count = all.size() * static_cast<std::size_t>(repeat);
    for (std::size_t i = all.size(); i < count; ++i) all.push_back(all[i % files->size()]);
    return all;
}

Outcome MosaicOptions::run(Context& context) const {
    detour::RecastOptions recast = detour::RecastOptions::tiled();
    recast.cell_size = cell_size;
    ProgressBar bar("Recast");
    const BuildControl control{{}, &context.cancel, 0};
    auto all = levels(recast, control);
    if (!all) return tl::unexpected(all.error());
    const auto columns =
        static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(all->size()))));
    Triangles joined;
    int ramps = 0;
    float x = 0;  // where the next level begins
    float z = 0;
    float next_z = 0;
    for (std::size_t i = 0; i < all->size(); ++i) {
        if (i % columns == 0) {
            x = 0;
            z = next_z;
        }
        Level& level = (*all)[i];
        move(level, x - level.low.x, 0, z - level.low.z);
        x = level.high.x + kGap;
        next_z = std::max(next_z, level.high.z + kGap);
        const auto first = static_cast<std::uint32_t>(joined.vertices.size());
        joined.vertices.insert(joined.vertices.end(), level.triangles.vertices.begin(),
                               level.triangles.vertices.end());
        for (const std::uint32_t corner : level.triangles.corners)
            joined.corners.push_back(first + corner);
        if (i % columns != 0) ramps += join((*all)[i - 1], level, &Point::x, joined);
        if (i >= columns) ramps += join((*all)[i - columns], level, &Point::z, joined);
    }
    const auto nav_mesh = detour::build_navmesh(joined, recast, bar.control(context, 0));
    bar.clear();
    if (!nav_mesh) return tl::unexpected(nav_mesh.error());
    const auto converted = detour::convert(**nav_mesh, dtQueryFilter(), {});
    if (!converted) return tl::unexpected(converted.error());
    if (Status written = detour::write_tile_set(output, **nav_mesh); !written.ok())
        return tl::unexpected(written);
    const std::size_t connected =
        polygons_of_largest(mesh::Reachability::build(converted->mesh).value());
    const std::uint32_t polygons = converted->mesh.num_polygons();
    say(context,
        {{"output", output},
         {"levels", all->size()},
         {"ramps", ramps},
         {"polygons", polygons},
         {"connected", connected}},
        fmt::format("{}: {} levels, {} ramps, {} polygons, {} of them connected\n", output,
                    all->size(), ramps, polygons, connected));
    return kDone;
}

}  // namespace

void add_mosaic(CLI::App& app, Context& context) {
    auto options = std::make_shared<MosaicOptions>();
    CLI::App* command = add_command(
        app, context, "mosaic",
        "Makes a large tile set of several levels: side by side in a square of rows, at one "
        "height, "
        "with ramps from each level to its neighbours. Recast builds it in tiles of 48 cells.",
        "cairn-lab mosaic levels/ --output mosaic.bin\n"
        "cairn-lab mosaic a.obj b.obj --output mosaic.bin --repeat 8 --cell-size 0.2");
    command->add_option("geometry", options->inputs, ".obj files, or folders of them")->required();
    command->add_option("--output", options->output, "The tile set to write")->required();
    add_count(*command, "--repeat", options->repeat, 1000, "How often each level is laid")
        ->type_name("N");
    command->add_option("--cell-size", options->cell_size, "Side of Recast's cells")
        ->capture_default_str();
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app

#else

namespace cairn::app {

// Without Detour there is no such command.
void add_mosaic(CLI::App& /*app*/, Context& /*context*/) {}

}  // namespace cairn::app

#endif

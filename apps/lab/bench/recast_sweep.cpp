// cairn-lab recast-sweep: meshes of many settings of Recast, on which Cairn must find what Detour
// finds.

#include "lab.hpp"

#ifdef CAIRN_APP_DETOUR

#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/detour_calls.hpp"
#include "bench/measurement.hpp"
#include "cairn/detour/path_query.hpp"
#include "cairn/detour/recast_builder.hpp"
#include "inputs.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

/// What happened on one mesh.
struct SweepResult {
    double recast_seconds = 0;
    double index_seconds = 0;
    int tiles = 0;
    std::uint32_t polygons = 0;
    std::size_t odd_polygons = 0;
    std::uint32_t point_portals = 0;
    int pairs = 0;
    int found = 0;         ///< pairs with a path, by Detour
    int out_of_nodes = 0;  ///< pairs for which Detour had too few nodes: not compared
    int wrong = 0;         ///< pairs with other answers, and 1 for a mesh that is refused
    std::string note;      ///< why there is no mesh or no index

    /// Adds the counts of another mesh.
    void add(const SweepResult& other) {
        recast_seconds += other.recast_seconds;
        index_seconds += other.index_seconds;
        tiles += other.tiles;
        polygons += other.polygons;
        odd_polygons += other.odd_polygons;
        point_portals += other.point_portals;
        pairs += other.pairs;
        found += other.found;
        out_of_nodes += other.out_of_nodes;
        wrong += other.wrong;
    }
    /// `wrong_column`: "wrong", unless another sheet has these wrong answers, too.
    [[nodiscard]] Row row(const char* wrong_column) const {
        return {{"tiles", tiles},
                {"polygons", polygons},
                {"odd_polygons", odd_polygons},
                {"point_portals", point_portals},
                {"pairs", pairs},
                {"found", found},
                {"out_of_nodes", out_of_nodes},
                {wrong_column, wrong},
                {"recast_s", recast_seconds},
                {"index_s", index_seconds},
                {"note", note}};
    }
};

/// Compares Cairn's paths between polygons of a mesh with Detour's.
class PathComparison {
public:
    PathComparison(const dtNavMesh& nav_mesh, const detour::PathIndex& index)
        : index_(index),
          ours_(index.index().mesh().num_polygons(), index),
          theirs_(index.index().mesh().num_polygons()),
          ready_(dtStatusSucceed(theirs_.query.init(&nav_mesh, kDetourNodes))) {}
    [[nodiscard]] bool ready() const noexcept { return ready_; }

    /// Counts the pair in `result`.
    void compare(mesh::Polygon start, mesh::Polygon end, SweepResult& result) {
        const mesh::Mesh& mesh = index_.index().mesh();
        const DetourPair pair =
            detour_pair(index_.refs(), {{start, mesh.centre(start)}, {end, mesh.centre(end)}});
        theirs_.find(pair, index_.filter());
        ++result.pairs;
        if (theirs_.out_of_nodes()) {
            ++result.out_of_nodes;
            return;
        }
        ours_.find(pair, index_.filter());
        result.found += theirs_.complete() ? 1 : 0;
        const bool usable =
            index_.walkable(ours_.path()) == ours_.path().size() && ours_.pull(pair);
        if (ours_.complete() != theirs_.complete() || !usable) ++result.wrong;
    }

private:
    detour::PathIndex index_;
    DetourCalls<detour::PathQuery> ours_;
    DetourCalls<dtNavMeshQuery> theirs_;
    bool ready_ = false;
};

struct RecastSweepOptions {
    std::vector<std::string> inputs;
    std::vector<float> cell_sizes{0.1F, 0.2F, 0.3F, 0.4F, 0.5F};
    std::vector<float> edge_errors{0.8F, 1.3F, 2.5F};
    std::vector<float> radii{0, 0.4F, 0.8F};
    std::vector<int> tile_sizes{0, 48};
    int pairs = 100;
    std::uint64_t seed = 1;
    Sheets sheets;

    Outcome run(Context& context);

private:
    [[nodiscard]] std::vector<detour::RecastOptions> settings() const;
    Status sweep(const fs::path& file, Context& context, ProgressBar& bar, double done,
                 double share);
    [[nodiscard]] Result<SweepResult> compare(const detour::Triangles& triangles,
                                              const detour::RecastOptions& recast,
                                              const Context& context) const;
};

std::vector<detour::RecastOptions> RecastSweepOptions::settings() const {
    std::vector<detour::RecastOptions> all;
    for (const float cell_size : cell_sizes) {
        for (const float edge_error : edge_errors) {
            for (const float radius : radii) {
                for (const int tile_size : tile_sizes) {
                    detour::RecastOptions& recast = all.emplace_back();
                    recast.cell_size = cell_size;
                    recast.edge_max_error = edge_error;
                    recast.agent_radius = radius;
                    recast.tile_size = tile_size;
                }
            }
        }
    }
    return all;
}

/// Errors: cancelled; out_of_memory; bad_option.
Result<SweepResult> RecastSweepOptions::compare(const detour::Triangles& triangles,
                                                const detour::RecastOptions& recast,
                                                const Context& context) const {
    const BuildControl control{{}, &context.cancel, 0};
    SweepResult result;
    const double begin = now();
    const auto nav_mesh = detour::build_navmesh(triangles, recast, control);
    const double built = now();
    result.recast_seconds = built - begin;
    if (!nav_mesh) {
        if (nav_mesh.error().code != StatusCode::too_large) return tl::unexpected(nav_mesh.error());
        result.note = "Recast: " + nav_mesh.error().message;
        return result;
    }
    const auto index = detour::PathIndex::build(**nav_mesh, dtQueryFilter(), {}, control);
    result.index_seconds = now() - built;
    if (!index) {
        if (index.error().code == StatusCode::cancelled) return tl::unexpected(index.error());
        result.wrong = 1;
        result.note = "index: " + index.error().message;
        return result;
    }
    for (int t = 0; t < (*nav_mesh)->getMaxTiles(); ++t)
        result.tiles += std::as_const(**nav_mesh).getTile(t)->header != nullptr ? 1 : 0;
    result.polygons = index->index().mesh().num_polygons();
    result.odd_polygons = index->index().mesh().num_odd();
    result.point_portals = index->index().mesh().num_point_portals();
    PathComparison comparison(**nav_mesh, *index);
    if (!comparison.ready()) return fail(StatusCode::out_of_memory);
    std::mt19937_64 random(seed);
    for (int i = 0; i < pairs && result.polygons > 0; ++i) {
        if (context.cancel.cancelled()) return fail(StatusCode::cancelled);
        const auto draw = [&] { return static_cast<mesh::Polygon>(random() % result.polygons); };
        const mesh::Polygon start = draw();
        comparison.compare(start, draw(), result);
    }
    return result;
}

Status RecastSweepOptions::sweep(const fs::path& file, Context& context, ProgressBar& bar,
                                 double done, double share) {
    const auto triangles = detour::read_obj(file);
    if (!triangles) return triangles.error();
    const std::string name = file.stem().string();
    const auto all = settings();
    SweepResult sum;
    int refused = 0;
    int meshes = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        bar.show(done + share * static_cast<double>(i) / static_cast<double>(all.size()));
        const detour::RecastOptions& recast = all[i];
        const auto result = compare(*triangles, recast, context);
        if (!result) return of_file(file, result.error());
        sum.add(*result);
        meshes += result->note.starts_with("Recast") ? 0 : 1;
        refused += result->note.starts_with("index") ? 1 : 0;
        bar.clear();
        const Row key{{"mesh", name},
                      {"cell_size", recast.cell_size},
                      {"edge_error", recast.edge_max_error},
                      {"radius", recast.agent_radius},
                      {"tile_size", recast.tile_size}};
        if (const Status& s = sheets.add_detail("recast_sweep", joined(key, result->row("wrong")));
            !s.ok())
            return s;
    }
    sum.note = refused > 0 ? fmt::format("{} refused", refused) : "";
    const Row key{{"mesh", name}, {"settings", all.size()}, {"meshes", meshes}};
    return sheets.add("recast_sweep_meshes", joined(key, sum.row("different")));
}

Outcome RecastSweepOptions::run(Context& context) {
    const auto found = expand_geometry(inputs);
    if (!found) return sheets.outcome(context, found.error());
    Status status = sheets.open();
    ProgressBar bar("Recast");
    const double share = 1.0 / static_cast<double>(found->size());
    for (std::size_t i = 0; i < found->size() && status.ok(); ++i)
        status = sweep((*found)[i], context, bar, share * static_cast<double>(i), share);
    bar.clear();
    return sheets.outcome(context, std::move(status));
}

}  // namespace

void add_recast_sweep(CLI::App& app, Context& context) {
    auto options = std::make_shared<RecastSweepOptions>();
    CLI::App* command = add_command(
        app, context, "recast-sweep",
        "Builds meshes of geometry with many settings of Recast: every cell size with every edge "
        "error, radius and tile size. On each mesh, random pairs of polygons must have a path by "
        "Cairn exactly where they have one by Detour, and that path must be walkable. Counts "
        "meshes that are refused as indexes and pairs with other answers (wrong).",
        "cairn-lab recast-sweep levels/\n"
        "cairn-lab recast-sweep level.obj --cell-sizes 0.3 --pairs 1000 --out OUT");
    command->add_option("geometry", options->inputs, ".obj files, or folders of them")->required();
    const auto add_list = [&](const char* name, auto& values, const char* help) {
        command->add_option(name, values, help)
            ->delimiter(',')
            ->type_name("N,...")
            ->capture_default_str()
            ->group("Recast");
    };
    add_list("--cell-sizes", options->cell_sizes, "Sides of Recast's cells");
    add_list("--edge-errors", options->edge_errors,
             "How far edges may lie off the border, in cells");
    add_list("--radii", options->radii, "Radii of agents");
    add_list("--tile-sizes", options->tile_sizes, "Sides of tiles in cells; 0: one piece");
    add_count(*command, "--pairs", options->pairs, 1'000'000, "Pairs a mesh")->type_name("N");
    command->add_option("--seed", options->seed, "Seed of the pairs")->capture_default_str();
    options->sheets.add_to(*command);
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app

#else

namespace cairn::app {

// Without Detour there is no such command.
void add_recast_sweep(CLI::App& /*app*/, Context& /*context*/) {}

}  // namespace cairn::app

#endif

#include "reproduce_hna.hpp"

#include <algorithm>
#include <filesystem>

#include "cairn/grid/generate.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "navmesh_options.hpp"
#include "reproduce_data.hpp"
#include "reproduce_hna_crowds.hpp"
#include "reproduce_hna_run.hpp"
#include "reproduce_hna_tables.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> mesh_files(const HnaRequest& request) {
    const auto folder =
        data_folder(request.data, fs::path("navmesh") / "detour",
                    "--data: say where meshes are (.bin, .mesh), or set CAIRN_DATA to a "
                    "folder with navmesh/detour, or try --example-only");
    if (!folder) return tl::unexpected(folder.error());
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(*folder, error)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".bin" || extension == ".mesh") files.push_back(entry.path());
    }
    if (error || files.empty()) {
        return fail(StatusCode::io_error,
                    fmt::format("{}: no .bin or .mesh file there", folder->string()));
    }
    std::sort(files.begin(), files.end());
    if (request.max_maps > 0 && files.size() > static_cast<std::size_t>(request.max_maps))
        files.resize(static_cast<std::size_t>(request.max_maps));
    return files;
}

Result<HnaMesh> load(Context& context, const fs::path& file) {
    NavmeshFlags flags;
    auto midpoints = flags.load(context, file);
    if (!midpoints) return tl::unexpected(std::move(midpoints.error()));
    flags.scoring = mesh::Scoring::polygon_centres;
    auto centres = flags.load(context, file);
    if (!centres) return tl::unexpected(std::move(centres.error()));
    return HnaMesh{file.stem().string(), std::move(*centres), std::move(*midpoints), {}};
}

/// A cave of some 1,500 polygons.
Result<HnaMesh> built_in(std::uint64_t seed) {
    grid::GenerateOptions options;
    options.kind = grid::MapKind::caves;
    options.width = options.height = 160;
    options.seed = seed;
    const auto image = grid::generate(options);
    if (!image) return tl::unexpected(image.error());
    const auto map = grid::make_map(*image);
    if (!map) return tl::unexpected(map.error());
    mesh::MeshOptions mesh_options;
    auto midpoints = mesh::mesh_from_grid(*map, mesh_options);
    if (!midpoints) return tl::unexpected(std::move(midpoints.error()));
    mesh_options.scoring = mesh::Scoring::polygon_centres;
    auto centres = mesh::mesh_from_grid(*map, mesh_options);
    if (!centres) return tl::unexpected(std::move(centres.error()));
    return HnaMesh{"caves", std::move(*centres), std::move(*midpoints), {}};
}

Result<std::vector<HnaMesh>> load_all(const HnaRequest& request, Context& context) {
    std::vector<HnaMesh> meshes;
    if (request.built_in) {
        auto mesh = built_in(request.seed);
        if (!mesh) return tl::unexpected(std::move(mesh.error()));
        meshes.push_back(std::move(*mesh));
        return meshes;
    }
    const auto files = mesh_files(request);
    if (!files) return tl::unexpected(files.error());
    for (const fs::path& file : *files) {
        auto mesh = load(context, file);
        if (!mesh) return tl::unexpected(std::move(mesh.error()));
        if (mesh->midpoints.directed()) continue;  // paths from centres need the way back
        meshes.push_back(std::move(*mesh));
    }
    return meshes;
}

Status reproduce_crowds(const std::vector<HnaMesh>& meshes, const HnaRequest& request,
                        Context& context, const std::function<Status(const Exhibit&)>& show,
                        Json& report) {
    ProgressBar bar("reproduce");
    const std::size_t steps = meshes.size() * crowd_sizes(request.agents).size();
    std::size_t done = 0;
    HnaControl control;
    control.cancel = &context.cancel;
    control.threads = request.threads;
    control.device = request.device;
    control.step = [&] { bar.show(static_cast<double>(++done) / static_cast<double>(steps)); };
    std::vector<HnaCrowds> crowds;
    std::vector<HnaDevice> devices;
    std::uint64_t wrong = 0;
    for (const HnaMesh& mesh : meshes) {
        auto measured = measure_crowds(mesh, request.agents, request.seed, control);
        if (!measured) return measured.error();
        for (const HnaCrowd& crowd : measured->crowds) wrong += crowd.wrong;
        if (measured->device) {
            for (const HnaDeviceTime& time : measured->device->times) wrong += time.wrong;
            devices.push_back(*measured->device);
        }
        crowds.push_back(std::move(*measured));
    }
    bar.clear();
    for (auto* make : {hna_figure_11, hna_figure_12, hna_crowd_frames, hna_crowd_threads}) {
        if (Status s = show(make(crowds)); !s.ok()) return s;
    }
    if (!devices.empty()) {
        if (Status s = show(hna_crowd_device(devices)); !s.ok()) return s;
    }
    report["wrong"] = wrong;
    report["meshes"] = meshes.size();
    report["seed"] = request.seed;
    if (!context.json) {
        say("{} meshes, crowds of up to {} agents: {} answers whose cost is not A*'s\n",
            meshes.size(), request.agents, wrong);
    }
    return {};
}

}  // namespace

Status reproduce_hna(const HnaRequest& request, Context& context,
                     const std::function<Status(const Exhibit&)>& show, Json& report) {
    auto meshes = load_all(request, context);
    if (!meshes) return meshes.error();
    if (request.agents > 0) return reproduce_crowds(*meshes, request, context, show, report);
    for (HnaMesh& mesh : *meshes) draw_pairs(mesh, request.pairs, request.seed);

    ProgressBar bar("reproduce");
    const std::size_t steps = meshes->size() * kHnaLevels.size() * kHnaMus.size();
    std::size_t done = 0;
    HnaControl control;
    control.cancel = &context.cancel;
    control.step = [&] { bar.show(static_cast<double>(++done) / static_cast<double>(steps)); };

    std::vector<HnaGrid> grids;
    std::uint64_t wrong = 0;
    for (const HnaMesh& mesh : *meshes) {
        auto grid = measure_grid(mesh, control);
        if (!grid) return grid.error();
        for (const HnaCell& cell : grid->cells) wrong += cell.wrong;
        bar.clear();
        if (Status s = show(hna_figure_9(*grid)); !s.ok()) return s;
        const auto offsets = measure_offsets(mesh, control);
        if (!offsets) return offsets.error();
        bar.clear();
        if (Status s = show(hna_figure_7(mesh.name, *offsets)); !s.ok()) return s;
        grids.push_back(std::move(*grid));
    }
    bar.clear();
    for (auto* make : {hna_table_2, hna_figure_6, hna_figure_10, hna_table_3}) {
        if (Status s = show(make(grids)); !s.ok()) return s;
    }
    report["wrong"] = wrong;
    report["meshes"] = meshes->size();
    report["pairs"] = request.pairs;
    report["seed"] = request.seed;
    if (!context.json) {
        say("{} meshes, {} pairs each, {} hierarchies each: {} answers whose cost is not A*'s\n",
            meshes->size(), request.pairs, kHnaLevels.size() * kHnaMus.size(), wrong);
    }
    return {};
}

}  // namespace cairn::app

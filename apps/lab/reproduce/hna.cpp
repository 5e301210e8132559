#include "reproduce/hna.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "bench/measurement.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/reachability.hpp"
#include "inputs.hpp"
#include "options/mesh.hpp"
#include "reproduce/hna_crowds.hpp"
#include "reproduce/reproduce.hpp"

namespace cairn::app {

namespace {

using mesh::Mesh;
using mesh::Place;
using mesh::Point;

double mean_us(const std::vector<double>& seconds) {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return seconds.empty() ? 0 : 1e6 * sum / static_cast<double>(seconds.size());
}

/// A random point of a polygon, as a random convex combination of its corners.
Point random_point(const Mesh& mesh, mesh::Polygon polygon, std::mt19937_64& random) {
    double x = 0;
    double y = 0;
    double z = 0;
    double sum = 0;
    for (const std::uint32_t corner : mesh.corners(polygon)) {
        const auto weight = static_cast<double>(1 + random() % 1000);
        const Point& p = mesh.vertices()[corner];
        x += weight * double{p.x};
        y += weight * double{p.y};
        z += weight * double{p.z};
        sum += weight;
    }
    return {static_cast<float>(x / sum), static_cast<float>(y / sum), static_cast<float>(z / sum)};
}

/// Runs all pairs on an index with one method.
class Asking {
public:
    Asking(const HnaMesh& mesh, const hna::Index& index, hna::Engine engine, hna::ConnectBy connect)
        : mesh_(&mesh), index_(&index) {
        query_.engine = engine;
        query_.connect = connect;
        query_.detail = hna::Detail::corridor;
    }

    HnaTime time(const MeasureOptions& options) {
        const std::size_t count = mesh_->pairs.size();
        HnaTime result;
        result.total = mean_us(least_seconds({count, [&](std::size_t i) { ask(i); }}, options));
        const auto connect = [&](std::size_t i) {
            aim(i);
            searcher_.begin(*index_, query_, answer_);
        };
        result.connect = mean_us(least_seconds({count, connect}, options));
        return result;
    }

    const hna::Answer& ask(std::size_t i) {
        aim(i);
        searcher_.find(*index_, query_, answer_);
        return answer_;
    }

    std::uint64_t wrong(const std::vector<Cost>& optima) {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < optima.size(); ++i) count += ask(i).cost != optima[i] ? 1 : 0;
        return count;
    }

    hna::Query& query() { return query_; }

private:
    void aim(std::size_t i) {
        query_.start = mesh_->pairs[i].first;
        query_.goal = mesh_->pairs[i].second;
    }

    const HnaMesh* mesh_;
    const hna::Index* index_;
    hna::Searcher searcher_;
    hna::Query query_;
    hna::Answer answer_;
};

/// Figure 10: means over the clusters of a level that have inter-edges, not over whole islands.
void count_inter_edges(const hna::Index& index, int level, std::size_t inter_edges, HnaCell& cell) {
    const Mesh& mesh = index.mesh();
    std::vector<std::uint64_t> polygons(index.clusters(level));
    std::vector<bool> on_border(index.clusters(level));
    std::size_t sides = 0;
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        const std::uint32_t cluster = index.cluster(level, p);
        ++polygons[cluster];
        sides = std::max(sides, mesh.links(p).size());
        for (const mesh::Link link : mesh.links(p)) {
            if (index.cluster(level, mesh.polygon_of(mesh::twin(link))) != cluster)
                on_border[cluster] = true;
        }
    }
    std::uint64_t clusters = 0;
    std::uint64_t inside = 0;
    for (std::size_t cluster = 0; cluster < polygons.size(); ++cluster) {
        if (!on_border[cluster]) continue;
        ++clusters;
        inside += polygons[cluster];
    }
    if (clusters == 0) return;
    cell.inter_edges = 2 * static_cast<double>(inter_edges) / static_cast<double>(clusters);
    // I(1, k) = k (s - 2) + 2 for a connected cluster of k polygons: the mean needs but their sum.
    cell.bound = static_cast<double>(inside * (sides - 2)) / static_cast<double>(clusters) + 2;
}

Result<hna::Index> build(const Mesh& mesh, int levels, int mu, hna::Pccp pccp, bool labels,
                         const HnaControl& control) {
    hna::Options options;
    options.levels = levels;
    options.mu = mu;
    options.pccp = pccp;
    options.labels = labels;
    BuildControl build;
    build.cancel = control.cancel;
    return hna::Index::build(mesh, options, build);
}

Result<HnaCell> measure_cell(const HnaMesh& mesh, int levels, int mu,
                             const std::vector<Cost>& optima, const HnaControl& control) {
    HnaCell cell;
    cell.levels = levels;
    cell.mu = mu;
    const auto portals = build(mesh.centres, levels, mu, hna::Pccp::portals, true, control);
    if (!portals) return tl::unexpected(portals.error());
    const auto paths = build(mesh.centres, levels, mu, hna::Pccp::centre_paths, false, control);
    if (!paths) return tl::unexpected(paths.error());
    const auto next = build(mesh.centres, levels, mu, hna::Pccp::centres, false, control);
    if (!next) return tl::unexpected(next.error());

    const hna::IndexStatistics sizes = portals->statistics();
    count_inter_edges(*portals, levels, sizes.levels.back().inter_edges, cell);
    cell.portal_bytes = levels == 1 ? sizes.row_bytes : sizes.pccp_bytes;
    cell.path_bytes = paths->statistics().pccp_bytes;
    cell.next_bytes = next->statistics().pccp_bytes;

    MeasureOptions options;
    options.rounds = kRounds;
    options.cancel = control.cancel;
    Asking by_search(mesh, *portals, hna::Engine::astar, hna::ConnectBy::search);
    Asking by_paths(mesh, *paths, hna::Engine::astar, hna::ConnectBy::tables);
    Asking by_labels(mesh, *portals, hna::Engine::automatic, hna::ConnectBy::automatic);
    cell.search = by_search.time(options);
    cell.pccp = by_paths.time(options);
    cell.labels = by_labels.time(options);
    cell.wrong = by_search.wrong(optima) + by_paths.wrong(optima) + by_labels.wrong(optima);
    return cell;
}

}  // namespace

void draw_pairs(HnaMesh& mesh, int count, std::uint64_t seed) {
    const Mesh& m = mesh.midpoints;
    const auto reachability = mesh::Reachability::build(m);
    std::vector<mesh::Polygon> polygons;
    for (mesh::Polygon p = 0; p < m.num_polygons(); ++p) {
        if (!m.is_connection(p) && reachability.component(p) == reachability.largest() &&
            !m.blocked(p)) {
            polygons.push_back(p);
        }
    }
    if (polygons.empty()) return;
    std::mt19937_64 random(seed);
    const auto draw = [&] {
        const mesh::Polygon polygon = polygons[random() % polygons.size()];
        return Place{polygon, random_point(m, polygon, random)};
    };
    for (int i = 0; i < count; ++i) {
        const Place start = draw();
        mesh.pairs.emplace_back(start, draw());
    }
}

Result<HnaGrid> measure_grid(const HnaMesh& mesh, const HnaControl& control) {
    HnaGrid grid;
    grid.name = mesh.name;
    grid.polygons = mesh.centres.num_polygons();
    const auto reachability = mesh::Reachability::build(mesh.centres);
    if (reachability.count() > 0) grid.connected = reachability.size(reachability.largest());

    mesh::Astar astar;
    mesh::Path path;
    const auto ask = [&](std::size_t i) {
        astar.find_path(mesh.centres, mesh.pairs[i].first, mesh.pairs[i].second, path);
    };
    MeasureOptions options;
    options.rounds = kRounds;
    options.cancel = control.cancel;
    grid.astar = mean_us(least_seconds({mesh.pairs.size(), ask}, options));
    std::vector<Cost> optima;
    for (std::size_t i = 0; i < mesh.pairs.size(); ++i) {
        ask(i);
        optima.push_back(path.cost);
    }
    for (const int levels : kHnaLevels) {
        for (const int mu : kHnaMus) {
            auto cell = measure_cell(mesh, levels, mu, optima, control);
            if (!cell) return tl::unexpected(std::move(cell.error()));
            if (control.cancel != nullptr && control.cancel->cancelled())
                return fail(StatusCode::cancelled);
            grid.cells.push_back(*cell);
            if (control.step) control.step();
        }
    }
    return grid;
}

Result<std::vector<HnaOffset>> measure_offsets(const HnaMesh& mesh, const HnaControl& control) {
    constexpr int kLevels = 2;
    constexpr int kMu = 10;
    const auto exact = build(mesh.midpoints, kLevels, kMu, hna::Pccp::portals, false, control);
    if (!exact) return tl::unexpected(exact.error());
    const auto centres = build(mesh.centres, kLevels, kMu, hna::Pccp::centres, false, control);
    if (!centres) return tl::unexpected(centres.error());
    Asking by_portals(mesh, *exact, hna::Engine::astar, hna::ConnectBy::tables);
    Asking by_centres(mesh, *centres, hna::Engine::astar, hna::ConnectBy::tables);
    by_portals.query().detail = by_centres.query().detail = hna::Detail::path;
    std::vector<HnaOffset> offsets;
    for (std::size_t i = 0; i < mesh.pairs.size(); ++i) {
        const Point& a = mesh.pairs[i].first.point;
        const Point& b = mesh.pairs[i].second.point;
        const double x = double{a.x} - double{b.x};
        const double y = double{a.y} - double{b.y};
        const double z = double{a.z} - double{b.z};
        offsets.push_back(
            {std::sqrt(x * x + y * y + z * z), by_portals.ask(i).length, by_centres.ask(i).length});
    }
    std::sort(offsets.begin(), offsets.end(),
              [](const HnaOffset& p, const HnaOffset& q) { return p.distance < q.distance; });
    return offsets;
}

namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> mesh_files(const Request& request) {
    const auto folder = data_folder(
        request.data.empty() ? request.maps : request.data, fs::path("navmesh") / "detour",
        "--data: name a folder of meshes (.bin, .mesh), or set CAIRN_DATA to a folder with "
        "navmesh/detour, or try --example-only");
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

Result<std::vector<HnaMesh>> load_all(const Request& request, Context& context) {
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
        if (mesh->midpoints.directed()) continue;  // paths from centres need both directions
        meshes.push_back(std::move(*mesh));
    }
    return meshes;
}

Status add_rows(const HnaGrid& grid, Sheets& sheets) {
    Status status = sheets.add("meshes", {{"mesh", grid.name},
                                          {"polygons", grid.polygons},
                                          {"connected", grid.connected},
                                          {"astar_us", grid.astar}});
    for (std::size_t i = 0; i < grid.cells.size() && status.ok(); ++i) {
        const HnaCell& cell = grid.cells[i];
        status = sheets.add("hierarchies", {{"mesh", grid.name},
                                            {"levels", cell.levels},
                                            {"mu", cell.mu},
                                            {"astar_us", grid.astar},
                                            {"hna_us", cell.search.total},
                                            {"hna_connect_us", cell.search.connect},
                                            {"pccp_us", cell.pccp.total},
                                            {"pccp_connect_us", cell.pccp.connect},
                                            {"labels_us", cell.labels.total},
                                            {"inter_edges", cell.inter_edges},
                                            {"bound", cell.bound},
                                            {"polygons", grid.polygons},
                                            {"path_bytes", cell.path_bytes},
                                            {"next_bytes", cell.next_bytes},
                                            {"portal_bytes", cell.portal_bytes},
                                            {"wrong", cell.wrong}});
    }
    return status;
}

/// Section 7.1 on one mesh.
Status reproduce_mesh(const HnaMesh& mesh, const HnaControl& control, Sheets& sheets) {
    const auto grid = measure_grid(mesh, control);
    if (!grid) return grid.error();
    if (Status s = add_rows(*grid, sheets); !s.ok()) return s;
    const auto offsets = measure_offsets(mesh, control);
    if (!offsets) return offsets.error();
    for (const HnaOffset& offset : *offsets) {
        Status s = sheets.add("offsets",
                              {{"mesh", mesh.name},
                               {"distance", offset.distance},
                               {"exact", offset.exact},
                               {"centres", offset.centres}},
                              true);
        if (!s.ok()) return s;
    }
    return {};
}

}  // namespace

Status reproduce_hna(const Request& request, Context& context, Sheets& sheets) {
    auto meshes = load_all(request, context);
    if (!meshes) return meshes.error();
    const bool crowds = request.agents > 0;
    ProgressBar bar("reproduce");
    const std::size_t steps = meshes->size() * (crowds ? crowd_sizes(request.agents).size()
                                                       : kHnaLevels.size() * kHnaMus.size());
    std::size_t done = 0;
    HnaControl control;
    control.cancel = &context.cancel;
    control.threads = request.threads;
    control.device = request.device;
    control.step = [&] { bar.show(static_cast<double>(++done) / static_cast<double>(steps)); };
    for (HnaMesh& mesh : *meshes) {
        Status status;
        if (crowds) {
            const auto measured = measure_crowds(mesh, request.agents, request.seed, control);
            status = measured ? add_rows(*measured, sheets) : measured.error();
        } else {
            draw_pairs(mesh, request.pairs, request.seed);
            status = reproduce_mesh(mesh, control, sheets);
        }
        if (!status.ok()) return status;
    }
    return {};
}

}  // namespace cairn::app

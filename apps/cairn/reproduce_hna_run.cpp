#include "reproduce_hna_run.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/reachability.hpp"
#include "measurement.hpp"

namespace cairn::app {
namespace {

using mesh::Mesh;
using mesh::Place;
using mesh::Point;

constexpr int kRounds = 3;

double mean_us(const std::vector<double>& seconds) {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return seconds.empty() ? 0 : 1e6 * sum / static_cast<double>(seconds.size());
}

/// A random point of a polygon: corners weighed at random.
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

/// Asks an index all pairs, one way.
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

}  // namespace cairn::app

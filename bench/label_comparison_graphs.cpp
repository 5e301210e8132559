#include "label_comparison_graphs.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "cairn/formats/movingai.hpp"
#include "cairn/formats/polyanya.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hpa/abstract_graph.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/subgoal/index.hpp"
#include "hna/snapshot.hpp"

namespace cairn::bench {
namespace {

/// The graph with these edges, whose nodes lie at these cells.
Result<PlacedGraph> placed(const grid::Map& map, std::span<const grid::Cell> cells,
                           std::span<const Edge> edges) {
    auto graph = graph_from_edges(static_cast<std::uint32_t>(cells.size()), edges);
    if (!graph) return tl::unexpected(graph.error());
    PlacedGraph out{std::move(*graph), {}, {}};
    std::vector<grid::Point> points;
    for (const grid::Cell cell : cells) {
        points.push_back(map.point(cell));
        out.points.push_back({points.back().x, points.back().y});
    }
    out.bound = [map, points = std::move(points)](std::uint32_t a, std::uint32_t b) {
        return map.distance_bound(points[a], points[b]);
    };
    return out;
}

}  // namespace

Result<PlacedGraph> hpa_graph(const std::filesystem::path& map) {
    const auto loaded = formats::load_map(map);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto index = hpa::Index::build(*loaded);
    if (!index) return tl::unexpected(index.error());
    hpa::ExtractOptions options;
    options.entrances = false;
    const auto abstract = hpa::extract_abstract_graph(*index, 1, options);
    if (!abstract) return tl::unexpected(abstract.error());
    std::vector<Edge> edges;
    edges.reserve(abstract->inter_edges.size() + abstract->intra_edges.size());
    for (const hpa::InterEdge& edge : abstract->inter_edges) {
        edges.push_back({edge.a, edge.b, edge.cost});
    }
    for (const hpa::IntraEdge& edge : abstract->intra_edges) {
        edges.push_back({edge.a, edge.b, edge.cost});
    }
    std::vector<grid::Cell> cells;
    for (const auto& node : abstract->nodes) cells.push_back(node.cell);
    return placed(*loaded, cells, edges);
}

Result<PlacedGraph> subgoal_graph(const std::filesystem::path& map, bool taut) {
    const auto loaded = formats::load_map(map);
    if (!loaded) return tl::unexpected(loaded.error());
    subgoal::Options options;
    options.labels = false;
    const auto index = subgoal::Index::build(*loaded, options);
    if (!index) return tl::unexpected(index.error());
    const std::vector<grid::Cell> cells = subgoal::subgoals(*index).value();
    // A subgoal's number is its index in the ascending list of their cells.
    const auto node = [&](grid::Cell cell) {
        const auto found = std::lower_bound(cells.begin(), cells.end(), cell);
        return static_cast<std::uint32_t>(found - cells.begin());
    };
    std::vector<Edge> edges;
    const auto found = subgoal::edges(*index).value();
    for (const subgoal::SubgoalEdge& edge : found) {
        if (taut && !edge.taut) continue;
        edges.push_back({node(edge.a), node(edge.b),
                         loaded->distance_bound(loaded->point(edge.a), loaded->point(edge.b))});
    }
    return placed(*loaded, cells, edges);
}

Result<PlacedGraph> hna_graph(const std::filesystem::path& mesh) {
    const auto loaded = formats::load_polyanya(mesh.string());
    if (!loaded) return tl::unexpected(loaded.error());
    hna::Options options;
    options.labels = false;
    const auto index = hna::Index::build(*loaded, options);
    if (!index) return tl::unexpected(index.error());
    const hna::Snapshot& snapshot = index->snapshot();
    auto graph = hna::LevelOneGraph{snapshot.overlay, snapshot.first_hng}.whole();
    if (!graph) return tl::unexpected(graph.error());
    return PlacedGraph{std::move(*graph), snapshot.first_hng.points(snapshot.mesh()),
                       [](std::uint32_t, std::uint32_t) { return Cost{0}; }};
}

}  // namespace cairn::bench

#include "hpa/snapshot.hpp"

#include <xxhash.h>

#include <array>
#include <bit>

#include "core/labels/earlier_labels.hpp"

namespace cairn::hpa {

std::uint64_t fresh_snapshot_id(const grid::Map& map, const Options& options) {
    const std::array<std::int64_t, 7> shape{
        options.cluster_size,  options.levels,
        options.branching,     static_cast<int>(options.transitions),
        options.wide_entrance, static_cast<int>(options.diagonals),
        options.move_tables};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, map.fingerprint());
    return id == 0 ? 1 : id;
}

LabelEngine number_label_nodes(const Overlay& overlay) {
    LabelEngine engine;
    for (std::uint32_t cluster = 0; cluster < overlay.base.partition.clusters(1); ++cluster) {
        engine.first_node.push_back(static_cast<std::uint32_t>(engine.cells.size()));
        const auto bases = overlay.cluster(1, cluster).bases();
        engine.cells.insert(engine.cells.end(), bases.begin(), bases.end());
    }
    engine.first_node.push_back(static_cast<std::uint32_t>(engine.cells.size()));
    return engine;
}

namespace {

// The nodes and edges of level 1, with the node numbers of `engine`.
Result<Graph> first_level_graph(const Overlay& overlay, const LabelEngine& engine) {
    const std::uint32_t clusters = overlay.base.partition.clusters(1);
    std::vector<Edge> edges;
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        const ClusterView view = overlay.cluster(1, cluster);
        const std::uint32_t first = engine.first_node[cluster];
        for (std::uint32_t i = 0; i < view.count(); ++i) {
            for (std::uint32_t j = 0; j < i; ++j) {
                if (view.cost(i, j) < kInfinity)
                    edges.push_back({first + i, first + j, view.cost(i, j)});
            }
            for (std::uint32_t c = view.crossings(i); c != 0; c &= c - 1) {
                const int direction = std::countr_zero(c);
                const grid::Cell to = overlay.base.map.step(view.base(i), direction);
                const std::uint32_t other = overlay.cluster_of(1, to);
                const std::uint32_t node =
                    engine.first_node[other] + overlay.cluster(1, other).find(to);
                if (node > first + i) {
                    edges.push_back(
                        {first + i, node, overlay.base.map.move_cost(view.base(i), direction)});
                }
            }
        }
    }
    return graph_from_edges(static_cast<std::uint32_t>(engine.cells.size()), edges);
}

// Writes for each node of `now` its number in `before`, or CutLabels::kNewNode. Both number their
// nodes cluster by cluster, and by cell within a cluster.
void find_earlier(const LabelEngine& now, const LabelEngine& before, std::span<std::uint32_t> out) {
    const auto part = [](auto all, const LabelEngine& engine, std::size_t cluster) {
        const std::uint32_t first = engine.first_node[cluster];
        return all.subspan(first, engine.first_node[cluster + 1] - first);
    };
    for (std::size_t cluster = 0; cluster + 1 < now.first_node.size(); ++cluster) {
        match_earlier(part(std::span(now.cells), now, cluster),
                      part(std::span(before.cells), before, cluster), before.first_node[cluster],
                      part(out, now, cluster));
    }
}

// Where the nodes lie.
std::vector<NodePoint> points_of(const grid::Map& map, std::span<const grid::Cell> cells) {
    std::vector<NodePoint> points;
    points.reserve(cells.size());
    for (const grid::Cell cell : cells) points.push_back({map.point(cell).x, map.point(cell).y});
    return points;
}

Result<LabelEngine> build_label_engine(const Snapshot& snapshot, const BuildControl& control) {
    const LabelEngine* const before = snapshot.earlier_labels.get();
    LabelEngine engine = number_label_nodes(snapshot.overlay);
    auto graph = first_level_graph(snapshot.overlay, engine);
    if (!graph) return tl::unexpected(graph.error());
    auto labels = build_labels(
        *graph, points_of(snapshot.overlay.base.map, engine.cells),
        before == nullptr ? nullptr : &before->labels,
        [&](std::span<std::uint32_t> old_node) { find_earlier(engine, *before, old_node); },
        snapshot.options.label_bytes, control);
    if (!labels) return tl::unexpected(labels.error());
    engine.labels = std::move(*labels);
    return engine;
}

}  // namespace

Status add_labels(Snapshot& snapshot, const BuildControl& control) {
    return keep_labels(snapshot, build_label_engine(snapshot, control));
}

}  // namespace cairn::hpa

template class cairn::LevelSearch<cairn::hpa::GridBase>;

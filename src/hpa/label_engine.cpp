#include "hpa/label_engine.hpp"

#include <bit>

namespace cairn::hpa {

LabelEngine number_label_nodes(const Overlay& overlay) {
    LabelEngine engine;
    for (std::uint32_t cluster = 0; cluster < overlay.partition.clusters(1); ++cluster) {
        engine.first_node.push_back(static_cast<std::uint32_t>(engine.cells.size()));
        const auto bases = overlay.cluster(1, cluster).bases();
        engine.cells.insert(engine.cells.end(), bases.begin(), bases.end());
    }
    engine.first_node.push_back(static_cast<std::uint32_t>(engine.cells.size()));
    return engine;
}

Result<LabelEngine> build_label_engine(const Snapshot& snapshot, const BuildControl& control) {
    const Overlay& overlay = snapshot.overlay;
    const std::uint32_t clusters = overlay.partition.clusters(1);
    LabelEngine engine = number_label_nodes(overlay);

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
                const grid::Cell to = overlay.map.step(view.base(i), direction);
                const std::uint32_t other = overlay.cluster_of(1, to);
                const std::uint32_t node =
                    engine.first_node[other] + overlay.cluster(1, other).find(to);
                if (node > first + i) {
                    edges.push_back(
                        {first + i, node, overlay.map.move_cost(view.base(i), direction)});
                }
            }
        }
    }
    auto graph = graph_from_edges(static_cast<std::uint32_t>(engine.cells.size()), edges);
    if (!graph) return tl::unexpected(graph.error());
    CutLabels::Options options;
    options.max_bytes = snapshot.options.label_bytes;
    auto labels = CutLabels::build(*graph, options, control);
    if (!labels) return tl::unexpected(labels.error());
    engine.labels = std::move(*labels);
    return engine;
}

}  // namespace cairn::hpa

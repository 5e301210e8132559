#include "hna/label_engine.hpp"

#include "core/earlier_labels.hpp"

namespace cairn::hna {
namespace {

// The intra-edges of level 1.
Result<Graph> first_level_graph(const Overlay& overlay, const InterEdges& inter_edges) {
    std::vector<Edge> edges;
    for (std::uint32_t cluster = 0; cluster < overlay.base.clusters(1); ++cluster) {
        const ClusterView view = overlay.cluster(1, cluster);
        const auto numbers = inter_edges.of_cluster(cluster);
        for (std::uint32_t i = 0; i < view.count(); ++i) {
            for (std::uint32_t j = 0; j < i; ++j) {
                const Cost cost = view.cost(i, j);
                if (cost < kInfinity) edges.push_back({numbers[i], numbers[j], cost});
            }
        }
    }
    return graph_from_edges(inter_edges.count(), edges);
}

Result<CutLabels> build_labels(const Graph& graph, const InterEdges& now, const LabelEngine* before,
                               const CutLabels::Options& options, const BuildControl& control) {
    if (before == nullptr || !lasts(before->labels))
        return CutLabels::build(graph, options, control);
    std::vector<std::uint32_t> old_node(now.count());
    match_earlier(now.portals(), before->edges.portals(), 0, old_node);
    return relabelled(before->labels, graph, old_node, options, control);
}

}  // namespace

Result<LabelEngine> build_label_engine(const Overlay& overlay, const LabelEngine* before,
                                       std::uint64_t max_bytes, const BuildControl& control) {
    LabelEngine engine;
    engine.edges = InterEdges(overlay, 1);
    auto graph = first_level_graph(overlay, engine.edges);
    if (!graph) return tl::unexpected(graph.error());
    CutLabels::Options options;
    options.max_bytes = max_bytes;
    auto labels = build_labels(*graph, engine.edges, before, options, control);
    if (!labels) return tl::unexpected(labels.error());
    engine.labels = std::move(*labels);
    return engine;
}

}  // namespace cairn::hna

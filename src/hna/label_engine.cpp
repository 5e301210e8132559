#include "hna/label_engine.hpp"

#include <utility>
#include <vector>

#include "core/labels/earlier_labels.hpp"

namespace cairn::hna {
namespace {

Result<Graph> label_graph(const Hng& hng) {
    std::vector<Edge> edges;
    for (std::uint32_t vertex = 0; vertex < hng.count(); ++vertex) {
        for (std::uint32_t side = 0; side < 2; ++side) {
            for (const Hng::Arc& arc : hng.arcs(2 * vertex + side)) {
                if (arc.vertex() < vertex) edges.push_back({vertex, arc.vertex(), arc.cost});
            }
        }
    }
    return graph_from_edges(hng.count(), edges);
}

}  // namespace

Result<LabelEngine> build_label_engine(std::shared_ptr<const Hng> hng, const LabelEngine* before,
                                       std::uint64_t max_bytes, const BuildControl& control) {
    auto graph = label_graph(*hng);
    if (!graph) return tl::unexpected(graph.error());
    auto labels = build_labels(
        *graph, before == nullptr ? nullptr : &before->labels,
        [&](std::span<std::uint32_t> old_node) {
            match_earlier(hng->portals(), before->hng->portals(), 0, old_node);
        },
        max_bytes, control);
    if (!labels) return tl::unexpected(labels.error());
    return LabelEngine{std::move(hng), std::move(*labels)};
}

}  // namespace cairn::hna

#include "label_comparison_graphs.hpp"

#include <vector>

#include "cairn/hpa/abstract_graph.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/io/movingai.hpp"

namespace cairn::bench {

Result<Graph> hpa_graph(const std::filesystem::path& map) {
    const auto loaded = io::load_map(map);
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
    return graph_from_edges(static_cast<std::uint32_t>(abstract->nodes.size()), edges);
}

}  // namespace cairn::bench

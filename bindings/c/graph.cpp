// The graphs of indexes, and the clearances of maps.

#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/any_graph.hpp"
#include "handles.hpp"

struct cairn_graph {
    cairn::IndexGraph graph;
};

namespace cairn::c {
namespace {

static_assert(CAIRN_EDGE_INTER == static_cast<int>(GraphEdgeKind::inter) &&
              CAIRN_EDGE_INTRA == static_cast<int>(GraphEdgeKind::intra) &&
              CAIRN_EDGE_SUBGOAL == static_cast<int>(GraphEdgeKind::subgoal) &&
              CAIRN_EDGE_TAUT == static_cast<int>(GraphEdgeKind::taut));
static_assert(sizeof(grid::Rect) == 4 * sizeof(int32_t));

/// The numbers of a list of structs or arrays of these numbers.
template <class Number, class T>
const Number* numbers_of(const std::vector<T>& list) noexcept {
    static_assert(sizeof(T) % sizeof(Number) == 0 && std::is_standard_layout_v<T>);
    return reinterpret_cast<const Number*>(list.data());
}

cairn_graph_lists lists_of(const IndexGraph& graph) noexcept {
    cairn_graph_lists out{};
    out.level = graph.level;
    out.levels = graph.levels;
    out.num_nodes = graph.ids.size();
    out.places = numbers_of<double>(graph.places);
    out.ids = graph.ids.data();
    out.node_levels = graph.node_levels.data();
    out.depths = graph.depths.data();
    out.num_edges = graph.edges.size();
    out.edges = numbers_of<uint32_t>(graph.edges);
    out.costs = graph.costs.data();
    out.kinds = numbers_of<uint8_t>(graph.kinds);
    out.num_clusters = graph.clusters.size();
    out.clusters = numbers_of<int32_t>(graph.clusters);
    out.num_entrances = graph.entrances.size();
    out.entrances = numbers_of<int32_t>(graph.entrances);
    out.num_polygons = graph.polygon_clusters.size();
    out.polygon_clusters = graph.polygon_clusters.data();
    return out;
}

}  // namespace
}  // namespace cairn::c

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global
using cairn::Status;
using cairn::StatusCode;

cairn_status cairn_graph_create(const cairn_index* index, int32_t level, int32_t size,
                                int32_t capability, cairn_graph** graph) {
    return make(
        graph,
        [&] {
            const cairn::GraphAgent agent{static_cast<std::uint32_t>(capability), size};
            return cairn::graph_of(index->index, level, agent).map([](cairn::IndexGraph read) {
                return cairn_graph{std::move(read)};
            });
        },
        index);
}

cairn_status cairn_graph_get(const cairn_graph* graph, cairn_graph_lists* lists) {
    return call([&] { return give(lists_of(graph->graph), lists); }, graph, lists);
}

void cairn_graph_free(cairn_graph* graph) { delete graph; }

cairn_status cairn_map_copy_clearances(const cairn_map* map, uint32_t capability,
                                       uint8_t* clearances) {
    return call(
        [&]() -> Status {
#if CAIRN_HAS_HAA
            const auto* const own = std::get_if<cairn::haa::AnnotatedMap>(&map->map);
            if (own == nullptr) return {StatusCode::unsupported, "the map is not one for agents"};
            if (capability >= own->options().capabilities.size())
                return {StatusCode::bad_option, "the map has no such capability"};
            for (cairn::grid::Cell cell = 0; cell < own->size(); ++cell)
                clearances[cell] = static_cast<uint8_t>(own->clearance(capability, cell));
            return {};
#else
            return not_built("haa");
#endif
        },
        map, clearances);
}

#include "batch/device/mesh/hna_form.hpp"

#include <algorithm>

#include "core/guarded.hpp"
#include "hna/snapshot.hpp"

namespace cairn::batch {
namespace {

MeshForm mesh_form(const mesh::MeshData& mesh) {
    const mesh::MeshTopology& topology = *mesh.topology;
    MeshForm form;
    form.by_centres = mesh.options.scoring == mesh::Scoring::polygon_centres;
    form.units = mesh.units;
    form.least_factor = mesh.least_factor;
    form.factors = mesh.factors;
    form.areas = mesh.areas;
    form.centres = topology.centres;
    form.first_link = topology.first_link;
    form.all_links = topology.links;
    form.link_polygon = topology.link_polygon;
    form.open = mesh.open;
    form.midpoints = topology.midpoints;
    if (mesh.halves) form.halves = *mesh.halves;
    form.link_place = topology.link_place;
    form.first_cost = topology.first_cost;
    form.inside_costs = *mesh.inside_costs;
    return form;
}

}  // namespace

// A removed vertex keeps its place, without arcs.
void HnaArrays::FlatHng::fill(const hna::Snapshot& snapshot, const hna::Hng& hng) {
    const mesh::MeshData& mesh = snapshot.mesh();
    const bool by_centres = mesh.options.scoring == mesh::Scoring::polygon_centres;
    const hna::HngGraph graph(snapshot.overlay, hng);
    for (std::uint32_t id = 0; id < snapshot.partition().clusters(hng.level()); ++id) {
        const auto vertices = hng.of(id);
        slots.insert(slots.end(), vertices.begin(), vertices.end());
        first_slot.push_back(static_cast<std::uint32_t>(slots.size()));
    }
    aims.resize(2 * std::size_t{hng.size()});
    for (std::uint32_t vertex = 0; vertex < hng.size(); ++vertex) {
        portals.push_back(hng.portal(vertex));
        edges.push_back(hng[vertex]);
        for (const std::uint32_t side : {2 * vertex, 2 * vertex + 1}) {
            if (!hng.is_removed(vertex)) {
                graph.for_each_arc(side, [this](std::uint32_t head, Cost cost) {
                    arcs.push_back({head, cost});
                });
                const mesh::Link link = 2 * hng.portal(vertex) + side % 2;
                aims[side] = by_centres ? hna::HngAim{mesh.topology->centres[mesh.polygon_of(link)],
                                                      (*mesh.halves)[link]}
                                        : hna::HngAim{mesh.midpoint(link), 0};
            }
            first_arc.push_back(static_cast<std::uint32_t>(arcs.size()));
        }
    }
}

void HnaArrays::fill(const hna::Snapshot& snapshot, const hna::LevelRows& rows, const hna::Hng& hng,
                     Level& level, HnaLevelForm& form) {
    const int number = hng.level();
    const auto put_end_to_end = [](const RecordStore& store, Records& records, RowsForm& ends) {
        if (store.size() == 0) return;
        records.first.reserve(store.size() + 1);
        for (std::size_t id = 0; id < store.size(); ++id) {
            records.first.push_back(records.words.size());
            records.words.insert(records.words.end(), store[id].begin(), store[id].end());
        }
        records.first.push_back(records.words.size());
        ends = {records.first, records.words};
    };
    put_end_to_end(rows.towards, level.towards, form.towards);
    put_end_to_end(rows.away, level.away, form.away);
    level.cluster.resize(snapshot.mesh().num_polygons());
    for (mesh::Polygon p = 0; p < level.cluster.size(); ++p)
        level.cluster[p] = snapshot.partition().cluster(number, p);
    for (std::uint32_t id = 0; id < snapshot.partition().clusters(number); ++id)
        form.most_portals = std::max(form.most_portals, form.towards[id].portals());
    form.most_borders = static_cast<std::uint32_t>(snapshot.overlay.most_nodes(number));
    form.cluster = level.cluster;
    form.places = *rows.places;
    level.hng.fill(snapshot, hng);
    form.hng = level.hng.view();
}

HnaArrays::HnaArrays(const hna::Index& index) {
    const hna::Snapshot& snapshot = index.snapshot();
    form_.mesh = mesh_form(snapshot.mesh());
    fill(snapshot, snapshot.rows, snapshot.first_hng, first_, form_.first);
    const int top = snapshot.top();
    const hna::LevelRows* const rows = snapshot.rows_of(top);
    if (top > 1 && rows != nullptr) fill(snapshot, *rows, snapshot.top_hng(), top_, form_.top);
    for (mesh::Polygon p = 0; p < snapshot.mesh().num_polygons(); ++p) {
        const auto links = static_cast<std::uint32_t>(snapshot.mesh().links(p).size());
        form_.most_links = std::max(form_.most_links, links);
    }
    if (!snapshot.has_closure()) return;
    const CutLabels& labels = snapshot.labels->labels;
    closure_ = value_of(labels.closure().in_one_piece());
    form_.closure = closure_form(closure_);
    if (!snapshot.has_labels() || !device_reads(labels)) return;
    labels_ = value_of(labels.in_one_piece());
    form_.labels = labels_.arrays();
}

}  // namespace cairn::batch

#include "batch/device/mesh/hna_form.hpp"

#include <algorithm>

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

HnaArrays::HnaArrays(const hna::Index& index) {
    const hna::Snapshot& snapshot = index.snapshot();
    const auto put_end_to_end = [](const RecordStore& store, Records& records, RowsForm& form) {
        if (store.size() == 0) return;
        records.first.reserve(store.size() + 1);
        for (std::size_t id = 0; id < store.size(); ++id) {
            records.first.push_back(records.words.size());
            records.words.insert(records.words.end(), store[id].begin(), store[id].end());
        }
        records.first.push_back(records.words.size());
        form = {records.first, records.words};
    };
    form_.mesh = mesh_form(snapshot.mesh());
    put_end_to_end(snapshot.rows.towards, towards_, form_.towards);
    put_end_to_end(snapshot.rows.away, away_, form_.away);
    const std::uint32_t polygons = snapshot.mesh().num_polygons();
    cluster_.resize(polygons);
    for (mesh::Polygon p = 0; p < polygons; ++p) {
        cluster_[p] = snapshot.partition().cluster(1, p);
        const auto links = static_cast<std::uint32_t>(snapshot.mesh().links(p).size());
        form_.most_links = std::max(form_.most_links, links);
    }
    for (std::uint32_t id = 0; id < snapshot.partition().clusters(1); ++id)
        form_.most_portals = std::max(form_.most_portals, form_.towards[id].portals());
    form_.cluster = cluster_;
    form_.places = *snapshot.rows.places;
    form_.hng = snapshot.first_hng->view();
    if (snapshot.labels) form_.labels = snapshot.labels->labels.arrays();
    form_.most_borders = static_cast<std::uint32_t>(snapshot.overlay.most_nodes(1));
}

}  // namespace cairn::batch

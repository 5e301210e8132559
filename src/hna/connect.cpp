#include "hna/connect.hpp"

#include <algorithm>

namespace cairn::hna {
namespace {

using mesh::Link;

void find_portals(const mesh::MeshData& mesh, Endpoint& end) {
    const auto links = mesh.links(end.place.polygon);
    end.portals.clear();
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const Link crossed = end.levels.backward ? mesh::twin(links[i]) : links[i];
        if (mesh.open[crossed] == 0) continue;
        end.portals.push_back(
            {links[i], mesh.end_cost(end.place.polygon, end.levels.place.point, i)});
    }
}

// Finds the least costs between an endpoint and a cluster's inter-edges, from the rows of the
// endpoint's portals.
void find_costs_by_rows(const Snapshot& snapshot, int level, std::uint32_t cluster,
                        const Endpoint& end, std::span<Cost> costs) {
    std::fill(costs.begin(), costs.end(), kInfinity);
    if (costs.empty()) return;
    const LevelRows& level_rows = *snapshot.rows_of(level);
    const RowsView rows =
        end.levels.backward ? level_rows.from_borders(cluster) : level_rows.to_borders(cluster);
    for (const PortalCost& portal : end.portals)
        rows.lower((*level_rows.places)[portal.link], portal.cost, costs);
}

}  // namespace

void connect_to_first_level(const Snapshot& snapshot, const mesh::Place& place, bool backward,
                            Endpoint& end) {
    end.by_centre = false;
    if (end.connected && end.place == place) {
        end.levels.levels = 1;  // levels above are connected again where they are needed
        return;
    }
    end.connected = true;
    end.place = place;
    end.levels.backward = backward;
    const mesh::Point anchor = snapshot.mesh().anchor(place.polygon, place.point);
    const std::uint32_t cluster = snapshot.partition().cluster(1, place.polygon);
    const std::span<Cost> costs =
        end.levels.move_to(snapshot.overlay, {place.polygon, mesh::kNone, anchor}, cluster);
    find_portals(snapshot.mesh(), end);
    find_costs_by_rows(snapshot, 1, cluster, end, costs);
}

namespace {

void search_cluster(const Overlay& overlay, Endpoint& end, ClusterSearch& search,
                    SearchStatistics& effort) {
    const int top = overlay.base.levels();
    search.begin(
        overlay.base, overlay.base.area(top, end.top_cluster),
        end.levels.backward ? ClusterSearch::Direction::towards : ClusterSearch::Direction::away);
    search.add_end(end.place);
    search.run();
    effort += search.statistics();
    const ClusterView view = overlay.cluster(top, end.top_cluster);
    for (std::uint32_t slot = 0; slot < view.count(); ++slot)
        end.top_costs[slot] = search.cost(mesh::portal_of(view.base(slot)));
}

}  // namespace

void connect_to_top(const Snapshot& snapshot, TopConnection connection, Endpoint& end,
                    ClusterSearch& search, SearchStatistics& effort) {
    const int top = snapshot.top();
    const Overlay& overlay = snapshot.overlay;
    end.by_centre = connection == TopConnection::centres;
    end.top_cluster = snapshot.partition().cluster(top, end.place.polygon);
    const ClusterView view = overlay.cluster(top, end.top_cluster);
    end.top_costs.reserve(overlay.most_nodes(top));
    end.top_costs.resize(view.count());
    if (view.count() == 0) return;
    switch (connection) {
        case TopConnection::rows:
            find_costs_by_rows(snapshot, top, end.top_cluster, end, end.top_costs);
            break;
        case TopConnection::centres: {
            const auto costs = snapshot.centre_rows_of(end.top_cluster).costs(end.place.polygon);
            end.top_costs.assign(costs.begin(), costs.end());
            break;
        }
        case TopConnection::search:
            search_cluster(overlay, end, search, effort);
            break;
    }
}

}  // namespace cairn::hna

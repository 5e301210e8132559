#include "hna/snapshot.hpp"

#include <numeric>

namespace cairn::hna {

void find_places(const MeshBase& base, int level, std::span<const std::uint32_t> clusters,
                 LevelRows& rows) {
    const mesh::MeshData& mesh = base.mesh.data();
    auto places = rows.places ? std::make_shared<std::vector<std::uint32_t>>(*rows.places)
                              : std::make_shared<std::vector<std::uint32_t>>(mesh.num_links());
    places->resize(mesh.num_links());
    for (const std::uint32_t cluster : clusters) {
        const RowsView view = rows.to_borders(cluster);
        for (std::uint32_t place = 0; place < view.portals(); ++place) {
            for (std::uint32_t side = 0; side < 2; ++side) {
                const mesh::Link link = 2 * view.portal(place) + side;
                if (base.partition->cluster(level, mesh.polygon_of(link)) == cluster)
                    (*places)[link] = place;
            }
        }
    }
    rows.places = std::move(places);
}

void find_places(const MeshBase& base, int level, LevelRows& rows) {
    std::vector<std::uint32_t> clusters(base.clusters(level));
    std::iota(clusters.begin(), clusters.end(), 0U);
    find_places(base, level, clusters, rows);
}

void make_hngs(Snapshot& snapshot) {
    snapshot.first_hng = Hng(snapshot.overlay, 1);
    snapshot.upper_hng = snapshot.top() == 1 ? Hng() : Hng(snapshot.overlay, snapshot.top());
}

}  // namespace cairn::hna

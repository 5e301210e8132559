#pragma once
// A navigation mesh as the base graph of an overlay (overlay/overlay.hpp). A node is a link: an
// agent in a polygon at one of its portals. The clusters are those of the mesh's partition. An
// abstract node is a link over a cluster's border: one side of the paper's inter-edge.

#include <cstdint>
#include <memory>

#include "hna/partition.hpp"
#include "mesh/mesh_data.hpp"
#include "overlay/overlay.hpp"

namespace cairn::hna {

/// Crossing 0 leads over the portal out of the link's polygon, crossing 1 into it. Both cost 0.
struct MeshBase {
    struct Area {
        int level = 0;  // 0: everywhere
        std::uint32_t cluster = 0;
    };
    struct Place {
        mesh::Polygon polygon = mesh::kNone;
        mesh::Link link = mesh::kNone;  // the node; kNone for the start or goal of a query
        mesh::Point point;              // MeshData::anchor, for lower bounds
    };

    mesh::Mesh mesh;
    std::shared_ptr<const Partition> partition;

    [[nodiscard]] bool directed() const noexcept { return mesh.data().topology->directed; }
    [[nodiscard]] int levels() const noexcept { return partition->levels(); }
    [[nodiscard]] std::uint32_t clusters(int level) const noexcept {
        return partition->clusters(level);
    }
    [[nodiscard]] std::uint32_t parent(int level, std::uint32_t child) const noexcept {
        return partition->parent(level - 1, child);
    }
    template <class Use>
    void for_each_child(int level, std::uint32_t cluster, Use&& use) const {
        for (const std::uint32_t child : partition->children(level, cluster)) use(child);
    }
    [[nodiscard]] Area area(int level, std::uint32_t cluster) const noexcept {
        return {level, cluster};
    }
    [[nodiscard]] static Area everywhere() noexcept { return {}; }

    [[nodiscard]] Place place(mesh::Link link) const noexcept {
        const mesh::MeshData& data = mesh.data();
        const mesh::Polygon polygon = data.polygon_of(link);
        return {polygon, link, data.anchor(polygon, data.midpoint(link))};
    }
    [[nodiscard]] std::uint32_t cluster_at(int level, const Place& place) const noexcept {
        return partition->cluster(level, place.polygon);
    }
    [[nodiscard]] bool contains(const Area& area, const Place& place) const noexcept {
        return area.level == 0 || partition->cluster(area.level, place.polygon) == area.cluster;
    }
    /// A lower bound of the cost from a node to another place.
    [[nodiscard]] Cost bound(const Place& from, const Place& to) const noexcept {
        return mesh.data().bound(from.link, to.point);
    }

    [[nodiscard]] static mesh::Link across(mesh::Link link, int) noexcept {
        return mesh::twin(link);
    }
    [[nodiscard]] static Cost crossing_cost(mesh::Link, int) noexcept { return 0; }
    [[nodiscard]] static std::uint32_t exits(std::uint32_t crossings) noexcept {
        return crossings & 1;
    }
    [[nodiscard]] static std::uint32_t entries(std::uint32_t crossings) noexcept {
        return crossings & 2;
    }
    /// The crossings of a link that can be made, as bits.
    [[nodiscard]] std::uint32_t crossings(mesh::Link link) const noexcept {
        const mesh::MeshData& data = mesh.data();
        return (data.open[link] != 0 ? 1U : 0U) | (data.open[mesh::twin(link)] != 0 ? 2U : 0U);
    }
};

using Overlay = cairn::Overlay<MeshBase>;

}  // namespace cairn::hna

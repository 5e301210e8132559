#pragma once
// The form of an HNA* index: what kernels read of it, as plain structs of spans. The spans point
// into host memory, or into a copy of the arrays on a device (loaded_index.hpp).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "batch/device/kernel_task.hpp"
#include "batch/device/labels.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/hna/index.hpp"
#include "core/host_device.hpp"
#include "hna/hng_view.hpp"
#include "hna/rows.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::batch {

/// What scoring and corridors need of a mesh; see mesh::MeshData and mesh::MeshTopology.
struct MeshForm {
    bool by_centres = false;  // Scoring::polygon_centres
    double units = 1;
    double least_factor = 1;
    std::array<double, mesh::kAreas> factors{};
    std::span<const std::uint8_t> areas;        // per polygon
    std::span<const mesh::Point> centres;       // per polygon
    std::span<const std::uint32_t> first_link;  // per polygon, and one more: into all_links
    std::span<const mesh::Link> all_links;
    std::span<const mesh::Polygon> link_polygon;  // per link: the polygon that it leaves
    std::span<const std::uint8_t> open;           // per link
    std::span<const mesh::Point> midpoints;       // per portal
    std::span<const Cost> halves;                 // per link; empty unless by_centres
    // For searches over polygons:
    std::span<const std::uint32_t> link_place;  // per link: its index in the polygon's links
    std::span<const std::uint64_t> first_cost;  // per polygon, and one more: into inside_costs
    std::span<const Cost> inside_costs;

    [[nodiscard]] CAIRN_HOST_DEVICE std::span<const mesh::Link> links(
        mesh::Polygon p) const noexcept {
        return all_links.subspan(first_link[p], first_link[p + 1] - first_link[p]);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE mesh::Point anchor(const mesh::Place& place) const noexcept {
        return by_centres ? centres[place.polygon] : place.point;
    }
    /// As MeshData::inside_cost, for two different links.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost inside_cost(mesh::Polygon p, std::uint32_t i,
                                                     std::uint32_t j) const noexcept {
        return inside_costs[first_cost[p] + mesh::MeshData::pair(i, j)];
    }
    /// As MeshData::end_cost, given the link instead of its index in the polygon.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost end_cost(mesh::Polygon p, const mesh::Point& anchor,
                                                  mesh::Link link) const noexcept {
        if (by_centres) return halves[link];
        const double length = mesh::distance(anchor, midpoints[mesh::portal_of(link)]);
        return mesh::cost_of_length(length, factors[areas[p]], units);
    }
};

/// The rows of all clusters, their records end to end.
struct RowsForm {
    std::span<const std::uint64_t> first;  // per cluster, and one more: into `words`
    std::span<const std::uint32_t> words;

    [[nodiscard]] CAIRN_HOST_DEVICE hna::RowsView operator[](std::uint32_t cluster) const noexcept {
        return hna::RowsView(words.subspan(first[cluster], first[cluster + 1] - first[cluster]));
    }
};

/// Level 1 of an index. A cluster is a 1-cluster.
struct HnaForm {
    using Request = mesh::Request;
    using Query = DeviceQuery;
    [[nodiscard]] static bool wants_paths(const Query& query) noexcept { return query.corridors; }
    /// Marks a request that kernels skip.
    static void leave_out(Request& request) noexcept { request.start.polygon = mesh::kNone; }
    /// False for a marked request.
    [[nodiscard]] CAIRN_HOST_DEVICE static bool is_for_device(const Request& request) noexcept {
        return request.start.polygon != mesh::kNone;
    }

    MeshForm mesh;
    std::span<const std::uint32_t> cluster;  // per polygon
    std::span<const std::uint32_t> places;   // per link: its portal's place in the cluster's rows
    RowsForm towards;                        // paths to the inter-edges
    RowsForm away;                           // paths from them; empty if all moves go both ways
    hna::HngView hng;
    CutLabelArrays labels;           // empty if the index has none
    std::uint32_t most_borders = 0;  // the most inter-edges of a cluster
    std::uint32_t most_links = 0;    // the most links of a polygon
    std::uint32_t most_portals = 0;  // the most portals of a cluster

    [[nodiscard]] CAIRN_HOST_DEVICE hna::RowsView rows(std::uint32_t id,
                                                       bool backward) const noexcept {
        return backward && !away.first.empty() ? away[id] : towards[id];
    }
};

using HnaTask = KernelTask<HnaForm>;

/// Calls use(span) for every array of a form.
template <class Use>
void for_each_array(HnaForm& form, Use&& use) {
    MeshForm& mesh = form.mesh;
    hna::HngView& hng = form.hng;
    const auto all = [&](auto&... spans) { (use(spans), ...); };
    all(mesh.areas, mesh.centres, mesh.first_link, mesh.all_links, mesh.link_polygon, mesh.open,
        mesh.midpoints, mesh.halves, mesh.link_place, mesh.first_cost, mesh.inside_costs);
    all(form.cluster, form.places, form.towards.first, form.towards.words, form.away.first,
        form.away.words);
    all(hng.portals, hng.edges, hng.first_slot, hng.slots, hng.first_arc, hng.all_arcs, hng.aims);
    for_each_array(form.labels, use);
}

/// Makes the form of an index in host memory. It is valid while the index and this object live: its
/// spans point into both. Immutable.
class HnaArrays {
public:
    using Form = HnaForm;
    using Index = hna::Index;
    /// O(rows).
    explicit HnaArrays(const hna::Index& index);
    HnaArrays(const HnaArrays&) = delete;
    HnaArrays& operator=(const HnaArrays&) = delete;
    [[nodiscard]] const HnaForm& form() const noexcept { return form_; }

private:
    struct Records {
        std::vector<std::uint64_t> first;
        std::vector<std::uint32_t> words;
    };
    Records towards_;
    Records away_;
    std::vector<std::uint32_t> cluster_;
    HnaForm form_;
};

}  // namespace cairn::batch

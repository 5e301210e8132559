#pragma once
// The form of an HNA* index: what kernels read of it, as plain structs of spans. The spans point
// into host memory, or into a copy of the arrays on a device (loaded_index.hpp).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "batch/device/closure_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/labels.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hna/query.hpp"
#include "core/host_device.hpp"
#include "hna/hng_view.hpp"
#include "hna/rows.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::hna {
class Hng;
struct LevelRows;
}  // namespace cairn::hna

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
        return mesh::cost_of_leg(length, factors[areas[p]], units);
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

/// A level of an index that A* may search.
struct HnaLevelForm {
    std::span<const std::uint32_t> cluster;  // per polygon
    std::span<const std::uint32_t> places;   // per link: its portal's place in the cluster's rows
    RowsForm towards;                        // paths to the inter-edges
    RowsForm away;                           // paths from them; empty if all moves go both ways
    hna::HngView hng;
    std::uint32_t most_borders = 0;  // the most inter-edges of a cluster
    std::uint32_t most_portals = 0;  // the most portals of a cluster with inter-edges

    [[nodiscard]] CAIRN_HOST_DEVICE hna::RowsView rows(std::uint32_t id,
                                                       bool backward) const noexcept {
        return backward && !away.first.empty() ? away[id] : towards[id];
    }
};

/// An index: its level 1, and its top level if that is another one and has rows.
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
    HnaLevelForm first;            // level 1
    HnaLevelForm top;              // empty if it is level 1, or has no rows
    CutLabelArrays labels;         // over the HNG of level 1; none unless all nodes have labels
    ClosureForm closure;           // of the HNG of level 1; empty if the index has none
    std::uint32_t most_links = 0;  // the most links of a polygon

    /// The level that A* searches between polygons of different 1-clusters, as
    /// hna::Query::search_level says. If the top level is forced, their top clusters must differ.
    [[nodiscard]] CAIRN_HOST_DEVICE const HnaLevelForm& searched(
        hna::SearchLevel wanted, mesh::Polygon start, mesh::Polygon goal) const noexcept {
        const bool on_top = wanted != hna::SearchLevel::first && !top.cluster.empty() &&
                            top.cluster[start] != top.cluster[goal];
        return on_top ? top : first;
    }
};

using HnaTask = KernelTask<HnaForm>;

/// Calls use(span) for every array of a form.
template <class Use>
void for_each_array(HnaForm& form, Use&& use) {
    MeshForm& mesh = form.mesh;
    const auto all = [&](auto&... spans) { (use(spans), ...); };
    all(mesh.areas, mesh.centres, mesh.first_link, mesh.all_links, mesh.link_polygon, mesh.open,
        mesh.midpoints, mesh.halves, mesh.link_place, mesh.first_cost, mesh.inside_costs);
    for (HnaLevelForm* const level : {&form.first, &form.top}) {
        hna::HngView& hng = level->hng;
        all(level->cluster, level->places, level->towards.first, level->towards.words,
            level->away.first, level->away.words);
        all(hng.portals, hng.edges, hng.first_slot, hng.slots, hng.first_arc, hng.all_arcs,
            hng.aims);
    }
    for_each_array(form.labels, use);
    for_each_array(form.closure, use);
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
    /// The arrays of an HngView.
    struct FlatHng {
        std::vector<mesh::Portal> portals;
        std::vector<hna::InterEdge> edges;
        std::vector<std::uint32_t> first_slot{0};
        std::vector<std::uint32_t> slots;
        std::vector<std::uint32_t> first_arc{0};
        std::vector<hna::HngArc> arcs;
        std::vector<hna::HngAim> aims;

        void fill(const hna::Snapshot& snapshot, const hna::Hng& hng);
        [[nodiscard]] hna::HngView view() const noexcept {
            return {portals, edges, first_slot, slots, first_arc, arcs, aims};
        }
    };
    struct Level {
        Records towards;
        Records away;
        std::vector<std::uint32_t> cluster;
        FlatHng hng;
    };
    static void fill(const hna::Snapshot& snapshot, const hna::LevelRows& rows, const hna::Hng& hng,
                     Level& level, HnaLevelForm& form);

    CutLabels labels_;
    Closure closure_;
    Level first_;
    Level top_;
    HnaForm form_;
};

}  // namespace cairn::batch

#pragma once
// The form of an HPA* index: what kernels read of it, the move tables, labels and closure of
// level 1. A node is a node of level 1, and a cluster a 1-cluster.

#include <cstdint>
#include <span>
#include <vector>

#include "batch/device/grid/cell_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/labels.hpp"
#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/status.hpp"
#include "core/host_device.hpp"
#include "hpa/move_table.hpp"

namespace cairn::hpa {
struct Planner;
struct Snapshot;
}  // namespace cairn::hpa

namespace cairn::batch {

struct HpaForm : CellForm {
    std::int32_t height = 0;   // of the map, in cells
    std::int32_t side = 0;     // of a cluster, in cells
    std::int32_t columns = 0;  // clusters in a row of clusters
    /// Per cell; empty if all are equal. A move costs its base cost times the mean of two weights.
    std::span<const std::uint8_t> weights;
    std::span<const std::uint64_t> first_word;  // per cluster, and one more: into `words`
    std::span<const std::uint32_t> words;       // the move tables, cluster by cluster
    // Nodes are numbered as their labels. The place of a node is its rank by cluster and slot.
    std::span<const std::uint32_t> first_place;  // per cluster, and one more: of its first node
    std::span<const std::uint32_t> nodes;        // per place; empty if places equal numbers
    std::span<const std::uint32_t> places;       // per node; empty if places equal numbers
    std::span<const grid::Cell> cells;           // per node

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t cluster(grid::Point p) const noexcept {
        return static_cast<std::uint32_t>(p.y / side * columns + p.x / side);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE hpa::MoveTables tables(std::uint32_t cluster) const noexcept {
        const std::int32_t x = static_cast<std::int32_t>(cluster) % columns * side;
        const std::int32_t y = static_cast<std::int32_t>(cluster) / columns * side;
        const grid::Rect rect{x, y, side < width - x ? side : width - x,
                              side < height - y ? side : height - y};
        return {words.subspan(first_word[cluster], first_word[cluster + 1] - first_word[cluster]),
                rect};
    }
    /// The node at a slot of a cluster.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t node(std::uint32_t cluster,
                                                       std::uint32_t slot) const noexcept {
        const std::uint32_t place = first_place[cluster] + slot;
        return nodes.empty() ? place : nodes[place];
    }
    /// The slot of a node of a cluster.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t slot(std::uint32_t cluster,
                                                       std::uint32_t node) const noexcept {
        return (places.empty() ? node : places[node]) - first_place[cluster];
    }
    [[nodiscard]] CAIRN_HOST_DEVICE grid::Cell step(grid::Cell cell, int direction) const noexcept {
        return cell + hpa::MoveTables::step(direction, width);
    }
    /// As Map::move_cost.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost move_cost(grid::Cell cell, int direction) const noexcept {
        const Cost base = grid::is_diagonal(direction) ? diagonal : straight;
        if (weights.empty()) return base;
        return base * (std::uint32_t{weights[cell]} + weights[step(cell, direction)]) / 2;
    }
};

/// Calls use(span) for every array of a form.
template <class Use>
void for_each_array(HpaForm& form, Use&& use) {
    use(form.weights);
    use(form.first_word);
    use(form.words);
    use(form.first_place);
    use(form.nodes);
    use(form.places);
    use(form.cells);
    for_each_array(form.labels, use);
    for_each_array(form.closure, use);
}

/// Makes the form of an index in host memory. It is valid while the index and this object live: its
/// spans point into both. Immutable.
class HpaArrays {
public:
    using Planner = hpa::Planner;
    using Form = HpaForm;
    using Index = hpa::Index;

    /// Whether an index has all that the form needs. Errors: unsupported, with what to do.
    [[nodiscard]] static Status check(const hpa::Index& index);
    /// Whether all nodes of an index that passes `check` have labels; else devices climb.
    [[nodiscard]] static bool has_labels(const hpa::Index& index) noexcept;
    /// Whether the host must answer a request between free cells: start and goal lie in one
    /// cluster, or a free line joins them on a map of one weight. Devices look for neither kind of
    /// path.
    [[nodiscard]] static bool is_for_host(const hpa::Index& index, const grid::Request& request);
    /// `index` must pass `check`. O(index).
    explicit HpaArrays(const hpa::Index& index);
    HpaArrays(const HpaArrays&) = delete;
    HpaArrays& operator=(const HpaArrays&) = delete;

    [[nodiscard]] const HpaForm& form() const noexcept { return form_; }

private:
    void describe_costs(const grid::Map& map);
    void describe_nodes(const hpa::Snapshot& snapshot);

    CutLabels labels_;
    Closure closure_;
    std::vector<std::uint8_t> weights_;
    std::vector<std::uint64_t> first_word_;
    std::vector<std::uint32_t> words_;
    std::vector<std::uint32_t> first_place_;
    std::vector<std::uint32_t> nodes_;
    std::vector<std::uint32_t> places_;
    std::vector<grid::Cell> cells_;
    HpaForm form_;
};

}  // namespace cairn::batch

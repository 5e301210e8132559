#include "index_file/haa_validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "haa/annotated_cluster.hpp"
#include "haa/entrances.hpp"
#include "index_file/first_fault.hpp"
#include "index_file/hpa_cluster_inside.hpp"
#include "overlay/cluster_view.hpp"

namespace cairn::index_file {
namespace {

using haa::AnnotatedCluster;

/// Checks well formed clusters. Each thread has its own.
class AnnotatedClusterCheck {
public:
    explicit AnnotatedClusterCheck(const haa::Snapshot& snapshot)
        : snapshot_(&snapshot),
          finder_(snapshot.map, snapshot.partition, snapshot.options, *snapshot.serving) {}

    [[nodiscard]] std::string_view fault(std::uint32_t id) {
        const AnnotatedCluster cluster(snapshot_->clusters[id]);
        if (!has_nodes_of_map(id, cluster)) return "its nodes are not those of the map";
        if (cluster.count() < 2) return {};
        rect_ = snapshot_->partition.rect(1, id);
        inside_count_ = 0;
        for (std::uint32_t k = 0; k < snapshot_->map.classes(); ++k) {
            find_costs(cluster, k);
            if (!costs_plausible(cluster, inside_of(cluster, k))) {
                return "an intra-edge has an impossible cost";
            }
        }
        return {};
    }

private:
    /// The inside of the cluster as some agent classes see it.
    struct Inside {
        std::vector<std::uint8_t> weights;
        std::uint32_t lightest = 0;
        std::uint32_t heaviest = 0;
        // Per node: the part that it lies in, kNoPart if there is none, and the cells of that.
        std::vector<std::uint16_t> part;
        std::vector<std::uint32_t> cells;
    };

    [[nodiscard]] bool has_nodes_of_map(std::uint32_t id, const AnnotatedCluster& cluster);
    [[nodiscard]] const Inside& inside_of(const AnnotatedCluster& cluster,
                                          std::uint32_t agent_class);
    void find_parts(const AnnotatedCluster& cluster, const haa::ClassWindow& window,
                    Inside& inside);
    void find_costs(const AnnotatedCluster& cluster, std::uint32_t agent_class);
    [[nodiscard]] bool costs_plausible(const AnnotatedCluster& cluster, const Inside& inside) const;
    [[nodiscard]] std::uint64_t distance_bound(grid::Cell a, grid::Cell b,
                                               std::uint32_t weight) const noexcept;
    [[nodiscard]] grid::Point point(grid::Cell cell) const noexcept {
        const auto width = static_cast<grid::Cell>(snapshot_->map.width());
        return {static_cast<int>(cell % width), static_cast<int>(cell / width)};
    }

    const haa::Snapshot* snapshot_;
    haa::EntranceFinder finder_;
    ClusterInside parts_;
    std::vector<std::uint8_t> moves_;
    // Of the cluster at hand.
    grid::Rect rect_;
    std::vector<Inside> insides_;
    std::size_t inside_count_ = 0;
    std::vector<Cost> costs_;  // per pair of nodes, for the agent class at hand
};

bool AnnotatedClusterCheck::has_nodes_of_map(std::uint32_t id, const AnnotatedCluster& cluster) {
    const std::vector<haa::AnnotatedNode>& nodes = finder_.nodes(id);
    if (cluster.count() != nodes.size()) return false;
    for (std::uint32_t slot = 0; slot < cluster.count(); ++slot) {
        if (!(cluster.node(slot) == nodes[slot])) return false;
    }
    return true;
}

// Most classes see the same as others.
const AnnotatedClusterCheck::Inside& AnnotatedClusterCheck::inside_of(
    const AnnotatedCluster& cluster, std::uint32_t agent_class) {
    if (inside_count_ == insides_.size()) insides_.emplace_back();
    const haa::ClassWindow& window = finder_.windows()[agent_class];
    Inside& inside = insides_[inside_count_];
    window.read_inside(rect_, inside.weights);
    for (std::size_t i = 0; i < inside_count_; ++i) {
        if (insides_[i].weights == inside.weights) return insides_[i];
    }
    ++inside_count_;
    find_parts(cluster, window, inside);
    return inside;
}

void AnnotatedClusterCheck::find_parts(const AnnotatedCluster& cluster,
                                       const haa::ClassWindow& window, Inside& inside) {
    inside.lightest = 255;
    inside.heaviest = 0;
    for (const std::uint8_t weight : inside.weights) {
        if (weight == 0) continue;
        inside.lightest = std::min<std::uint32_t>(inside.lightest, weight);
        inside.heaviest = std::max<std::uint32_t>(inside.heaviest, weight);
    }
    moves_.clear();
    for (int y = rect_.y; y < rect_.y + rect_.height; ++y) {
        for (int x = rect_.x; x < rect_.x + rect_.width; ++x) {
            moves_.push_back(window.moves(snapshot_->map.options().rules, {x, y}));
        }
    }
    parts_.set(rect_, moves_);
    inside.part.assign(cluster.count(), ClusterInside::kNoPart);
    inside.cells.assign(cluster.count(), 0);
    for (std::uint32_t slot = 0; slot < cluster.count(); ++slot) {
        const grid::Point p = point(cluster.node(slot).cell);
        if (window.weight(p) == 0) continue;
        inside.part[slot] = parts_.part(parts_.local(p));
        inside.cells[slot] = parts_.part_size(inside.part[slot]);
    }
}

void AnnotatedClusterCheck::find_costs(const AnnotatedCluster& cluster, std::uint32_t agent_class) {
    costs_.assign(ClusterView::triangle(cluster.count()), kInfinity);
    cluster.for_each_edge(
        [&](std::uint32_t row, std::uint32_t column, const haa::AnnotatedEdge& edge) {
            if (!(*snapshot_->serving)(edge.agent_class, agent_class)) return;
            Cost& cost = costs_[ClusterView::triangle(row, column)];
            cost = std::min(cost, edge.cost);
        });
}

bool AnnotatedClusterCheck::costs_plausible(const AnnotatedCluster& cluster,
                                            const Inside& inside) const {
    const haa::AnnotationOptions& options = snapshot_->map.options();
    const std::uint64_t costliest_move =
        std::uint64_t{inside.heaviest} * std::max(options.costs.straight, options.costs.diagonal);
    for (std::uint32_t a = 1; a < cluster.count(); ++a) {
        if (inside.part[a] == ClusterInside::kNoPart) continue;
        const grid::Cell from = cluster.node(a).cell;
        const std::uint64_t most = (inside.cells[a] - 1) * costliest_move;
        for (std::uint32_t b = 0; b < a; ++b) {
            if (inside.part[b] == ClusterInside::kNoPart) continue;
            const Cost cost = costs_[ClusterView::triangle(a, b)];
            if (inside.part[a] != inside.part[b]) {
                if (cost != kInfinity) return false;
            } else if (cost > most ||
                       cost < distance_bound(from, cluster.node(b).cell, inside.lightest)) {
                return false;
            }
        }
    }
    return true;
}

// As grid::Map::distance_bound, over cells of `weight`.
std::uint64_t AnnotatedClusterCheck::distance_bound(grid::Cell a, grid::Cell b,
                                                    std::uint32_t weight) const noexcept {
    const haa::AnnotationOptions& options = snapshot_->map.options();
    const grid::Point p = point(a);
    const grid::Point q = point(b);
    const auto dx = static_cast<std::uint64_t>(std::abs(p.x - q.x));
    const auto dy = static_cast<std::uint64_t>(std::abs(p.y - q.y));
    const std::uint64_t both = std::min(dx, dy);
    const bool eight = options.rules.neighbourhood == grid::Neighbourhood::eight;
    const std::uint64_t diagonal =
        eight ? options.costs.diagonal : std::uint64_t{2} * options.costs.straight;
    return weight * ((dx + dy - 2 * both) * options.costs.straight + both * diagonal);
}

std::string at(std::uint32_t cluster, std::string_view fault) {
    return fmt::format("cluster {}: {}", cluster, fault);
}

}  // namespace

std::string abstraction_fault(const haa::Snapshot& snapshot) {
    for (std::uint32_t id = 0; id < snapshot.clusters.size(); ++id) {
        const RecordStore::Record record = snapshot.clusters[id];
        if (!record.empty() && !AnnotatedCluster::well_formed(record, snapshot.map.classes())) {
            return at(id, "its record has a wrong shape");
        }
    }
    const auto fault = first_fault(
        snapshot.partition.clusters(1), [&] { return AnnotatedClusterCheck(snapshot); },
        [](AnnotatedClusterCheck& check, std::uint32_t id) { return check.fault(id); });
    return fault ? at(fault->cluster, fault->what) : std::string{};
}

}  // namespace cairn::index_file

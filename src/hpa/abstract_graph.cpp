#include "cairn/hpa/abstract_graph.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/guarded.hpp"
#include "hpa/connect.hpp"
#include "hpa/entrances.hpp"
#include "hpa/snapshot.hpp"

namespace cairn::hpa {
namespace {

using grid::Cell;
using grid::Point;
using grid::Rect;

Status check_level(const Snapshot& snapshot, int level) {
    if (level >= 1 && level <= snapshot.overlay.base.partition.levels()) return {};
    return {StatusCode::bad_option, fmt::format("level must be 1 to {}, the levels of the index",
                                                snapshot.overlay.base.partition.levels())};
}

// The clusters of one level that an area overlaps: columns x0 to x1, rows y0 to y1.
struct Block {
    Block(const Partition& partition, int level, const Rect& area)
        : columns(static_cast<std::uint32_t>(partition.columns(level))),
          x0(static_cast<std::uint32_t>(area.x / partition.side(level))),
          y0(static_cast<std::uint32_t>(area.y / partition.side(level))),
          x1(static_cast<std::uint32_t>((area.x + area.width - 1) / partition.side(level))),
          y1(static_cast<std::uint32_t>((area.y + area.height - 1) / partition.side(level))) {}

    // Row by row.
    template <class Visit>
    void for_each_cluster(Visit&& visit) const {
        for (std::uint32_t y = y0; y <= y1; ++y) {
            for (std::uint32_t x = x0; x <= x1; ++x) visit(y * columns + x);
        }
    }
    [[nodiscard]] bool contains(std::uint32_t cluster) const noexcept {
        const std::uint32_t x = cluster % columns;
        const std::uint32_t y = cluster / columns;
        return x >= x0 && x <= x1 && y >= y0 && y <= y1;
    }
    // The number of a cluster in the block, counted from 0 row by row.
    [[nodiscard]] std::uint32_t position(std::uint32_t cluster) const noexcept {
        return (cluster / columns - y0) * (x1 - x0 + 1) + cluster % columns - x0;
    }

    std::uint32_t columns;
    std::uint32_t x0;
    std::uint32_t y0;
    std::uint32_t x1;
    std::uint32_t y1;
};

// Copies the part of a level that lies in a block of clusters.
class Extraction {
public:
    Extraction(const Overlay& overlay, int level, const Rect& area)
        : overlay_(&overlay), block_(overlay.base.partition, level, area) {
        graph_.level = level;
    }

    AbstractGraph run(const ExtractOptions& options) {
        block_.for_each_cluster([&](std::uint32_t id) { add_nodes(id); });
        block_.for_each_cluster([&](std::uint32_t id) { add_edges(id, options.intra_edges); });
        if (options.entrances) add_entrances();
        return std::move(graph_);
    }

private:
    void add_nodes(std::uint32_t id) {
        const auto position = static_cast<std::uint32_t>(graph_.clusters.size());
        graph_.clusters.push_back(overlay_->base.partition.rect(graph_.level, id));
        first_node_.push_back(static_cast<std::uint32_t>(graph_.nodes.size()));
        for (const Cell cell : overlay_->cluster(graph_.level, id).bases()) {
            graph_.nodes.push_back({cell, node_level(cell), position});
        }
    }

    // The highest level on which `cell`, a node of the graph's level, is a node.
    int node_level(Cell cell) const {
        int level = graph_.level;
        for (; level < overlay_->base.partition.levels(); ++level) {
            const ClusterView above =
                overlay_->cluster(level + 1, overlay_->cluster_of(level + 1, cell));
            if (above.find(cell) == above.count()) break;
        }
        return level;
    }

    void add_edges(std::uint32_t id, bool intra_edges) {
        const ClusterView view = overlay_->cluster(graph_.level, id);
        const std::uint32_t first = first_node_[block_.position(id)];
        for (std::uint32_t a = 0; a < view.count(); ++a) {
            for (int d = 0; d < grid::kDirections; ++d) {
                if ((view.crossings(a) >> d & 1) != 0) add_inter_edge(view.base(a), first + a, d);
            }
            for (std::uint32_t b = 0; intra_edges && b < a; ++b) {
                const Cost cost = view.cost(a, b);
                if (cost < kInfinity) graph_.intra_edges.push_back({first + b, first + a, cost});
            }
        }
    }

    // The records of both cells have the inter-edge. It is added from the cell of the lower number.
    void add_inter_edge(Cell from, std::uint32_t node, int direction) {
        const grid::Map& map = overlay_->base.map;
        const Cell to = map.step(from, direction);
        const std::uint32_t cluster = overlay_->cluster_of(graph_.level, to);
        if (to < from || !block_.contains(cluster)) return;
        const std::uint32_t slot = overlay_->cluster(graph_.level, cluster).find(to);
        graph_.inter_edges.push_back({node, first_node_[block_.position(cluster)] + slot,
                                      map.move_cost(from, direction),
                                      overlay_->base.border_level(from, to)});
    }

    // Adds the entrances on the eastern and southern borders of 1-clusters, so each one once.
    void add_entrances() {
        const Partition& partition = overlay_->base.partition;
        const Rect& first = graph_.clusters.front();
        const Rect& last = graph_.clusters.back();
        const Rect area{first.x, first.y, last.x + last.width - first.x,
                        last.y + last.height - first.y};
        Block(partition, 1, area).for_each_cluster([&](std::uint32_t id) {
            const Rect r = partition.rect(1, id);
            const Point corner{r.x + r.width - 1, r.y + r.height - 1};
            for (const grid::Direction outward : {grid::kEast, grid::kSouth}) {
                const Point beyond{corner.x + grid::kDx[outward], corner.y + grid::kDy[outward]};
                if (!inside(area, beyond)) continue;
                const int level = partition.border_level(corner, beyond);
                if (level < graph_.level) continue;
                for_each_entrance(
                    overlay_->base.map, r, outward,
                    [&](Cell tile, int length, grid::Direction along) {
                        graph_.entrances.push_back({tile, length, along, outward, level});
                    });
            }
        });
    }

    const Overlay* overlay_;
    Block block_;
    AbstractGraph graph_;
    std::vector<std::uint32_t> first_node_;  // of each cluster of the block: its first node
};

}  // namespace

Result<AbstractGraph> extract_abstract_graph(const Index& index, int level,
                                             const ExtractOptions& options) noexcept try {
    const Snapshot& snapshot = index.snapshot();
    if (Status s = check_level(snapshot, level); !s.ok()) return tl::unexpected(std::move(s));
    const grid::Map& map = snapshot.overlay.base.map;
    Rect area{0, 0, map.width(), map.height()};
    if (options.area) {
        const std::int64_t right = std::int64_t{options.area->x} + options.area->width;
        const std::int64_t bottom = std::int64_t{options.area->y} + options.area->height;
        area.x = std::max(0, options.area->x);
        area.y = std::max(0, options.area->y);
        area.width = static_cast<int>(std::clamp<std::int64_t>(right, 0, map.width()) - area.x);
        area.height = static_cast<int>(std::clamp<std::int64_t>(bottom, 0, map.height()) - area.y);
        if (area.width <= 0 || area.height <= 0)
            return fail(StatusCode::bad_option, "the area to extract lies outside the map");
    }
    return Extraction(snapshot.overlay, level, area).run(options);
} catch (...) {
    return out_of_memory();
}

Rect cluster_rect(const Index& index, int level, Point p) {
    const Partition& partition = index.snapshot().overlay.base.partition;
    return partition.rect(level, partition.cluster(level, p));
}

Result<std::vector<Connection>> connectors(const Index& index, int level, Point p) noexcept try {
    const Snapshot& snapshot = index.snapshot();
    if (Status s = check_level(snapshot, level); !s.ok()) return tl::unexpected(std::move(s));
    const grid::Map& map = snapshot.overlay.base.map;
    if (!map.contains(p)) return fail(StatusCode::start_outside);
    if (!map.passable(map.cell(p))) return fail(StatusCode::start_blocked);

    Connect connect;
    Endpoint end;
    grid::SearchStatistics effort;
    connect.to_first_level(snapshot, map.cell(p), end, effort);
    connect.to_level(snapshot, level, end, effort);
    const auto l = static_cast<std::size_t>(level - 1);
    const ClusterView view = snapshot.overlay.cluster(level, end.clusters[l]);
    std::vector<Connection> result;
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        if (end.costs[l][slot] < kInfinity) result.push_back({view.base(slot), end.costs[l][slot]});
    }
    return result;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::hpa

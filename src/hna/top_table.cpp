#include "hna/top_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/open_heap.hpp"
#include "overlay/cluster_loop.hpp"

namespace cairn::hna {
namespace {

/// Dijkstra's search over the HNG of the top level. One per thread.
class RowSearch {
public:
    RowSearch(const Overlay& overlay, const InterEdges& edges)
        : overlay_(&overlay), edges_(&edges) {}

    void run(std::uint32_t source, std::span<Cost> costs, std::span<std::uint32_t> hops) {
        std::fill(costs.begin(), costs.end(), kInfinity);
        costs_ = costs;
        hops_ = hops;
        source_ = source;
        costs[source] = 0;
        hops[source] = source;
        open_.clear();
        open_.push(source, 0, 0);
        std::uint32_t node = 0;
        while (open_.pop(node)) {
            const Cost cost = open_.least_f();
            if (costs[node] != cost) continue;
            for (std::uint32_t side = 0; side < 2; ++side) cross(node, side, cost);
        }
    }

private:
    void cross(std::uint32_t node, std::uint32_t side, Cost cost) {
        const InterEdge& edge = (*edges_)[node];
        const std::uint32_t cluster = edge.cluster[side];
        const ClusterView view = overlay_->cluster(overlay_->base.levels(), cluster);
        const auto numbers = edges_->of_cluster(cluster);
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            const Cost step = view.cost(edge.slot[side], slot);
            if (step == kInfinity || cost + step >= costs_[numbers[slot]]) continue;
            costs_[numbers[slot]] = cost + step;
            hops_[numbers[slot]] = node == source_ ? numbers[slot] : hops_[node];
            open_.push(numbers[slot], cost + step, cost + step);
        }
    }

    const Overlay* overlay_;
    const InterEdges* edges_;
    std::span<Cost> costs_;
    std::span<std::uint32_t> hops_;
    std::uint32_t source_ = 0;
    OpenHeap open_;
};

}  // namespace

Result<TopTable> TopTable::build(const Overlay& overlay, std::uint64_t max_bytes,
                                 const BuildControl& control) {
    TopTable table;
    table.edges_ = InterEdges(overlay, overlay.base.levels());
    const std::uint64_t count = table.edges_.count();
    const std::uint64_t bytes = count * count * (sizeof(Cost) + sizeof(std::uint32_t));
    if (bytes > max_bytes) {
        return fail(StatusCode::too_large,
                    fmt::format("a table of the top level's {} inter-edges takes {} bytes, more "
                                "than table_bytes {}: choose more levels or a larger mu",
                                count, bytes, max_bytes));
    }
    table.costs_.resize(count * count);
    table.hops_.resize(count * count);
    Progress progress(control, std::max<std::size_t>(count, 1));
    const auto make = [&](RowSearch& search, std::uint32_t source) {
        search.run(source, std::span(table.costs_).subspan(source * count, count),
                   std::span(table.hops_).subspan(source * count, count));
    };
    const auto new_worker = [&] { return RowSearch(overlay, table.edges_); };
    Status status = on_threads(control, [&] {
        return for_each_cluster(table.edges_.count(), control, progress, new_worker, make);
    });
    if (!status.ok()) return tl::unexpected(std::move(status));
    return table;
}

TopTable::Pair TopTable::least(std::span<const Connector> from, std::span<const Connector> to,
                               Cost bound) const noexcept {
    Pair best{bound, 0, 0};
    for (const Connector& a : from) {
        const Cost* row = costs_.data() + std::size_t{a.node} * edges_.count();
        for (const Connector& b : to) {
            const Cost between = row[b.node];
            if (between == kInfinity) continue;
            const Cost cost = a.cost + between + b.cost;
            if (cost < best.cost) best = {cost, a.node, b.node};
        }
    }
    if (best.cost == bound) best.cost = kInfinity;
    return best;
}

void TopTable::find_path(const Pair& pair, std::vector<std::uint32_t>& path) const {
    path.clear();
    path.push_back(pair.from);
    for (std::uint32_t at = pair.from; at != pair.to; path.push_back(at))
        at = hops_[std::size_t{at} * edges_.count() + pair.to];
}

}  // namespace cairn::hna

#include "hna/top_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/open_heap.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::hna {
namespace {

/// Dijkstra's search over the HNG. One per thread.
class RowSearch {
public:
    explicit RowSearch(const Hng& hng) : hng_(&hng) {}

    void run(std::uint32_t source, std::span<Cost> costs, std::span<std::uint32_t> hops) {
        std::fill(costs.begin(), costs.end(), kInfinity);
        costs[source] = 0;
        hops[source] = source;
        open_.clear();
        open_.push(source, 0, 0);
        std::uint32_t vertex = 0;
        while (open_.pop(vertex)) {
            const Cost cost = open_.least_f();
            if (costs[vertex] != cost) continue;
            for (std::uint32_t side = 0; side < 2; ++side) {
                for (const Hng::Arc& arc : hng_->arcs(2 * vertex + side)) {
                    const Cost there = cost + arc.cost;
                    const std::uint32_t head = arc.vertex();
                    if (there >= costs[head]) continue;
                    costs[head] = there;
                    hops[head] = vertex == source ? head : hops[vertex];
                    open_.push(head, there, there);
                }
            }
        }
    }

private:
    const Hng* hng_;
    OpenHeap open_;
};

}  // namespace

Result<TopTable> TopTable::build(const Hng& hng, std::uint64_t max_bytes,
                                 const BuildControl& control) {
    TopTable table;
    const std::uint64_t count = table.count_ = hng.count();
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
    const auto new_worker = [&] { return RowSearch(hng); };
    Status status = on_threads(
        control, [&] { return for_each_item(hng.count(), control, progress, new_worker, make); });
    if (!status.ok()) return tl::unexpected(std::move(status));
    return table;
}

TopTable::Pair TopTable::least(std::span<const Connector> from, std::span<const Connector> to,
                               Cost bound) const noexcept {
    Pair best{bound, 0, 0};
    for (const Connector& a : from) {
        const Cost* row = costs_.data() + std::size_t{a.node} * count_;
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
        at = hops_[std::size_t{at} * count_ + pair.to];
}

}  // namespace cairn::hna

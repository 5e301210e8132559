#include "hna/level_one_graph.hpp"

#include <algorithm>
#include <utility>

#include "overlay/arc_changes.hpp"
#include "overlay/levels.hpp"

namespace cairn::hna {

using mesh::kNone;
using mesh::Link;
using mesh::Portal;
using mesh::portal_of;

LevelOneNodes::LevelOneNodes(const Overlay& overlay) {
    const std::uint32_t clusters = overlay.base.clusters(1);
    std::vector<std::uint32_t> number_of(overlay.base.mesh.num_portals(), kNone);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        for (const Link link : overlay.cluster(1, cluster).bases()) number_of[portal_of(link)] = 0;
    }
    std::vector<Portal> portals;
    for (Portal portal = 0; portal < number_of.size(); ++portal) {
        if (number_of[portal] == kNone) continue;
        number_of[portal] = static_cast<std::uint32_t>(portals.size());
        portals.push_back(portal);
    }
    std::vector<std::vector<std::uint32_t>> numbers(clusters);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        for (const Link link : overlay.cluster(1, cluster).bases())
            numbers[cluster].push_back(number_of[portal_of(link)]);
    }
    numbers_ = RecordStore(numbers);
    portals_ = PagedArray<Portal>(std::span<const Portal>(portals));
    count_ = size();
}

LevelOneNodes LevelOneNodes::edited(const Overlay& before, const Overlay& after,
                                    std::span<const std::uint32_t> changed) const {
    using Node = std::pair<Portal, std::uint32_t>;  // and its number
    LevelOneNodes result = *this;
    result.numbers_.grow(after.base.clusters(1));
    std::vector<std::uint32_t> renewed;  // clusters with other nodes than before
    std::vector<Node> old;               // their nodes before
    std::vector<Node> now;               // and after
    for (const std::uint32_t cluster : changed) {
        const auto bases = after.cluster(1, cluster).bases();
        for (const Link link : bases) now.emplace_back(portal_of(link), kNone);
        if (cluster >= before.base.clusters(1)) {
            renewed.push_back(cluster);
            continue;
        }
        const auto old_bases = before.cluster(1, cluster).bases();
        for (std::size_t slot = 0; slot < old_bases.size(); ++slot)
            old.emplace_back(portal_of(old_bases[slot]), of(cluster)[slot]);
        if (!std::equal(old_bases.begin(), old_bases.end(), bases.begin(), bases.end()))
            renewed.push_back(cluster);
    }
    if (renewed.empty()) return result;
    for (auto* nodes : {&old, &now}) {
        std::ranges::sort(*nodes);
        nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
    }

    PagedArray<Portal>::Editor portals(portals_);
    auto was = old.begin();
    const auto remove_before = [&](Portal end) {
        for (; was != old.end() && was->first < end; ++was) portals.set(was->second, kNone);
    };
    for (auto& [portal, number] : now) {
        remove_before(portal);
        if (was != old.end() && was->first == portal) {
            number = (was++)->second;
        } else {
            number = static_cast<std::uint32_t>(portals.size());
            portals.push_back(portal);
        }
    }
    remove_before(kNone);
    std::vector<RecordStore::Change> numbers;
    for (const std::uint32_t cluster : renewed) {
        std::vector<std::uint32_t>& list = numbers.emplace_back(cluster, 0).second;
        for (const Link link : after.cluster(1, cluster).bases())
            list.push_back(
                std::ranges::lower_bound(now, portal_of(link), {}, &Node::first)->second);
    }
    result.numbers_ = result.numbers_.with(numbers);
    result.portals_ = portals.take();
    result.count_ += static_cast<std::uint32_t>(now.size());
    result.count_ -= static_cast<std::uint32_t>(old.size());
    result.from_scratch_ = false;
    return result;
}

Result<Graph> LevelOneGraph::whole() const {
    if (directed()) {
        std::vector<Arc> arcs;
        for (std::uint32_t number = 0; number < nodes.size(); ++number) {
            for_each_arc(number, [&](std::uint32_t to, Cost cost, Cost) {
                if (cost < kInfinity) arcs.push_back({number, to, cost});
            });
        }
        return graph_from_arcs(nodes.size(), arcs);
    }
    std::vector<std::uint32_t> by_portal;
    by_portal.reserve(nodes.count());
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
        if (!nodes.is_removed(number)) by_portal.push_back(number);
    }
    if (!nodes.from_scratch()) {
        std::ranges::sort(by_portal, {},
                          [this](std::uint32_t number) { return nodes.portal(number); });
    }
    std::vector<Edge> edges;
    for (const std::uint32_t number : by_portal) {
        const Portal portal = nodes.portal(number);
        for (const Link link : {2 * portal, 2 * portal + 1}) {
            const std::uint32_t cluster = cluster_of(link);
            const ClusterView view = overlay.cluster(1, cluster);
            const std::uint32_t slot = view.find(link);
            for (std::uint32_t lower = 0; lower < slot; ++lower) {
                const Cost cost = view.cost(slot, lower);
                if (cost < kInfinity) edges.push_back({number, nodes.of(cluster)[lower], cost});
            }
        }
    }
    return graph_from_edges(nodes.size(), edges);
}

std::vector<std::uint32_t> nodes_with_changed_arcs(const LevelOneGraph& before,
                                                   const LevelOneGraph& after,
                                                   std::span<const std::uint32_t> changed) {
    std::vector<std::uint32_t> numbers;
    const auto add = [&](const LevelOneGraph& graph, std::uint32_t cluster) {
        const auto of_cluster = graph.nodes.of(cluster);
        numbers.insert(numbers.end(), of_cluster.begin(), of_cluster.end());
    };
    for (const std::uint32_t cluster : changed) {
        if (cluster < before.overlay.base.clusters(1)) add(before, cluster);
        add(after, cluster);
    }
    sort_unique(numbers);
    keep_changed(before, after, numbers);
    return numbers;
}

}  // namespace cairn::hna

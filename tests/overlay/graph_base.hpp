#pragma once
// Small random graphs as base graphs of overlays (overlay/overlay.hpp), with all distances known.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "overlay/levels.hpp"

namespace cairn::test {

/// The cost from any node to any other; kInfinity if there is no path.
class Distances {
public:
    explicit Distances(std::size_t nodes) : nodes_(nodes), costs_(nodes * nodes, kInfinity) {
        for (std::size_t i = 0; i < nodes; ++i) costs_[i * nodes + i] = 0;
    }
    [[nodiscard]] Cost operator()(std::uint32_t from, std::uint32_t to) const {
        return costs_[from * nodes_ + to];
    }
    /// Adds a move.
    void add(std::uint32_t from, std::uint32_t to, Cost cost) {
        Cost& least = costs_[from * nodes_ + to];
        least = std::min(least, cost);
    }
    /// Computes the costs of paths of any number of moves (Floyd, Warshall).
    void close() {
        const auto n = static_cast<std::uint32_t>(nodes_);
        for (std::uint32_t via = 0; via < n; ++via) {
            for (std::uint32_t a = 0; a < n; ++a) {
                for (std::uint32_t b = 0; b < n; ++b) {
                    add(a, b, std::min((*this)(a, via) + (*this)(via, b), kInfinity));
                }
            }
        }
    }

private:
    std::size_t nodes_;
    std::vector<Cost> costs_;
};

/// A graph whose nodes lie in any clusters; two clusters with successive numbers make one of the
/// next level. A link between clusters takes one of the eight crossings of each of its ends. If
/// `kOneWay`, every link is one-way: a node's crossings 0 to 3 lead away from it, 4 to 7 to it.
template <bool kOneWay>
class GraphBase {
public:
    [[nodiscard]] static constexpr bool directed() noexcept { return kOneWay; }
    struct Place {
        std::uint32_t node = kNoNode;
    };
    struct Area {
        int level = 0;
        std::uint32_t cluster = kNoCluster;
    };
    struct Link {
        std::uint32_t from;
        std::uint32_t to;
        Cost cost;  // kInfinity: closed
    };

    GraphBase() = default;
    /// `clusters`: per node, its cluster on level 1.
    GraphBase(std::vector<std::uint32_t> clusters, int levels)
        : cluster_(std::move(clusters)), levels_(levels), crossings_(cluster_.size()) {
        clusters_ = *std::max_element(cluster_.begin(), cluster_.end()) + 1;
    }

    /// Adds a link. False if one of its ends has no crossing left.
    bool add(const Link& link) {
        const auto number = static_cast<std::uint32_t>(links_.size());
        if (cluster_[link.from] != cluster_[link.to]) {
            const auto exit = unused(link.from, 0);
            const auto entry = unused(link.to, kOneWay ? kFirstEntry : 0);
            if (!exit || !entry) return false;
            crossings_[link.from][*exit] = {link.to, number};
            crossings_[link.to][*entry] = {link.from, number};
        }
        links_.push_back(link);
        return true;
    }
    /// Computes all distances. To be called after adding links, or changing them through links().
    void measure() { distances_ = distances(levels() + 1, 0); }

    [[nodiscard]] std::uint32_t nodes() const {
        return static_cast<std::uint32_t>(cluster_.size());
    }
    [[nodiscard]] std::vector<Link>& links() { return links_; }
    [[nodiscard]] const Distances& distances() const { return *distances_; }
    /// The distances inside a cluster. The level above the last has one cluster, which holds all
    /// nodes.
    [[nodiscard]] Distances distances(int level, std::uint32_t cluster) const {
        Distances result(cluster_.size());
        const auto holds = [&](std::uint32_t node) {
            return level > levels_ || cluster_at(level, {node}) == cluster;
        };
        for (const Link& link : links_) {
            if (!holds(link.from) || !holds(link.to)) continue;
            result.add(link.from, link.to, link.cost);
            if (!kOneWay) result.add(link.to, link.from, link.cost);
        }
        result.close();
        return result;
    }
    /// The crossings of a node that are not closed, as bits.
    [[nodiscard]] std::uint32_t open_crossings(std::uint32_t node) const {
        std::uint32_t open = 0;
        for (std::uint32_t i = 0; i < kCrossings; ++i) {
            const std::uint32_t link = crossings_[node][i].link;
            if (link != kNoNode && links_[link].cost < kInfinity) open |= 1U << i;
        }
        return open;
    }

    // What BaseGraph requires.
    [[nodiscard]] int levels() const noexcept { return levels_; }
    [[nodiscard]] std::uint32_t clusters(int level) const noexcept {
        return ((clusters_ - 1) >> (level - 1)) + 1;
    }
    [[nodiscard]] std::uint32_t parent(int /*level*/, std::uint32_t child) const noexcept {
        return child / 2;
    }
    template <class Use>
    void for_each_child(int level, std::uint32_t cluster, Use&& use) const {
        for (std::uint32_t child = 2 * cluster; child < 2 * cluster + 2; ++child) {
            if (child < clusters(level - 1)) use(child);
        }
    }
    [[nodiscard]] Area area(int level, std::uint32_t cluster) const noexcept {
        return {level, cluster};
    }
    [[nodiscard]] Area everywhere() const noexcept { return {}; }
    [[nodiscard]] Place place(std::uint32_t node) const noexcept { return {node}; }
    [[nodiscard]] std::uint32_t cluster_at(int level, Place p) const noexcept {
        return cluster_[p.node] >> (level - 1);
    }
    [[nodiscard]] bool contains(const Area& area, Place p) const noexcept {
        return area.level == 0 || cluster_at(area.level, p) == area.cluster;
    }
    /// A fifth of the nodes have no bound, the others a quarter of the distance up to all of it.
    [[nodiscard]] Cost bound(Place from, Place to) const noexcept {
        const Cost exact = (*distances_)(from.node, to.node);
        return exact == kInfinity ? exact : exact / 4 * (from.node % 5);
    }
    [[nodiscard]] std::uint32_t across(std::uint32_t node, int crossing) const noexcept {
        return crossings_[node][static_cast<std::size_t>(crossing)].other;
    }
    [[nodiscard]] Cost crossing_cost(std::uint32_t node, int crossing) const noexcept {
        return links_[crossings_[node][static_cast<std::size_t>(crossing)].link].cost;
    }
    [[nodiscard]] std::uint32_t exits(std::uint32_t crossings) const noexcept {
        return kOneWay ? crossings & 0x0f : crossings;
    }
    [[nodiscard]] std::uint32_t entries(std::uint32_t crossings) const noexcept {
        return kOneWay ? crossings & 0xf0 : crossings;
    }

private:
    static constexpr std::size_t kCrossings = 8;
    static constexpr std::size_t kFirstEntry = 4;  // if kOneWay
    struct Crossing {
        std::uint32_t other = kNoNode;  // the node at the other end
        std::uint32_t link = kNoNode;   // index in links_
    };
    // A crossing of a node that has no link, from `first` on.
    [[nodiscard]] std::optional<std::size_t> unused(std::uint32_t node, std::size_t first) const {
        for (std::size_t i = first; i < (kOneWay ? first + kFirstEntry : kCrossings); ++i) {
            if (crossings_[node][i].link == kNoNode) return i;
        }
        return std::nullopt;
    }

    std::vector<std::uint32_t> cluster_;  // per node, on level 1
    std::uint32_t clusters_ = 0;          // on level 1
    int levels_ = 0;
    std::vector<std::array<Crossing, kCrossings>> crossings_;
    std::vector<Link> links_;
    std::optional<Distances> distances_;
};

using OneWayGraph = GraphBase<true>;
using TwoWayGraph = GraphBase<false>;
static_assert(BaseGraph<OneWayGraph> && BaseGraph<TwoWayGraph>);

/// A random graph of up to 16 nodes in up to 7 clusters. A quarter of the graphs have costs above
/// 16 bits, which records store in another way.
template <class Graph>
[[nodiscard]] Graph random_graph(std::mt19937& random, int levels) {
    const auto below = [&](std::uint32_t limit) {
        return static_cast<std::uint32_t>(random() % limit);
    };
    const std::uint32_t nodes = 2 + below(15);
    const std::uint32_t clusters = 1 + below(7);
    std::vector<std::uint32_t> cluster;
    for (std::uint32_t i = 0; i < nodes; ++i) cluster.push_back(below(clusters));
    Graph graph(cluster, levels);
    const Cost unit = below(4) == 0 ? 30'000 : 1;  // the least cost of a link
    for (std::uint32_t i = below(4 * nodes); i > 0; --i) {
        const std::uint32_t from = below(nodes);
        const std::uint32_t to = below(nodes);
        if (from != to) graph.add({from, to, unit * (1 + below(20))});
    }
    graph.measure();
    return graph;
}

/// The record of a cluster of level 1 (overlay/cluster_view.hpp).
template <class Graph>
[[nodiscard]] std::vector<std::uint32_t> first_level_record(const Graph& graph,
                                                            std::uint32_t cluster) {
    std::vector<std::uint32_t> bases;
    std::vector<std::uint32_t> infos;
    for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
        const std::uint32_t crossings = graph.open_crossings(node);
        if (graph.cluster_at(1, {node}) != cluster || crossings == 0) continue;
        bases.push_back(node);
        infos.push_back(crossings);
    }
    const Distances inside = graph.distances(1, cluster);
    std::vector<Cost> costs;
    for (std::size_t i = 0; i < bases.size(); ++i) {
        for (std::size_t j = 0; j < (Graph::directed() ? bases.size() : i); ++j) {
            costs.push_back(inside(bases[i], bases[j]));
        }
    }
    return Graph::directed() ? ClusterView::record_of_rows(bases, infos, costs)
                             : ClusterView::record(bases, infos, costs);
}

/// The overlay of a graph, with all its levels.
template <class Graph>
[[nodiscard]] Overlay<Graph> build_overlay(const Graph& graph) {
    Overlay<Graph> overlay{graph, {}, {}};
    std::vector<std::vector<std::uint32_t>> records;
    for (std::uint32_t id = 0; id < graph.clusters(1); ++id) {
        records.push_back(first_level_record(graph, id));
    }
    const BuildControl control{{}, nullptr, 1};
    Progress progress(control, 1);
    Status status = add_level(overlay, records);
    for (int level = 2; level <= graph.levels() && status.ok(); ++level) {
        status = build_level(overlay, control, progress);
    }
    return overlay;
}

}  // namespace cairn::test

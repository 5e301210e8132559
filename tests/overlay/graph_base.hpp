#pragma once
// Small random graphs as base graphs of overlays, with every distance worked out beforehand.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "overlay/levels.hpp"

namespace cairn::test {

/// The cost from any node to any other, kInfinity where there is none.
class Distances {
public:
    explicit Distances(std::size_t nodes) : nodes_(nodes), costs_(nodes * nodes, kInfinity) {
        for (std::size_t i = 0; i < nodes; ++i) costs_[i * nodes + i] = 0;
    }
    [[nodiscard]] Cost operator()(std::uint32_t from, std::uint32_t to) const {
        return costs_[from * nodes_ + to];
    }
    void move(std::uint32_t from, std::uint32_t to, Cost cost) {
        Cost& least = costs_[from * nodes_ + to];
        least = std::min(least, cost);
    }
    /// Follows moves over any number of nodes.
    void close() {
        const auto n = static_cast<std::uint32_t>(nodes_);
        for (std::uint32_t via = 0; via < n; ++via) {
            for (std::uint32_t a = 0; a < n; ++a) {
                for (std::uint32_t b = 0; b < n; ++b) {
                    move(a, b, std::min((*this)(a, via) + (*this)(via, b), kInfinity));
                }
            }
        }
    }

private:
    std::size_t nodes_;
    std::vector<Cost> costs_;
};

/// A graph whose nodes are dealt to clusters as they come; two clusters each make one of the next
/// level. In a directed graph every link is one-way: a node's crossings 0 to 3 lead away from it,
/// 4 to 7 to it.
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
        Cost cost;  // kInfinity: closed for now
    };

    GraphBase() = default;
    GraphBase(std::vector<std::uint32_t> clusters, int levels)
        : cluster_(std::move(clusters)), levels_(levels), crossings_(cluster_.size()) {
        clusters_ = *std::max_element(cluster_.begin(), cluster_.end()) + 1;
    }

    /// False where an end has no crossing left for the link.
    bool add(const Link& link) {
        const auto number = static_cast<std::uint32_t>(links_.size());
        if (cluster_[link.from] != cluster_[link.to]) {
            const auto out = unused(link.from, 0);
            const auto in = unused(link.to, kOneWay ? 4 : 0);
            if (!out || !in) return false;
            crossings_[link.from][*out] = {link.to, number};
            crossings_[link.to][*in] = {link.from, number};
        }
        links_.push_back(link);
        return true;
    }
    /// Must be called after all links are added, or changed through `links`.
    void measure() { distances_ = distances(levels() + 1, 0); }

    [[nodiscard]] std::uint32_t nodes() const {
        return static_cast<std::uint32_t>(cluster_.size());
    }
    [[nodiscard]] std::vector<Link>& links() { return links_; }
    [[nodiscard]] const Distances& distances() const { return *distances_; }
    /// Those inside a cluster; a level above the last has one that holds everything.
    [[nodiscard]] Distances distances(int level, std::uint32_t cluster) const {
        Distances result(cluster_.size());
        const auto holds = [&](std::uint32_t node) {
            return level > levels_ || cluster_at(level, {node}) == cluster;
        };
        for (const Link& link : links_) {
            if (!holds(link.from) || !holds(link.to)) continue;
            result.move(link.from, link.to, link.cost);
            if (!kOneWay) result.move(link.to, link.from, link.cost);
        }
        result.close();
        return result;
    }
    /// The crossings of a node that are not closed.
    [[nodiscard]] std::uint32_t open_crossings(std::uint32_t node) const {
        std::uint32_t open = 0;
        for (std::uint32_t i = 0; i < 8; ++i) {
            const std::uint32_t link = crossings_[node][i].link;
            if (link != kNoNode && links_[link].cost < kInfinity) open |= 1U << i;
        }
        return open;
    }

    // As BaseGraph wants them.
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
    /// Good in some places and poor in others.
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
    struct Crossing {
        std::uint32_t other = kNoNode;
        std::uint32_t link = kNoNode;
    };
    [[nodiscard]] std::optional<std::size_t> unused(std::uint32_t node, std::size_t first) const {
        for (std::size_t i = first; i < (kOneWay ? first + 4 : 8); ++i) {
            if (crossings_[node][i].link == kNoNode) return i;
        }
        return std::nullopt;
    }

    std::vector<std::uint32_t> cluster_;  // per node, on level 1
    std::uint32_t clusters_ = 0;
    int levels_ = 0;
    std::vector<std::array<Crossing, 8>> crossings_;
    std::vector<Link> links_;
    std::optional<Distances> distances_;
};

using OneWayGraph = GraphBase<true>;
using TwoWayGraph = GraphBase<false>;
static_assert(BaseGraph<OneWayGraph> && BaseGraph<TwoWayGraph>);

/// Up to 16 nodes in up to 7 clusters, with costs that fit 16 bits or do not.
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
    const Cost unit = below(4) == 0 ? 30'000 : 1;
    for (std::uint32_t i = below(4 * nodes); i > 0; --i) {
        const std::uint32_t from = below(nodes);
        const std::uint32_t to = below(nodes);
        if (from != to) graph.add({from, to, unit * (1 + below(20))});
    }
    graph.measure();
    return graph;
}

/// The record of a cluster of level 1.
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

/// All levels of a graph.
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

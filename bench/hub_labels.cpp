#include "hub_labels.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <random>

namespace cairn::bench {
namespace {

using Reached = std::pair<Cost, std::uint32_t>;
using Queue = std::priority_queue<Reached, std::vector<Reached>, std::greater<>>;

/// Dijkstra's search, repeated on the same graph. `visit(node, distance)` returns whether to expand
/// the node.
class Dijkstra {
public:
    explicit Dijkstra(const Graph& graph)
        : graph_(graph), distance_(graph.num_nodes(), kInfinity), parent_(graph.num_nodes(), 0) {}

    template <class Visit>
    void run(std::uint32_t root, const Visit& visit) {
        for (const std::uint32_t v : touched_) distance_[v] = kInfinity;
        touched_.clear();
        reach(root, root, 0);
        while (!queue_.empty()) {
            const auto [cost, v] = queue_.top();
            queue_.pop();
            if (cost != distance_[v] || !visit(v, cost)) continue;
            const auto heads = graph_.neighbours(v);
            const auto weights = graph_.weights(v);
            for (std::size_t i = 0; i < heads.size(); ++i) reach(heads[i], v, cost + weights[i]);
        }
    }

    [[nodiscard]] std::uint32_t parent(std::uint32_t v) const { return parent_[v]; }

private:
    void reach(std::uint32_t v, std::uint32_t from, Cost cost) {
        if (cost >= distance_[v]) return;
        if (distance_[v] == kInfinity) touched_.push_back(v);
        distance_[v] = cost;
        parent_[v] = from;
        queue_.push({cost, v});
    }

    const Graph& graph_;
    std::vector<Cost> distance_;
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint32_t> touched_;
    Queue queue_;
};

/// The nodes, those with the most descendants in sampled shortest-path trees first.
std::vector<std::uint32_t> by_importance(const Graph& graph) {
    constexpr int kSamples = 128;
    const std::uint32_t count = graph.num_nodes();
    std::vector<std::uint64_t> score(count, 0);
    std::vector<std::uint64_t> descendants(count);
    std::vector<std::uint32_t> visited;
    std::mt19937 random(1);
    Dijkstra search(graph);
    for (int i = 0; i < kSamples && count > 0; ++i) {
        visited.clear();
        search.run(static_cast<std::uint32_t>(random() % count), [&](std::uint32_t v, Cost) {
            descendants[v] = 1;
            visited.push_back(v);
            return true;
        });
        for (std::size_t k = visited.size(); k-- > 1;) {
            descendants[search.parent(visited[k])] += descendants[visited[k]];
        }
        for (const std::uint32_t v : visited) score[v] += descendants[v];
    }
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return score[a] > score[b]; });
    return order;
}

}  // namespace

HubLabels::HubLabels(const Graph& graph) {
    const std::uint32_t count = graph.num_nodes();
    const std::vector<std::uint32_t> order = by_importance(graph);
    struct PathEntry {
        Entry entry;
        std::uint32_t next;  // node on the path to the hub
    };
    std::vector<std::vector<PathEntry>> labels(count);
    std::vector<Cost> root_distance(count, kInfinity);  // by hub, from the root's label
    Dijkstra search(graph);
    for (std::uint32_t rank = 0; rank < count; ++rank) {
        const std::uint32_t root = order[rank];
        for (const PathEntry& item : labels[root])
            root_distance[item.entry.hub] = item.entry.distance;
        search.run(root, [&](std::uint32_t v, Cost cost) {
            // Prune where earlier hubs give the distance.
            for (const PathEntry& item : labels[v]) {
                if (root_distance[item.entry.hub] == kInfinity) continue;
                if (root_distance[item.entry.hub] + item.entry.distance <= cost) return false;
            }
            labels[v].push_back({{rank, cost}, search.parent(v)});
            return true;
        });
        for (const PathEntry& item : labels[root]) root_distance[item.entry.hub] = kInfinity;
    }
    first_.assign(1, 0);
    for (const auto& label : labels) {
        for (const PathEntry& item : label) {
            entries_.push_back(item.entry);
            next_.push_back(item.next);
        }
        first_.push_back(entries_.size());
    }
}

HubLabels::Meeting HubLabels::meet(std::uint32_t from, std::uint32_t to) const {
    const Entry* a = entries_.data() + first_[from];
    const Entry* b = entries_.data() + first_[to];
    const Entry* const a_end = entries_.data() + first_[from + 1];
    const Entry* const b_end = entries_.data() + first_[to + 1];
    Meeting best{kInfinity, 0};
    while (a != a_end && b != b_end) {
        if (a->hub == b->hub) {
            const Cost sum = a->distance + b->distance;
            if (sum < best.cost) best = {sum, a->hub};
            ++a;
            ++b;
        } else {
            const bool less = a->hub < b->hub;
            a += less ? 1 : 0;
            b += less ? 0 : 1;
        }
    }
    return best;
}

Cost HubLabels::distance(std::uint32_t from, std::uint32_t to) const { return meet(from, to).cost; }

void HubLabels::climb(std::uint32_t node, std::uint32_t hub,
                      std::vector<std::uint32_t>& nodes) const {
    while (true) {
        nodes.push_back(node);
        const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first_[node]);
        const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(first_[node + 1]);
        const auto at =
            std::partition_point(begin, end, [&](const Entry& entry) { return entry.hub < hub; });
        if (at->distance == 0) return;
        node = next_[static_cast<std::size_t>(at - entries_.begin())];
    }
}

Cost HubLabels::find_path(std::uint32_t from, std::uint32_t to,
                          std::vector<std::uint32_t>& nodes) const {
    nodes.clear();
    const Meeting meeting = meet(from, to);
    if (meeting.cost == kInfinity) return kInfinity;
    climb(from, meeting.hub, nodes);
    const auto middle = static_cast<std::ptrdiff_t>(nodes.size());
    climb(to, meeting.hub, nodes);
    nodes.pop_back();
    std::reverse(nodes.begin() + middle, nodes.end());
    return meeting.cost;
}

double HubLabels::mean_entries() const {
    const std::size_t count = first_.size() - 1;
    return count == 0 ? 0.0 : static_cast<double>(entries_.size()) / static_cast<double>(count);
}

std::uint64_t HubLabels::distance_bytes() const {
    return entries_.size() * sizeof(Entry) + first_.size() * sizeof(std::uint64_t);
}

}  // namespace cairn::bench

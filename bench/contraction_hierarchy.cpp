#include "contraction_hierarchy.hpp"

#include <algorithm>
#include <cassert>
#include <queue>

namespace cairn::bench {
namespace {

using Arc = ContractionHierarchy::Arc;
using Arcs = std::vector<std::vector<Arc>>;

/// Nodes that a witness search looks at before a shortcut is put in for want of a witness.
constexpr int kWitnessNodes = 60;

/// Gives the arc to `head`, which may be new, a weight if that is less.
void shorten(std::vector<Arc>& row, const Arc& arc) {
    const auto at = std::find_if(row.begin(), row.end(),
                                 [&](const Arc& other) { return other.head == arc.head; });
    if (at == row.end()) {
        row.push_back(arc);
    } else if (arc.weight < at->weight) {
        *at = arc;
    }
}

class Contractor {
public:
    explicit Contractor(const Graph& graph)
        : rest_(graph.num_nodes()),
          up_(graph.num_nodes()),
          depth_(graph.num_nodes(), 0),
          distance_(graph.num_nodes(), kInfinity) {
        for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
            for (std::uint32_t e = graph.first_out[v]; e < graph.first_out[v + 1]; ++e) {
                if (graph.head[e] == v) continue;
                shorten(rest_[v], {graph.head[e], graph.weight[e], ContractionHierarchy::kDirect});
            }
        }
    }

    Arcs run() {
        using Ranked = std::pair<std::int64_t, std::uint32_t>;
        std::priority_queue<Ranked, std::vector<Ranked>, std::greater<>> queue;
        for (std::uint32_t v = 0; v < rest_.size(); ++v) queue.push({rank(v), v});
        while (!queue.empty()) {
            const std::uint32_t v = queue.top().second;
            queue.pop();
            const std::int64_t now = rank(v);
            if (!queue.empty() && now > queue.top().first) {
                queue.push({now, v});
                continue;
            }
            contract(v);
        }
        return std::move(up_);
    }

private:
    struct Shortcut {
        std::uint32_t a;
        std::uint32_t b;
        Cost weight;
    };

    /// Leaves the shortcuts that removing v needs in shortcuts_.
    std::int64_t rank(std::uint32_t v) {
        find_shortcuts(v);
        const auto added = static_cast<std::int64_t>(shortcuts_.size());
        return 2 * (added - static_cast<std::int64_t>(rest_[v].size())) + depth_[v];
    }

    void find_shortcuts(std::uint32_t v) {
        shortcuts_.clear();
        const std::vector<Arc>& row = rest_[v];
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            Cost most = 0;
            for (std::size_t j = i + 1; j < row.size(); ++j) {
                most = std::max(most, row[i].weight + row[j].weight);
            }
            search_witnesses(row[i].head, v, most);
            for (std::size_t j = i + 1; j < row.size(); ++j) {
                const Cost through = row[i].weight + row[j].weight;
                if (distance_[row[j].head] > through) {
                    shortcuts_.push_back({row[i].head, row[j].head, through});
                }
            }
        }
    }

    void search_witnesses(std::uint32_t root, std::uint32_t without, Cost most) {
        for (const std::uint32_t v : touched_) distance_[v] = kInfinity;
        touched_.assign(1, root);
        distance_[root] = 0;
        heap_.assign(1, {0, root});
        for (int settled = 0; !heap_.empty() && settled < kWitnessNodes; ++settled) {
            std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
            const auto [cost, v] = heap_.back();
            heap_.pop_back();
            if (cost > most) return;
            if (cost != distance_[v]) continue;
            for (const Arc& arc : rest_[v]) {
                const Cost next = cost + arc.weight;
                if (arc.head == without || next >= distance_[arc.head]) continue;
                if (distance_[arc.head] == kInfinity) touched_.push_back(arc.head);
                distance_[arc.head] = next;
                heap_.emplace_back(next, arc.head);
                std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
            }
        }
    }

    /// The shortcuts are those that rank(v) left.
    void contract(std::uint32_t v) {
        for (const Shortcut& s : shortcuts_) {
            shorten(rest_[s.a], {s.b, s.weight, v});
            shorten(rest_[s.b], {s.a, s.weight, v});
        }
        for (const Arc& arc : rest_[v]) {
            std::erase_if(rest_[arc.head], [&](const Arc& back) { return back.head == v; });
            depth_[arc.head] = std::max(depth_[arc.head], depth_[v] + 1);
        }
        up_[v] = std::move(rest_[v]);
        rest_[v].clear();
    }

    Arcs rest_;
    Arcs up_;
    std::vector<std::int64_t> depth_;
    std::vector<Cost> distance_;
    std::vector<std::uint32_t> touched_;
    std::vector<std::pair<Cost, std::uint32_t>> heap_;
    std::vector<Shortcut> shortcuts_;
};

}  // namespace

ContractionHierarchy::ContractionHierarchy(const Graph& graph) {
    first_.push_back(0);
    for (const std::vector<Arc>& row : Contractor(graph).run()) {
        arcs_.insert(arcs_.end(), row.begin(), row.end());
        first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
    }
}

ContractionHierarchy::Search::Search(const ContractionHierarchy& hierarchy) {
    labels_.fill(std::vector<Label>(hierarchy.first_.size() - 1, {kInfinity, 0}));
}

void ContractionHierarchy::Search::clear() {
    for (std::size_t side = 0; side < 2; ++side) {
        for (const std::uint32_t v : touched_[side]) labels_[side][v].cost = kInfinity;
        touched_[side].clear();
        heaps_[side].clear();
    }
}

void ContractionHierarchy::Search::reach(int side, std::uint32_t node, std::uint32_t parent,
                                         Cost cost) {
    const auto s = static_cast<std::size_t>(side);
    Label& label = labels_[s][node];
    if (cost >= label.cost) return;
    if (label.cost == kInfinity) touched_[s].push_back(node);
    label = {cost, parent};
    heaps_[s].push_back({cost, node});
    std::push_heap(heaps_[s].begin(), heaps_[s].end());
}

bool ContractionHierarchy::stalled(int side, std::uint32_t node, Cost cost,
                                   const Search& search) const {
    const auto& labels = search.labels_[static_cast<std::size_t>(side)];
    for (std::uint32_t e = first_[node]; e < first_[node + 1]; ++e) {
        const Cost above = labels[arcs_[e].head].cost;
        if (above < kInfinity && above + arcs_[e].weight < cost) return true;
    }
    return false;
}

void ContractionHierarchy::relax(int side, std::uint32_t node, Cost cost, Search& search) const {
    for (std::uint32_t e = first_[node]; e < first_[node + 1]; ++e) {
        search.reach(side, arcs_[e].head, node, cost + arcs_[e].weight);
    }
}

Cost ContractionHierarchy::distance(std::uint32_t from, std::uint32_t to, Search& search) const {
    search.clear();
    search.reach(0, from, from, 0);
    search.reach(1, to, to, 0);
    Cost best = kInfinity;
    int side = 1;
    while (true) {
        for (auto& heap : search.heaps_) {
            if (!heap.empty() && heap.front().cost >= best) heap.clear();
        }
        if (search.heaps_[0].empty() && search.heaps_[1].empty()) return best;
        side = search.heaps_[static_cast<std::size_t>(1 - side)].empty() ? side : 1 - side;
        auto& heap = search.heaps_[static_cast<std::size_t>(side)];
        std::pop_heap(heap.begin(), heap.end());
        const auto [cost, node] = heap.back();
        heap.pop_back();
        if (cost != search.labels_[static_cast<std::size_t>(side)][node].cost) continue;
        const Cost other = search.labels_[static_cast<std::size_t>(1 - side)][node].cost;
        if (other < kInfinity && cost + other < best) {
            best = cost + other;
            search.meeting_ = node;
        }
        if (!stalled(side, node, cost, search)) relax(side, node, cost, search);
    }
}

const Arc& ContractionHierarchy::arc_between(std::uint32_t a, std::uint32_t b) const {
    const auto find = [&](std::uint32_t from, std::uint32_t to) -> const Arc* {
        for (std::uint32_t e = first_[from]; e < first_[from + 1]; ++e) {
            if (arcs_[e].head == to) return &arcs_[e];
        }
        return nullptr;
    };
    const Arc* const up = find(a, b);
    const Arc* const arc = up != nullptr ? up : find(b, a);
    assert(arc != nullptr);
    return *arc;
}

/// Appends what follows `from` up to `to`, an arc apart.
void ContractionHierarchy::unpack(std::uint32_t from, std::uint32_t to,
                                  std::vector<std::uint32_t>& nodes) const {
    std::vector<std::uint32_t> rest{to};
    while (!rest.empty()) {
        const Arc& arc = arc_between(from, rest.back());
        if (arc.middle != kDirect) {
            rest.push_back(arc.middle);
            continue;
        }
        from = rest.back();
        rest.pop_back();
        nodes.push_back(from);
    }
}

Cost ContractionHierarchy::find_path(std::uint32_t from, std::uint32_t to, Search& search,
                                     std::vector<std::uint32_t>& nodes) const {
    nodes.clear();
    const Cost cost = distance(from, to, search);
    if (cost == kInfinity) return kInfinity;
    std::vector<std::uint32_t> way;
    for (std::uint32_t v = search.meeting_; v != from; v = search.labels_[0][v].parent) {
        way.push_back(v);
    }
    way.push_back(from);
    std::reverse(way.begin(), way.end());
    for (std::uint32_t v = search.meeting_; v != to;) {
        v = search.labels_[1][v].parent;
        way.push_back(v);
    }
    nodes.push_back(from);
    for (std::size_t i = 1; i < way.size(); ++i) unpack(way[i - 1], way[i], nodes);
    return cost;
}

}  // namespace cairn::bench

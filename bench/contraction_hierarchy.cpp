#include "contraction_hierarchy.hpp"

#include <algorithm>
#include <cassert>
#include <queue>

namespace cairn::bench {
namespace {

using Arc = ContractionHierarchy::Arc;
using Arcs = std::vector<std::vector<Arc>>;

/// A witness search settles at most so many nodes. If it finds no witness, the shortcut is added.
constexpr int kWitnessNodes = 60;

/// Adds an arc to a row, or replaces the arc to the same head if that weighs more.
void add_or_shorten(std::vector<Arc>& row, const Arc& arc) {
    const auto at = std::find_if(row.begin(), row.end(),
                                 [&](const Arc& other) { return other.head == arc.head; });
    if (at == row.end()) {
        row.push_back(arc);
    } else if (arc.weight < at->weight) {
        *at = arc;
    }
}

/// Contracts the nodes of a graph one by one.
class Contractor {
public:
    explicit Contractor(const Graph& graph)
        : remaining_(graph.num_nodes()),
          up_(graph.num_nodes()),
          depth_(graph.num_nodes(), 0),
          distance_(graph.num_nodes(), kInfinity) {
        for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
            for (std::uint32_t e = graph.first_out[v]; e < graph.first_out[v + 1]; ++e) {
                if (graph.head[e] == v) continue;
                add_or_shorten(remaining_[v],
                               {graph.head[e], graph.weight[e], ContractionHierarchy::kDirect});
            }
        }
    }

    /// The upward arcs of each node. The queue is lazy: a rank is computed again when its node is
    /// first.
    Arcs run() {
        using Ranked = std::pair<std::int64_t, std::uint32_t>;
        std::priority_queue<Ranked, std::vector<Ranked>, std::greater<>> queue;
        for (std::uint32_t v = 0; v < remaining_.size(); ++v) queue.push({rank(v), v});
        while (!queue.empty()) {
            const std::uint32_t v = queue.top().second;
            queue.pop();
            const std::int64_t current_rank = rank(v);
            if (!queue.empty() && current_rank > queue.top().first) {
                queue.push({current_rank, v});
                continue;
            }
            contract(v);
        }
        return std::move(up_);
    }

private:
    /// An edge between two neighbours of a contracted node.
    struct Shortcut {
        std::uint32_t a;
        std::uint32_t b;
        Cost weight;
    };

    /// Nodes of the least rank are contracted first. Leaves the shortcuts of v in shortcuts_.
    std::int64_t rank(std::uint32_t v) {
        find_shortcuts(v);
        const auto added = static_cast<std::int64_t>(shortcuts_.size());
        return 2 * (added - static_cast<std::int64_t>(remaining_[v].size())) + depth_[v];
    }

    /// Sets shortcuts_ to those that are needed if v is contracted.
    void find_shortcuts(std::uint32_t v) {
        shortcuts_.clear();
        const std::vector<Arc>& row = remaining_[v];
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            Cost max_cost = 0;
            for (std::size_t j = i + 1; j < row.size(); ++j) {
                max_cost = std::max(max_cost, row[i].weight + row[j].weight);
            }
            search_witnesses(row[i].head, v, max_cost);
            for (std::size_t j = i + 1; j < row.size(); ++j) {
                const Cost through = row[i].weight + row[j].weight;
                if (distance_[row[j].head] > through) {
                    shortcuts_.push_back({row[i].head, row[j].head, through});
                }
            }
        }
    }

    /// Sets distance_ to the distances from `root` up to `max_cost` without a node. Where the
    /// search ends early they are upper bounds.
    void search_witnesses(std::uint32_t root, std::uint32_t excluded, Cost max_cost) {
        for (const std::uint32_t v : touched_) distance_[v] = kInfinity;
        touched_.assign(1, root);
        distance_[root] = 0;
        heap_.assign(1, {0, root});
        for (int settled = 0; !heap_.empty() && settled < kWitnessNodes; ++settled) {
            std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
            const auto [cost, v] = heap_.back();
            heap_.pop_back();
            if (cost > max_cost) return;
            if (cost != distance_[v]) continue;
            for (const Arc& arc : remaining_[v]) {
                const Cost next = cost + arc.weight;
                if (arc.head == excluded || next >= distance_[arc.head]) continue;
                if (distance_[arc.head] == kInfinity) touched_.push_back(arc.head);
                distance_[arc.head] = next;
                heap_.emplace_back(next, arc.head);
                std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
            }
        }
    }

    /// shortcuts_ must be those that rank(v) found.
    void contract(std::uint32_t v) {
        for (const Shortcut& s : shortcuts_) {
            add_or_shorten(remaining_[s.a], {s.b, s.weight, v});
            add_or_shorten(remaining_[s.b], {s.a, s.weight, v});
        }
        for (const Arc& arc : remaining_[v]) {
            std::erase_if(remaining_[arc.head], [&](const Arc& back) { return back.head == v; });
            depth_[arc.head] = std::max(depth_[arc.head], depth_[v] + 1);
        }
        up_[v] = std::move(remaining_[v]);
        remaining_[v].clear();
    }

    Arcs remaining_;                      // between nodes that are not contracted, by node
    Arcs up_;                             // of contracted nodes, by node
    std::vector<std::int64_t> depth_;     // the longest chain of contracted nodes below a node
    std::vector<Cost> distance_;          // of the witness search
    std::vector<std::uint32_t> touched_;  // nodes with a finite distance_
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
        // Alternate between the sides while both have nodes.
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

void ContractionHierarchy::unpack(std::uint32_t from, std::uint32_t to,
                                  std::vector<std::uint32_t>& nodes) const {
    std::vector<std::uint32_t> pending{to};  // heads of arcs to unpack, the next one last
    while (!pending.empty()) {
        const Arc& arc = arc_between(from, pending.back());
        if (arc.middle != kDirect) {
            pending.push_back(arc.middle);
            continue;
        }
        from = pending.back();
        pending.pop_back();
        nodes.push_back(from);
    }
}

Cost ContractionHierarchy::find_path(std::uint32_t from, std::uint32_t to, Search& search,
                                     std::vector<std::uint32_t>& nodes) const {
    nodes.clear();
    const Cost cost = distance(from, to, search);
    if (cost == kInfinity) return kInfinity;
    std::vector<std::uint32_t> packed;  // the path with shortcuts
    for (std::uint32_t v = search.meeting_; v != from; v = search.labels_[0][v].parent) {
        packed.push_back(v);
    }
    packed.push_back(from);
    std::reverse(packed.begin(), packed.end());
    for (std::uint32_t v = search.meeting_; v != to;) {
        v = search.labels_[1][v].parent;
        packed.push_back(v);
    }
    nodes.push_back(from);
    for (std::size_t i = 1; i < packed.size(); ++i) unpack(packed[i - 1], packed[i], nodes);
    return cost;
}

}  // namespace cairn::bench

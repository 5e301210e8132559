#include "core/separator/connected_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>

#if defined(CAIRN_HAS_METIS)
#include <metis.h>

#include <mutex>
#endif

namespace cairn {
namespace {

constexpr std::uint32_t kNoPart = std::numeric_limits<std::uint32_t>::max();

/// Calls use(neighbour, edge weight) for each edge of a node.
template <class Use>
void for_each_edge(const WeightedGraph& graph, std::uint32_t node, Use&& use) {
    const auto end = static_cast<std::size_t>(graph.first_out[node + 1]);
    for (auto e = static_cast<std::size_t>(graph.first_out[node]); e < end; ++e)
        use(static_cast<std::uint32_t>(graph.head[e]), graph.edge_weight[e]);
}

/// Gives `number` to `start` and to all nodes that can be reached from it over nodes which have no
/// number (kNoPart) and for which inside(node) holds. Returns these nodes.
template <class Inside>
std::vector<std::uint32_t> flood(const WeightedGraph& graph, std::uint32_t start,
                                 std::uint32_t number, std::vector<std::uint32_t>& numbers,
                                 Inside&& inside) {
    std::vector<std::uint32_t> reached{start};
    numbers[start] = number;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        for_each_edge(graph, reached[i], [&](std::uint32_t to, std::int32_t) {
            if (numbers[to] != kNoPart || !inside(to)) return;
            numbers[to] = number;
            reached.push_back(to);
        });
    }
    return reached;
}

/// Numbers the parts given by `labels` anew, splits disconnected ones and leaves out empty ones.
Parts connected(const WeightedGraph& graph, const std::vector<std::uint32_t>& labels) {
    Parts parts;
    parts.of.assign(graph.num_nodes(), kNoPart);
    for (std::uint32_t node = 0; node < graph.num_nodes(); ++node) {
        if (parts.of[node] != kNoPart) continue;
        flood(graph, node, parts.count++, parts.of,
              [&](std::uint32_t to) { return labels[to] == labels[node]; });
    }
    return parts;
}

/// The connected component of the graph with these nodes, which are numbered in their order here.
/// `local` is scratch, with room for all nodes of the graph.
WeightedGraph component_of(const WeightedGraph& graph, const std::vector<std::uint32_t>& nodes,
                           std::vector<std::int32_t>& local) {
    WeightedGraph piece;
    piece.node_weight.reserve(nodes.size());
    piece.first_out.reserve(nodes.size() + 1);
    for (std::size_t i = 0; i < nodes.size(); ++i) local[nodes[i]] = static_cast<std::int32_t>(i);
    for (const std::uint32_t node : nodes) {
        piece.node_weight.push_back(graph.node_weight[node]);
        for_each_edge(graph, node, [&](std::uint32_t to, std::int32_t weight) {
            piece.head.push_back(local[to]);
            piece.edge_weight.push_back(weight);
        });
        piece.first_out.push_back(static_cast<std::int32_t>(piece.head.size()));
    }
    return piece;
}

#if defined(CAIRN_HAS_METIS)
static_assert(sizeof(idx_t) == sizeof(std::int32_t), "METIS must be built with 32-bit indices");

/// While it lives, rand() draws from a sequence of its own; then the program's sequence goes on.
/// For METIS, which seeds rand() and draws from it. Only with the GNU C library.
class OwnRandomNumbers {
public:
#if defined(__GLIBC__)
    OwnRandomNumbers() : before_(initstate(1, state_.data(), state_.size())) {}
    ~OwnRandomNumbers() { setstate(before_); }
    OwnRandomNumbers(const OwnRandomNumbers&) = delete;
    OwnRandomNumbers& operator=(const OwnRandomNumbers&) = delete;

private:
    std::array<char, 128> state_{};  ///< as long as the one that rand() begins with
    char* before_;
#else
    OwnRandomNumbers() {}  // not =default, so that an object of this type is not unused
#endif
};

/// Divides a connected graph into `count` >= 2 parts by METIS: sets each node's label to its part,
/// below `count`. False if METIS fails or Cairn was built without it.
bool partition_by_metis(WeightedGraph& graph, std::uint32_t count,
                        std::vector<std::uint32_t>& labels) {
    static std::mutex lock;  // because rand() has one state for all threads
    auto nodes = static_cast<idx_t>(graph.num_nodes());
    auto parts = static_cast<idx_t>(count);
    idx_t constraints = 1;
    idx_t cut = 0;
    std::array<idx_t, METIS_NOPTIONS> options{};
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_CONTIG] = 1;
    std::vector<idx_t> part(graph.num_nodes(), -1);
    {
        const std::scoped_lock guard(lock);
        const OwnRandomNumbers random;
        if (METIS_PartGraphKway(&nodes, &constraints, graph.first_out.data(), graph.head.data(),
                                graph.node_weight.data(), nullptr, graph.edge_weight.data(), &parts,
                                nullptr, nullptr, options.data(), &cut, part.data()) != METIS_OK) {
            return false;
        }
    }
    if (std::any_of(part.begin(), part.end(), [&](idx_t p) { return p < 0 || p >= parts; }))
        return false;
    labels.assign(part.begin(), part.end());
    return true;
}

#else
bool partition_by_metis(const WeightedGraph& /*graph*/, std::uint32_t /*count*/,
                        const std::vector<std::uint32_t>& /*labels*/) {
    return false;
}
#endif

/// Divides a connected graph by growing one part after another to `size` nodes.
class PartGrower {
public:
    PartGrower(const WeightedGraph& graph, std::uint32_t size)
        : graph_(&graph), size_(size), labels_(graph.num_nodes(), kNoPart) {}

    std::vector<std::uint32_t> run() {
        for (std::uint32_t seed = 0; seed < graph_->num_nodes(); ++seed) {
            if (labels_[seed] == kNoPart) grow(seed);
        }
        return std::move(labels_);
    }

private:
    struct Tie {
        std::uint32_t id;     // a node, or a neighbouring part
        std::int64_t weight;  // of all edges between it and the growing part
    };

    void grow(std::uint32_t seed) {
        frontier_.clear();
        members_.clear();
        const std::uint32_t part = count_++;
        for (std::uint32_t node = seed;; node = take_strongest_tie()) {
            labels_[node] = part;
            members_.push_back(node);
            for_each_edge(*graph_, node,
                          [this](std::uint32_t to, std::int32_t weight) { add_tie(to, weight); });
            if (members_.size() == size_ || frontier_.empty()) break;
        }
        if (2 * members_.size() < size_) merge_into_neighbour(part);
    }

    void add_tie(std::uint32_t node, std::int32_t weight) {
        if (labels_[node] != kNoPart) return;
        const auto known = std::find_if(frontier_.begin(), frontier_.end(),
                                        [node](const Tie& tie) { return tie.id == node; });
        if (known == frontier_.end()) {
            frontier_.push_back({node, weight});
        } else {
            known->weight += weight;
        }
    }

    std::uint32_t take_strongest_tie() {
        const auto best =
            std::max_element(frontier_.begin(), frontier_.end(), [](const Tie& a, const Tie& b) {
                return a.weight != b.weight ? a.weight < b.weight : a.id > b.id;
            });
        const std::uint32_t node = best->id;
        frontier_.erase(best);
        return node;
    }

    /// Merges a small part, whose growth found no more nodes, into the neighbouring part with the
    /// strongest tie to it, if it has neighbours.
    void merge_into_neighbour(std::uint32_t part) {
        std::vector<Tie> neighbours;
        for (const std::uint32_t node : members_) {
            for_each_edge(*graph_, node, [&](std::uint32_t to, std::int32_t weight) {
                if (labels_[to] != part) neighbours.push_back({labels_[to], weight});
            });
        }
        if (neighbours.empty()) return;
        std::sort(neighbours.begin(), neighbours.end(),
                  [](const Tie& a, const Tie& b) { return a.id < b.id; });
        Tie best{kNoPart, 0};
        for (std::size_t i = 0; i < neighbours.size();) {
            Tie sum{neighbours[i].id, 0};
            for (; i < neighbours.size() && neighbours[i].id == sum.id; ++i)
                sum.weight += neighbours[i].weight;
            if (sum.weight > best.weight) best = sum;
        }
        for (const std::uint32_t node : members_) labels_[node] = best.id;
    }

    const WeightedGraph* graph_;
    std::uint32_t size_;
    std::uint32_t count_ = 0;
    std::vector<std::uint32_t> labels_;   // per node: its part, or kNoPart
    std::vector<std::uint32_t> members_;  // of the growing part
    std::vector<Tie> frontier_;           // nodes without a part beside the growing one
};

/// Moves nodes from part to neighbouring part while that lowers the weight of the edges between
/// parts, or makes parts of unequal size more equal at the same weight. Parts stay connected, and
/// grow to five quarters of `size` at most.
class PartRefiner {
public:
    PartRefiner(const WeightedGraph& graph, std::uint32_t size, std::vector<std::uint32_t>& labels)
        : graph_(&graph),
          least_((std::size_t{size} + 1) / 2),
          most_(std::size_t{size} + size / 4),
          labels_(&labels),
          seen_(graph.num_nodes(), 0) {
        sizes_.resize(std::size_t{*std::max_element(labels.begin(), labels.end())} + 1);
        for (const std::uint32_t part : labels) ++sizes_[part];
    }

    void run() {
        constexpr int kPasses = 8;
        bool moved = true;
        for (int pass = 0; pass < kPasses && moved; ++pass) {
            moved = false;
            for (std::uint32_t node = 0; node < graph_->num_nodes(); ++node) moved |= move(node);
        }
    }

private:
    struct Tie {
        std::uint32_t part;
        std::int64_t weight;  // of all edges between it and the node
    };

    /// Moves a node to the neighbouring part with the strongest tie, if that pays.
    bool move(std::uint32_t node) {
        const std::uint32_t own = (*labels_)[node];
        if (sizes_[own] <= least_) return false;
        const std::int64_t inside = find_ties(node);
        const Tie* best = nullptr;
        for (const Tie& tie : ties_) {
            const std::size_t size = sizes_[tie.part];
            if (size >= most_ || tie.weight < inside) continue;
            if (tie.weight == inside && size + 1 >= sizes_[own]) continue;
            if (best == nullptr || tie.weight > best->weight ||
                (tie.weight == best->weight && size < sizes_[best->part]))
                best = &tie;
        }
        if (best == nullptr || !stays_connected(node)) return false;
        --sizes_[own];
        ++sizes_[best->part];
        (*labels_)[node] = best->part;
        return true;
    }

    /// Sets ties_ to those of a node to other parts. Returns that to its own part.
    std::int64_t find_ties(std::uint32_t node) {
        ties_.clear();
        std::int64_t inside = 0;
        for_each_edge(*graph_, node, [&](std::uint32_t to, std::int32_t weight) {
            const std::uint32_t part = (*labels_)[to];
            if (part == (*labels_)[node]) {
                inside += weight;
                return;
            }
            const auto known = std::find_if(ties_.begin(), ties_.end(),
                                            [part](const Tie& tie) { return tie.part == part; });
            if (known == ties_.end()) {
                ties_.push_back({part, weight});
            } else {
                known->weight += weight;
            }
        });
        return inside;
    }

    /// Whether the part of a node is connected without the node.
    bool stays_connected(std::uint32_t node) {
        const std::uint32_t own = (*labels_)[node];
        ++round_;
        reached_.assign(1, node);
        seen_[node] = round_;
        for (std::size_t i = 0; i < reached_.size(); ++i) {
            for_each_edge(*graph_, reached_[i], [&](std::uint32_t to, std::int32_t) {
                const bool first_branch = i > 0 || reached_.size() == 1;
                if ((*labels_)[to] != own || seen_[to] == round_ || !first_branch) return;
                seen_[to] = round_;
                reached_.push_back(to);
            });
        }
        return reached_.size() == sizes_[own];
    }

    const WeightedGraph* graph_;
    std::size_t least_;  // nodes that a part keeps
    std::size_t most_;
    std::vector<std::uint32_t>* labels_;  // per node: its part
    std::vector<std::size_t> sizes_;      // per part, in nodes
    std::vector<Tie> ties_;
    std::vector<std::uint32_t> seen_;  // per node: the last search that reached it
    std::vector<std::uint32_t> reached_;
    std::uint32_t round_ = 0;
};

/// Divides a connected component: the part of each of its nodes.
std::vector<std::uint32_t> divide(WeightedGraph& component, std::uint32_t size, PartMethod method) {
    const std::uint32_t nodes = component.num_nodes();
    const std::uint32_t count = (nodes + size / 2) / size;
    std::vector<std::uint32_t> labels(nodes, 0);
    if (count <= 1) return labels;
    if (count == nodes) {  // each node is a part
        std::iota(labels.begin(), labels.end(), 0U);
        return labels;
    }
    if (method == PartMethod::multilevel && partition_by_metis(component, count, labels))
        return labels;
    labels = PartGrower(component, size).run();
    PartRefiner(component, size, labels).run();
    return labels;
}

}  // namespace

bool has_metis() noexcept {
#if defined(CAIRN_HAS_METIS)
    return true;
#else
    return false;
#endif
}

Parts connected_parts(const WeightedGraph& graph, std::uint32_t size, PartMethod method) {
    const std::uint32_t nodes = graph.num_nodes();
    std::vector<std::uint32_t> labels(nodes, kNoPart);
    std::vector<std::uint32_t> seen(nodes, kNoPart);
    std::vector<std::int32_t> local(nodes);
    std::uint32_t used = 0;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        if (seen[node] != kNoPart) continue;
        const auto all = [](std::uint32_t) { return true; };
        const std::vector<std::uint32_t> members = flood(graph, node, 0, seen, all);
        WeightedGraph component = component_of(graph, members, local);
        const std::vector<std::uint32_t> part = divide(component, size, method);
        for (std::size_t i = 0; i < members.size(); ++i) labels[members[i]] = used + part[i];
        used += *std::max_element(part.begin(), part.end()) + 1;
    }
    return connected(graph, labels);
}

}  // namespace cairn

#include "haa/annotated_cluster.hpp"

#include <algorithm>
#include <tuple>

#include "overlay/cluster_view.hpp"

namespace cairn::haa {
namespace {

// Appends values of `bits` bits each to `words`, several to a word, the first in the low bits.
class Packer {
public:
    Packer(std::vector<std::uint32_t>& words, unsigned bits) : words_(&words), bits_(bits) {}
    void add(std::uint32_t value) {
        if (used_ == 0) words_->push_back(0);
        words_->back() |= value << used_;
        used_ = (used_ + bits_) % 32;
    }

private:
    std::vector<std::uint32_t>* words_;
    unsigned bits_;
    unsigned used_ = 0;
};

// The words that a Packer fills with `count` values.
constexpr std::uint64_t words_of(std::uint64_t count, unsigned bits) noexcept {
    return (count * bits + 31) / 32;
}

}  // namespace

AnnotatedCluster::AnnotatedCluster(std::span<const std::uint32_t> record) noexcept {
    if (record.empty()) return;
    count_ = record[0] & kCountBits;
    set_bytes_ = record[0] >> kSetBytesShift & 0xff;
    narrow_ = (record[0] & kNarrow) != 0;
    first_ = record[1];
    nodes_ = record.data() + 2;
    const std::uint32_t* edges = nodes_ + count_;
    edge_count_ = *edges;
    ends_ = edges + 1;
    costs_ = ends_ + words_of(edge_count_, 16);
    sets_ = costs_ + words_of(edge_count_, narrow_ ? 16 : 32);
}

ClassSet AnnotatedCluster::set(std::size_t number) const noexcept {
    ClassSet result;
    for (std::uint32_t k = 0; k < 8 * set_bytes_; ++k) {
        if (in_set(number, k)) result.set(k);
    }
    return result;
}

std::vector<AnnotatedNode> AnnotatedCluster::all_nodes() const {
    std::vector<AnnotatedNode> nodes(count_);
    std::size_t next = edge_count_;
    for (std::uint32_t slot = 0; slot < count_; ++slot) {
        nodes[slot].cell = cell(slot);
        nodes[slot].crossings = crossings(slot);
        for (std::uint32_t c = crossings(slot); c != 0; c &= c - 1)
            nodes[slot].users[static_cast<std::size_t>(std::countr_zero(c))] = set(next++);
    }
    return nodes;
}

std::vector<AnnotatedEdge> AnnotatedCluster::all_edges() const {
    std::vector<AnnotatedEdge> edges;
    edges.reserve(edge_count_);
    for (std::size_t e = 0; e < edge_count_; ++e)
        edges.push_back({end_a(e), end_b(e), cost(e), set(e)});
    return edges;
}

std::vector<std::uint32_t> AnnotatedCluster::record(std::span<const AnnotatedNode> nodes,
                                                    std::span<const AnnotatedEdge> edges,
                                                    std::uint32_t classes) {
    if (nodes.empty()) return {};
    const bool narrow = std::all_of(edges.begin(), edges.end(),
                                    [](const AnnotatedEdge& e) { return e.cost <= 0xffff; });
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(nodes.size()) |
                                         set_bytes(classes) << kSetBytesShift |
                                         (narrow ? kNarrow : 0),
                                     nodes[0].cell};
    for (const AnnotatedNode& node : nodes) {
        words.push_back((node.cell - nodes[0].cell) | std::uint32_t{node.crossings}
                                                          << kCrossingShift);
    }
    words.push_back(static_cast<std::uint32_t>(edges.size()));
    Packer ends(words, 8);
    for (const AnnotatedEdge& edge : edges) {
        ends.add(edge.a);
        ends.add(edge.b);
    }
    Packer costs(words, narrow ? 16 : 32);
    for (const AnnotatedEdge& edge : edges) costs.add(edge.cost);
    Packer bytes(words, 8);
    const auto add_set = [&](const ClassSet& set) {
        for (std::uint32_t first = 0; first < classes; first += 8) {
            std::uint32_t byte = 0;
            for (std::uint32_t k = first; k < std::min(classes, first + 8); ++k)
                byte |= std::uint32_t{set[k]} << (k - first);
            bytes.add(byte);
        }
    };
    for (const AnnotatedEdge& edge : edges) add_set(edge.classes);
    for (const AnnotatedNode& node : nodes) {
        for (std::uint32_t c = node.crossings; c != 0; c &= c - 1)
            add_set(node.users[static_cast<std::size_t>(std::countr_zero(c))]);
    }
    return words;
}

bool AnnotatedCluster::well_formed(std::span<const std::uint32_t> record,
                                   std::uint32_t classes) noexcept {
    const std::uint64_t size = record.size();
    const std::uint64_t count = record[0] & kCountBits;
    const std::uint32_t flags = set_bytes(classes) << kSetBytesShift | (record[0] & kNarrow);
    const std::uint64_t edges_at = 2 + count;
    if (count == 0 || count > kMostNodes || record[0] != (count | flags) || edges_at >= size)
        return false;
    const std::uint64_t edges = record[edges_at];
    const std::uint64_t sets_at =
        edges_at + 1 + words_of(edges, 16) + words_of(edges, (record[0] & kNarrow) != 0 ? 16 : 32);
    if (sets_at > size) return false;

    const AnnotatedCluster cluster(record);
    if ((cluster.nodes_[0] & kCellBits) != 0) return false;
    std::uint64_t sets = edges;
    std::array<std::uint64_t, kMostNodes + 1> first_set{};  // per node
    for (std::uint32_t slot = 0; slot < count; ++slot) {
        first_set[slot] = sets;
        if (slot > 0 && cluster.cell(slot - 1) >= cluster.cell(slot)) return false;
        sets += static_cast<std::uint64_t>(std::popcount(cluster.crossings(slot)));
    }
    first_set[count] = sets;
    if (sets_at + words_of(sets * set_bytes(classes), 8) != size) return false;
    for (std::uint64_t i = 0; i < sets; ++i) {
        const ClassSet set = cluster.set(i);
        if (set.none() || (set >> classes).any()) return false;
    }
    std::array<ClassSet, kMostNodes> node_classes;
    for (std::uint32_t slot = 0; slot < count; ++slot) {
        for (std::uint64_t i = first_set[slot]; i < first_set[slot + 1]; ++i)
            node_classes[slot] |= cluster.set(i);
    }
    ClassSet used;  // by the edges so far between the same two nodes
    for (std::uint64_t e = 0; e < edges; ++e) {
        const std::uint32_t a = cluster.end_a(e);
        const std::uint32_t b = cluster.end_b(e);
        if (a >= count || b >= a) return false;
        if (e > 0) {
            const auto before = std::tuple(cluster.end_a(e - 1), cluster.end_b(e - 1));
            if (before > std::tuple(a, b)) return false;
            if (before != std::tuple(a, b))
                used.reset();
            else if (cluster.cost(e - 1) > cluster.cost(e))
                return false;
        }
        const ClassSet set = cluster.set(e);
        if (cluster.cost(e) >= kInfinity || (used & set).any() ||
            (set & ~(node_classes[a] & node_classes[b])).any())
            return false;
        used |= set;
    }
    return true;
}

std::vector<std::uint32_t> Projection::operator()(const AnnotatedCluster& cluster) {
    slots_.resize(cluster.count());
    bases_.clear();
    infos_.clear();
    cluster.for_each_node(agent_class_, [&](std::uint32_t slot, std::uint32_t crossings) {
        slots_[slot] = static_cast<std::uint32_t>(bases_.size());
        bases_.push_back(cluster.cell(slot));
        infos_.push_back(crossings);
    });
    const std::size_t n = bases_.size();
    if (n == 0) return {};
    matrix_.assign(n * n, kInfinity);
    cluster.for_each_edge(agent_class_, [&](std::uint32_t a, std::uint32_t b, Cost cost) {
        matrix_[slots_[a] * n + slots_[b]] = matrix_[slots_[b] * n + slots_[a]] = cost;
    });
    add_sums();
    costs_.clear();
    for (std::size_t row = 1; row < n; ++row) {
        for (std::size_t column = 0; column < row; ++column)
            costs_.push_back(matrix_[row * n + column]);
    }
    return ClusterView::record(bases_, infos_, costs_);
}

// Replaces the costs of edges by those of shortest paths over them (Floyd and Warshall).
void Projection::add_sums() {
    const std::size_t n = bases_.size();
    for (std::size_t via = 0; via < n; ++via) {
        const Cost* from_via = &matrix_[via * n];
        for (std::size_t a = 0; a < n; ++a) {
            const Cost to_via = matrix_[a * n + via];
            if (a == via || to_via >= kInfinity) continue;
            Cost* row = &matrix_[a * n];
            for (std::size_t b = 0; b < n; ++b) {
                // Both are at most 2^31 - 1, so the sum does not wrap.
                row[b] = std::min(row[b], to_via + from_via[b]);
            }
        }
    }
}

}  // namespace cairn::haa

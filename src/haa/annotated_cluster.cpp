#include "haa/annotated_cluster.hpp"

#include <algorithm>

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
    count_ = record[0] & ~kNarrow;
    narrow_ = (record[0] & kNarrow) != 0;
    first_ = record[1];
    nodes_ = record.data() + 2;
    const std::uint32_t* edges = nodes_ + count_;
    edges_ = *edges;
    costs_ = edges + 1;
    notes_ = costs_ + words_of(edges_, narrow_ ? 16 : 32);
}

std::vector<std::uint32_t> AnnotatedCluster::record(std::span<const AnnotatedNode> nodes,
                                                    std::span<const std::uint8_t> edges_of_pair,
                                                    std::span<const AnnotatedEdge> edges) {
    if (nodes.empty()) return {};
    const bool narrow = std::all_of(edges.begin(), edges.end(),
                                    [](const AnnotatedEdge& e) { return e.cost <= 0xffff; });
    std::vector<std::uint32_t> words{
        static_cast<std::uint32_t>(nodes.size()) | (narrow ? kNarrow : 0), nodes[0].cell};
    for (const auto& [cell, crossings] : nodes) {
        words.push_back((cell - nodes[0].cell) | std::uint32_t{crossings} << kCrossingShift);
    }
    words.push_back(static_cast<std::uint32_t>(edges.size()));
    Packer costs(words, narrow ? 16 : 32);
    for (const AnnotatedEdge& edge : edges) costs.add(edge.cost);
    Packer notes(words, 8);
    std::size_t edge = 0;
    for (const std::uint8_t count : edges_of_pair) {
        if (count == 0) notes.add(kNone | kLast);
        for (std::uint8_t i = 1; i <= count; ++i, ++edge) {
            notes.add(i == count ? edges[edge].agent_class | std::uint32_t{kLast}
                                 : edges[edge].agent_class);
        }
    }
    return words;
}

bool AnnotatedCluster::well_formed(std::span<const std::uint32_t> record,
                                   std::uint32_t classes) noexcept {
    const std::uint64_t size = record.size();
    const std::uint64_t count = record[0] & ~kNarrow;
    const std::uint64_t edges_at = 2 + count;
    if (count == 0 || edges_at >= size) return false;
    const std::uint64_t costs = words_of(record[edges_at], (record[0] & kNarrow) != 0 ? 16 : 32);
    const std::uint64_t notes_at = edges_at + 1 + costs;
    if (notes_at > size) return false;

    const AnnotatedCluster cluster(record);
    if ((cluster.nodes_[0] & kCellBits) != 0) return false;
    for (std::uint32_t i = 1; i < count; ++i) {
        if (cluster.node(i - 1).cell >= cluster.node(i).cell) return false;
    }
    std::uint64_t pairs = 0;
    std::uint64_t edges = 0;
    std::uint64_t notes = 0;
    const std::uint64_t all_pairs = ClusterView::triangle(count);
    const std::uint64_t most_notes = 4 * (size - notes_at);
    for (; pairs < all_pairs; ++notes) {
        if (notes == most_notes) return false;
        const std::uint8_t note = cluster.note(notes);
        const unsigned agent_class = note & ~unsigned{kLast};
        const bool last = (note & kLast) != 0;
        if (agent_class == kNone ? !last : agent_class >= classes) return false;
        edges += agent_class != kNone;
        pairs += last;
    }
    return edges == cluster.edges_ && notes_at + words_of(notes, 8) == size;
}

std::vector<std::uint32_t> Projection::operator()(const AnnotatedCluster& cluster,
                                                  const grid::Map& class_map) {
    constexpr std::uint32_t kLeftOut = 0xffff'ffff;
    slots_.assign(cluster.count(), kLeftOut);
    bases_.clear();
    infos_.clear();
    for (std::uint32_t i = 0; i < cluster.count(); ++i) {
        const auto [cell, crossings] = cluster.node(i);
        const auto used = static_cast<std::uint32_t>(class_map.moves(cell) & crossings);
        if (used == 0) continue;
        slots_[i] = static_cast<std::uint32_t>(bases_.size());
        bases_.push_back(cell);
        infos_.push_back(used);
    }
    const std::size_t n = bases_.size();
    costs_.assign(n == 0 ? 0 : ClusterView::triangle(n), kInfinity);
    cluster.for_each_edge([&](std::uint32_t a, std::uint32_t b, const AnnotatedEdge& edge) {
        if (slots_[a] == kLeftOut || slots_[b] == kLeftOut) return;
        if (!(*serving_)(edge.agent_class, agent_class_)) return;
        Cost& cost = costs_[ClusterView::triangle(slots_[a], slots_[b])];
        cost = std::min(cost, edge.cost);
    });
    return ClusterView::record(bases_, infos_, costs_);
}

}  // namespace cairn::haa

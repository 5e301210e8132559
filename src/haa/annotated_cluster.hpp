#pragma once
// One cluster of the annotated abstraction: the abstract nodes of all agent classes, and the
// intra-edges between them. Each inter-edge and each intra-edge is annotated with the set of agent
// classes that use it.
//
// An agent class uses the transitions that its own entrances chose, and no others: its nodes are
// the ends of these. It uses an intra-edge if both ends are its nodes, the cost is that of its
// cheapest path between them inside the cluster, and no third node of its own lies on such a path.
// The costs that are left out are sums of those that are kept.
//
// Words of a record with n nodes, sorted by cell, and e edges:
//     header | cell of node 0 | nodes (n) | e | ends (e) | costs (e) | class sets
// The header holds n in its low 16 bits, then 8 bits with the bytes of a class set, then the flag
// kNarrow. A node's word is its cell minus that of node 0 (low 24 bits) and its crossings (high 8
// bits). Bit d of the crossings is an inter-edge in direction d. The ends of an edge are the slots
// of its nodes, a byte each, the greater first. Costs take 16 bits if all are below 65,536, which
// kNarrow says. The class sets are those of the edges, in their order, then those of the
// inter-edges, by node and ascending direction.

#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::haa {

/// A set of agent classes: bit k stands for the class of that number.
using ClassSet = std::bitset<128>;

/// An intra-edge between two nodes, the same in both directions.
struct AnnotatedEdge {
    std::uint32_t a = 0;  ///< the slots of its nodes, a > b
    std::uint32_t b = 0;
    Cost cost = 0;
    ClassSet classes;
    friend bool operator==(const AnnotatedEdge&, const AnnotatedEdge&) = default;
};

/// An abstract node: one cell, and the inter-edges that some agent class uses.
struct AnnotatedNode {
    grid::Cell cell = 0;
    std::uint8_t crossings = 0;                     ///< their directions, as bits
    std::array<ClassSet, grid::kDirections> users;  ///< by direction; empty without an inter-edge

    /// Adds the inter-edges of another entry for the same cell.
    void merge(const AnnotatedNode& other) noexcept {
        crossings |= other.crossings;
        for (std::size_t d = 0; d < users.size(); ++d) users[d] |= other.users[d];
    }
    /// The classes that have this node.
    [[nodiscard]] ClassSet classes() const noexcept {
        ClassSet all;
        for (const ClassSet& set : users) all |= set;
        return all;
    }
    friend bool operator==(const AnnotatedNode&, const AnnotatedNode&) = default;
};

/// Reads a record, which must outlive it. A node's slot is its number in the cluster.
class AnnotatedCluster {
public:
    explicit AnnotatedCluster(std::span<const std::uint32_t> record) noexcept;

    /// The number of nodes.
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    /// The number of intra-edges.
    [[nodiscard]] std::size_t edges() const noexcept { return edge_count_; }
    [[nodiscard]] grid::Cell cell(std::uint32_t slot) const noexcept {
        return first_ + (nodes_[slot] & kCellBits);
    }
    /// The directions in which a node has inter-edges for some class, as bits.
    [[nodiscard]] std::uint8_t crossings(std::uint32_t slot) const noexcept {
        return static_cast<std::uint8_t>(nodes_[slot] >> kCrossingShift);
    }

    /// Calls use(slot, crossings) for the nodes of an agent class, by slot, with the crossings that
    /// the class uses.
    template <class Use>
    void for_each_node(std::uint32_t agent_class, Use&& use) const;
    /// Calls use(a, b, cost) for the edges that an agent class uses, by their slots a > b.
    template <class Use>
    void for_each_edge(std::uint32_t agent_class, Use&& use) const;

    /// All nodes, by slot.
    [[nodiscard]] std::vector<AnnotatedNode> all_nodes() const;
    /// All edges: by a, b, cost.
    [[nodiscard]] std::vector<AnnotatedEdge> all_edges() const;

    /// The record of a cluster for agent classes below `classes`; empty without nodes. `nodes`, at
    /// most 256, ascend by cell, and their cells differ by less than 2^24. `edges` ascend by a, b,
    /// cost, and a class uses one of them at most between two nodes.
    [[nodiscard]] static std::vector<std::uint32_t> record(std::span<const AnnotatedNode> nodes,
                                                           std::span<const AnnotatedEdge> edges,
                                                           std::uint32_t classes);

    /// Whether a record, which must not be empty, may be read: its parts have the lengths that its
    /// counts say, class sets are not empty and hold classes below `classes`, cells ascend, edges
    /// are as `record` wants them, costs are below kInfinity, and a class that uses an edge has
    /// both its nodes.
    [[nodiscard]] static bool well_formed(std::span<const std::uint32_t> record,
                                          std::uint32_t classes) noexcept;

private:
    static constexpr std::uint32_t kMostNodes = 256;
    static constexpr std::uint32_t kNarrow = 0x8000'0000;
    static constexpr std::uint32_t kCountBits = 0xffff;
    static constexpr unsigned kSetBytesShift = 16;
    static constexpr std::uint32_t kCellBits = 0x00ff'ffff;
    static constexpr unsigned kCrossingShift = 24;

    [[nodiscard]] static constexpr std::uint32_t set_bytes(std::uint32_t classes) noexcept {
        return (classes + 7) / 8;
    }

    // Whether an agent class is in the set of this number.
    [[nodiscard]] bool in_set(std::size_t set, std::uint32_t agent_class) const noexcept {
        const std::size_t byte = set * set_bytes_ + agent_class / 8;
        return (sets_[byte / 4] >> (byte % 4 * 8 + agent_class % 8) & 1) != 0;
    }
    [[nodiscard]] ClassSet set(std::size_t number) const noexcept;
    [[nodiscard]] std::uint32_t end_a(std::size_t edge) const noexcept {
        return ends_[edge / 2] >> (edge % 2 * 16) & 0xff;
    }
    [[nodiscard]] std::uint32_t end_b(std::size_t edge) const noexcept {
        return ends_[edge / 2] >> (edge % 2 * 16 + 8) & 0xff;
    }
    [[nodiscard]] Cost cost(std::size_t edge) const noexcept {
        return narrow_ ? costs_[edge / 2] >> (edge % 2 * 16) & 0xffff : costs_[edge];
    }

    std::uint32_t count_ = 0;
    std::uint32_t set_bytes_ = 0;
    bool narrow_ = false;
    std::size_t edge_count_ = 0;
    grid::Cell first_ = 0;
    const std::uint32_t* nodes_ = nullptr;
    const std::uint32_t* ends_ = nullptr;
    const std::uint32_t* costs_ = nullptr;
    const std::uint32_t* sets_ = nullptr;
};

/// Projects annotated clusters onto one agent class. The result is a record as
/// overlay/cluster_view.hpp reads it: the nodes of the class, and for each pair of them the cost of
/// its cheapest path inside the cluster. Use one per thread.
class Projection {
public:
    explicit Projection(std::uint32_t agent_class) : agent_class_(agent_class) {}

    /// O(n^3) for the class's n nodes of the cluster, and O(record).
    [[nodiscard]] std::vector<std::uint32_t> operator()(const AnnotatedCluster& cluster);

private:
    void add_sums();

    std::uint32_t agent_class_;
    std::vector<std::uint32_t> slots_;  // per annotated node of the class: its slot in the result
    std::vector<Cost> matrix_;          // n x n
    // The parts of the result:
    std::vector<std::uint32_t> bases_;
    std::vector<std::uint32_t> infos_;
    std::vector<Cost> costs_;
};

template <class Use>
void AnnotatedCluster::for_each_node(std::uint32_t agent_class, Use&& use) const {
    std::size_t set = edge_count_;
    for (std::uint32_t slot = 0; slot < count_; ++slot) {
        std::uint32_t used = 0;
        for (std::uint32_t c = crossings(slot); c != 0; c &= c - 1, ++set) {
            if (in_set(set, agent_class)) used |= c & ~(c - 1);
        }
        if (used != 0) use(slot, used);
    }
}

template <class Use>
void AnnotatedCluster::for_each_edge(std::uint32_t agent_class, Use&& use) const {
    for (std::size_t edge = 0; edge < edge_count_; ++edge) {
        if (in_set(edge, agent_class)) use(end_a(edge), end_b(edge), cost(edge));
    }
}

}  // namespace cairn::haa

#pragma once
// One cluster of the annotated abstraction: the abstract nodes of all agent classes, and the
// intra-edges between them, each annotated with an agent class. A class may use an edge if the
// edge's class serves it (haa/serving.hpp).
//
// Words of a record with n nodes, sorted by cell, and e edges:
//     n + flag | cell of node 0 | nodes (n) | e | costs (e) | notes
// A node's word is its cell minus that of node 0 (low 24 bits) and its crossings (high 8 bits). Bit
// d of the crossings is an inter-edge in direction d, for the agents that can make that move.
// Notes, a byte each, list the edges of every pair of nodes: (1, 0), (2, 0), (2, 1), (3, 0)... Each
// edge has a note, its agent class. A pair without edges has the single note kNone. The last note
// of a pair has kLast set. Costs are in the order of the edges. Where every cost is below 65,536
// the flag kNarrow is set, and costs take 16 bits, two to a word.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "haa/serving.hpp"

namespace cairn::haa {

/// An annotated intra-edge between two nodes, the same in both directions.
struct AnnotatedEdge {
    Cost cost = 0;
    std::uint8_t agent_class = 0;
    friend bool operator==(const AnnotatedEdge&, const AnnotatedEdge&) = default;
};

/// An abstract node: one cell, and the directions in which it has inter-edges for some agent.
struct AnnotatedNode {
    grid::Cell cell = 0;
    std::uint8_t crossings = 0;
    friend bool operator==(const AnnotatedNode&, const AnnotatedNode&) = default;
};

/// Reads a record, which must outlive it. A node's slot is its number in the cluster.
class AnnotatedCluster {
public:
    explicit AnnotatedCluster(std::span<const std::uint32_t> record) noexcept;

    /// The number of nodes.
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    [[nodiscard]] AnnotatedNode node(std::uint32_t slot) const noexcept {
        return {first_ + (nodes_[slot] & kCellBits),
                static_cast<std::uint8_t>(nodes_[slot] >> kCrossingShift)};
    }
    /// The number of intra-edges.
    [[nodiscard]] std::size_t edges() const noexcept { return edges_; }

    /// Calls visit(a, b, AnnotatedEdge) for every edge between slots a > b, pair by pair.
    template <class Visit>
    void for_each_edge(Visit&& visit) const;

    /// The record of a cluster; empty without nodes. `nodes` ascend by cell, and their cells differ
    /// by less than 2^24. `edges_of_pair` holds the number of edges of each pair of nodes, `edges`
    /// the edges of all pairs, both in the order of the record.
    [[nodiscard]] static std::vector<std::uint32_t> record(
        std::span<const AnnotatedNode> nodes, std::span<const std::uint8_t> edges_of_pair,
        std::span<const AnnotatedEdge> edges);

    /// Whether a record, which must not be empty, may be read: its parts have the lengths that its
    /// counts say, agent classes are below `classes`, and cells ascend.
    [[nodiscard]] static bool well_formed(std::span<const std::uint32_t> record,
                                          std::uint32_t classes) noexcept;

private:
    static constexpr std::uint32_t kNarrow = 0x8000'0000;  // beside the number of nodes
    static constexpr std::uint32_t kCellBits = 0x00ff'ffff;
    static constexpr unsigned kCrossingShift = 24;
    static constexpr std::uint8_t kNone = 127;  // above every agent class
    static constexpr std::uint8_t kLast = 128;  // beside the agent class or kNone

    [[nodiscard]] std::uint8_t note(std::size_t i) const noexcept {
        return static_cast<std::uint8_t>(notes_[i / 4] >> (i % 4 * 8));
    }
    [[nodiscard]] Cost cost(std::size_t i) const noexcept {
        return narrow_ ? costs_[i / 2] >> (i % 2 * 16) & 0xffff : costs_[i];
    }

    std::uint32_t count_ = 0;
    bool narrow_ = false;
    std::size_t edges_ = 0;
    grid::Cell first_ = 0;
    const std::uint32_t* nodes_ = nullptr;
    const std::uint32_t* costs_ = nullptr;
    const std::uint32_t* notes_ = nullptr;
};

/// Projects annotated clusters onto one agent class. The result is a record as
/// overlay/cluster_view.hpp reads it: the nodes from which the class has a move over a border, and
/// for each pair of them the least cost of the edges that serve the class. Use one per thread.
class Projection {
public:
    Projection(const Serving& serving, std::uint32_t agent_class)
        : serving_(&serving), agent_class_(agent_class) {}
    /// `class_map` is that of the agent class.
    [[nodiscard]] std::vector<std::uint32_t> operator()(const AnnotatedCluster& cluster,
                                                        const grid::Map& class_map);

private:
    const Serving* serving_;
    std::uint32_t agent_class_;
    std::vector<std::uint32_t> slots_;  // per annotated node: its slot in the result, or none
    // The parts of the result:
    std::vector<std::uint32_t> bases_;
    std::vector<std::uint32_t> infos_;
    std::vector<Cost> costs_;
};

template <class Visit>
void AnnotatedCluster::for_each_edge(Visit&& visit) const {
    std::size_t next_note = 0;
    std::size_t edge = 0;
    for (std::uint32_t a = 1; a < count_; ++a) {
        for (std::uint32_t b = 0; b < a; ++b) {
            for (bool last = false; !last; ++next_note) {
                const std::uint8_t byte = note(next_note);
                last = (byte & kLast) != 0;
                const auto agent_class = static_cast<std::uint8_t>(byte & ~kLast);
                if (agent_class == kNone) continue;
                visit(a, b, AnnotatedEdge{cost(edge), agent_class});
                ++edge;
            }
        }
    }
}

}  // namespace cairn::haa

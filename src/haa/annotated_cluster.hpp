#pragma once
// One cluster of the annotated abstraction: the abstract nodes of all agent classes, and the
// intra-edges between them, with the agent classes that may use them.
//
// Words of a record with n nodes, sorted by cell:
//     n + flag | first cell | nodes (n) | edges | costs | notes
// A node's word is its cell less the first one (24 bits) and its crossings (8 bits). Crossing d is
// an inter-edge in direction d, for the agents that have the move. Pairs of nodes follow in the
// order of a triangle: (1, 0), (2, 0), (2, 1), (3, 0)... A pair has one note or more, a byte each:
// an agent class or kNone. An agent may use the edge if that class serves its class. The last note
// of a pair has kLast set. Each note but kNone has a cost, in the same order. Where every cost is
// below 65,536 the flag is set and costs take 16 bits, two to a word.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "haa/serving.hpp"

namespace cairn::haa {

/// An annotated intra-edge between two nodes.
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

/// Reads a record.
class AnnotatedCluster {
public:
    explicit AnnotatedCluster(std::span<const std::uint32_t> record) noexcept;

    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    [[nodiscard]] AnnotatedNode node(std::uint32_t slot) const noexcept {
        return {first_ + (nodes_[slot] & kCellBits),
                static_cast<std::uint8_t>(nodes_[slot] >> kCrossingShift)};
    }
    [[nodiscard]] std::size_t edges() const noexcept { return edges_; }

    /// Calls visit(row, column, AnnotatedEdge) for every edge, pair by pair.
    template <class Visit>
    void for_each_edge(Visit&& visit) const;

    /// The record of a cluster from its nodes by ascending cell, less than 2^24 apart, the number
    /// of edges of each pair, and all edges in that order. Empty without nodes.
    [[nodiscard]] static std::vector<std::uint32_t> record(
        std::span<const AnnotatedNode> nodes, std::span<const std::uint8_t> edges_of_pair,
        std::span<const AnnotatedEdge> edges);

    /// Whether a record that is not empty has the shape that its first words say, notes of classes
    /// below `classes`, and cells in ascending order.
    [[nodiscard]] static bool well_formed(std::span<const std::uint32_t> record,
                                          std::uint32_t classes) noexcept;

private:
    static constexpr std::uint32_t kNarrow = 0x8000'0000;
    static constexpr std::uint32_t kCellBits = 0x00ff'ffff;
    static constexpr unsigned kCrossingShift = 24;
    static constexpr std::uint8_t kNone = 127;
    static constexpr std::uint8_t kLast = 128;

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

/// The record that overlay::ClusterView reads of a cluster for one agent class: the nodes from
/// which the class map `map` has moves over a border, and for each two of them the least cost of an
/// edge that serves the class. Not for several threads at once: each has its own.
class Projection {
public:
    Projection(const Serving& serving, std::uint32_t agent_class)
        : serving_(&serving), agent_class_(agent_class) {}
    [[nodiscard]] std::vector<std::uint32_t> operator()(const AnnotatedCluster& cluster,
                                                        const grid::Map& map);

private:
    const Serving* serving_;
    std::uint32_t agent_class_;
    std::vector<std::uint32_t> slots_;  // per node: its slot in the view, or none
    std::vector<std::uint32_t> bases_;
    std::vector<std::uint32_t> infos_;
    std::vector<Cost> costs_;
};

template <class Visit>
void AnnotatedCluster::for_each_edge(Visit&& visit) const {
    std::size_t at = 0;
    std::size_t edge = 0;
    for (std::uint32_t row = 1; row < count_; ++row) {
        for (std::uint32_t column = 0; column < row; ++column) {
            for (bool last = false; !last; ++at) {
                const std::uint8_t byte = note(at);
                last = (byte & kLast) != 0;
                const auto agent_class = static_cast<std::uint8_t>(byte & ~kLast);
                if (agent_class == kNone) continue;
                visit(row, column, AnnotatedEdge{cost(edge), agent_class});
                ++edge;
            }
        }
    }
}

}  // namespace cairn::haa

#pragma once
// Changes the tree of a closure as an edit of the graph needs it.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/paged_array.hpp"
#include "closure_view.hpp"

namespace cairn {

/// An edit of a graph with the arcs of its changed nodes, read once.
class ChangedArcs {
public:
    using Arc = GraphEdit::Arc;

    explicit ChangedArcs(const GraphEdit& edit);

    [[nodiscard]] std::span<const std::uint32_t> nodes() const noexcept { return edit_.changed; }
    /// Whether the graph no longer has the i-th changed node.
    [[nodiscard]] bool removed(std::size_t i) const noexcept { return removed_[i]; }
    /// The arcs of the i-th changed node.
    [[nodiscard]] std::span<const Arc> arcs(std::size_t i) const noexcept {
        return std::span(arcs_).subspan(first_[i], first_[i + 1] - first_[i]);
    }
    /// Whether all nodes and costs that the edit names are in range, and the nodes in order.
    [[nodiscard]] bool valid(std::uint32_t nodes_before) const noexcept;

private:
    const GraphEdit& edit_;
    std::vector<Arc> arcs_;
    std::vector<std::size_t> first_;
    std::vector<bool> removed_;
};

/// The tree of a closure while it is edited. Places that stay keep their numbers.
///
///   removed node   Its place stays empty. A later edit takes empty places without children out of
///                  the tree, and new nodes use them again.
///   new node       If its neighbours lie on one path down the tree, it goes below the lowest of
///                  them. Otherwise it goes below their lowest common ancestor and takes over the
///                  children of it that have neighbours at or below them.
///                  Its rank is then just below the least of theirs; else it is the greatest.
///   new edge       If it joins two branches, one of its ends is removed and inserted again. Nodes
///                  with the most such edges are moved first, of equals the lower number.
class TreeEdit {
public:
    explicit TreeEdit(const Closure::Storage& before);

    /// Applies an edit. False if an arc leads to a node that does not exist.
    [[nodiscard]] bool apply(const ChangedArcs& edit, std::uint32_t num_nodes);

    [[nodiscard]] std::uint32_t num_places() const noexcept {
        return static_cast<std::uint32_t>(parent_.size());
    }
    [[nodiscard]] std::uint32_t parent(std::uint32_t place) const noexcept {
        return parent_[place];
    }
    /// The node at a place; kNone if it is empty.
    [[nodiscard]] std::uint32_t node(std::uint32_t place) const noexcept { return node_[place]; }
    /// The place of a node; kNone if it was removed.
    [[nodiscard]] std::uint32_t place(std::uint32_t node) const noexcept { return places_[node]; }

    [[nodiscard]] std::uint32_t rank(std::uint32_t place) const noexcept { return rank_[place]; }

    /// Whether any place has another parent or node than before.
    [[nodiscard]] bool changed() const noexcept { return changed_; }
    /// The places with another parent, node or child than before. Like the next list, in any order
    /// and some several times.
    [[nodiscard]] std::span<const std::uint32_t> touched() const noexcept { return touched_; }

    /// The places without a node now, and those with a neighbour that was moved.
    [[nodiscard]] std::span<const std::uint32_t> with_other_arcs() const noexcept {
        return with_other_arcs_;
    }

    /// The places by node, after the edit. Call it once, at the end.
    [[nodiscard]] PagedArray<std::uint32_t> take_places() { return places_.take(); }
    /// The empty places that are not in the tree.
    [[nodiscard]] std::vector<std::uint32_t> take_free() { return std::move(free_); }
    [[nodiscard]] std::vector<std::uint32_t> take_ranks() { return std::move(rank_); }

private:
    static constexpr std::uint32_t kNone = ClosureNode::kNone;

    void vacate(std::uint32_t place);
    void insert(std::uint32_t node, std::span<const GraphEdit::Arc> arcs);
    void attach(std::uint32_t place, std::uint32_t parent);
    [[nodiscard]] std::uint32_t new_place();
    [[nodiscard]] std::vector<std::size_t> nodes_to_lift(const ChangedArcs& edit);
    [[nodiscard]] bool joins_branches(std::uint32_t place, std::span<const GraphEdit::Arc> arcs);
    void mark_path(std::uint32_t place);
    [[nodiscard]] bool on_path(std::uint32_t place) const noexcept {
        return marked_[place] >= first_mark_;
    }
    void remove_empty_leaves();

    std::vector<std::uint32_t> parent_;  ///< by place
    std::vector<std::uint32_t> node_;    ///< by place
    std::vector<std::uint32_t> depth_;   ///< by place, before the edit
    std::vector<std::uint32_t> rank_;    ///< by place
    std::uint32_t next_rank_ = 0;
    PagedArray<std::uint32_t>::Editor places_;
    std::vector<std::uint32_t> free_;     ///< ascending
    std::vector<std::uint32_t> vacated_;  ///< by this edit
    std::vector<std::uint32_t> touched_;
    std::vector<std::uint32_t> with_other_arcs_;
    bool changed_ = false;

    /// By place: marks of the last marked path rise from its lowest place to the root; all are at
    /// least first_mark_. Marks of earlier paths are lower.
    std::vector<std::uint32_t> marked_;
    std::uint32_t first_mark_ = 1;
    std::uint32_t next_mark_ = 1;
};

}  // namespace cairn

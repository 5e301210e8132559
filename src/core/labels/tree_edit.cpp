#include "tree_edit.hpp"
#include "core/sort_unique.hpp"

#include <algorithm>

namespace cairn {

ChangedArcs::ChangedArcs(const GraphEdit& edit) : edit_(edit) {
    first_.reserve(edit.changed.size() + 1);
    first_.push_back(0);
    for (const std::uint32_t node : edit.changed) {
        removed_.push_back(!edit.arcs(node, arcs_));
        if (removed_.back()) arcs_.resize(first_.back());
        first_.push_back(arcs_.size());
    }
}

bool ChangedArcs::valid(std::uint32_t nodes_before) const noexcept {
    const auto& changed = edit_.changed;
    if (edit_.num_nodes < nodes_before || edit_.num_nodes > kMaxGraphNodes) return false;
    if (!changed.empty() && changed.back() >= edit_.num_nodes) return false;
    if (std::adjacent_find(changed.begin(), changed.end(), std::greater_equal<>()) != changed.end())
        return false;
    return std::all_of(arcs_.begin(), arcs_.end(), [&](const Arc& arc) {
        const Cost least = edit_.directed ? std::min(arc.cost, arc.back) : arc.cost;
        const Cost most = edit_.directed ? std::max(arc.cost, arc.back) : arc.cost;
        return arc.node < edit_.num_nodes && least >= 1 && least < kInfinity && most <= kInfinity;
    });
}

TreeEdit::TreeEdit(const Closure::Storage& before)
    : places_(before.places), free_(before.free_places) {
    const ClosureView view(before);
    const std::uint32_t count = view.num_places();
    parent_.reserve(count);
    node_.reserve(count);
    depth_.reserve(count);
    for (std::uint32_t p = 0; p < count; ++p) {
        const ClosureNode& node = view.node(p);
        parent_.push_back(node.parent);
        node_.push_back(node.node);
        depth_.push_back(node.depth);
    }
    for (std::uint32_t p = 0; p < count; ++p) {
        rank_.push_back(view.rank(p));
        next_rank_ = std::max(next_rank_, rank_.back() + 1);
    }
    marked_.resize(count);
}

bool TreeEdit::apply(const ChangedArcs& edit, std::uint32_t num_nodes) {
    while (places_.size() < num_nodes) places_.push_back(kNone);
    const auto nodes = edit.nodes();
    std::vector<std::size_t> added;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t place = places_[nodes[i]];
        if (edit.removed(i)) {
            if (place != kNone) vacate(place);
        } else if (place == kNone) {
            added.push_back(i);
        }
    }
    for (const std::size_t i : nodes_to_lift(edit)) {
        const std::uint32_t place = places_[nodes[i]];
        if (!joins_branches(place, edit.arcs(i))) continue;
        vacate(place);
        insert(nodes[i], edit.arcs(i));
        // The rows of all its neighbours name its place.
        for (const GraphEdit::Arc& arc : edit.arcs(i)) {
            if (places_[arc.node] != kNone) with_other_arcs_.push_back(places_[arc.node]);
        }
    }
    for (const std::size_t i : added) insert(nodes[i], edit.arcs(i));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const GraphEdit::Arc& arc : edit.arcs(i)) {
            if (places_[arc.node] == kNone) return false;
        }
    }
    if (changed_) remove_empty_leaves();
    return true;
}

/// The numbers among the changed nodes of those with edges across branches, in the order in which
/// they are to be moved. A new edge is counted from its lower end, which knows all its ancestors.
std::vector<std::size_t> TreeEdit::nodes_to_lift(const ChangedArcs& edit) {
    struct Across {
        std::uint32_t a, b;
    };
    std::vector<Across> edges;
    const auto nodes = edit.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t place = places_[nodes[i]];
        if (place == kNone) continue;
        bool marked = false;
        for (const GraphEdit::Arc& arc : edit.arcs(i)) {
            const std::uint32_t other = places_[arc.node];
            if (other == kNone || other == place || depth_[other] > depth_[place]) continue;
            if (!marked) mark_path(place);
            marked = true;
            const bool twice = depth_[other] == depth_[place] && arc.node > nodes[i];
            if (!on_path(other) && !twice) edges.push_back({nodes[i], arc.node});
        }
    }
    std::vector<std::size_t> out;
    if (edges.empty()) return out;
    std::vector<std::uint32_t> count(nodes.size(), 0);
    const auto add = [&](std::uint32_t node) {
        const auto found = std::lower_bound(nodes.begin(), nodes.end(), node);
        if (found == nodes.end() || *found != node) return;
        const auto i = static_cast<std::size_t>(found - nodes.begin());
        if (count[i]++ == 0) out.push_back(i);
    };
    for (const Across& edge : edges) {
        add(edge.a);
        add(edge.b);
    }
    std::vector<std::uint64_t> order;  // the greatest count first
    order.reserve(out.size());
    for (const std::size_t i : out) order.push_back(std::uint64_t{~count[i]} << 32 | i);
    std::sort(order.begin(), order.end());
    std::ranges::transform(order, out.begin(), [](std::uint64_t next) {
        return std::size_t{static_cast<std::uint32_t>(next)};
    });
    return out;
}

/// Whether an arc leads to a place that is neither above nor below this one.
bool TreeEdit::joins_branches(std::uint32_t place, std::span<const GraphEdit::Arc> arcs) {
    mark_path(place);
    return std::any_of(arcs.begin(), arcs.end(), [&](const GraphEdit::Arc& arc) {
        const std::uint32_t other = places_[arc.node];
        if (other == kNone || on_path(other)) return false;
        std::uint32_t at = other;
        while (at != kNone && !on_path(at)) at = parent_[at];
        return at != place;
    });
}

/// Marks the places from `place` up to its root.
void TreeEdit::mark_path(std::uint32_t place) {
    first_mark_ = next_mark_;
    for (std::uint32_t at = place; at != kNone; at = parent_[at]) marked_[at] = next_mark_++;
}

void TreeEdit::vacate(std::uint32_t place) {
    places_.set(node_[place], kNone);
    node_[place] = kNone;
    vacated_.push_back(place);
    with_other_arcs_.push_back(place);
    touched_.push_back(place);
    changed_ = true;
}

std::uint32_t TreeEdit::new_place() {
    if (!free_.empty()) {
        const std::uint32_t place = free_.front();
        free_.erase(free_.begin());
        return place;
    }
    parent_.push_back(kNone);
    node_.push_back(kNone);
    depth_.push_back(0);
    rank_.push_back(0);
    marked_.push_back(0);
    return static_cast<std::uint32_t>(parent_.size() - 1);
}

void TreeEdit::attach(std::uint32_t place, std::uint32_t parent) {
    if (parent_[place] != kNone) touched_.push_back(parent_[place]);
    if (parent != kNone) touched_.push_back(parent);
    touched_.push_back(place);
    parent_[place] = parent;
    changed_ = true;
}

/// Gives a node a place. Ignores neighbours that have none yet.
void TreeEdit::insert(std::uint32_t node, std::span<const GraphEdit::Arc> arcs) {
    // The path from the lowest neighbour to the root is marked. `top` is the highest mark of a
    // place on it from which a neighbour branches off; kNone stands for above the root.
    std::uint32_t lowest = kNone;
    std::uint32_t top = 0;
    for (const GraphEdit::Arc& arc : arcs) {
        const std::uint32_t other = places_[arc.node];
        if (other == kNone || (lowest != kNone && on_path(other))) continue;
        if (lowest == kNone) {
            mark_path(lowest = other);
            continue;
        }
        std::uint32_t at = other;
        while (at != kNone && !on_path(at)) at = parent_[at];
        if (at == lowest && top == 0) {
            mark_path(lowest = other);
        } else if (at != lowest || top != 0) {
            top = std::max(top, at == kNone ? kNone : marked_[at]);
        }
    }
    const std::uint32_t place = new_place();
    node_[place] = node;
    places_.set(node, place);
    if (top == 0) {
        rank_[place] = next_rank_++;
        attach(place, lowest);
        return;
    }
    std::uint32_t above = kNone;
    for (std::uint32_t at = lowest; at != kNone; at = parent_[at]) {
        if (marked_[at] == top) above = at;
    }
    std::vector<std::uint32_t> children;
    if (above != kNone) mark_path(above);
    for (const GraphEdit::Arc& arc : arcs) {
        std::uint32_t at = places_[arc.node];
        if (at == kNone || at == place || (above != kNone && on_path(at))) continue;
        while (parent_[at] != above) at = parent_[at];
        children.push_back(at);
    }
    sort_unique(children);
    std::uint32_t rank = kNone;
    for (const std::uint32_t child : children) rank = std::min(rank, rank_[child]);
    for (std::uint32_t& other : rank_) other += other >= rank ? 1 : 0;
    ++next_rank_;
    rank_[place] = rank;
    for (const std::uint32_t child : children) attach(child, place);
    attach(place, above);
}

void TreeEdit::remove_empty_leaves() {
    std::vector<std::uint32_t> children(parent_.size(), 0);
    for (const std::uint32_t parent : parent_) {
        if (parent != kNone) ++children[parent];
    }
    std::vector<bool> keep(parent_.size(), false);
    for (const std::uint32_t place : free_) keep[place] = true;
    // The places above must learn first that no path passes these any more.
    for (const std::uint32_t place : vacated_) keep[place] = true;
    const std::size_t free_before = free_.size();
    for (std::uint32_t p = 0; p < parent_.size(); ++p) {
        std::uint32_t at = p;
        while (at != kNone && node_[at] == kNone && children[at] == 0 && !keep[at]) {
            const std::uint32_t parent = parent_[at];
            if (parent != kNone) {
                --children[parent];
                attach(at, kNone);
            }
            keep[at] = true;
            free_.push_back(at);
            at = parent;
        }
    }
    if (free_.size() != free_before) std::sort(free_.begin(), free_.end());
}

}  // namespace cairn

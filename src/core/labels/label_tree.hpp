#pragma once
// The tree of labels: that of their closure without the pieces.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"
#include "closure_tree.hpp"
#include "closure_view.hpp"
#include "core/separator/separator_tree.hpp"

namespace cairn {

/// The memory behind the CutLabelArrays of labels that were built or repaired.
struct LabelStorage {
    /// The memory behind a CutLabelWay.
    struct OneWay {
        std::vector<Cost> entries;
        std::vector<std::uint8_t> hops;
        std::vector<std::uint32_t> wide_hops;
        [[nodiscard]] CutLabelWay arrays() const noexcept { return {entries, hops, wide_hops}; }
    };
    std::vector<CutLabelNode> nodes;
    BothWays<OneWay> way;  ///< down is empty in an undirected graph
    std::vector<std::uint32_t> group_common;
    std::vector<std::uint32_t> block_common;
    std::vector<CutLabelPlace> places;
    std::vector<std::uint32_t> head;
    std::vector<CutLabelGroup> groups;

    [[nodiscard]] CutLabelArrays arrays(bool directed, std::uint32_t piece) const noexcept {
        return {nodes,
                way.up.arrays(),
                way[directed ? Way::down : Way::up].arrays(),
                group_common,
                block_common,
                piece,
                places,
                head,
                groups};
    }
};

/// The record of a position in the tree, without its label.
[[nodiscard]] inline CutLabelNode label_record(const GroupTable& groups, std::uint32_t position) {
    const std::uint32_t group = groups.group[position];
    return {0, 0, group, groups.before[group], groups.after[group], position};
}

/// The groups of a tree, for CutLabelArrays.
[[nodiscard]] inline std::vector<CutLabelGroup> label_groups(const SeparatorTree& tree,
                                                             const GroupTable& table) {
    std::vector<CutLabelGroup> groups;
    groups.reserve(table.top.size());
    for (std::uint32_t g = 0; g < table.top.size(); ++g) {
        const std::uint32_t up = tree.parent[table.top[g]];
        groups.push_back({table.top[g], up == SeparatorTree::kNoParent ? g : table.group[up]});
    }
    return groups;
}

/// What labels with pieces of up to `piece` nodes need of a closure: its tree without the pieces. A
/// position is the number of a place in depth-first order of this tree.
struct LabelTree {
    static constexpr std::uint32_t kNone = ClosureNode::kNone;

    ClosureView closure;
    std::uint32_t piece;
    SeparatorTree tree;  ///< its nodes are places; `position` is kNone in pieces

    /// The position of the lowest ancestor of a place in the tree, itself included, or kNone.
    [[nodiscard]] std::uint32_t bottom(std::uint32_t place) const noexcept {
        return bottoms_.empty() ? tree.position[place] : bottoms_[place];
    }

    LabelTree(const ClosureView& view, std::uint32_t piece_nodes)
        : closure(view), piece(piece_nodes), tree(place_tree(view)) {
        if (piece > 0) leave_out_pieces(std::exchange(tree, {}));
    }

    /// The next larger size of pieces to try; kNone if there is none.
    [[nodiscard]] static std::uint32_t next_piece(std::uint32_t piece) noexcept {
        const auto& pieces = CutLabelOptions::kPieces;
        const auto next = std::upper_bound(pieces.begin(), pieces.end(), piece);
        return next == pieces.end() ? kNone : *next;
    }

    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(tree.node.size());
    }
    [[nodiscard]] ClosureRow row(std::uint32_t position, Way way = Way::up) const noexcept {
        return closure.row(tree.node[position], way);
    }
    /// The node at a position; kNone if it was removed.
    [[nodiscard]] std::uint32_t node(std::uint32_t position) const noexcept {
        return closure.node(tree.node[position]).node;
    }

    /// Sets the records of the nodes in pieces that have an ancestor with a label.
    void set_records_in_pieces(const GroupTable& groups, std::vector<CutLabelNode>& nodes) const {
        for (std::uint32_t place = 0; place < bottoms_.size(); ++place) {
            const std::uint32_t v = closure.node(place).node;
            if (v != kNone && bottoms_[place] != kNone && tree.position[place] == kNone)
                nodes[v] = label_record(groups, bottoms_[place]);
        }
    }

    /// The position of the middle of closure edge `e` of position p; kNone if there is none, or if
    /// it lies in a piece.
    [[nodiscard]] std::uint32_t middle(std::uint32_t p, std::uint32_t e, Way way) const noexcept {
        const std::uint32_t place = tree.node[p];
        const std::uint32_t packed = closure.middle(place, e, way);
        if (packed == ClosureMiddle::kGraphEdge) return kNone;
        const std::uint32_t at = ClosureMiddle::place(packed, place);
        return at < tree.position.size() ? tree.position[at] : kNone;
    }
    /// Calls use(p, e, upper) for the closure edges that lead somewhere, in one direction at least,
    /// without a middle in the tree: from position p, the edge of index e in its row, to position
    /// `upper`. In the order of p and e.
    template <class Use>
    void for_each_step(Use&& use) const {
        std::vector<std::uint32_t> path;  // positions from the root to p, by depth
        for (std::uint32_t p = 0; p < size(); ++p) {
            path.resize(tree.depth[p]);
            path.push_back(p);
            const BothWays<ClosureRow> rows{row(p, Way::up), row(p, Way::down)};
            const auto is_step = [&](std::uint32_t e, Way way) {
                return rows[way].cost[e] < kInfinity && middle(p, e, way) == kNone;
            };
            for (std::uint32_t e = 0; e < rows.up.length; ++e) {
                if (is_step(e, Way::up) || (closure.directed() && is_step(e, Way::down)))
                    use(p, e, path[rows.up.depth[e]]);
            }
        }
    }

private:
    void leave_out_pieces(const SeparatorTree& whole) {
        const auto places = static_cast<std::uint32_t>(whole.node.size());
        // By position in `whole`: the positions here that come before.
        std::vector<std::uint32_t> before(std::size_t{places} + 1);
        for (std::uint32_t p = 0; p < places; ++p)
            before[p + 1] = before[p] + (whole.end[p] - p > piece ? 1 : 0);
        tree.position.assign(places, kNone);
        bottoms_.assign(places, kNone);
        for (std::uint32_t p = 0; p < places; ++p) {
            const std::uint32_t up = whole.parent[p];
            const std::uint32_t up_bottom =
                up == SeparatorTree::kNoParent ? kNone : bottoms_[whole.node[up]];
            if (before[p] == before[p + 1]) {
                bottoms_[whole.node[p]] = up_bottom;
                continue;
            }
            bottoms_[whole.node[p]] = tree.position[whole.node[p]] = before[p];
            tree.node.push_back(whole.node[p]);
            tree.parent.push_back(up == SeparatorTree::kNoParent ? up : up_bottom);
            tree.depth.push_back(whole.depth[p]);
            tree.end.push_back(before[whole.end[p]]);
            tree.entries += std::uint64_t{whole.depth[p]} + 1;
        }
    }

    std::vector<std::uint32_t> bottoms_;  ///< by place: see `bottom`; empty without pieces
};

}  // namespace cairn

#include "separator_tree.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "cairn/cut_labels.hpp"
#include "core/parallel_loop.hpp"

namespace cairn {
namespace {

/// The parent's rank of each node, by rank (its index in the order). Adds the nodes from the last
/// rank to the first: each becomes the parent of the roots of all trees that it has edges to. Paths
/// to the roots are compressed, as in a union-find structure.
std::vector<std::uint32_t> parents_by_rank(const Graph& graph, std::span<const std::uint32_t> order,
                                           std::span<const std::uint32_t> rank) {
    const auto count = static_cast<std::uint32_t>(order.size());
    std::vector<std::uint32_t> parent(count, SeparatorTree::kNoParent);
    std::vector<std::uint32_t> towards_root(count, SeparatorTree::kNoParent);
    for (std::uint32_t r = count; r-- > 0;) {
        for (const std::uint32_t to : graph.neighbours(order[r])) {
            std::uint32_t at = rank[to];
            if (at <= r) continue;
            while (towards_root[at] != SeparatorTree::kNoParent && towards_root[at] != r) {
                const std::uint32_t next = towards_root[at];
                towards_root[at] = r;
                at = next;
            }
            if (towards_root[at] == SeparatorTree::kNoParent) {
                towards_root[at] = r;
                parent[at] = r;
            }
        }
    }
    return parent;
}

}  // namespace

SeparatorTree separator_tree(const Graph& graph, std::span<const std::uint32_t> order) {
    const auto count = static_cast<std::uint32_t>(order.size());
    std::vector<std::uint32_t> rank(count);
    for (std::uint32_t r = 0; r < count; ++r) rank[order[r]] = r;
    const std::vector<std::uint32_t> parent = parents_by_rank(graph, order, rank);

    std::vector<std::uint32_t> size(count, 1);
    for (std::uint32_t r = count; r-- > 0;) {
        if (parent[r] != SeparatorTree::kNoParent) size[parent[r]] += size[r];
    }
    // A node takes the first position of its subtree; its children follow in the order of ranks.
    SeparatorTree tree;
    tree.node.resize(count);
    tree.position.resize(count);
    tree.parent.resize(count);
    tree.depth.resize(count);
    tree.end.resize(count);
    std::vector<std::uint32_t> next_free(count);
    std::uint32_t next_root = 0;
    for (std::uint32_t r = 0; r < count; ++r) {
        std::uint32_t& free =
            parent[r] == SeparatorTree::kNoParent ? next_root : next_free[parent[r]];
        const std::uint32_t p = free;
        free += size[r];
        next_free[r] = p + 1;
        tree.node[p] = order[r];
        tree.end[p] = p + size[r];
        const std::uint32_t up = parent[r] == SeparatorTree::kNoParent
                                     ? SeparatorTree::kNoParent
                                     : tree.position[order[parent[r]]];
        tree.position[order[r]] = p;
        tree.parent[p] = up;
        tree.depth[p] = up == SeparatorTree::kNoParent ? 0 : tree.depth[up] + 1;
        tree.entries += std::uint64_t{tree.depth[p]} + 1;
    }
    return tree;
}

GroupTable group_table(const SeparatorTree& tree) {
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    GroupTable table;
    table.group.resize(count);
    for (std::uint32_t p = 0; p < count; ++p) {
        // An only child belongs to its parent's group.
        const std::uint32_t up = tree.parent[p];
        const bool only_child =
            up != SeparatorTree::kNoParent && up + 1 == p && tree.end[up] == tree.end[p];
        if (!only_child) {
            table.common.push_back(tree.depth[p]);
            table.top.push_back(p);
        }
        table.group[p] = static_cast<std::uint32_t>(table.common.size() - 1);
    }
    constexpr std::size_t kBlock = CutLabelArrays::kBlock;
    const std::size_t groups = table.common.size();
    table.before.resize(groups);
    table.after.assign(groups, std::numeric_limits<std::uint32_t>::max());
    const std::size_t blocks = (groups + kBlock - 1) / kBlock;
    const auto rows = static_cast<std::size_t>(std::bit_width(blocks));
    table.blocks.resize(rows * blocks);
    for (std::size_t g = 0; g < groups; ++g) {
        table.before[g] = table.common[g];
        if (g % kBlock != 0) table.before[g] = std::min(table.before[g], table.before[g - 1]);
        table.blocks[g / kBlock] = table.before[g];
    }
    for (std::size_t g = groups; g-- > 0;) {
        if (g % kBlock == kBlock - 1 || g + 1 == groups) continue;
        table.after[g] = std::min(table.common[g + 1], table.after[g + 1]);
    }
    for (std::size_t row = 1; row < rows; ++row) {
        const std::size_t half = std::size_t{1} << (row - 1);
        for (std::size_t b = 0; b < blocks; ++b) {
            const std::size_t other = std::min(b + half, blocks - 1);
            table.blocks[row * blocks + b] = std::min(table.blocks[(row - 1) * blocks + b],
                                                      table.blocks[(row - 1) * blocks + other]);
        }
    }
    return table;
}

Shares::Shares(const SeparatorTree& tree) {
    constexpr std::uint32_t kShares = 64;
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    const std::uint32_t max_size = count / kShares + 1;
    for (std::uint32_t p = 0; p < count;) {
        const bool small = tree.end[p] - p <= max_size;
        (small ? roots : above).push_back(p);
        p = small ? tree.end[p] : p + 1;
    }
}

void Shares::run(const BuildControl& control,
                 const std::function<void(std::uint32_t)>& work) const {
    for_each_index(roots.size(), 1, control, [&](std::size_t, std::size_t i) { work(roots[i]); });
}

}  // namespace cairn

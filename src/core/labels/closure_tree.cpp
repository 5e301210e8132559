#include "closure_tree.hpp"

#include <vector>

namespace cairn {

SeparatorTree place_tree(std::span<const std::uint32_t> parents) {
    const auto count = static_cast<std::uint32_t>(parents.size());
    // The children of a place, and the roots, are linked lists in the order of places.
    std::vector<std::uint32_t> first_child(count, ClosureNode::kNone);
    std::vector<std::uint32_t> next(count);
    std::uint32_t first_root = ClosureNode::kNone;
    for (std::uint32_t p = count; p-- > 0;) {
        std::uint32_t& first =
            parents[p] == ClosureNode::kNone ? first_root : first_child[parents[p]];
        next[p] = first;
        first = p;
    }
    SeparatorTree tree;
    tree.node.resize(count);
    tree.position.resize(count);
    tree.parent.resize(count);
    tree.depth.resize(count);
    tree.end.resize(count);
    std::uint32_t place = first_root;
    std::uint32_t up = SeparatorTree::kNoParent;  // position of the parent of `place`
    std::uint32_t depth = 0;
    for (std::uint32_t p = 0; p < count; ++p) {
        tree.node[p] = place;
        tree.position[place] = p;
        tree.parent[p] = up;
        tree.depth[p] = depth;
        tree.entries += std::uint64_t{depth} + 1;
        if (first_child[place] != ClosureNode::kNone) {
            place = first_child[place];
            up = p;
            ++depth;
            continue;
        }
        // Ends the subtrees whose last place this is.
        tree.end[p] = p + 1;
        while (next[place] == ClosureNode::kNone && up != SeparatorTree::kNoParent) {
            place = tree.node[up];
            tree.end[up] = p + 1;
            up = tree.parent[up];
            --depth;
        }
        place = next[place];
    }
    return tree;
}

SeparatorTree place_tree(const ClosureView& closure) {
    std::vector<std::uint32_t> parents;
    parents.reserve(closure.num_places());
    for (std::uint32_t p = 0; p < closure.num_places(); ++p)
        parents.push_back(closure.node(p).parent);
    return place_tree(parents);
}

}  // namespace cairn

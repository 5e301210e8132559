#include "subgoal/taut_graph.hpp"
#include "core/sort_unique.hpp"

#include <algorithm>
#include <utility>

namespace cairn::subgoal {

Result<Graph> taut_graph(const Snapshot& snapshot) {
    std::vector<std::uint32_t> first_out{0};
    std::vector<std::uint32_t> head;
    std::vector<Cost> weight;
    first_out.reserve(std::size_t{snapshot.nodes.size()} + 1);
    for (std::uint32_t node = 0; node < snapshot.nodes.size(); ++node) {
        for_each_taut_arc(snapshot, node, [&](std::uint32_t to, Cost cost) {
            head.push_back(to);
            weight.push_back(cost);
        });
        first_out.push_back(static_cast<std::uint32_t>(head.size()));
    }
    return make_graph(std::move(first_out), std::move(head), std::move(weight));
}

std::vector<std::uint32_t> taut_changes(const Snapshot& before, const Snapshot& after,
                                        std::span<const std::uint32_t> relinked,
                                        std::span<const std::uint32_t> reoriented) {
    std::vector<std::uint32_t> changes;
    const auto taut_in = [](const Snapshot& snapshot, grid::Point p, grid::Cell cell) {
        return is_taut(snapshot.nodes, p, snapshot.map.point(cell));
    };
    // Adds a node for each of its edges that is taut in one snapshot only. An edge that both have
    // differs only if the octants of an end do; then the other end may be in neither list, so it is
    // added, too.
    const auto add = [&](std::uint32_t node) {
        const bool turned = std::binary_search(reoriented.begin(), reoriented.end(), node);
        const bool present = !after.nodes.removed(node);
        const grid::Point p = present ? after.nodes.point(node) : before.nodes.point(node);
        const auto old_edges = before.graph.neighbours(p.x, p.y);
        const auto new_edges = after.graph.neighbours(p.x, p.y);
        auto a = old_edges.begin();
        auto b = new_edges.begin();
        while (a != old_edges.end() || b != new_edges.end()) {
            if (b == new_edges.end() || (a != old_edges.end() && *a < *b)) {
                if (taut_in(before, p, *a++)) changes.push_back(node);
            } else if (a == old_edges.end() || *b < *a) {
                if (taut_in(after, p, *b++)) changes.push_back(node);
            } else {
                if (turned && taut_in(before, p, *a) != taut_in(after, p, *b)) {
                    const grid::Point q = after.map.point(*b);
                    changes.push_back(node);
                    changes.push_back(after.nodes.number(q.x, q.y));
                }
                ++a;
                ++b;
            }
        }
    };
    for (const std::uint32_t node : relinked) add(node);
    for (const std::uint32_t node : reoriented) {
        if (!std::binary_search(relinked.begin(), relinked.end(), node)) add(node);
    }
    sort_unique(changes);
    return changes;
}

}  // namespace cairn::subgoal

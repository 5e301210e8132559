#include "core/labels/separator_depths.hpp"

#include <algorithm>
#include <numeric>

namespace cairn {

std::vector<std::uint32_t> places_in_order(const ClosureView& view) {
    std::vector<std::uint32_t> places(view.num_places());
    std::iota(places.begin(), places.end(), 0);
    std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
        return view.position(a) < view.position(b);
    });
    return places;
}

std::vector<std::uint32_t> separator_depths(const ClosureView& view) {
    constexpr std::uint64_t kNearlyAll = 9;  // tenths
    const std::vector<std::uint32_t> order = places_in_order(view);
    std::vector<std::uint64_t> nodes(view.num_places());  // at the place and below it
    for (auto place = order.rbegin(); place != order.rend(); ++place) {
        const ClosureNode& node = view.node(*place);
        if (node.node != ClosureNode::kNone) ++nodes[*place];
        if (node.parent != ClosureNode::kNone) nodes[node.parent] += nodes[*place];
    }
    std::vector<std::uint32_t> depths(view.num_places());
    for (const std::uint32_t place : order) {
        const std::uint32_t parent = view.node(place).parent;
        if (parent == ClosureNode::kNone) continue;
        const std::uint64_t below =
            nodes[parent] - (view.node(parent).node == ClosureNode::kNone ? 0 : 1);
        const bool continues = 10 * nodes[place] >= kNearlyAll * below;
        depths[place] = depths[parent] + (continues ? 0 : 1);
    }
    return depths;
}

}  // namespace cairn

#include "core/labels/separator_depths.hpp"

#include <algorithm>

namespace cairn {

std::vector<std::uint32_t> places_in_order(const ClosureView& view) {
    std::vector<std::uint64_t> keys(view.num_places());
    for (std::uint32_t place = 0; place < keys.size(); ++place) {
        keys[place] = std::uint64_t{view.position(place)} << 32 | place;
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> places(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) places[i] = static_cast<std::uint32_t>(keys[i]);
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

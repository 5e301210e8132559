#include "mesh/width_forest.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace cairn::mesh {

WidthForest::WidthForest(const MeshData& mesh) : nodes_(mesh.num_polygons()) {
    struct Pair {
        float width = 0;
        Portal portal = 0;
    };
    const MeshTopology& t = *mesh.topology;
    const auto blocked = [&](Polygon p) {
        return mesh.blocked[p] != 0 || mesh.closed(mesh.areas[p]);
    };
    std::vector<Pair> pairs;
    for (Portal portal = 0; portal < t.ends.size(); ++portal) {
        const Link link = 2 * portal;
        const Polygon first = t.link_polygon[link];
        const Polygon second = t.link_polygon[twin(link)];
        if (first == kNone || blocked(first) || blocked(second)) continue;
        const bool forth = t.passable[link] != 0;
        const bool back = t.passable[twin(link)] != 0;
        if (forth && back) {
            pairs.push_back({t.width(portal), portal});
        } else if (forth || back) {
            one_way_.push_back({forth ? first : second, forth ? second : first, t.width(portal)});
        }
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.width > b.width; });
    std::vector<std::uint32_t> sizes(nodes_.size(), 1);
    for (const Pair& pair : pairs) {
        Polygon a = root(t.link_polygon[2 * pair.portal], 0);
        Polygon b = root(t.link_polygon[2 * pair.portal + 1], 0);
        if (a == b) continue;
        if (sizes[a] < sizes[b]) std::swap(a, b);
        nodes_[b] = {a, pair.width};
        sizes[a] += sizes[b];
    }
}

bool WidthForest::connects(Polygon from, Polygon to, double radius) const {
    const double width = 2 * radius;
    const Polygon goal = root(to, width);
    const Polygon start = root(from, width);
    if (start == goal) return true;
    if (one_way_.empty()) return false;
    // Per one-way portal: 0 if it has not been reached, 1 if it can be crossed and what lies beyond
    // has not been searched, 2 once it has.
    constexpr std::size_t kFew = 1024;
    std::array<std::uint8_t, kFew> few{};
    std::vector<std::uint8_t> many(one_way_.size() > kFew ? one_way_.size() : 0);
    const std::span<std::uint8_t> crossed = many.empty() ? std::span(few) : std::span(many);
    Polygon at = start;
    while (true) {
        for (std::size_t i = 0; i < one_way_.size(); ++i) {
            const OneWay& portal = one_way_[i];
            if (crossed[i] != 0 || double{portal.width} < width || root(portal.from, width) != at)
                continue;
            if (root(portal.to, width) == goal) return true;
            crossed[i] = 1;
        }
        const auto next = static_cast<std::size_t>(
            std::find(crossed.begin(), crossed.end(), std::uint8_t{1}) - crossed.begin());
        if (next >= one_way_.size()) return false;
        crossed[next] = 2;
        at = root(one_way_[next].to, width);
    }
}

}  // namespace cairn::mesh

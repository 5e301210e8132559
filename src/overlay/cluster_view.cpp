#include "overlay/cluster_view.hpp"

namespace cairn {

std::vector<std::uint32_t> ClusterView::record(std::span<const std::uint32_t> bases,
                                               std::span<const std::uint32_t> infos,
                                               std::span<const Cost> costs) {
    if (bases.empty()) return {};
    const bool narrow = std::all_of(costs.begin(), costs.end(), [](Cost cost) {
        return cost < kNarrowInfinity || cost == kInfinity;
    });
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(bases.size()) |
                                     (narrow ? kNarrow : 0)};
    words.reserve(1 + 2 * bases.size() + costs.size());
    words.insert(words.end(), bases.begin(), bases.end());
    words.insert(words.end(), infos.begin(), infos.end());
    if (!narrow) {
        words.insert(words.end(), costs.begin(), costs.end());
        return words;
    }
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const std::uint32_t cost = std::min(costs[i], kNarrowInfinity);
        if (i % 2 == 0) {
            words.push_back(cost);
        } else {
            words.back() |= cost << 16;
        }
    }
    return words;
}

}  // namespace cairn

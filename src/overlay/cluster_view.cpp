#include "overlay/cluster_view.hpp"

namespace cairn {

std::vector<std::uint32_t> ClusterView::record(std::span<const std::uint32_t> bases,
                                               std::span<const std::uint32_t> infos,
                                               std::span<const Cost> costs) {
    return packed(bases, infos, costs, 0);
}

std::vector<std::uint32_t> ClusterView::record_of_rows(std::span<const std::uint32_t> bases,
                                                       std::span<const std::uint32_t> infos,
                                                       std::span<const Cost> costs) {
    const std::size_t n = bases.size();
    std::vector<Cost> both_ways;
    both_ways.reserve(n * n / 2);
    for (std::size_t row = 1; row < n; ++row) {
        for (std::size_t column = 0; column < row; ++column) {
            const Cost cost = costs[row * n + column];
            if (cost != costs[column * n + row]) return packed(bases, infos, costs, kDirected);
            both_ways.push_back(cost);
        }
    }
    return packed(bases, infos, both_ways, 0);
}

std::vector<std::uint32_t> ClusterView::packed(std::span<const std::uint32_t> bases,
                                               std::span<const std::uint32_t> infos,
                                               std::span<const Cost> costs, std::uint32_t flags) {
    if (bases.empty()) return {};
    const bool narrow = std::all_of(costs.begin(), costs.end(), [](Cost cost) {
        return cost < kNarrowInfinity || cost == kInfinity;
    });
    if (narrow) flags |= kNarrow;
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(bases.size()) | flags};
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

#include "haa/class_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace cairn::haa {
namespace {

int total_weight(const Capability& capability) noexcept {
    int total = 0;
    for (Terrain t = 0; t < kMaxTerrains; ++t) {
        if (capability.includes(t)) total += capability.weight[t];
    }
    return total;
}

}  // namespace

std::vector<std::uint8_t> choosing_order(const AnnotatedMap& map) {
    const auto rank = [&](std::uint8_t k) {
        const Agent agent = map.agent(k);
        const Capability& capability = map.options().capabilities[agent.capability];
        return std::tuple(-agent.size, std::popcount(capability.terrains),
                          -total_weight(capability), k);
    };
    std::vector<std::uint8_t> order(map.classes());
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::uint8_t a, std::uint8_t b) { return rank(a) < rank(b); });
    return order;
}

}  // namespace cairn::haa

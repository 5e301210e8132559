#include "haa/serving.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace cairn::haa {
namespace {

// Whether capability `b` includes the terrains of `a` at no higher weights.
bool covers(const Capability& a, const Capability& b) noexcept {
    if ((a.terrains & ~b.terrains) != 0) return false;
    for (Terrain t = 0; t < kMaxTerrains; ++t) {
        if (a.includes(t) && b.weight[t] > a.weight[t]) return false;
    }
    return true;
}

int total_weight(const Capability& capability) noexcept {
    int total = 0;
    for (Terrain t = 0; t < kMaxTerrains; ++t) {
        if (capability.includes(t)) total += capability.weight[t];
    }
    return total;
}

}  // namespace

Serving::Serving(const AnnotatedMap& map)
    : classes_(map.classes()), serves_(std::size_t{classes_} * classes_) {
    const auto& capabilities = map.options().capabilities;
    for (std::uint32_t e = 0; e < classes_; ++e) {
        const Agent edge = map.agent(e);
        for (std::uint32_t a = 0; a < classes_; ++a) {
            const Agent agent = map.agent(a);
            serves_[e * classes_ + a] =
                agent.size <= edge.size &&
                covers(capabilities[edge.capability], capabilities[agent.capability]);
        }
    }
    sort(map);
    find_nearest();
}

void Serving::sort(const AnnotatedMap& map) {
    const auto rank = [&](std::uint8_t k) {
        const Agent agent = map.agent(k);
        const Capability& capability = map.options().capabilities[agent.capability];
        return std::tuple(-agent.size, std::popcount(capability.terrains),
                          -total_weight(capability), k);
    };
    order_.resize(classes_);
    std::iota(order_.begin(), order_.end(), std::uint8_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::uint8_t a, std::uint8_t b) { return rank(a) < rank(b); });
}

void Serving::find_nearest() {
    nearest_.resize(classes_);
    for (std::size_t i = 0; i < order_.size(); ++i) {
        std::vector<std::uint8_t>& nearest = nearest_[order_[i]];
        for (std::size_t j = i; j-- > 0;) {
            const std::uint8_t other = order_[j];
            if (!(*this)(other, order_[i])) continue;
            const bool farther = std::any_of(nearest.begin(), nearest.end(),
                                             [&](std::uint8_t n) { return (*this)(other, n); });
            if (!farther) nearest.push_back(other);
        }
    }
}

}  // namespace cairn::haa

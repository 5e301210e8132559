#pragma once
// Which agent classes may use an edge that was made for another class: agents of at most the same
// size whose capability includes the other's terrains at no higher weights.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"

namespace cairn::haa {

/// Where class A serves class B, agents of B can stand and move wherever agents of A can, at no
/// higher cost. Serving is transitive, and every class serves itself.
class Serving {
public:
    explicit Serving(const AnnotatedMap& map);

    [[nodiscard]] std::uint32_t classes() const noexcept { return classes_; }

    /// Whether an edge of class `edge` serves agents of class `agent`.
    [[nodiscard]] bool operator()(std::uint32_t edge, std::uint32_t agent) const noexcept {
        return serves_[edge * classes_ + agent];
    }

    /// All classes, each after those that serve it: sorted by size (largest first), number of
    /// terrains (fewest first), weights (highest first), number.
    [[nodiscard]] std::span<const std::uint8_t> order() const noexcept { return order_; }

    /// The classes that serve `agent_class` directly: each comes before it in `order`, and every
    /// other class before it that serves it also serves one of these.
    [[nodiscard]] std::span<const std::uint8_t> nearest(std::uint32_t agent_class) const noexcept {
        return nearest_[agent_class];
    }

private:
    void sort(const AnnotatedMap& map);
    void find_nearest();

    std::uint32_t classes_;
    std::vector<bool> serves_;  // [edge's class * classes_ + agent's class]
    std::vector<std::uint8_t> order_;
    std::vector<std::vector<std::uint8_t>> nearest_;  // per class
};

}  // namespace cairn::haa

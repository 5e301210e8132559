#pragma once
// Which agent classes may use an edge that was made for another: smaller agents of a capability
// that includes its terrains at no higher weights.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"

namespace cairn::haa {

/// Wherever agents of a class can stand and move, agents of a class that it serves can, too, at no
/// higher cost. Serving is transitive, and every class serves itself.
class Serving {
public:
    explicit Serving(const AnnotatedMap& map);

    [[nodiscard]] std::uint32_t classes() const noexcept { return classes_; }

    /// Whether an edge made for class `edge` serves agents of class `agent`.
    [[nodiscard]] bool operator()(std::uint32_t edge, std::uint32_t agent) const noexcept {
        return serves_[edge * classes_ + agent];
    }

    /// All classes, each after those that serve it: sorted by size (largest first), number of
    /// terrains (fewest first), weights (highest first), number.
    [[nodiscard]] std::span<const std::uint8_t> order() const noexcept { return order_; }

    /// The classes that serve `agent_class` directly: every other class that serves it serves one
    /// of these.
    [[nodiscard]] std::span<const std::uint8_t> nearest(std::uint32_t agent_class) const noexcept {
        return nearest_[agent_class];
    }

private:
    void sort(const AnnotatedMap& map);
    void find_nearest();

    std::uint32_t classes_;
    std::vector<bool> serves_;
    std::vector<std::uint8_t> order_;
    std::vector<std::vector<std::uint8_t>> nearest_;
};

}  // namespace cairn::haa

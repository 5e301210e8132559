#pragma once
// Which agent classes may use an edge that was made for another: smaller agents of a capability
// that includes its terrains at no higher weights.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/haa/annotated_map.hpp"

namespace cairn::haa {

/// Where agents of one class can stand and move, those of a class that it serves can, and at no
/// higher cost. Serving is transitive, and every class serves itself.
class Serving {
public:
    explicit Serving(const AnnotatedMap& map);

    [[nodiscard]] std::uint32_t classes() const noexcept { return classes_; }

    /// Whether an edge made for class `edge` serves agents of class `agent`.
    [[nodiscard]] bool operator()(std::uint32_t edge, std::uint32_t agent) const noexcept {
        return serves_[edge * classes_ + agent];
    }

    /// All classes in an order in which a class comes behind those that serve it: the largest
    /// first, then those of the fewest terrains, of the highest weights, of the lowest number.
    [[nodiscard]] std::span<const std::uint8_t> order() const noexcept { return order_; }

    /// The classes next before `agent_class` that serve it: all others that come before and serve
    /// it serve one of these.
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

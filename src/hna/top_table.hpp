#pragma once
// The costs and next hops between all pairs of inter-edges of the top level.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "hna/hng.hpp"

namespace cairn::hna {

class TopTable {
public:
    /// Errors: cancelled; too_large (over `max_bytes`). One search per inter-edge, on all cores.
    [[nodiscard]] static Result<TopTable> build(const Hng& hng, std::uint64_t max_bytes,
                                                const BuildControl& control);

    struct Pair {
        Cost cost = kInfinity;
        std::uint32_t from = 0;
        std::uint32_t to = 0;
    };
    /// The pair of connectors with the least cost + cost between + cost below `bound`; the first of
    /// equals. O(from * to).
    [[nodiscard]] Pair least(std::span<const Connector> from, std::span<const Connector> to,
                             Cost bound) const noexcept;

    /// The inter-edges from one of a pair to the other, both included, into `path`.
    void find_path(const Pair& pair, std::vector<std::uint32_t>& path) const;

    [[nodiscard]] std::size_t bytes() const noexcept {
        return costs_.size() * sizeof(Cost) + hops_.size() * sizeof(std::uint32_t);
    }

private:
    std::size_t count_ = 0;
    std::vector<Cost> costs_;          // row by row: from, to
    std::vector<std::uint32_t> hops_;  // the next inter-edge
};

}  // namespace cairn::hna

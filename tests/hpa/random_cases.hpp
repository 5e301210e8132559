#pragma once
// Random maps, options and queries of HPA* of every kind, from a seed.

#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "cairn/hpa/query.hpp"
#include "support/random_maps.hpp"

namespace cairn::hpa::test {

using cairn::test::transformed;

class RandomCases : public cairn::test::RandomMaps {
public:
    using RandomMaps::RandomMaps;

    /// Any valid options, with up to 4 levels and clusters of up to 16 cells a side. In most of
    /// them indexes are complete (verify.hpp).
    [[nodiscard]] Options options();
    /// Any query without limits. Its engine is cut_labels or climb only if
    /// `labels`.
    [[nodiscard]] Query query(grid::Point start, grid::Point goal, bool labels);
    /// The same between any two cells.
    [[nodiscard]] Query query(const grid::Map& map, bool labels);
    /// A query between any two cells for the refined path without smoothing.
    [[nodiscard]] Query plain_query(const grid::Map& map);
};

}  // namespace cairn::hpa::test

#pragma once
// Seeded random maps, options and queries of every kind.

#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "cairn/hpa/query.hpp"
#include "support/random_maps.hpp"

namespace cairn::hpa::test {

using cairn::test::transformed;

class RandomCases : public cairn::test::RandomMaps {
public:
    using RandomMaps::RandomMaps;

    /// Any valid options; levels 1 to 4, clusters of up to 16 cells, mostly complete ones.
    [[nodiscard]] Options options();
    /// Any query without limits. Its engine needs labels only if `labels`.
    [[nodiscard]] Query query(grid::Point start, grid::Point goal, bool labels);
    /// The same between any two cells.
    [[nodiscard]] Query query(const grid::Map& map, bool labels);
    /// The bare abstract path between any two cells, refined.
    [[nodiscard]] Query plain_query(const grid::Map& map);
};

}  // namespace cairn::hpa::test

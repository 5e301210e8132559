#include "hpa/random_cases.hpp"

#include "hpa/verify.hpp"

namespace cairn::hpa::test {

using grid::Map;
using grid::Point;

Options RandomCases::options() {
    Options options;
    options.cluster_size = chance(30) ? 10 : number(2, 16);
    options.levels = number(1, 4);
    options.branching = number(2, 4);
    options.transitions = static_cast<Transitions>(number(0, 3));
    options.wide_entrance = number(2, 8);
    options.diagonals =
        chance(80) ? DiagonalCrossings::needed : static_cast<DiagonalCrossings>(number(1, 2));
    options.move_tables = chance(50);
    options.labels = chance(70);
    return options;
}

Query RandomCases::query(Point start, Point goal, bool labels) {
    Query query;
    query.start = start;
    query.goal = goal;
    query.detail = chance(70) ? Detail::path : static_cast<Detail>(number(0, 3));
    query.smoothing = static_cast<Smoothing>(number(0, 3));
    query.engine = static_cast<Engine>(number(0, labels ? 4 : 2));  // these are the last
    query.connect = static_cast<ConnectRule>(number(0, 2));
    query.try_direct_line = chance(30);
    query.corridor_ring = number(0, 3);
    return query;
}

// The start is drawn first by a statement of its own, because compilers may evaluate the arguments
// of a call in any order.
Query RandomCases::query(const Map& map, bool labels) {
    const Point start = point(map);
    return query(start, point(map), labels);
}

Query RandomCases::plain_query(const Map& map) {
    const Point start = point(map);
    return unsmoothed(start, point(map));
}

}  // namespace cairn::hpa::test

#pragma once
// Compares an index that was updated with one built anew.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "cairn/detour/path_query.hpp"
#include "detour_query.hpp"

namespace cairn::detour {

/// Checks that an index has the references and polygons of one built anew.
inline void check_refs(const PathIndex& index, const PathIndex& anew) {
    std::uint32_t kept = 0;
    for (mesh::Polygon p = 0; p < index.refs().num_polygons(); ++p) {
        const dtPolyRef ref = index.refs().ref(p);
        ASSERT_EQ(ref == 0, index.index().mesh().is_removed(p));
        if (ref == 0) continue;
        ++kept;
        ASSERT_EQ(index.refs().polygon(ref), p);
        const mesh::Polygon other = anew.refs().polygon(ref);
        ASSERT_NE(other, mesh::kNone);
        ASSERT_EQ(index.index().mesh().area(p), anew.index().mesh().area(other));
        ASSERT_EQ(index.index().mesh().blocked(p), anew.index().mesh().blocked(other));
        ASSERT_EQ(index.index().mesh().links(p).size(), anew.index().mesh().links(other).size());
    }
    ASSERT_EQ(kept, anew.refs().num_polygons());
}

/// Checks that queries between random pairs have the same answers as with an index built anew.
inline void check_answers(PathQuery& query, PathQuery& query_anew, int pairs,
                          std::mt19937& random) {
    const PathIndex& anew = query_anew.index();
    hna::Answer found;
    hna::Answer expected;
    for (int i = 0; i < pairs; ++i) {
        const Ends ends = random_ends(anew, random);
        const mesh::Point from{ends.from[0], ends.from[1], ends.from[2]};
        const mesh::Point to{ends.to[0], ends.to[1], ends.to[2]};
        ASSERT_EQ(query.index().reachable(ends.start, ends.end),
                  anew.reachable(ends.start, ends.end));
        ASSERT_EQ(query.find(ends.start, ends.end, from, to, found),
                  query_anew.find(ends.start, ends.end, from, to, expected));
        ASSERT_EQ(found.goal_moved, expected.goal_moved);
        if (found.status != StatusCode::ok) continue;
        if (found.goal_moved) {
            ASSERT_EQ(distance(position(found.goal.point), ends.to),
                      distance(position(expected.goal.point), ends.to));
        } else {
            ASSERT_EQ(found.cost, expected.cost);
        }
        const auto near = query.index().nearest(to, 3);
        const auto near_anew = anew.nearest(to, 3);
        ASSERT_EQ(near.has_value(), near_anew.has_value());
        if (near) {
            ASSERT_EQ(near->distance, near_anew->distance);
        }
    }
}

}  // namespace cairn::detour

// Every mesh made of unit squares of a 3 x 3 board, and every pair of its squares.

#include <gtest/gtest.h>

#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

// The squares whose bits are set in `cells`. Bit 0 is the first square of the first row.
Mesh squares(unsigned cells) {
    cairn::test::MeshParts parts;
    for (int corner = 0; corner < 16; ++corner)  // row by row, four a row
        parts.vertex(static_cast<float>(corner % 4), 0, static_cast<float>(corner / 4));
    for (unsigned cell = 0; cell < 9; ++cell) {
        if ((cells >> cell & 1U) == 0) continue;
        const std::uint32_t corner = cell / 3 * 4 + cell % 3;
        parts.polygon({corner, corner + 1, corner + 5, corner + 4});
    }
    return parts.build();
}

TEST(HnaExhaustiveTest, EverySubsetOfNineSquaresHasTheLeastCosts) {
    Searcher searcher;
    Answer answer;
    RandomMaps random(9);
    const auto step = static_cast<unsigned>(cairn::test::stride(1));
    for (unsigned cells = 1; cells < 512; cells += step) {
        const Mesh mesh = squares(cells);
        const MeshDijkstra oracle(mesh);
        for (const int levels : {1, 2}) {
            Options options;
            options.mu = 2;
            options.levels = levels;
            options.pccp = random.chance(30) ? Pccp::none : Pccp::portals;
            const Index index = build(mesh, options);
            for (Polygon from = 0; from < mesh.num_polygons(); ++from) {
                const Place start = cairn::test::random_place(mesh, from, random);
                for (Polygon to = 0; to < mesh.num_polygons(); ++to) {
                    const Place goal = cairn::test::random_place(mesh, to, random);
                    const Cost best = oracle.cost(start, goal);
                    ASSERT_EQ((index.reachable(from, to) == StatusCode::ok), best < kInfinity);
                    ASSERT_EQ(
                        fault_of_any_mode(index, query_of(start, goal), best, searcher, answer), "")
                        << "cells " << cells << " levels " << levels;
                }
            }
        }
    }
}

}  // namespace
}  // namespace cairn::hna::test

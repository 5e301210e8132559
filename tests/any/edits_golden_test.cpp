// Hashes of answers over sequences of edits, with labels made now and then. They are the same for
// every compiler, optimisation level and machine. If an intended change alters them, the failed
// test prints the new hashes, to be put here.

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "cairn/grid/generate.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "support/hash.hpp"
#include "support/planner.hpp"
#include "support/random_maps.hpp"

namespace cairn {
namespace {

using test::Hash;
using test::RandomMaps;

struct Hashes {
    std::string costs;  // of statuses and costs
    std::string paths;  // of cells
    friend bool operator==(const Hashes&, const Hashes&) = default;
};
void PrintTo(const Hashes& hashes, std::ostream* out) {
    *out << "costs " << hashes.costs << ", paths " << hashes.paths;
}

/// Blocks or frees small squares, 200 times, and asks for a few paths after each edit.
template <class P>
Hashes hashes_of(grid::MapKind kind) {
    grid::GenerateOptions generate;
    generate.kind = kind;
    generate.width = 90;
    generate.height = 70;
    generate.seed = 5;
    const grid::Map map = *grid::make_map(*grid::generate(generate));
    auto index = test::value_or_abort(P::Index::build(map, {}, test::one_thread()));
    RandomMaps random(17);
    Searcher<P> searcher;
    typename P::Query query;
    typename P::Answer answer;
    Hash costs;
    Hash paths;
    for (int step = 0; step < 200; ++step) {
        const grid::Rect area{random.number(0, 84), random.number(0, 64), random.number(1, 6),
                              random.number(1, 6)};
        const grid::TerrainEdit edit{area, static_cast<std::uint8_t>(step % 2 == 0 ? '@' : '.')};
        index = test::value_or_abort(index.edited({&edit, 1}));
        if (random.chance(40)) index = test::value_or_abort(index.with_labels(test::one_thread()));
        for (int i = 0; i < 5; ++i) {
            query.start = random.point(map);
            query.goal = random.point(map);
            searcher.find(index, query, answer);
            costs.add(static_cast<std::uint64_t>(answer.status));
            costs.add(answer.cost);
            for (const grid::Cell cell : answer.cells) paths.add(cell);
        }
    }
    return {costs.text(), paths.text()};
}

TEST(EditsGolden, AnswersOfSubgoalIndexesAreUnchanged) {
    using P = subgoal::Planner;
    EXPECT_EQ(hashes_of<P>(grid::MapKind::caves), (Hashes{"55ed1bb8ff16d87a", "c66bb9dbc146a83f"}));
    EXPECT_EQ(hashes_of<P>(grid::MapKind::rooms), (Hashes{"5853d0e7177ae932", "91e0df8ed936c093"}));
}

TEST(EditsGolden, AnswersOfHpaIndexesAreUnchanged) {
    using P = hpa::Planner;
    EXPECT_EQ(hashes_of<P>(grid::MapKind::caves), (Hashes{"8b54e8d48ab0da93", "40dcffb164bcd652"}));
    EXPECT_EQ(hashes_of<P>(grid::MapKind::rooms), (Hashes{"f27c3b1c28ebcb24", "8ab9acab718ecb00"}));
}

}  // namespace
}  // namespace cairn

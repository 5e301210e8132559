// `cairn-lab rts`: the game of units and a door.

#include <gtest/gtest.h>

#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

class Rts : public LabTest {};

TEST_F(Rts, OnlyAWorldLeavesPathsAlone) {
    const CsvRows games = rows("rts --units 60 --frames 41 --toggles 4 --side 80 --rounds 2");
    ASSERT_EQ(games.size(), 4U);
    for (const CsvRow& game : games) {
        EXPECT_EQ(game.number("wrong"), 0);
        EXPECT_EQ(game.number("toggles"), 4);
        EXPECT_LE(game.number("median_ms"), game.number("p99_ms"));
        EXPECT_LE(game.number("p99_ms"), game.number("worst_ms"));
        const bool world = game.text("way") == "world";
        EXPECT_EQ(game.number("replaced") == 4 * 60, !world) << game.text("planner");
        EXPECT_GT(game.number("replaced"), 0);
    }
}

}  // namespace
}  // namespace cairn::test

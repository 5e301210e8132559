#pragma once
// Tests of long sequences of edits, for any planner P on grids with labels (support/planner.hpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "support/planner.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::test {

template <class P>
class PlannerEdits : public testing::Test {
protected:
    using Index = typename P::Index;
    using Answer = typename P::Answer;

    /// An index with labels; with `pieces`, there is so little room for them that pieces have none.
    static Index any_index(typename P::Random& random, int longest, bool pieces) {
        for (;;) {
            const RandomMaps::Size size{random.number(longest / 2, longest),
                                        random.number(longest / 2, longest)};
            const auto map = P::any_map(random, size);
            auto index = P::any_index(random, map);
            if (!index.has_labels()) continue;
            if (!pieces) return index;
            auto options = index.options();
            options.label_bytes = 1;
            const auto tight = P::build(map, options);
            if (tight.has_labels()) continue;  // no abstract nodes
            options.label_bytes = std::stoull(tight.labels_status().message.substr(12))
                                  << random.number(1, 4);
            return P::build(map, options);
        }
    }
    /// One to three edits of small rectangles, after which about a third of the cells are blocked,
    /// in the long run.
    static std::vector<grid::TerrainEdit> small_edits(typename P::Random& random,
                                                      const Index& index) {
        std::vector<grid::TerrainEdit> edits;
        const int width = index.map().width();
        const int height = index.map().height();
        for (int count = random.number(1, 3); count > 0; --count) {
            grid::Rect area{random.number(0, width - 1), random.number(0, height - 1), 0, 0};
            area.width = random.number(1, std::min(5, width - area.x));
            area.height = random.number(1, std::min(5, height - area.y));
            const char terrain = random.chance(33) ? '@' : '.';
            edits.push_back({area, static_cast<std::uint8_t>(terrain)});
        }
        return edits;
    }
    /// Labels made by some number of threads.
    static Index with_labels(const Index& index, int threads) {
        if constexpr (requires(BuildControl control) { index.with_labels(control).value(); }) {
            BuildControl control;
            control.threads = threads;
            return index.with_labels(control).value();
        } else {
            return P::with_labels(index);
        }
    }
    /// A few answers by climbing, which must be right, and those by labels and on an index with the
    /// same edits, which must be the same.
    void expect_right(typename P::Random& random, const Index& index, const Index& same) {
        const std::vector<grid::Point> points = free_points(index.map());
        if (points.empty()) return;
        const grid::Point start = random.one_of(points);
        const std::vector<Cost> optimum = grid::dijkstra_distances(index.map(), start).value();
        for (int goals = 4; goals > 0; --goals) {
            const grid::Point goal = random.one_of(points);
            const auto query = P::query(start, goal, P::kClimb);
            searcher_.find(index, query, answer_);
            ASSERT_EQ(P::fault(index, query, answer_, optimum[index.map().cell(goal)]), "")
                << P::describe(index, query);
            searcher_.find(same, query, other_);
            ASSERT_TRUE(P::essence(answer_) == P::essence(other_)) << P::describe(index, query);
            if (!index.has_labels()) continue;
            searcher_.find(index, P::query(start, goal, P::kLabels), other_);
            if (other_.engine == P::kLabels) other_.engine = answer_.engine;
            ASSERT_TRUE(P::essence(answer_) == P::essence(other_)) << P::describe(index, query);
        }
    }

    /// Whether pieces have no labels, as far as the index tells.
    static constexpr bool kTellsPieces = requires(Index index) { index.statistics(); };
    static bool has_pieces(const Index& index) {
        if constexpr (kTellsPieces) return index.statistics().value().label_piece > 0;
        return false;
    }

    typename P::Searcher searcher_;
    Answer answer_;
    Answer other_;
};

TYPED_TEST_SUITE_P(PlannerEdits);

// Labels are made at random, after one or several edits. Another index gets the same edits and
// labels, by another number of threads.
TYPED_TEST_P(PlannerEdits, LongSequencesGiveRightAnswersByAnyThreads) {
    typename TypeParam::Random random(601);
    std::uint64_t with_pieces = 0;
    for (auto maps = 1 + scaled(9); maps > 0 && !this->HasFailure(); --maps) {
        auto index = this->any_index(random, 40, maps % 2 == 0);
        auto same = index;
        for (int steps = 400; steps > 0 && !this->HasFailure(); --steps) {
            const auto edits = random.chance(98) ? this->small_edits(random, index)
                                                 : TypeParam::edits(random, index);
            auto edited = index.edited(edits);
            if (!edited) continue;
            index = std::move(*edited);
            same = same.edited(edits).value();
            if (random.chance(60)) {
                index = this->with_labels(index, 1);
                same = this->with_labels(same, random.number(2, 3));
                with_pieces += this->has_pieces(index) ? 1 : 0;
            }
            ASSERT_EQ(index.snapshot_id(), same.snapshot_id());
            if (steps % 4 == 0) this->expect_right(random, index, same);
        }
    }
    if (TestFixture::kTellsPieces) {
        EXPECT_GT(with_pieces, 0U);
    }
}

// Snapshots share what does not change, and stay as they are.
TYPED_TEST_P(PlannerEdits, ThousandsOfSnapshotsStayAlive) {
    typename TypeParam::Random random(602);
    std::vector<typename TypeParam::Index> snapshots{this->any_index(random, 30, false)};
    for (auto count = scaled(5000); count > 1; --count) {
        auto edited = snapshots.back().edited(this->small_edits(random, snapshots.back()));
        if (edited) snapshots.push_back(TypeParam::with_labels(*edited));
    }
    for (int checks = 100; checks > 0 && !this->HasFailure(); --checks) {
        const auto& index = snapshots[static_cast<std::size_t>(
            random.number(0, static_cast<int>(snapshots.size()) - 1))];
        this->expect_right(random, index, index);
    }
}

// A third of the grids of 4 x 4 cells, each with all edits of a single cell.
TYPED_TEST_P(PlannerEdits, OfSingleCellsOfFourByFourGridsAreRight) {
    constexpr int kSide = 4;
    constexpr std::uint64_t kCells = kSide * kSide;
    typename TypeParam::Random random(603);
    for (std::uint64_t grid = 0; grid < std::uint64_t{1} << kCells; grid += stride(0.3)) {
        constexpr std::uint64_t kOdd = 40'503;  // so that all grids come, in any order
        const std::uint64_t free_cells = grid * kOdd % (std::uint64_t{1} << kCells);
        constexpr auto& kVariants = TypeParam::kVariants;
        const auto options = TypeParam::variant(kVariants[grid % kVariants.size()]);
        const auto index = TypeParam::build(small_map(kSide, kSide, free_cells), options);
        if (!index.has_labels()) continue;
        for (std::uint64_t cell = 0; cell < kCells && !this->HasFailure(); ++cell) {
            const auto x = static_cast<int>(cell % kSide);
            const auto y = static_cast<int>(cell / kSide);
            const auto free = static_cast<std::uint8_t>(free_cells >> cell & 1);
            const grid::TerrainEdit edit{{x, y, 1, 1}, static_cast<std::uint8_t>(1 - free)};
            auto edited = index.edited({&edit, 1}).value();
            this->expect_right(random, edited, edited);
            edited = TypeParam::with_labels(edited);
            this->expect_right(random, edited, edited);
            // And back.
            const grid::TerrainEdit undo{edit.area, free};
            const auto same = TypeParam::with_labels(edited.edited({&undo, 1}).value());
            this->expect_right(random, same, same);
        }
    }
}

REGISTER_TYPED_TEST_SUITE_P(PlannerEdits, LongSequencesGiveRightAnswersByAnyThreads,
                            ThousandsOfSnapshotsStayAlive, OfSingleCellsOfFourByFourGridsAreRight);

}  // namespace cairn::test

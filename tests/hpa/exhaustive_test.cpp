// Every small grid, every pair of cells, every policy.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "cairn/grid/dijkstra.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using cairn::test::small_map;
using grid::Map;
using grid::MoveRules;
using grid::Point;

Query query_of(Point start, Point goal, Engine engine, Smoothing smoothing) {
    Query query = unsmoothed(start, goal, engine);
    query.smoothing = smoothing;
    return query;
}

// Asks everything of one pair: all engines on indexes of 1 to 3 levels, all smoothings.
class PairCheck {
public:
    explicit PairCheck(std::vector<Index> indexes) : indexes_(std::move(indexes)) {}

    std::string fault(Point start, Point goal, Cost optimum) {
        const Cost plain = ask(0, query_of(start, goal, Engine::astar, Smoothing::none), optimum);
        const Engine best = indexes_[0].has_labels() ? Engine::cut_labels : Engine::levels;
        if (ask(0, query_of(start, goal, best, Smoothing::none), optimum) != plain)
            note("another cost by the automatic engine");
        for (std::size_t i = 0; i < indexes_.size(); ++i) {
            if (ask(i, query_of(start, goal, Engine::levels, Smoothing::none), optimum) != plain)
                note(fmt::format("another cost with {} levels", i + 1));
        }
        const Query lines = query_of(start, goal, best, Smoothing::straight_lines);
        const Cost straightened = ask(0, lines, optimum);
        const Query corridor = query_of(start, goal, best, Smoothing::corridor);
        if (ask(0, corridor, optimum) > straightened) note("the corridor search lengthens");
        return fault_;
    }

private:
    Cost ask(std::size_t index, const Query& query, Cost optimum) {
        searcher_.find(indexes_[index], query, answer_);
        const std::string fault = fault_of(indexes_[index], query, answer_, optimum);
        if (!fault.empty()) note(fault + describe(indexes_[index], query));
        return answer_.cost;
    }
    void note(const std::string& fault) {
        if (fault_.empty()) fault_ = fault;
    }

    std::vector<Index> indexes_;
    Searcher searcher_;
    Answer answer_;
    std::string fault_;
};

std::vector<Index> with_levels(const Map& map, Options options, int most) {
    std::vector<Index> indexes;
    for (options.levels = 1; options.levels <= most; ++options.levels) {
        indexes.push_back(build(map, options));
        options.labels = false;
    }
    return indexes;
}

// All pairs of a map, one order each; which one alternates.
std::string fault_of_map(const Map& map, const Options& options, int levels = 3) {
    const std::vector<Point> points = free_points(map);
    if (points.empty()) return "";
    PairCheck check(with_levels(map, options, levels));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::vector<Cost> optimum = grid::dijkstra_distances(map, points[i]);
        for (std::size_t j = 0; j < points.size(); ++j) {
            if (i != j && (i < j) != ((i + j) % 2 == 1)) continue;
            std::string fault = check.fault(points[i], points[j], optimum[map.cell(points[j])]);
            if (!fault.empty()) return fault;
        }
    }
    return "";
}

class Exhaustive : public testing::TestWithParam<MoveRules> {
protected:
    // A share of all grids of a size, larger by CAIRN_TEST_SCALE, up to all.
    void check_grids(int width, int height, const Options& options, double share) const {
        const std::uint32_t grids = 1U << (width * height);
        const std::uint64_t stride = cairn::test::stride(share);
        for (std::uint64_t i = 0; i < grids; i += stride) {
            // A stride through all grids in an order that mixes dense and sparse ones.
            const auto free = static_cast<std::uint32_t>(i * 0x9E37'79B1ULL % grids);
            ASSERT_EQ(fault_of_map(small_map(width, height, free, GetParam()), options), "");
        }
    }
};

TEST_P(Exhaustive, FourByFour) {
    Options options;
    options.cluster_size = 2;
    check_grids(4, 4, options, 0.2);
}

TEST_P(Exhaustive, EightByTwo) {
    Options options;
    options.cluster_size = 2;
    options.move_tables = false;
    check_grids(8, 2, options, 0.025);
}

TEST_P(Exhaustive, FiveByThreeInUnevenClusters) {
    Options options;
    options.cluster_size = 2;
    options.wide_entrance = 2;
    check_grids(5, 3, options, 0.025);
}

TEST_P(Exhaustive, ThreeByThreeWithEveryOption) {
    for (int variant = 0; variant < 36; ++variant) {
        Options options;
        options.cluster_size = 2;
        options.wide_entrance = 2;
        options.transitions = static_cast<Transitions>(variant % 3);
        options.diagonals = static_cast<DiagonalCrossings>(variant / 3 % 3);
        options.move_tables = variant / 9 % 2 == 0;
        options.labels = variant / 18 == 0;
        for (std::uint32_t free = 0; free < 512; ++free) {
            ASSERT_EQ(fault_of_map(small_map(3, 3, free, GetParam()), options, 2), "");
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, Exhaustive, testing::ValuesIn(kAllRules), case_name);

}  // namespace
}  // namespace cairn::hpa::test

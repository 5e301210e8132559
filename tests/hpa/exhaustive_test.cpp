// HPA* on every small grid: every pair of cells, under every move rule.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
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

// Checks one pair of cells: all engines, on indexes of 1, 2, ... levels of the same map, and all
// kinds of smoothing.
class PairCheck {
public:
    explicit PairCheck(std::vector<Index> indexes) : indexes_(std::move(indexes)) {}

    // The first fault; empty if there is none.
    std::string fault(Point start, Point goal, Cost optimum) {
        const Query by_astar = query_of(start, goal, Engine::astar, Smoothing::none);
        const Cost abstract_cost = cost_of(0, by_astar, optimum);
        const Engine engine = indexes_[0].has_labels() ? Engine::cut_labels : Engine::levels;
        if (cost_of(0, query_of(start, goal, engine, Smoothing::none), optimum) != abstract_cost)
            note("another cost by the engine that `automatic` chooses");
        for (std::size_t i = 0; i < indexes_.size(); ++i) {
            const Query by_levels = query_of(start, goal, Engine::levels, Smoothing::none);
            if (cost_of(i, by_levels, optimum) != abstract_cost)
                note(fmt::format("another cost with {} levels", i + 1));
        }
        const Query by_lines = query_of(start, goal, engine, Smoothing::straight_lines);
        const Query in_corridor = query_of(start, goal, engine, Smoothing::corridor);
        const Query in_band = query_of(start, goal, engine, Smoothing::band);
        const Cost lines_cost = cost_of(0, by_lines, optimum);
        if (cost_of(0, in_corridor, optimum) > lines_cost)
            note("a corridor search gives a longer path than straight lines");
        if (cost_of(0, in_band, optimum) > lines_cost)
            note("a search in a band gives a longer path than straight lines");
        return fault_;
    }

private:
    // The cost of the answer by indexes_[index]; notes the answer's fault.
    Cost cost_of(std::size_t index, const Query& query, Cost optimum) {
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

// Indexes of 1 to `max_levels` levels.
std::vector<Index> with_levels(const Map& map, Options options, int max_levels) {
    std::vector<Index> indexes;
    for (options.levels = 1; options.levels <= max_levels; ++options.levels) {
        indexes.push_back(build(map, options));
        options.labels = false;  // more levels do not change labels
    }
    return indexes;
}

// Checks all pairs of free cells, each in one of its two orders.
std::string fault_of_map(const Map& map, const Options& options, int max_levels = 3) {
    const std::vector<Point> points = free_points(map);
    if (points.empty()) return "";
    PairCheck check(with_levels(map, options, max_levels));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::vector<Cost> optimum = grid::dijkstra_distances(map, points[i]).value();
        for (std::size_t j = 0; j < points.size(); ++j) {
            const bool ascending = (i + j) % 2 == 1;  // the order of this pair
            if (i != j && (i < j) != ascending) continue;
            std::string fault = check.fault(points[i], points[j], optimum[map.cell(points[j])]);
            if (!fault.empty()) return fault;
        }
    }
    return "";
}

// That of Knuth's multiplicative hash. It is odd and no multiple of 3, so each grid is met once,
// and dense and sparse grids alternate.
constexpr std::uint64_t kMultiplier = 0x9E37'79B1;

class Exhaustive : public testing::TestWithParam<MoveRules> {
protected:
    // Checks a share of all grids of a size: `share` times CAIRN_TEST_SCALE.
    void check_grids(int width, int height, const Options& options, double share) const {
        const std::uint32_t grids = 1U << (width * height);
        const std::uint64_t stride = cairn::test::stride(share);
        for (std::uint64_t i = 0; i < grids; i += stride) {
            const auto free = static_cast<std::uint32_t>(i * kMultiplier % grids);
            ASSERT_EQ(fault_of_map(small_map(width, height, free, GetParam()), options), "");
        }
    }
};

TEST_P(Exhaustive, GridsOfFourByFourHaveNoFault) {
    Options options;
    options.cluster_size = 2;
    check_grids(4, 4, options, 0.2);
}

TEST_P(Exhaustive, GridsOfEightByTwoHaveNoFaultWithoutMoveTables) {
    Options options;
    options.cluster_size = 2;
    options.move_tables = false;
    check_grids(8, 2, options, 0.025);
}

TEST_P(Exhaustive, GridsOfFiveByThreeHaveNoFaultInUnevenClusters) {
    Options options;
    options.cluster_size = 2;
    options.wide_entrance = 2;
    check_grids(5, 3, options, 0.025);
}

TEST_P(Exhaustive, GridsOfThreeByThreeHaveNoFaultWithAnyOptions) {
    for (int variant = 0; variant < 4 * 3 * 2 * 2; ++variant) {
        Options options;
        options.cluster_size = 2;
        options.wide_entrance = 2;
        options.transitions = static_cast<Transitions>(variant % 4);
        options.diagonals = static_cast<DiagonalCrossings>(variant / 4 % 3);
        options.move_tables = variant / 12 % 2 == 0;
        options.labels = variant / 24 == 0;
        for (std::uint32_t free = 0; free < 1U << 9; ++free) {
            ASSERT_EQ(fault_of_map(small_map(3, 3, free, GetParam()), options, 2), "");
        }
    }
}

// All grids without obstacles, and a share of those with some.
TEST_P(Exhaustive, GridsOfThreeByThreeOverTwoWeightsHaveNoFault) {
    constexpr std::uint32_t kGrids = 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3;
    Options options;
    options.cluster_size = 2;
    grid::MapOptions map_options;
    map_options.rules = GetParam();
    map_options.weights = grid::TerrainWeights::literal();
    const auto check = [&](std::uint32_t digits, std::uint32_t base, std::uint8_t heavy) {
        const std::uint8_t weights[] = {1, heavy, 0};
        std::vector<std::uint8_t> terrain;
        for (int cell = 0; cell < 9; ++cell, digits /= base)
            terrain.push_back(weights[digits % base]);
        options.wide_entrance = 2 + terrain[4] % 2;
        ASSERT_EQ(fault_of_map(*Map::create(3, 3, terrain, map_options), options, 2), "");
    };
    for (const std::uint8_t heavy : std::array<std::uint8_t, 2>{2, 9}) {
        for (std::uint32_t grid = 0; grid < 1U << 9; ++grid) check(grid, 2, heavy);
        const std::uint64_t stride = cairn::test::stride(0.05);
        for (std::uint64_t i = 0; i < kGrids; i += stride)
            check(static_cast<std::uint32_t>(i * kMultiplier % kGrids), 3, heavy);
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, Exhaustive, testing::ValuesIn(kAllRules), case_name);

}  // namespace
}  // namespace cairn::hpa::test

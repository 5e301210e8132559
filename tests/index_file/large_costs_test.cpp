// Index files of maps on which paths, even inside clusters, cost more than a Cost can hold.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

#include "small_indexes.hpp"
#include "support/large_costs.hpp"
#include "support/planner.hpp"

namespace cairn::index_file::test {
namespace {

/// Expects that an index answers as before after it was written and read.
template <class Planner, class Index>
void expect_read_back(const Index& index, const grid::Map& map, cairn::test::RandomMaps& random) {
    const auto bytes = to_bytes(index);
    ASSERT_TRUE(bytes.has_value());
    const Result<Index> again = [&] {
        if constexpr (IndexFileMap<Index>::kHeld) {
            return read<Index>(*bytes);
        } else {
            return read<Index>(*bytes, map);
        }
    }();
    ASSERT_TRUE(again.has_value()) << again.error().message;
    Searcher<Planner> searcher;
    typename Planner::Answer expected;
    typename Planner::Answer answer;
    for (int i = 0; i < 20; ++i) {
        typename Planner::Query query;
        query.start = random.point(map);
        query.goal = random.point(map);
        ASSERT_EQ(searcher.find(index, query, expected), searcher.find(*again, query, answer));
        ASSERT_EQ(expected.cost, answer.cost);
        ASSERT_EQ(expected.cells, answer.cells);
    }
}

TEST(LargeCostsInIndexFiles, AreReadBack) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        cairn::test::RandomMaps random(seed);
        const grid::Map map =
            cairn::test::with_large_costs(random, random.map(random.size(24), {}));
        hpa::Options options;
        options.cluster_size = random.number(2, 10);
        options.levels = random.number(1, 3);
        const BuildControl control = cairn::test::one_thread();
        expect_read_back<hpa::Planner>(hpa::Index::build(map, options, control).value(), map,
                                       random);
        const grid::Map uniform =
            cairn::test::with_large_costs(random, random.uniform_map(random.size(24)));
        expect_read_back<subgoal::Planner>(subgoal::Index::build(uniform, {}, control).value(),
                                           uniform, random);
        haa::AnnotationOptions annotation;
        annotation.costs = uniform.options().costs;
        annotation.capabilities = {haa::Capability(1)};
        annotation.capabilities[0].weight[0] = 252;
        grid::TerrainImage image{uniform.width(), uniform.height(), {}};
        for (grid::Cell cell = 0; cell < uniform.size(); ++cell)
            image.terrain.push_back(uniform.passable(cell) ? '.' : '@');
        const auto annotated = haa::AnnotatedMap::create(image, annotation).value();
        haa::Options haa_options;
        haa_options.cluster_size = options.cluster_size;
        expect_read_back<haa::Planner>(haa::Index::build(annotated, haa_options, control).value(),
                                       uniform, random);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(LargeCostsInIndexFiles, ForgedOnesAreRefusedOrGiveLegalPaths) {
    cairn::test::RandomMaps random(3);
    hpa::Options options;
    options.cluster_size = 6;
    options.labels = false;
    const grid::Map map = cairn::test::with_large_costs(random, random.noise({14, 14}, 20));
    ASSERT_FALSE(map.costs_fit());
    const std::string bytes =
        to_bytes(hpa::Index::build(map, options, cairn::test::one_thread()).value()).value();
    std::mt19937_64 words(1);
    hpa::Searcher searcher;
    hpa::Answer answer;
    int accepted = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string forged = with_words_changed(bytes, words);
        if (i % 2 == 0) {  // costs beyond kInfinity
            const std::uint32_t word = 0x8000'0000U + static_cast<std::uint32_t>(words() % 3);
            std::memcpy(forged.data() + words() % (forged.size() / 4) * 4, &word, 4);
        }
        const auto index = read<hpa::Index>(resealed(forged), map);
        if (!index) continue;
        ++accepted;
        for (int k = 0; k < 10; ++k) {
            const hpa::Query query{.start = random.point(map),
                                   .goal = random.point(map),
                                   .smoothing = hpa::Smoothing::none};
            if (searcher.find(*index, query, answer) != StatusCode::ok) continue;
            ASSERT_EQ(answer.cells.front(), map.cell(query.start));
            ASSERT_EQ(answer.cells.back(), map.cell(query.goal));
            for (std::size_t step = 1; step < answer.cells.size(); ++step) {
                const std::array move{answer.cells[step - 1], answer.cells[step]};
                ASSERT_LT(grid::path_cost(map, move), kInfinity) << i;
            }
        }
    }
    EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace cairn::index_file::test

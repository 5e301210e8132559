#include "hpa/label_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/grid/dijkstra.hpp"
#include "hpa/snapshot.hpp"
#include "hpa/verify.hpp"

namespace cairn::hpa::test {

const CutLabels& labels_of(const Index& index) { return index.snapshot().labels->labels; }

bool same_labels(const Index& a, const Index& b) {
    const CutLabels of_a = labels_of(a).in_one_piece().value();
    const CutLabels of_b = labels_of(b).in_one_piece().value();
    return std::ranges::equal(of_a.arrays().up.entries, of_b.arrays().up.entries);
}

void expect_fresh_answers(RandomCases& random, const Index& index, const Index& fresh) {
    Searcher searcher;
    Answer answer;
    Answer expected;
    for (int starts = 0; starts < 5; ++starts) {
        const grid::Point start = random.point(index.map());
        const std::vector<Cost> optimum = grid::dijkstra_distances(index.map(), start).value();
        for (int goals = 0; goals < 8; ++goals) {
            const grid::Point goal = random.point(index.map());
            const Query query = unsmoothed(start, goal, Engine::cut_labels);
            searcher.find(fresh, query, expected);
            searcher.find(index, query, answer);
            ASSERT_EQ(answer.status, expected.status) << describe(index, query);
            ASSERT_EQ(answer.cost, expected.cost) << describe(index, query);
            if (answer.status != StatusCode::ok && answer.status != StatusCode::no_path) continue;
            ASSERT_EQ(fault_of(index, query, answer, optimum[index.map().cell(goal)]), "")
                << describe(index, query);
        }
    }
}

void expect_equal_answers(RandomCases& random, const Index& climbing, const Index& labelled) {
    Searcher searcher;
    Answer answer;
    Answer expected;
    for (int i = 0; i < 20; ++i) {
        Query query = random.query(climbing.map(), true);
        query.engine = Engine::cut_labels;
        searcher.find(labelled, query, expected);
        query.engine = Engine::climb;
        searcher.find(climbing, query, answer);
        ASSERT_EQ(answer.status, expected.status) << describe(climbing, query);
        ASSERT_EQ(answer.cost, expected.cost) << describe(climbing, query);
        ASSERT_EQ(answer.abstract_nodes, expected.abstract_nodes) << describe(climbing, query);
        ASSERT_EQ(answer.cells, expected.cells) << describe(climbing, query);
    }
}

}  // namespace cairn::hpa::test

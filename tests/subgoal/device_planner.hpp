#pragma once
// The traits of subgoal graphs for the tests of batches on devices (support/grid_devices.hpp).

#include <cstdint>

#include "batch/device/grid/cell_host.hpp"
#include "batch/device/grid/subgoal_plan.hpp"
#include "subgoal/verify.hpp"

namespace cairn::subgoal::test {

struct DevicePlanner {
    using Index = subgoal::Index;
    using BatchSearcher = batch::Searcher<subgoal::Planner>;
    using Host = batch::SubgoalHost;
    using Arrays = batch::SubgoalArrays;
    using Random = RandomMaps;

    [[nodiscard]] static Index build(const grid::Map& map) { return test::build(map); }
    /// An index that is pruned if `number` is even.
    [[nodiscard]] static Index variant(const grid::Map& map, std::uint64_t number) {
        Options options;
        options.prune = number % 2 == 0;
        return test::build(map, options);
    }
    [[nodiscard]] static Index any_index(Random& random, const Random::Size& size) {
        const CostModel costs = random.chance(70) ? CostModel{} : CostModel{2, 3};
        const grid::Map map = random.chance(50) ? random.noise(size, random.number(2, 45))
                                                : random.uniform_map(size, costs);
        return variant(map, random.chance(70) ? 0 : 1);
    }

    [[nodiscard]] static Query query(grid::Point start, grid::Point goal, bool paths) {
        return query_of(start, goal, Engine::cut_labels, paths ? Detail::path : Detail::cost);
    }
    [[nodiscard]] static Answer answer_to(const Index& index, const Query& query) {
        return test::answer_to(index, query);
    }
};

}  // namespace cairn::subgoal::test

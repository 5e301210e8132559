#pragma once
// The traits of HPA* for the tests of batches on devices (support/grid_devices.hpp).

#include <cstdint>

#include "batch/device/grid/cell_host.hpp"
#include "batch/device/grid/hpa_plan.hpp"
#include "hpa/level_one_graphs.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"

namespace cairn::hpa::test {

struct DevicePlanner {
    using Index = hpa::Index;
    using BatchSearcher = batch::Searcher<hpa::Planner>;
    using Host = batch::HpaHost;
    using Arrays = batch::HpaArrays;
    using Random = RandomCases;

    [[nodiscard]] static Index build(const grid::Map& map) { return test::build(map); }
    /// An index with clusters of 2 to 4 cells a side, by `number`.
    [[nodiscard]] static Index variant(const grid::Map& map, std::uint64_t number) {
        Options options;
        options.cluster_size = 2 + static_cast<int>(number % 3);
        return test::build(map, options);
    }
    [[nodiscard]] static Index any_index(Random& random, const Random::Size& size) {
        const grid::Map map = random.map(size, kAllRules[random.number(0, 3)]);
        Options options = random.options();
        options.move_tables = options.labels = true;
        const Index index = test::build(map, options);
        if (random.chance(50)) return index;
        return with_labels_as_numbered(*index.edited(random.edits(map)));
    }

    [[nodiscard]] static Query query(grid::Point start, grid::Point goal, bool paths) {
        Query query;
        query.start = start;
        query.goal = goal;
        query.engine = Engine::cut_labels;
        query.smoothing = Smoothing::none;
        query.detail = paths ? Detail::path : Detail::cost;
        return query;
    }
    [[nodiscard]] static Answer answer_to(const Index& index, const Query& query) {
        return test::answer_to(index, query);
    }
};

}  // namespace cairn::hpa::test

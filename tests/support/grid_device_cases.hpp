#pragma once
// Indexes and requests for the tests of batches on devices (support/grid_devices.hpp,
// support/grid_kernels.hpp), for any planner on grids: P is subgoal::test::DevicePlanner or
// hpa::test::DevicePlanner.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/grid/smooth.hpp"
#include "support/random_maps.hpp"

namespace cairn::test {

using batch::DeviceGridQuery;

template <class P>
struct DeviceCase {
    typename P::Index index;
    std::vector<grid::Request> requests;
};

/// A random index of a map of up to `longest` cells a side, and requests. One end in twenty is any
/// cell, blocked ones and ones just outside the map included.
template <class P>
DeviceCase<P> device_case(std::uint64_t seed, int longest, int requests) {
    typename P::Random random(seed);
    const auto size = random.size(longest);
    DeviceCase<P> result{P::any_index(random, size), {}};
    const grid::Map& map = result.index.map();
    const std::vector<grid::Point> free = free_points(map);
    const auto random_end = [&] {
        if (!free.empty() && random.chance(95)) return random.one_of(free);
        const int x = random.number(-1, map.width());
        const int y = random.number(-1, map.height());
        return grid::Point{x, y};
    };
    for (int i = 0; i < requests; ++i) {
        const grid::Point start = random_end();
        const grid::Point goal = random_end();
        result.requests.push_back({start, goal});
    }
    return result;
}

/// In percent of the cells. With many obstacles the device answers most requests, with few the
/// host.
inline constexpr int kManyObstacles = 25;
inline constexpr int kFewObstacles = 2;

/// A map of 90 x 70 cells with obstacles of single cells, and requests between free cells.
template <class P>
DeviceCase<P> large_case(int requests, int density = kManyObstacles) {
    RandomMaps random(5);
    const grid::Map map = random.noise({90, 70}, density);
    DeviceCase<P> result{P::build(map), {}};
    const std::vector<grid::Point> free = free_points(map);
    for (int i = 0; i < requests; ++i) {
        const grid::Point start = random.one_of(free);
        const grid::Point goal = random.one_of(free);
        result.requests.push_back({start, goal});
    }
    return result;
}

/// The requests from every free cell of a map to every free cell.
inline std::vector<grid::Request> all_requests(const grid::Map& map) {
    const std::vector<grid::Point> free = free_points(map);
    std::vector<grid::Request> requests;
    requests.reserve(free.size() * free.size());
    for (const grid::Point start : free) {
        for (const grid::Point goal : free) requests.push_back({start, goal});
    }
    return requests;
}

/// The correct answer of a device to a request.
struct ExpectedPath {
    StatusCode status = StatusCode::ok;
    Cost cost = kInfinity;
    std::vector<grid::Cell> cells;
};
/// The answer of a single query by the planner itself: by labels, if there are any.
template <class P>
ExpectedPath expected(const typename P::Index& index, const grid::Request& request,
                      const DeviceGridQuery& model) {
    auto query = P::query(request.start, request.goal, model.paths);
    if (model.engine == batch::DeviceGridEngine::climb || !index.has_labels())
        query.engine = decltype(query.engine)::climb;
    const auto single = P::answer_to(index, query);
    ExpectedPath result{single.status, single.cost, single.cells};
    if (model.cells == batch::Cells::turning)
        grid::waypoints(index.map(), single.cells, result.cells);
    return result;
}

}  // namespace cairn::test

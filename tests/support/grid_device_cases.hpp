#pragma once
// Indexes and requests for the tests of batches on devices, for any planner on grids.
//
// `P` is subgoal::test::DevicePlanner or hpa::test::DevicePlanner.

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

/// An index of any kind that devices take, and requests to anywhere, outside and blocked included.
template <class P>
DeviceCase<P> device_case(std::uint64_t seed, int longest, int requests) {
    typename P::Random random(seed);
    const auto size = random.size(longest);
    DeviceCase<P> out{P::any_index(random, size), {}};
    const grid::Map& map = out.index.map();
    const std::vector<grid::Point> free = free_points(map);
    const auto end = [&] {
        if (!free.empty() && random.chance(95)) return random.one_of(free);
        const int x = random.number(-1, map.width());
        const int y = random.number(-1, map.height());
        return grid::Point{x, y};
    };
    for (int i = 0; i < requests; ++i) {
        const grid::Point start = end();
        const grid::Point goal = end();
        out.requests.push_back({start, goal});
    }
    return out;
}

/// A map of small obstacles; where they are many, most requests are for a device.
template <class P>
DeviceCase<P> large_case(int requests, int density = 25) {
    RandomMaps random(5);
    const grid::Map map = random.noise({90, 70}, density);
    DeviceCase<P> out{P::build(map), {}};
    const std::vector<grid::Point> free = free_points(map);
    for (int i = 0; i < requests; ++i) {
        const grid::Point start = random.one_of(free);
        const grid::Point goal = random.one_of(free);
        out.requests.push_back({start, goal});
    }
    return out;
}

/// All pairs of a map's free cells.
inline std::vector<grid::Request> all_requests(const grid::Map& map) {
    const std::vector<grid::Point> free = free_points(map);
    std::vector<grid::Request> requests;
    requests.reserve(free.size() * free.size());
    for (const grid::Point start : free) {
        for (const grid::Point goal : free) requests.push_back({start, goal});
    }
    return requests;
}

/// What a device has to answer to a request.
struct ExpectedPath {
    StatusCode status = StatusCode::ok;
    Cost cost = kInfinity;
    std::vector<grid::Cell> cells;
};
template <class P>
ExpectedPath expected(const typename P::Index& index, const grid::Request& request,
                      const DeviceGridQuery& model) {
    const auto single = P::answer_to(index, P::query(request.start, request.goal, model.paths));
    ExpectedPath out{single.status, single.cost, single.cells};
    if (model.cells == batch::Cells::turning) grid::waypoints(index.map(), single.cells, out.cells);
    return out;
}

}  // namespace cairn::test

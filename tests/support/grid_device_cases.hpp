#pragma once
// Indexes and trips for the tests of batches on devices, for any planner on grids.
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
    std::vector<grid::Request> trips;
};

/// An index of any kind that devices take, and trips to anywhere, outside and blocked included.
template <class P>
DeviceCase<P> device_case(std::uint64_t seed, int longest, int trips) {
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
    for (int i = 0; i < trips; ++i) {
        const grid::Point start = end();
        const grid::Point goal = end();
        out.trips.push_back({start, goal});
    }
    return out;
}

/// A map of small obstacles; where they are many, most trips are for a device.
template <class P>
DeviceCase<P> large_case(int trips, int density = 25) {
    RandomMaps random(5);
    const grid::Map map = random.noise({90, 70}, density);
    DeviceCase<P> out{P::build(map), {}};
    const std::vector<grid::Point> free = free_points(map);
    for (int i = 0; i < trips; ++i) {
        const grid::Point start = random.one_of(free);
        const grid::Point goal = random.one_of(free);
        out.trips.push_back({start, goal});
    }
    return out;
}

/// All pairs of a map's free cells.
inline std::vector<grid::Request> all_trips(const grid::Map& map) {
    const std::vector<grid::Point> free = free_points(map);
    std::vector<grid::Request> trips;
    trips.reserve(free.size() * free.size());
    for (const grid::Point start : free) {
        for (const grid::Point goal : free) trips.push_back({start, goal});
    }
    return trips;
}

/// What a device has to answer to a trip.
struct ExpectedRoute {
    StatusCode status = StatusCode::ok;
    Cost cost = kInfinity;
    std::vector<grid::Cell> cells;
};
template <class P>
ExpectedRoute expected(const typename P::Index& index, const grid::Request& trip,
                       const DeviceGridQuery& model) {
    const auto single = P::answer_to(index, P::query(trip.start, trip.goal, model.paths));
    ExpectedRoute out{single.status, single.cost, single.cells};
    if (model.cells == batch::Cells::turning) grid::waypoints(index.map(), single.cells, out.cells);
    return out;
}

}  // namespace cairn::test

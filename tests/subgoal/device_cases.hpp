#pragma once
// Indexes and trips for the tests of batches on devices.

#include <cstdint>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/grid/smooth.hpp"
#include "subgoal/verify.hpp"

namespace cairn::subgoal::test {

using batch::CellTrip;
using batch::DeviceGridQuery;

struct DeviceCase {
    Index index;
    std::vector<CellTrip> trips;
};

/// A map of some kind, its index with direct edges and labels, and trips to anywhere, outside and
/// blocked included.
inline DeviceCase device_case(std::uint64_t seed, int longest, int trips) {
    RandomMaps random(seed);
    Options options;
    options.prune = random.chance(70);
    const CostModel costs = random.chance(70) ? CostModel{} : CostModel{2, 3};
    const RandomMaps::Size size = random.size(longest);
    const grid::Map map = random.chance(50) ? random.noise(size, random.number(2, 45))
                                            : random.uniform_map(size, costs);
    DeviceCase out{build(map, options), {}};
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

/// A map of many small obstacles, on which most trips need labels.
inline DeviceCase large_case(int trips) {
    RandomMaps random(5);
    const grid::Map map = random.noise({90, 70}, 25);
    DeviceCase out{build(map), {}};
    const std::vector<grid::Point> free = free_points(map);
    for (int i = 0; i < trips; ++i) {
        const grid::Point start = random.one_of(free);
        const grid::Point goal = random.one_of(free);
        out.trips.push_back({start, goal});
    }
    return out;
}

/// All pairs of a map's free cells.
inline std::vector<CellTrip> all_trips(const grid::Map& map) {
    const std::vector<grid::Point> free = free_points(map);
    std::vector<CellTrip> trips;
    trips.reserve(free.size() * free.size());
    for (const grid::Point start : free) {
        for (const grid::Point goal : free) trips.push_back({start, goal});
    }
    return trips;
}

/// What a device has to answer to a trip; `searcher` is scratch.
inline Answer expected(const Index& index, Searcher& searcher, const CellTrip& trip,
                       const DeviceGridQuery& model) {
    Answer answer;
    searcher.find(index,
                  query_of(trip.start, trip.goal, Engine::cut_labels,
                           model.paths ? Detail::path : Detail::cost),
                  answer);
    if (model.cells == batch::Cells::turning) {
        std::vector<grid::Cell> turning;
        grid::waypoints(index.map(), answer.cells, turning);
        answer.cells = turning;
    }
    return answer;
}

}  // namespace cairn::subgoal::test

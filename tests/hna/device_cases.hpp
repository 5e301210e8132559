#pragma once
// Indexes and requests for the tests of batches on devices.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/mesh/astar.hpp"
#include "hna/verify.hpp"

namespace cairn::hna::test {

struct LabelledCase {
    Index index;
    std::vector<mesh::Request> requests;
};

/// An index with labels, of small clusters, and requests to anywhere, outside and blocked included.
inline LabelledCase labelled_case(std::uint64_t seed, int requests) {
    RandomMaps random(seed);
    Options options;
    options.mu = random.number(2, 12);
    const auto index = Index::build(random_mesh(seed), options);
    EXPECT_TRUE(index.has_value()) << index.error().message;
    LabelledCase out{*index, {}};
    for (int i = 0; i < requests; ++i) {
        const Place start = any_query(*index, random).start;
        const Place goal = any_query(*index, random).goal;
        out.requests.push_back({start, goal});
    }
    return out;
}

inline constexpr std::array kDeviceEngines{
    batch::DeviceEngine::cut_labels, batch::DeviceEngine::pccp,
    batch::DeviceEngine::parallel_connect, batch::DeviceEngine::polygon_astar};

/// Whether an index can be asked an engine.
inline bool has(const Index& index, batch::DeviceEngine engine) {
    return index.has_labels() || engine != batch::DeviceEngine::cut_labels;
}

/// The first of those whose index has labels, in portals that lead both ways, and whose mesh is not
/// tiny.
inline LabelledCase large_case(int requests) {
    for (std::uint64_t seed = 0;; ++seed) {
        LabelledCase c = labelled_case(seed, requests);
        if (c.index.has_labels() && c.index.mesh().num_polygons() > 30) return c;
    }
}

/// What a single query asks that a device asks for a request.
inline Query single_query(const mesh::Request& request, const batch::DeviceQuery& model) {
    Query query;
    query.start = request.start;
    query.goal = request.goal;
    const bool labels = model.engine == batch::DeviceEngine::cut_labels;
    query.engine = labels ? Engine::cut_labels : Engine::astar;
    query.detail = model.corridors ? Detail::corridor : Detail::cost;
    query.reach = model.reach;
    return query;
}

/// What a device has to answer to a request.
struct Expected {
    StatusCode status = StatusCode::ok;
    Cost cost = kInfinity;
    std::vector<Polygon> polygons;
};
inline Expected expected(const Index& index, const mesh::Request& request,
                         const batch::DeviceQuery& model) {
    const Answer single = answer_to(index, single_query(request, model));
    Expected out{single.status, single.cost, single.polygons};
    if (model.engine != batch::DeviceEngine::polygon_astar || out.status != StatusCode::ok)
        return out;
    mesh::Path path;
    out.status = mesh::Astar().find_path(index.mesh(), single.start, single.goal, path);
    out.cost = path.cost;
    out.polygons.clear();
    if (model.corridors)
        mesh::polygons(index.mesh(), single.start.polygon, path.links, out.polygons);
    return out;
}

}  // namespace cairn::hna::test

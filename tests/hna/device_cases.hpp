#pragma once
// Indexes, requests and expected answers for the tests of HNA* batches on devices.

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

/// An index of one to three levels of small clusters, and `requests` requests between random
/// places, blocked ones included. The index has labels unless its mesh has one-way portals.
inline LabelledCase labelled_case(const Mesh& mesh, std::uint64_t seed, int requests) {
    RandomMaps random(seed);
    Options options;
    options.levels = random.number(1, 3);
    options.mu = random.number(2, options.levels == 1 ? 12 : 4);
    if (ranks_by_centres(mesh) && random.chance(50)) options.pccp = Pccp::centres;
    const auto index = Index::build(mesh, options);
    EXPECT_TRUE(index.has_value()) << index.error().message;
    LabelledCase out{*index, {}};
    for (int i = 0; i < requests; ++i) {
        const Place start = any_query(*index, random).start;
        const Place goal = any_query(*index, random).goal;
        out.requests.push_back({start, goal});
    }
    return out;
}

inline LabelledCase labelled_case(std::uint64_t seed, int requests) {
    return labelled_case(random_mesh(seed), seed, requests);
}

inline constexpr std::array kDeviceEngines{
    batch::DeviceEngine::cut_labels, batch::DeviceEngine::climb, batch::DeviceEngine::pccp,
    batch::DeviceEngine::parallel_connect, batch::DeviceEngine::polygon_astar};

/// A query for an engine. The level that A* searches changes from seed to seed.
inline batch::DeviceQuery device_query(batch::DeviceEngine engine, std::uint64_t seed) {
    batch::DeviceQuery query;
    query.engine = engine;
    query.search_level = static_cast<SearchLevel>(seed % 3);
    return query;
}

/// Whether an index supports an engine: only cut_labels needs labels, and climb their closure.
inline bool supports(const Index& index, batch::DeviceEngine engine) {
    if (engine == batch::DeviceEngine::climb) return index.has_closure();
    return index.has_labels() || engine != batch::DeviceEngine::cut_labels;
}

/// The first labelled_case whose index has labels and whose mesh has more than 30 polygons.
inline LabelledCase large_case(int requests) {
    for (std::uint64_t seed = 0;; ++seed) {
        LabelledCase c = labelled_case(seed, requests);
        if (c.index.has_labels() && c.index.mesh().num_polygons() > 30) return c;
    }
}

/// The query of a Searcher that is to give the same answer as a device gives to a request.
inline Query single_query(const mesh::Request& request, const batch::DeviceQuery& model) {
    Query query;
    query.start = request.start;
    query.goal = request.goal;
    const bool climbs = model.engine == batch::DeviceEngine::climb;
    query.engine = model.engine == batch::DeviceEngine::cut_labels ? Engine::cut_labels
                   : climbs                                        ? Engine::climb
                                                                   : Engine::astar;
    query.connect = ConnectBy::portals;
    query.search_level = model.search_level;
    query.detail = model.corridors ? Detail::corridor : Detail::cost;
    query.reach = model.reach;
    return query;
}

/// The right answer of a device to a request.
struct Expected {
    StatusCode status = StatusCode::ok;
    Cost cost = kInfinity;
    std::vector<Polygon> polygons;  ///< empty unless corridors are asked for
};
/// Computed by a Searcher, or by A* over the polygons for DeviceEngine::polygon_astar.
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

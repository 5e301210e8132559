#pragma once
// What a device must answer on a mesh.

#include <span>

#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/planner.hpp"

namespace cairn::app {

/// The query of all agents of a crowd.
[[nodiscard]] inline hna::Query crowd_query(hna::Engine engine) {
    hna::Query query;
    query.engine = engine;
    query.detail = hna::Detail::corridor;
    return query;
}

/// The answers of a batch on the processors, which a device with this engine must give too.
[[nodiscard]] inline Result<mesh::Paths> paths_as_device(const hna::Index& index,
                                                         std::span<const mesh::Request> requests,
                                                         const batch::DeviceQuery& query,
                                                         const BuildControl& control) {
    if (query.engine == batch::DeviceEngine::polygon_astar)
        return batch::find_paths<mesh::AstarPlanner>(
            index.mesh(), requests, {.detail = mesh::Detail::corridor}, {}, control);
    hna::Query model =
        crowd_query(query.engine == batch::DeviceEngine::cut_labels ? hna::Engine::cut_labels
                    : query.engine == batch::DeviceEngine::climb    ? hna::Engine::climb
                                                                    : hna::Engine::astar);
    model.connect = hna::ConnectBy::portals;
    model.search_level = query.search_level;
    return batch::find_paths<hna::Planner>(index, requests, model, {}, control);
}

}  // namespace cairn::app

#if __has_include("Entry.h")
#include "Entry.h"  // the start kit's own
#else
#include "dynamic_entry.hpp"
#endif

#include "edits.hpp"
#include "planner.hpp"

using cairn::grid::Map;
using cairn::grid::TerrainEdit;

namespace {

/// 1 if cell i of a patch is traversable, else 0: the terrain bytes of gppc::make_map.
std::uint8_t terrain_of(const gppc_patch& patch, std::size_t i) {
    return patch.bitarray[i / 8] >> (i % 8) & 1;
}

cairn::Result<Map> map_of(const gppc_patch& patch) {
    std::vector<std::uint8_t> terrain(std::size_t{patch.width} * patch.height);
    for (std::size_t i = 0; i < terrain.size(); ++i) terrain[i] = terrain_of(patch, i);
    return gppc::make_map(patch.width, patch.height, terrain);
}

struct Session {
    gppc_patch active_map;
    std::unique_ptr<gppc::Planner> planner;
    std::vector<TerrainEdit> edits;
    std::vector<gppc_point> path;
};

}  // namespace

void gppc_preprocess_init_map(gppc_patch init_map, const char* preprocess_filename) {
    gppc::preprocess(map_of(init_map), preprocess_filename);
}

void* gppc_search_init(gppc_patch active_map, const char* preprocess_filename) {
    auto planner = gppc::Planner::open(map_of(active_map), preprocess_filename);
    if (planner == nullptr) return nullptr;
    return new Session{active_map, std::move(planner), {}, {}};
}

void gppc_map_change(void* data, const gppc_patch* changes, std::uint32_t changes_length) {
    if (data == nullptr) return;
    auto& session = *static_cast<Session*>(data);
    // Patches often repeat what the map already has.
    session.edits.clear();
    const auto wanted = [&](cairn::grid::Cell c) { return terrain_of(session.active_map, c); };
    for (const gppc_patch& change : std::span(changes, changes_length)) {
        gppc::add_edits(session.planner->map(),
                        {change.pos.x, change.pos.y, change.width, change.height}, wanted,
                        session.edits);
    }
    session.planner->change(session.edits);
}

gppc_path gppc_get_path(void* data, gppc_point start, gppc_point goal) {
    if (data == nullptr) return {};
    auto& session = *static_cast<Session*>(data);
    gppc::to_points(session.planner->path({start.x, start.y}, {goal.x, goal.y}),
                    session.active_map.width, session.path);
    return {session.path.data(), static_cast<std::uint32_t>(session.path.size()), 0};
}

void gppc_free_data(void* data) { delete static_cast<Session*>(data); }

const char* gppc_get_name() { return gppc::kName; }

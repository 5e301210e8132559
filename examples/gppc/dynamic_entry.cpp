#if __has_include("Entry.h")
#include "Entry.h"  // the start kit's own
#else
#include "dynamic_entry.hpp"
#endif

#include <limits>

#include "planner.hpp"

using cairn::grid::Map;
using cairn::grid::Rect;
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

/// Whether `run`, whose left end is in the same column as that of `edit`, lies right below `edit`,
/// and is as wide and of the same terrain.
bool extends(const TerrainEdit& edit, const TerrainEdit& run) {
    return edit.terrain == run.terrain && edit.area.width == run.area.width &&
           edit.area.y + edit.area.height == run.area.y;
}

/// Adds edits that make `area` of `map` equal to the active map. Patches often repeat what the map
/// already has, and an edit takes time for each cell around it. So only cells that differ are
/// edited, and runs of cells with the same ends in consecutive rows become one rectangle.
void add_edits(const gppc_patch& active_map, const Map& map, const Rect& area,
               std::vector<TerrainEdit>& edits) {
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    // The last edit that begins in each column of the area, as an index into `edits`.
    std::vector<std::size_t> newest(static_cast<std::size_t>(area.width), kNone);
    const int right = area.x + area.width;
    for (int y = area.y; y < area.y + area.height; ++y) {
        const auto wanted = [&](int x) { return terrain_of(active_map, map.cell({x, y})); };
        const auto differs = [&](int x) { return wanted(x) != map.terrain(map.cell({x, y})); };
        for (int x = area.x; x < right; ++x) {
            if (!differs(x)) continue;
            const std::uint8_t terrain = wanted(x);
            const int left = x;
            while (x + 1 < right && differs(x + 1) && wanted(x + 1) == terrain) ++x;
            const TerrainEdit run{{left, y, x + 1 - left, 1}, terrain};
            std::size_t& above = newest[static_cast<std::size_t>(left - area.x)];
            if (above != kNone && extends(edits[above], run)) {
                ++edits[above].area.height;
            } else {
                above = edits.size();
                edits.push_back(run);
            }
        }
    }
}

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
    session.edits.clear();
    for (const gppc_patch& change : std::span(changes, changes_length)) {
        add_edits(session.active_map, session.planner->map(),
                  {change.pos.x, change.pos.y, change.width, change.height}, session.edits);
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

#pragma once
// What a crowd needs of a planner in addition to the concept cairn::Planner: the engines to
// compare, labels after edits, and the cells of an agent of haa.

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

template <class P>
struct EngineWay : Way {
    typename P::Engine engine = P::Engine::automatic;
};

/// The engines that an index has. Those that an edit drops are unavailable until a worker has
/// rebuilt their data.
template <class P>
[[nodiscard]] std::vector<EngineWay<P>> engine_ways(const typename P::Index& index) {
    using Engine = typename P::Engine;
    const bool subgoals = std::same_as<P, subgoal::Planner>;
    std::vector<EngineWay<P>> ways{{{subgoals                        ? "A* on subgoals"
                                     : std::same_as<P, hna::Planner> ? "A* on the HNG"
                                                                     : "A* on level 1",
                                     false},
                                    Engine::astar}};
    if (index.options().levels != 1) ways.push_back({{"levels", subgoals}, Engine::levels});
    if (index.has_labels()) ways.push_back({{"labels", true}, Engine::cut_labels});
    return ways;
}

/// Whether an index has all parts that an edit drops.
template <class Index>
[[nodiscard]] bool is_complete(const Index& index) {
    if constexpr (requires { index.complete(); }) {
        return index.complete();
    } else {
        return index.has_labels();
    }
}
/// Whether an edit drops any part of an index.
template <class Index>
[[nodiscard]] bool loses_by_edits(const Index& index) {
    if constexpr (requires { index.complete(); })
        return index.has_labels() || index.options().levels != 1;
    return index.has_labels();
}

/// The query of all agents. On meshes it includes every crossing, which agents follow.
template <class P>
[[nodiscard]] typename P::Query crowd_query(typename P::Engine engine) {
    typename P::Query query;
    query.engine = engine;
    if constexpr (requires { query.crossings; }) query.crossings = mesh::Crossings::all;
    return query;
}
/// What devices answer.
template <class P>
[[nodiscard]] typename P::Query device_query() {
    typename P::Query query = crowd_query<P>(P::Engine::cut_labels);
    if constexpr (requires { query.smoothing; }) query.smoothing = hpa::Smoothing::none;
    if constexpr (requires { P::Detail::corridor; }) query.detail = P::Detail::corridor;
    return query;
}

/// The form of an index on devices.
template <class P>
using OnDevice =
    std::conditional_t<std::same_as<P, hna::Planner>, batch::DeviceIndex, batch::DeviceGridIndex>;
/// Whether devices support the planner.
template <class P>
inline constexpr bool kKnownToDevices = !std::same_as<P, haa::Planner>;

/// The cells or polygons of a batch's paths.
[[nodiscard]] inline const auto& lists(const grid::Paths& paths) { return paths.cells; }
[[nodiscard]] inline const auto& lists(const mesh::Paths& paths) { return paths.polygons; }

// The kinds of agents on a grid: of haa one of each class, else a single one that covers one cell.

template <class Index>
[[nodiscard]] std::vector<haa::Agent> agent_kinds(const Index& /*index*/) {
    return {{}};
}
[[nodiscard]] inline std::vector<haa::Agent> agent_kinds(const haa::Index& index) {
    std::vector<haa::Agent> all;
    all.reserve(index.map().classes());
    for (std::uint32_t i = 0; i < index.map().classes(); ++i) all.push_back(index.map().agent(i));
    return all;
}

/// The map that an agent moves on.
template <class Index>
[[nodiscard]] Result<grid::Map> map_of(const Index& index, haa::Agent /*agent*/) {
    return index.map();
}
[[nodiscard]] inline Result<grid::Map> map_of(const haa::Index& index, haa::Agent agent) {
    const auto view = index.view(agent);
    if (!view) return tl::unexpected(view.error());
    return view->map();
}

/// Whether no agent can stand on a terrain.
template <class Index>
[[nodiscard]] bool is_obstacle(const Index& index, std::uint8_t terrain) {
    return index.map().options().weights.weight[terrain] == 0;
}
[[nodiscard]] inline bool is_obstacle(const haa::Index& index, std::uint8_t terrain) {
    return index.map().options().key.terrain[terrain] == haa::TerrainKey::kObstacle;
}

/// The cells that an agent covers.
template <class Index>
[[nodiscard]] grid::Rect covered(const Index& /*index*/, haa::Agent /*agent*/, grid::Point at) {
    return {at.x, at.y, 1, 1};
}
[[nodiscard]] inline grid::Rect covered(const haa::Index& index, haa::Agent agent, grid::Point at) {
    return index.map().footprint(agent.size, at);
}

}  // namespace cairn::app

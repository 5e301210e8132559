#pragma once
// What each planner does its own way in a crowd.

#include <string>
#include <utility>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

template <class Engine>
struct EngineWay : Way {
    Engine engine = Engine::automatic;
};

/// The engines that an index has: those that wait for a worker after an edit come last.
template <class Engine>
[[nodiscard]] std::vector<EngineWay<Engine>> engine_ways(std::string astar, bool levels,
                                                         bool levels_wait, bool labels) {
    std::vector<EngineWay<Engine>> ways{{{std::move(astar), false}, Engine::astar}};
    if (levels) ways.push_back({{"levels", levels_wait}, Engine::levels});
    if (labels) ways.push_back({{"labels", true}, Engine::cut_labels});
    return ways;
}

/// What maps whose cells are all there is to an agent have in common.
template <class TIndex>
struct CellKit {
    using Index = TIndex;
    using Trip = grid::Request;
    using Routes = grid::Paths;
    using OnDevice = batch::DeviceGridIndex;

    [[nodiscard]] static const auto& lists(const Routes& routes) { return routes.cells; }
    /// Just the one.
    [[nodiscard]] static std::vector<haa::Agent> kinds(const Index& /*index*/) { return {{}}; }
    [[nodiscard]] static Trip trip(grid::Point start, grid::Point goal, haa::Agent /*agent*/) {
        return {start, goal};
    }
    [[nodiscard]] static Result<grid::Map> map(const Index& index, haa::Agent /*agent*/) {
        return index.map();
    }
    [[nodiscard]] static bool is_obstacle(const Index& index, std::uint8_t terrain) {
        return index.map().options().weights.weight[terrain] == 0;
    }
    [[nodiscard]] static grid::Rect covered(const Index& /*index*/, haa::Agent /*agent*/,
                                            grid::Point at) {
        return {at.x, at.y, 1, 1};
    }
};

struct HpaKit : CellKit<hpa::Index> {
    using Planner = hpa::Planner;
    static constexpr const char* kPlanner = "hpa";
    static constexpr bool kExact = false;

    [[nodiscard]] static auto ways(const Index& index) {
        return engine_ways<hpa::Engine>("A* on level 1", index.options().levels > 1, false,
                                        index.has_labels());
    }
    [[nodiscard]] static hpa::Query model(hpa::Engine engine) {
        hpa::Query query;
        query.engine = engine;
        return query;
    }
    /// What devices answer.
    [[nodiscard]] static hpa::Query device_model() {
        hpa::Query query = model(hpa::Engine::cut_labels);
        query.smoothing = hpa::Smoothing::none;
        return query;
    }
    [[nodiscard]] static bool closes(const Index& index) { return index.has_labels(); }
    [[nodiscard]] static bool closed(const Index& index) { return index.has_labels(); }
    [[nodiscard]] static Result<Index> close(const Index& index, const BuildControl& control) {
        return index.with_labels(control);
    }
};

struct SubgoalKit : CellKit<subgoal::Index> {
    using Planner = subgoal::Planner;
    static constexpr const char* kPlanner = "subgoal";
    static constexpr bool kExact = true;

    [[nodiscard]] static auto ways(const Index& index) {
        return engine_ways<subgoal::Engine>("A* on subgoals", index.options().levels != 1, true,
                                            index.has_labels());
    }
    [[nodiscard]] static subgoal::Query model(subgoal::Engine engine) {
        subgoal::Query query;
        query.engine = engine;
        return query;
    }
    [[nodiscard]] static subgoal::Query device_model() {
        return model(subgoal::Engine::cut_labels);
    }
    [[nodiscard]] static bool closes(const Index& index) {
        return index.has_labels() || index.options().levels != 1;
    }
    [[nodiscard]] static bool closed(const Index& index) { return index.complete(); }
    [[nodiscard]] static Result<Index> close(const Index& index, const BuildControl& control) {
        return index.with_labels(control);
    }
};

struct HaaKit {
    using Planner = haa::Planner;
    using Index = haa::Index;
    using Trip = haa::Request;
    static constexpr const char* kPlanner = "haa";
    static constexpr bool kExact = false;

    [[nodiscard]] static std::vector<haa::Agent> kinds(const Index& index) {
        std::vector<haa::Agent> all;
        all.reserve(index.map().classes());
        for (std::uint32_t i = 0; i < index.map().classes(); ++i)
            all.push_back(index.map().agent(i));
        return all;
    }
    [[nodiscard]] static Trip trip(grid::Point start, grid::Point goal, haa::Agent agent) {
        return {start, goal, agent};
    }
    [[nodiscard]] static Result<grid::Map> map(const Index& index, haa::Agent agent) {
        const auto view = index.view(agent);
        if (!view) return tl::unexpected(view.error());
        return view->map();
    }
    [[nodiscard]] static bool is_obstacle(const Index& index, std::uint8_t terrain) {
        return index.map().options().key.terrain[terrain] == haa::TerrainKey::kObstacle;
    }
    [[nodiscard]] static grid::Rect covered(const Index& index, haa::Agent agent, grid::Point at) {
        return index.map().footprint(agent.size, at);
    }

    [[nodiscard]] static auto ways(const Index& index) {
        return engine_ways<hpa::Engine>("A* on level 1", index.options().levels > 1, false,
                                        closed(index));
    }
    [[nodiscard]] static haa::Query model(hpa::Engine engine) {
        return haa::query_of(HpaKit::model(engine), {});
    }
    [[nodiscard]] static bool closes(const Index& index) { return closed(index); }
    [[nodiscard]] static bool closed(const Index& index) {
        for (const haa::Agent agent : kinds(index)) {
            const auto view = index.view(agent);
            if (!view || !view->has_labels()) return false;
        }
        return true;
    }
    [[nodiscard]] static Result<Index> close(const Index& index, const BuildControl& control) {
        if (const auto labelled = index.with_labels(kinds(index), control); !labelled)
            return tl::unexpected(labelled.error());
        return index;
    }
};

struct HnaKit {
    using Planner = hna::Planner;
    using Index = hna::Index;
    using Trip = mesh::Request;
    using Routes = mesh::Paths;
    using OnDevice = batch::DeviceIndex;

    [[nodiscard]] static const auto& lists(const Routes& routes) { return routes.polygons; }
    [[nodiscard]] static auto ways(const Index& index) {
        return engine_ways<hna::Engine>("A* on the HNG", index.options().levels > 1, false,
                                        index.has_labels());
    }
    [[nodiscard]] static hna::Query model(hna::Engine engine) {
        hna::Query query;
        query.engine = engine;
        query.crossings = mesh::Crossings::all;
        return query;
    }
    [[nodiscard]] static hna::Query device_model() {
        hna::Query query = model(hna::Engine::cut_labels);
        query.detail = hna::Detail::corridor;
        return query;
    }
    [[nodiscard]] static bool closes(const Index& index) { return index.has_labels(); }
    [[nodiscard]] static bool closed(const Index& index) { return index.has_labels(); }
    [[nodiscard]] static Result<Index> close(const Index& index, const BuildControl& control) {
        return index.with_labels(control);
    }
};

}  // namespace cairn::app

#pragma once
// Random worlds of every planner, their edits, and requests with the least cost of their paths.

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <vector>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/planners.hpp"
#include "cairn/world/world.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_maps.hpp"
#include "support/random_meshes.hpp"

namespace cairn::test {

template <class P>
inline constexpr bool kOnMesh = std::same_as<typename P::Edit, mesh::PolygonEdit>;

/// All planners whose indexes can be edited.
using EditablePlanners =
    testing::Types<hpa::Planner, subgoal::Planner, haa::Planner, grid::AstarPlanner,
                   grid::JpsPlanner, hna::Planner, mesh::AstarPlanner>;

/// The agents of haa's worlds.
inline constexpr int kLargestAgent = 2;

/// What an index is of: a map, for haa that of an agent, or a mesh.
template <class P>
[[nodiscard]] auto map_at(const typename P::Index& index,
                          [[maybe_unused]] const typename P::Request& request = {}) {
    if constexpr (std::same_as<P, haa::Planner>) {
        return index.map().class_map(request.agent).value();
    } else if constexpr (requires { index.map(); }) {
        return index.map();
    } else if constexpr (requires { index.mesh(); }) {
        return index.mesh();
    } else {
        return index;
    }
}

/// The grid of an index, for its size.
template <class Index>
[[nodiscard]] const auto& cells_of(const Index& index) {
    if constexpr (requires { index.map(); }) {
        return index.map();
    } else {
        return index;
    }
}

/// An index to begin with. Those of planners with labels have labels.
template <class P>
[[nodiscard]] typename P::Index first_index(RandomMaps& random) {
    BuildControl control;
    control.threads = 1;
    if constexpr (kOnMesh<P>) {
        RandomMeshOptions options;
        options.longest = 12;
        options.one_way = random.chance(30);
        const mesh::Mesh mesh =
            random_mesh(static_cast<std::uint64_t>(random.number(0, 10'000)), options);
        if constexpr (std::same_as<P, hna::Planner>) {
            hna::Options of_index;
            of_index.mu = random.number(2, 10);
            return P::build(mesh, of_index, control).value();
        } else {
            return P::build(mesh, {}, control).value();
        }
    } else {
        const RandomMaps::Size size{random.number(12, 40), random.number(12, 40)};
        const grid::Map map = std::same_as<P, hpa::Planner> && random.chance(50)
                                  ? random.map(size, {})
                                  : random.uniform_map(size);
        if constexpr (std::same_as<P, haa::Planner>) {
            grid::TerrainImage image{map.width(), map.height(), {}};
            for (grid::Cell cell = 0; cell < map.size(); ++cell)
                image.terrain.push_back(map.passable(cell) ? '.' : '@');
            haa::AnnotationOptions options;
            options.max_size = kLargestAgent;
            haa::Options of_index;
            of_index.cluster_size = 8;
            const auto index =
                haa::Index::build(*haa::AnnotatedMap::create(image, options), of_index, control);
            const std::vector<haa::Agent> agents{{0, 1}, {0, 2}};
            return index->with_labels(agents, control).value();
        } else if constexpr (std::same_as<P, hpa::Planner>) {
            hpa::Options options;
            options.cluster_size = random.number(4, 10);
            options.levels = random.number(1, 2);
            return P::build(map, options, control).value();
        } else {
            return P::build(map, {}, control).value();
        }
    }
}

/// One to three changes of cells or polygons.
template <class P>
[[nodiscard]] std::vector<typename P::Edit> small_edits(RandomMaps& random,
                                                        const typename P::Index& index) {
    std::vector<typename P::Edit> edits;
    if constexpr (kOnMesh<P>) {
        const auto polygons = static_cast<int>(map_at<P>(index).num_polygons());
        for (int count = random.number(1, 3); count > 0; --count) {
            const auto polygon = static_cast<mesh::Polygon>(random.number(0, polygons - 1));
            edits.push_back({polygon, map_at<P>(index).area(polygon), random.chance(40)});
        }
    } else {
        const auto& map = cells_of(index);
        const int width = map.width();
        const int height = map.height();
        for (int count = random.number(1, 3); count > 0; --count) {
            grid::Rect area{random.number(0, width - 1), random.number(0, height - 1), 0, 0};
            area.width = random.number(1, std::min(5, width - area.x));
            area.height = random.number(1, std::min(5, height - area.y));
            edits.push_back({area, static_cast<std::uint8_t>(random.chance(33) ? '@' : '.')});
        }
    }
    return edits;
}

/// A request between any two places, free or not.
template <class P>
[[nodiscard]] typename P::Request any_request(RandomMaps& random, const typename P::Index& index) {
    typename P::Request request;
    if constexpr (kOnMesh<P>) {
        request.start = random_place(map_at<P>(index), random);
        request.goal = random_place(map_at<P>(index), random);
    } else {
        const auto point = [&] {
            const int x = random.number(0, cells_of(index).width() - 1);
            return grid::Point{x, random.number(0, cells_of(index).height() - 1)};
        };
        request.start = point();
        request.goal = point();
        if constexpr (std::same_as<P, haa::Planner>)
            request.agent.size =
                static_cast<decltype(request.agent.size)>(random.number(1, kLargestAgent));
    }
    return request;
}

/// The least cost of a path; kInfinity if there is none.
template <class P>
[[nodiscard]] Cost optimum(const typename P::Index& index, const typename P::Request& request) {
    const auto map = map_at<P>(index, request);
    if constexpr (kOnMesh<P>) {
        return MeshDijkstra(map).cost(request.start, request.goal);
    } else {
        if (!map.passable(map.cell(request.start))) return kInfinity;
        return grid::dijkstra_distances(map, request.start).value()[map.cell(request.goal)];
    }
}

/// Whether every step of a path can be made, by a look at each.
template <class P>
[[nodiscard]] bool is_legal(const typename P::Index& index, const typename P::Request& request,
                            std::span<const typename P::Step> steps) {
    const auto map = map_at<P>(index, request);
    if constexpr (kOnMesh<P>) {
        return std::ranges::none_of(steps, [&](mesh::Polygon p) { return map.blocked(p); });
    } else {
        return steps.empty() || grid::path_cost(map, steps) < kInfinity;
    }
}

/// The lists of steps in the result of a batch.
template <class Paths>
[[nodiscard]] const auto& steps_of(const Paths& paths) {
    if constexpr (requires { paths.polygons; }) {
        return paths.polygons;
    } else {
        return paths.cells;
    }
}

}  // namespace cairn::test

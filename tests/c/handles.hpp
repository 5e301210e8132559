#pragma once
// The handles of cairn.h in tests, and maps, meshes and places given to both interfaces.

#include <cairn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/planners.hpp"
#include "support/random_maps.hpp"
#include "support/random_meshes.hpp"

namespace cairn::test {

inline void free_handle(cairn_map* h) { cairn_map_free(h); }
inline void free_handle(cairn_index* h) { cairn_index_free(h); }
inline void free_handle(cairn_query* h) { cairn_query_free(h); }
inline void free_handle(cairn_world* h) { cairn_world_free(h); }
inline void free_handle(cairn_searcher* h) { cairn_searcher_free(h); }
inline void free_handle(cairn_answer* h) { cairn_answer_free(h); }
inline void free_handle(cairn_paths* h) { cairn_paths_free(h); }
inline void free_handle(cairn_problems* h) { cairn_problems_free(h); }
inline void free_handle(cairn_cancel* h) { cairn_cancel_free(h); }
inline void free_handle(cairn_bytes* h) { cairn_bytes_free(h); }
inline void free_handle(cairn_graph* h) { cairn_graph_free(h); }
inline void free_handle(cairn_trace* h) { cairn_trace_free(h); }
inline void free_handle(cairn_discs* h) { cairn_discs_free(h); }
inline void free_handle(cairn_disc_searcher* h) { cairn_disc_searcher_free(h); }

/// Owns a handle.
template <class T>
class Handle {
public:
    Handle() = default;
    Handle(Handle&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle& operator=(Handle&&) = delete;
    ~Handle() { free_handle(held_); }

    /// For calls that make a handle: frees the one before.
    T** out() {
        free_handle(std::exchange(held_, nullptr));
        return &held_;
    }
    /// For calls that use a handle again.
    T** again() { return &held_; }
    operator T*() const { return held_; }  // NOLINT(google-explicit-constructor)

private:
    T* held_ = nullptr;
};

using MapHandle = Handle<cairn_map>;
using IndexHandle = Handle<cairn_index>;
using QueryHandle = Handle<cairn_query>;
using WorldHandle = Handle<cairn_world>;
using SearcherHandle = Handle<cairn_searcher>;
using AnswerHandle = Handle<cairn_answer>;
using PathsHandle = Handle<cairn_paths>;
using BytesHandle = Handle<cairn_bytes>;

#define EXPECT_FINE(call) EXPECT_EQ(call, CAIRN_OK) << cairn_last_message()
#define ASSERT_FINE(call) ASSERT_EQ(call, CAIRN_OK) << cairn_last_message()

inline cairn_control on_one_thread_in_c() {
    auto control = CAIRN_INIT(cairn_control);
    control.threads = 1;
    return control;
}

/// The terrain bytes of a grid or of a map for agents.
template <class Map>
std::vector<std::uint8_t> bytes_of_map(const Map& map) {
    std::vector<std::uint8_t> bytes(map.size());
    for (grid::Cell cell = 0; cell < map.size(); ++cell) bytes[cell] = map.terrain(cell);
    return bytes;
}

/// The same map through cairn.h.
inline MapHandle to_c(const grid::Map& map) {
    auto options = CAIRN_INIT(cairn_map_options);
    options.weights = map.options().weights.weight.data();
    if (map.options().rules.neighbourhood == grid::Neighbourhood::four)
        options.neighbours = CAIRN_FOUR;
    options.corner = static_cast<std::int32_t>(map.options().rules.corner);
    options.straight = map.options().costs.straight;
    options.diagonal = map.options().costs.diagonal;
    MapHandle out;
    EXPECT_FINE(cairn_map_create(map.width(), map.height(), bytes_of_map(map).data(), 0, &options,
                                 out.out()));
    return out;
}

inline MapHandle to_c(const haa::AnnotatedMap& map) {
    const haa::AnnotationOptions& own = map.options();
    auto options = CAIRN_INIT(cairn_map_options);
    if (own.rules.neighbourhood == grid::Neighbourhood::four) options.neighbours = CAIRN_FOUR;
    options.corner = static_cast<std::int32_t>(own.rules.corner);
    options.straight = own.costs.straight;
    options.diagonal = own.costs.diagonal;
    MapHandle grid;
    EXPECT_FINE(cairn_map_create(map.width(), map.height(), bytes_of_map(map).data(), 0, &options,
                                 grid.out()));
    auto agents = CAIRN_INIT(cairn_agents);
    agents.max_size = own.max_size;
    agents.centred = own.anchor == haa::Anchor::centred ? 1 : 0;
    agents.key = own.key.terrain.data();
    std::vector<std::uint8_t> capabilities;
    for (const haa::Capability& capability : own.capabilities) {
        for (haa::Terrain t = 0; t < haa::kMaxTerrains; ++t)
            capabilities.push_back(capability.includes(t) ? capability.weight[t] : std::uint8_t{0});
    }
    agents.capabilities = capabilities.data();
    agents.num_capabilities = static_cast<std::uint32_t>(own.capabilities.size());
    MapHandle out;
    EXPECT_FINE(cairn_map_with_agents(grid, &agents, out.out()));
    return out;
}

/// The arrays of a mesh in C, from an image.
struct MeshArrays {
    explicit MeshArrays(const mesh::MeshImage& image) {
        const auto put = [](const mesh::Point& p, double(&xyz)[3]) {
            xyz[0] = p.x;
            xyz[1] = p.y;
            xyz[2] = p.z;
        };
        for (const mesh::Point& p : image.vertices)
            vertices.insert(vertices.end(), {p.x, p.y, p.z});
        for (const mesh::PortalSource& p : image.portals) {
            portals.push_back({p.first, p.second, {}, {}, p.width, p.forth ? (p.back ? 0 : 1) : 2});
            put(p.begin, portals.back().begin);
            put(p.end, portals.back().end);
        }
        for (const mesh::ConnectionSource& c : image.connections) {
            connections.push_back({c.from, c.to, {}, {}, c.area, c.both_ways ? 0 : 1});
            put(c.begin, connections.back().begin);
            put(c.end, connections.back().end);
        }
        arrays.num_polygons = image.num_polygons();
        arrays.vertices = vertices.data();
        arrays.num_vertices = image.vertices.size();
        arrays.first_corner = image.first_corner.data();
        arrays.corners = image.corners.data();
        arrays.num_corners = image.corners.size();
        if (!image.areas.empty()) arrays.areas = image.areas.data();
        if (image.portals_given) arrays.portals = portals.data();
        arrays.num_portals = portals.size();
        arrays.connections = connections.data();
        arrays.num_connections = connections.size();
    }
    std::vector<double> vertices;
    std::vector<cairn_portal> portals;
    std::vector<cairn_connection> connections;
    cairn_mesh_arrays arrays = CAIRN_INIT(cairn_mesh_arrays);
};

inline MapHandle to_c(const mesh::MeshImage& image) {
    MapHandle out;
    const MeshArrays arrays(image);
    EXPECT_FINE(cairn_mesh_create(&arrays.arrays, nullptr, out.out()));
    return out;
}

/// A random mesh with connections and one-way portals, unbuilt.
inline MeshParts random_mesh_parts(std::uint64_t seed) {
    RandomMaps random(seed);
    const auto kind = static_cast<MeshKind>(random.number(0, 4));
    MeshParts parts = mesh_of_kind(kind, random);
    add_areas(parts, random);
    if (random.chance(50)) give_portals(parts, random, 20);
    if (random.chance(50)) add_connections(parts, random);
    return parts;
}

/// A map for planner P in both interfaces, and places on it.
template <class P>
struct BothMaps {
    using Map = typename P::Map;
    using Place = typename P::Place;
    Map map;
    MapHandle c_map;
    std::vector<Place> places;
};

template <class P>
BothMaps<P> both_maps(std::uint64_t seed) {
    RandomMaps random(seed);
    const auto with_places = [&](const auto& map, MapHandle c_map) {
        BothMaps<P> both{map, std::move(c_map), {}};
        for (int i = 0; i < 8; ++i) {
            if constexpr (std::same_as<typename P::Place, mesh::Place>) {
                both.places.push_back(random_place(map, random));
            } else {
                both.places.push_back(
                    {random.number(-1, map.width()), random.number(0, map.height() - 1)});
            }
        }
        if constexpr (std::same_as<typename P::Map, grid::Map>) {
            const auto free = free_points(map);
            for (std::size_t i = 2; i < both.places.size() && !free.empty(); ++i)
                both.places[i] = random.one_of(free);
        }
        return both;
    };
    if constexpr (std::same_as<typename P::Map, grid::Map>) {
        const auto size = random.size(40);
        const bool any =
            std::string_view(P::kName) == "hpa" || std::string_view(P::kName) == "astar";
        grid::MoveRules rules;
        rules.corner = static_cast<grid::CornerRule>(random.number(0, 2));
        const grid::Map map = any ? random.map(size, rules) : random.uniform_map(size);
        return with_places(map, to_c(map));
    } else if constexpr (std::same_as<typename P::Map, haa::AnnotatedMap>) {
        const grid::Map map = random.uniform_map({30, 25});
        grid::TerrainImage image{map.width(), map.height(), {}};
        for (grid::Cell cell = 0; cell < map.size(); ++cell)
            image.terrain.push_back(map.passable(cell) ? (random.chance(15) ? 'T' : '.') : '@');
        haa::AnnotationOptions options;
        options.capabilities.emplace_back(haa::terrain_set({haa::kGround, haa::kTrees}));
        options.capabilities.back().weight[haa::kTrees] = 3;
        const auto annotated = haa::AnnotatedMap::create(image, options).value();
        return with_places(annotated, to_c(annotated));
    } else {
        const MeshParts parts = random_mesh_parts(seed);
        return with_places(mesh::Mesh::build(parts.source()).value(),
                           to_c(static_cast<const mesh::MeshImage&>(parts)));
    }
}

// Calls of either kind of place.

inline cairn_cell c_place(grid::Point p) { return {p.x, p.y}; }
inline cairn_place c_place(const mesh::Place& p) {
    return {p.point.x, p.point.y, p.point.z, p.polygon};
}
inline cairn_status c_find(cairn_searcher* s, const cairn_query* q, grid::Point a, grid::Point b,
                           cairn_answer** answer) {
    return cairn_find(s, q, c_place(a), c_place(b), answer);
}
inline cairn_status c_find(cairn_searcher* s, const cairn_query* q, const mesh::Place& a,
                           const mesh::Place& b, cairn_answer** answer) {
    const cairn_place start = c_place(a);
    const cairn_place goal = c_place(b);
    return cairn_find_on_mesh(s, q, &start, &goal, answer);
}
inline cairn_status c_begin(cairn_searcher* s, const cairn_query* q, grid::Point a, grid::Point b,
                            cairn_answer** answer) {
    return cairn_begin(s, q, c_place(a), c_place(b), answer);
}
inline cairn_status c_begin(cairn_searcher* s, const cairn_query* q, const mesh::Place& a,
                            const mesh::Place& b, cairn_answer** answer) {
    const cairn_place start = c_place(a);
    const cairn_place goal = c_place(b);
    return cairn_begin_on_mesh(s, q, &start, &goal, answer);
}
inline cairn_status c_reachable(cairn_searcher* s, const cairn_query* q, grid::Point a,
                                grid::Point b) {
    return cairn_reachable(s, q, c_place(a), c_place(b));
}
inline cairn_status c_reachable(cairn_searcher* s, const cairn_query* q, const mesh::Place& a,
                                const mesh::Place& b) {
    const cairn_place start = c_place(a);
    const cairn_place goal = c_place(b);
    return cairn_reachable_on_mesh(s, q, &start, &goal);
}

/// A list of places as C takes it.
struct PlaceList {
    explicit PlaceList(const std::vector<grid::Point>& list) {
        for (const grid::Point p : list) cells.insert(cells.end(), {p.x, p.y});
        places.count = list.size();
        places.cells = cells.data();
    }
    explicit PlaceList(const std::vector<mesh::Place>& list) {
        // With gaps between the places: the stride is 5 numbers.
        for (const mesh::Place& p : list) {
            points.insert(points.end(), {p.point.x, p.point.y, p.point.z, -1, -1});
            polygons.push_back(p.polygon);
        }
        places.count = list.size();
        places.points = points.data();
        places.stride = 5 * sizeof(double);
        places.polygons = polygons.data();
    }
    PlaceList(const PlaceList&) = delete;
    PlaceList& operator=(const PlaceList&) = delete;
    std::vector<std::int32_t> cells;
    std::vector<double> points;
    std::vector<std::uint32_t> polygons;
    cairn_places places = CAIRN_INIT(cairn_places);
};

}  // namespace cairn::test

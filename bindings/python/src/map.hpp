#pragma once
// Grids and meshes: cairn.Map and its kinds cairn.Grid and cairn.Mesh.

#include <memory>

#include "common.hpp"

namespace cairn::python {

/// A map of any kind. The Python classes Grid and Mesh are the kinds that users make.
struct Map {
    explicit Map(MapHandle made) : handle(std::move(made)) {
        check(cairn_map_get(handle.get(), &info));
    }
    // Virtual, so that Python sees the kind that a map has.
    virtual ~Map() = default;
    Map(const Map&) = delete;
    Map& operator=(const Map&) = delete;
    [[nodiscard]] bool is_mesh() const noexcept { return info.kind == CAIRN_KIND_MESH; }
    [[nodiscard]] bool has_position() const noexcept { return info.resolution > 0; }

    MapHandle handle;
    cairn_map_info info = CAIRN_INIT(cairn_map_info);
};
struct Grid : Map {
    using Map::Map;
};
struct Mesh : Map {
    using Map::Map;
};

/// A Python object of the class that the map's kind has.
py::object map_object(MapHandle map);

/// The places of a list on a map: [n, 2] cells, or [n, 3] points of a mesh. `places` refers to
/// `rows`.
struct Places {
    Rows rows;
    cairn_places places = CAIRN_INIT(cairn_places);
};
Places read_places(const Map& map, py::handle from, const char* argument);

/// The numbers of the cells of an array [n, 2]. Throws if one lies outside the map.
std::vector<uint32_t> cell_numbers(const Map& map, const py::object& cells, const char* argument);

/// The weights of the 256 terrain bytes. Throws if there are not so many.
std::vector<uint8_t> weights_of(const py::object& weights);

/// The factors of the 16 terrains for each capability, as Grid.with_agents takes them.
std::vector<uint8_t> factors_of(const py::object& capabilities);

/// A cell from a pair of integers.
cairn_cell read_cell(py::handle from, const char* argument);
/// A place on a mesh from (x, y, z), or (x, y, z, polygon).
cairn_place read_place(py::handle from, const char* argument);

}  // namespace cairn::python

#pragma once
// The parts of a mesh as Python gives them: for a new mesh, and to add to one.

#include <optional>

#include "searchable.hpp"

namespace cairn::python {

/// Polygons with their vertices, areas, connections and portals: arrays that `list` refers to.
class MeshParts {
public:
    /// None for areas, connections and portals: there are none, but portals of a new mesh are
    /// found.
    MeshParts(const py::object& vertices, const py::object& polygons, const py::object& areas,
              const py::object& connections, const py::object& portals);
    MeshParts(const MeshParts&) = delete;
    MeshParts& operator=(const MeshParts&) = delete;

    cairn_mesh_arrays list = CAIRN_INIT(cairn_mesh_arrays);

private:
    py::array_t<double, py::array::c_style | py::array::forcecast> vertices_;
    std::vector<uint32_t> first_{0};
    std::vector<uint32_t> corners_;
    std::vector<uint8_t> areas_;
    std::vector<cairn_connection> connections_;
    std::vector<cairn_portal> portals_;
};

/// A change of a mesh: removed polygons, and by keywords those to add, edits and accept_odd. `list`
/// refers to the members.
class MeshChange {
public:
    MeshChange(const Map& map, const py::object& removed, const py::kwargs& keywords);
    MeshChange(const MeshChange&) = delete;
    MeshChange& operator=(const MeshChange&) = delete;

    cairn_mesh_change list = CAIRN_INIT(cairn_mesh_change);

private:
    std::vector<uint32_t> removed_;
    std::optional<MeshParts> added_;
    std::optional<Edits> edits_;
};

}  // namespace cairn::python

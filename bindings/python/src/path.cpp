#include "path.hpp"

#include <cmath>

namespace cairn::python {
namespace {

template <class T>
std::vector<T> list(const T* data, std::size_t count) {
    return count == 0 ? std::vector<T>() : std::vector<T>(data, data + count);
}

/// Cells [n, 2] from their numbers.
py::array_t<int32_t> cells_of(const uint32_t* numbers, std::size_t count, int32_t width) {
    py::array_t<int32_t> out({count, std::size_t{2}});
    int32_t* to = out.mutable_data();
    const auto columns = static_cast<uint32_t>(width);
    for (std::size_t i = 0; i < count; ++i) {
        *to++ = static_cast<int32_t>(numbers[i] % columns);
        *to++ = static_cast<int32_t>(numbers[i] / columns);
    }
    return out;
}

py::array points_of(const cairn_waypoint* waypoints, std::size_t count, py::handle owner) {
    if (count == 0) return py::array_t<float>(std::vector<py::ssize_t>{0, 3});
    return borrowed(&waypoints->x, {static_cast<py::ssize_t>(count), 3},
                    {py::ssize_t{sizeof(cairn_waypoint)}, py::ssize_t{sizeof(float)}}, owner);
}

py::array links_of(const cairn_waypoint* waypoints, std::size_t count, py::handle owner) {
    if (count == 0) return py::array_t<uint32_t>(0);
    return borrowed(&waypoints->link, {static_cast<py::ssize_t>(count)},
                    {py::ssize_t{sizeof(cairn_waypoint)}}, owner);
}

/// The position of an item that Python counts from either end.
std::size_t position(py::ssize_t at, std::size_t count) {
    if (at < 0) at += static_cast<py::ssize_t>(count);
    if (at < 0 || at >= static_cast<py::ssize_t>(count)) throw py::index_error();
    return static_cast<std::size_t>(at);
}

/// Iterates by __getitem__, so that nothing is made before it is asked for.
py::object sequence_iterator(const py::object& self) {
    return py::reinterpret_steal<py::object>(PySeqIter_New(self.ptr()));
}

py::object path_of(const Paths& paths, py::ssize_t which) {
    const cairn_path_lists& lists = paths.lists;
    const std::size_t i = position(which, lists.count);
    const cairn_status status = lists.statuses[i];
    const auto count = [i](const uint64_t* first) {
        return first == nullptr ? 0 : static_cast<std::size_t>(first[i + 1] - first[i]);
    };
    const std::size_t cells = count(lists.first_cell);
    const std::size_t polygons = count(lists.first_polygon);
    const std::size_t waypoints = count(lists.first_waypoint);
    if (status != CAIRN_OK && cells + polygons + waypoints == 0) return py::none();
    auto out = std::make_unique<Path>();
    out->status = status;
    out->cost = lists.costs[i];
    out->width = paths.width;
    out->on_mesh = lists.first_polygon != nullptr;
    out->engine = "batch";
    if (cells > 0) out->numbers = list(lists.cells + lists.first_cell[i], cells);
    if (polygons > 0) out->polygons = list(lists.polygons + lists.first_polygon[i], polygons);
    if (waypoints > 0) out->waypoints = list(lists.waypoints + lists.first_waypoint[i], waypoints);
    return py::cast(std::move(out));
}

/// The last number of a list of firsts: the elements of all lists.
std::size_t total(const uint64_t* first, std::size_t count) {
    return first == nullptr ? 0 : static_cast<std::size_t>(first[count]);
}

/// An array of Paths that borrows from it; None where the map has no such list.
template <class Get>
auto paths_array(const Get& get) {
    return [get](const py::object& self) -> py::object {
        return get(self.cast<const Paths&>().lists, self);
    };
}

py::object firsts(const uint64_t* first, std::size_t count, const py::object& self) {
    if (first == nullptr) return py::none();
    return borrowed(first, count + 1, self);
}

void define_paths(py::module_& module) {
    using Lists = cairn_path_lists;
    py::class_<Paths>(module, "Paths",
                      "The paths of a batch, as flat arrays that borrow its memory and are "
                      "read-only.\n\nlen(paths) is the number of requests; paths[i] is a Path, or "
                      "None if there is none.\nThe cells of path i are paths.numbers[paths.first[i]"
                      " : paths.first[i + 1]].")
        .def("__len__", [](const Paths& paths) { return paths.lists.count; })
        .def("__iter__", &sequence_iterator)
        .def("__getitem__", &path_of, "i"_a)
        .def_property_readonly("statuses", paths_array([](const Lists& lists, const auto& self) {
                                   return borrowed(lists.statuses, lists.count, self);
                               }),
                               "The status of each request, uint8: see cairn.Status.")
        .def_property_readonly("costs", paths_array([](const Lists& lists, const auto& self) {
                                   return borrowed(lists.costs, lists.count, self);
                               }),
                               "The cost of each path, uint32: cairn.INFINITY if there is none.")
        .def_property_readonly(
            "first", paths_array([](const Lists& lists, const auto& self) {
                return firsts(lists.first_cell != nullptr ? lists.first_cell : lists.first_polygon,
                              lists.count, self);
            }),
            "Where the cells, or polygons, of each path begin: n + 1 numbers, uint64.")
        .def_property_readonly(
            "numbers", paths_array([](const Lists& lists, const auto& self) -> py::object {
                if (lists.first_cell == nullptr) return py::none();
                return borrowed(lists.cells, total(lists.first_cell, lists.count), self);
            }),
            "The cells of all paths, uint32: y * width + x. None on meshes.")
        .def_property_readonly(
            "cells",
            [](const Paths& paths) -> py::object {
                const Lists& lists = paths.lists;
                if (lists.first_cell == nullptr) return py::none();
                return cells_of(lists.cells, total(lists.first_cell, lists.count), paths.width);
            },
            "The cells of all paths, as a new array int32[n, 2] of (x, y). None on meshes.")
        .def_property_readonly(
            "polygons", paths_array([](const Lists& lists, const auto& self) -> py::object {
                if (lists.first_polygon == nullptr) return py::none();
                return borrowed(lists.polygons, total(lists.first_polygon, lists.count), self);
            }),
            "The polygons of all paths, uint32. None on grids.")
        .def_property_readonly("first_point", paths_array([](const Lists& lists, const auto& self) {
                                   return firsts(lists.first_waypoint, lists.count, self);
                               }),
                               "Where the points of each path begin. None on grids.")
        .def_property_readonly(
            "points", paths_array([](const Lists& lists, const auto& self) -> py::object {
                if (lists.first_waypoint == nullptr) return py::none();
                return points_of(lists.waypoints, total(lists.first_waypoint, lists.count), self);
            }),
            "The points of all paths, float32[n, 3]. None on grids.")
        .def_property_readonly(
            "routes",
            [](const py::object& self) -> py::object {
                const auto& paths = self.cast<const Paths&>();
                if (!paths.replanned) return py::none();
                return borrowed(paths.lists.routes, paths.lists.count, self);
            },
            "Of World.replan: the position of the path that each of these replaces; else None.")
        .def("__repr__", [](const Paths& paths) {
            return "<cairn.Paths of " + std::to_string(paths.lists.count) + " requests>";
        });
}

}  // namespace

Path::Path(const cairn_path& found, int32_t map_width)
    : status(found.status),
      cost(found.cost),
      lower_bound(found.lower_bound),
      engine(found.engine),
      expanded(found.expanded),
      width(map_width),
      on_mesh(map_width == 0),
      numbers(list(found.cells, found.num_cells)),
      nodes(list(found.nodes, found.num_nodes)),
      polygons(list(found.polygons, found.num_polygons)),
      waypoints(list(found.waypoints, found.num_waypoints)) {}

py::tuple Path::point(std::size_t at) const {
    if (on_mesh) {
        const cairn_waypoint& p = waypoints[at];
        return py::make_tuple(p.x, p.y, p.z);
    }
    const auto columns = static_cast<uint32_t>(width);
    return py::make_tuple(numbers[at] % columns, numbers[at] / columns);
}

double Path::length() const noexcept {
    double sum = 0;
    for (std::size_t i = 1; i < size(); ++i) {
        if (on_mesh) {
            const cairn_waypoint& a = waypoints[i - 1];
            const cairn_waypoint& b = waypoints[i];
            sum += std::hypot(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z);
        } else {
            const int64_t columns = width;
            const int64_t a = numbers[i - 1];
            const int64_t b = numbers[i];
            sum += std::hypot(static_cast<double>(a % columns - b % columns),
                              static_cast<double>(a / columns - b / columns));
        }
    }
    return sum;
}

Paths::Paths(PathsHandle made, int32_t map_width, bool of_replan)
    : handle(std::move(made)), width(map_width), replanned(of_replan) {
    check(cairn_paths_get(handle.get(), &lists));
}

void define_path(py::module_& module) {
    py::class_<Path>(module, "Path",
                     "A path: a sequence of cells (x, y), or on a mesh of points (x, y, z).\n\n"
                     "Arrays borrow its memory and are read-only, but for `cells`, which is new.")
        .def("__len__", &Path::size)
        .def("__iter__", &sequence_iterator)
        .def(
            "__getitem__",
            [](const Path& path, py::ssize_t at) { return path.point(position(at, path.size())); },
            "i"_a)
        .def_property_readonly(
            "status",
            [](const Path& path) {
                return py::module_::import("cairn._errors").attr("Status")(path.status);
            },
            "Status.OK, or why this is only a part of a path.")
        .def_readonly("cost", &Path::cost, "The cost in units of the map.")
        .def_readonly("lower_bound", &Path::lower_bound, "No path costs less than this.")
        .def_property_readonly("length", &Path::length,
                               "The length in cells, or in units of the mesh.")
        .def_property_readonly(
            "engine", [](const Path& path) { return path.engine; },
            "What found it: 'labels', 'astar', 'line', ...")
        .def_readonly("expanded", &Path::expanded, "The nodes that were expanded.")
        .def_property_readonly(
            "cells",
            [](const Path& path) -> py::object {
                if (path.on_mesh) return py::none();
                return cells_of(path.numbers.data(), path.numbers.size(), path.width);
            },
            "Every cell of the path: int32[n, 2] of (x, y). None on meshes.")
        .def_property_readonly(
            "numbers",
            [](const py::object& self) {
                const auto& path = self.cast<const Path&>();
                return borrowed(path.numbers.data(), path.numbers.size(), self);
            },
            "The same as numbers y * width + x: uint32[n].")
        .def_property_readonly(
            "nodes",
            [](const py::object& self) {
                const auto& path = self.cast<const Path&>();
                return borrowed(path.nodes.data(), path.nodes.size(), self);
            },
            "The abstract nodes or subgoals of the path, as numbers of cells.")
        .def_property_readonly(
            "polygons",
            [](const py::object& self) {
                const auto& path = self.cast<const Path&>();
                return borrowed(path.polygons.data(), path.polygons.size(), self);
            },
            "The polygons that a path on a mesh passes: uint32[n].")
        .def_property_readonly(
            "points",
            [](const py::object& self) {
                const auto& path = self.cast<const Path&>();
                return points_of(path.waypoints.data(), path.waypoints.size(), self);
            },
            "The points where a path on a mesh turns: float32[n, 3].")
        .def_property_readonly(
            "links",
            [](const py::object& self) {
                const auto& path = self.cast<const Path&>();
                return links_of(path.waypoints.data(), path.waypoints.size(), self);
            },
            "The link that each point lies on; cairn.NONE for start and goal.")
        .def("__repr__", [](const Path& path) {
            return "<cairn.Path of " + std::to_string(path.size()) +
                   (path.on_mesh ? " points" : " cells") + ", cost " + std::to_string(path.cost) +
                   ">";
        });
    define_paths(module);
}

}  // namespace cairn::python

// Agents of several radii on a mesh: cairn.Discs, and their paths, cairn.DiscPath.

#include <limits>
#include <optional>

#include "map.hpp"

namespace cairn::python {
namespace {

/// A path of a disc, with its own memory.
struct DiscPath {
    DiscPath(const cairn_disc_path& found, double of_radius)
        : cost(found.cost),
          length(found.length),
          radius(of_radius),
          engine(found.engine),
          start(found.start),
          goal(found.goal),
          polygons(found.polygons, found.polygons + found.num_polygons),
          waypoints(found.waypoints, found.waypoints + found.num_waypoints) {}

    uint32_t cost;
    double length;
    double radius;
    const char* engine;
    cairn_place start;
    cairn_place goal;
    std::vector<uint32_t> polygons;
    std::vector<cairn_disc_waypoint> waypoints;
};

/// An index for discs. Any number of threads may ask at once.
struct Discs {
    Discs(DiscsHandle made, std::shared_ptr<Mesh> of)
        : handle(std::move(made)), mesh(std::move(of)) {
        check(cairn_discs_get(handle.get(), &info));
    }
    DiscsHandle handle;
    std::shared_ptr<Mesh> mesh;
    cairn_discs_info info = CAIRN_INIT(cairn_discs_info);
    Pool<DiscSearcherHandle> idle;
};

std::shared_ptr<Discs> build_discs(const std::shared_ptr<Mesh>& mesh,
                                   const std::vector<double>& radii, const py::object& progress,
                                   int threads, const py::kwargs& options) {
    Settings settings;
    for (const auto& [name, value] : options) settings.add(py::str(name), value);
    const auto& list = settings.list();
    const double none = 0;
    return std::make_shared<Discs>(
        make_long<DiscsHandle>(progress, threads,
                               [&](const cairn_control& control, cairn_discs** made) {
                                   return cairn_discs_build(
                                       mesh->handle.get(), radii.empty() ? &none : radii.data(),
                                       radii.size(), list.data(), list.size(), &control, made);
                               }),
        mesh);
}

/// The limits of a query.
struct Limits {
    std::optional<uint32_t> max_cost;
    std::optional<uint64_t> max_expanded;
    std::optional<uint64_t> microseconds;
};

/// Calls use(path) with what a query finds; None if there is no path.
template <class Use>
py::object find_disc(Discs& self, const py::object& start, const py::object& goal, double radius,
                     double reach, const Limits& given, int32_t detail, const Use& use) {
    auto limits = CAIRN_INIT(cairn_limits);
    limits.max_cost = given.max_cost.value_or(0);
    limits.max_expanded = given.max_expanded.value_or(0);
    limits.microseconds = given.microseconds.value_or(0);
    auto query = CAIRN_INIT(cairn_disc_query);
    query.start = read_place(start, "start");
    query.goal = read_place(goal, "goal");
    query.radius = radius;
    query.detail = detail;
    query.limits = &limits;
    // 0 would be the default.
    query.reach = reach == 0 ? std::numeric_limits<double>::min() : reach;
    const Pool<DiscSearcherHandle>::Lease searcher(self.idle, self.idle.take([&] {
        return std::make_unique<DiscSearcherHandle>(
            make<DiscSearcherHandle>([&](cairn_disc_searcher** made) {
                return cairn_disc_searcher_create(self.handle.get(), made);
            }));
    }));
    auto found = CAIRN_INIT(cairn_disc_path);
    cairn_status status = CAIRN_OK;
    {
        const Unlocked unlocked;
        status = cairn_find_disc(searcher->get(), &query, &found);
    }
    if (no_path(status)) return py::none();
    check(status);
    return use(found);
}

py::object disc_path(Discs& self, const py::object& start, const py::object& goal, double radius,
                     double reach, std::optional<uint32_t> max_cost,
                     std::optional<uint64_t> max_expanded, std::optional<uint64_t> microseconds) {
    return find_disc(self, start, goal, radius, reach, {max_cost, max_expanded, microseconds},
                     CAIRN_DISC_PATH, [&](const cairn_disc_path& found) {
                         return py::cast(std::make_unique<DiscPath>(found, radius));
                     });
}

py::object disc_cost(Discs& self, const py::object& start, const py::object& goal, double radius,
                     double reach, std::optional<uint32_t> max_cost,
                     std::optional<uint64_t> max_expanded, std::optional<uint64_t> microseconds) {
    return find_disc(
        self, start, goal, radius, reach, {max_cost, max_expanded, microseconds}, CAIRN_DISC_COST,
        [](const cairn_disc_path& found) -> py::object { return py::int_(found.cost); });
}

bool disc_reachable(const Discs& self, const py::object& start, const py::object& goal,
                    double radius) {
    const cairn_place from = read_place(start, "start");
    const cairn_place to = read_place(goal, "goal");
    cairn_status status = CAIRN_OK;
    {
        const Unlocked unlocked;
        status = cairn_discs_reachable(self.handle.get(), &from, &to, radius);
    }
    if (no_path(status)) return false;
    check(status);
    return true;
}

py::object widest_disc(const Discs& self, const py::object& start, const py::object& goal) {
    const cairn_place from = read_place(start, "start");
    const cairn_place to = read_place(goal, "goal");
    double radius = 0;
    cairn_status status = CAIRN_OK;
    {
        const Unlocked unlocked;
        status = cairn_discs_widest(self.handle.get(), &from, &to, &radius);
    }
    if (no_path(status)) return py::none();
    check(status);
    return py::float_(radius);
}

py::object clearance_at(const Discs& self, const py::object& points) {
    const Rows rows = double_rows(points, 3, "points");
    py::array_t<double> out(static_cast<py::ssize_t>(rows.count));
    double* const distances = out.mutable_data();
    cairn_status status = CAIRN_OK;
    {
        const Unlocked unlocked;
        for (std::size_t i = 0; i < rows.count && status == CAIRN_OK; ++i) {
            const auto point = rows.row<double, 3>(i);
            const cairn_place place{point[0], point[1], point[2], CAIRN_NONE};
            status = cairn_discs_clearance(self.handle.get(), &place, &distances[i]);
            if (status != CAIRN_START_OUTSIDE) continue;
            distances[i] = std::numeric_limits<double>::quiet_NaN();
            status = CAIRN_OK;
        }
    }
    check(status);
    if (rows.single) return py::float_(distances[0]);
    return out;
}

/// The points of the line as a polyline: chords in place of arcs.
py::array_t<double> line_of(const DiscPath& path, std::optional<double> tolerance) {
    // A line for radius 0 has no arcs.
    const double bend = tolerance.value_or(path.radius > 0 ? path.radius / 100 : 1);
    if (!(bend > 0)) throw py::value_error("tolerance must be above 0");
    const auto make = [&](double* points, std::size_t& count) {
        check(cairn_disc_polyline(path.waypoints.data(), path.waypoints.size(), bend, points,
                                  &count));
    };
    std::size_t count = 0;
    make(nullptr, count);
    py::array_t<double> out({count, std::size_t{3}});
    make(out.mutable_data(), count);
    return out;
}

/// A property that borrows a member of all waypoints, with `columns` numbers each.
template <class T>
auto of_waypoints(T cairn_disc_waypoint::*member, py::ssize_t columns) {
    return [member, columns](const py::object& self) -> py::array {
        const auto& waypoints = self.cast<const DiscPath&>().waypoints;
        std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(waypoints.size())};
        std::vector<py::ssize_t> strides{py::ssize_t{sizeof(cairn_disc_waypoint)}};
        if (columns > 1) {
            shape.push_back(columns);
            strides.push_back(py::ssize_t{sizeof(T)});
        }
        if (waypoints.empty()) return py::array_t<T>(shape);
        return borrowed(&(waypoints[0].*member), std::move(shape), std::move(strides), self);
    };
}

py::tuple place_tuple(const cairn_place& place) {
    return py::make_tuple(place.x, place.y, place.z, place.polygon);
}

void define_disc_path(py::module_& module) {
    py::class_<DiscPath>(
        module, "DiscPath",
        "The path of a disc: a line of straight parts and arcs, on which its centre "
        "keeps its\nradius from all walls. Arrays borrow its memory and are "
        "read-only.")
        .def("__len__", [](const DiscPath& path) { return path.waypoints.size(); })
        .def_readonly("cost", &DiscPath::cost, "The cost of the polygons, in units of the mesh.")
        .def_readonly("length", &DiscPath::length,
                      "The length of the line, seen from above, arcs included.")
        .def_readonly("radius", &DiscPath::radius, "The radius of the disc.")
        .def_property_readonly(
            "engine", [](const DiscPath& path) { return path.engine; },
            "What found it: 'labels', 'astar', ...")
        .def_property_readonly(
            "start", [](const DiscPath& path) { return place_tuple(path.start); },
            "(x, y, z, polygon) of the start, as it was located and moved away from walls.")
        .def_property_readonly(
            "goal", [](const DiscPath& path) { return place_tuple(path.goal); },
            "The same of the goal.")
        .def_property_readonly(
            "polygons",
            [](const py::object& self) {
                const auto& path = self.cast<const DiscPath&>();
                return borrowed(path.polygons.data(), path.polygons.size(), self);
            },
            "The polygons that the path passes: uint32[n].")
        .def_property_readonly("points", of_waypoints(&cairn_disc_waypoint::x, 3),
                               "Where straight parts and arcs begin, and the goal: float32[n, 3]. "
                               "Empty if, very rarely, no line\nwas found.")
        .def_property_readonly(
            "turns", of_waypoints(&cairn_disc_waypoint::onwards, 1),
            "How the line goes on after each point, uint8[n]: 0 straight; 1 on an "
            "arc, where the angle\nfrom the x axis towards the z axis grows; 2 on "
            "one where it falls.")
        .def_property_readonly(
            "corners", of_waypoints(&cairn_disc_waypoint::corner_x, 3),
            "The centre of the arc that begins at each point, a corner of a wall: "
            "float32[n, 3].")
        .def("line", &line_of, "tolerance"_a = py::none(),
             "line(tolerance=None)\n\nThe line as a polyline, float64[n, 3]: an arc becomes chords "
             "that are at most so far\nfrom it; a hundredth of the radius unless said otherwise.")
        .def("__repr__", [](const DiscPath& path) {
            return "<cairn.DiscPath of " + std::to_string(path.waypoints.size()) +
                   " points, radius " + py::repr(py::float_(path.radius)).cast<std::string>() +
                   ", cost " + std::to_string(path.cost) + ">";
        });
}

}  // namespace

void define_discs(py::module_& module) {
    define_disc_path(module);
    py::class_<Discs, std::shared_ptr<Discs>>(
        module, "Discs",
        "Discs(mesh, radii, *, progress=None, threads=0, **options)\n\n"
        "An index of a mesh for agents of several radii: discs, seen from above. Queries of the\n"
        "radii that are named take the least time; any other up to the greatest one can be asked\n"
        "for, too. options: those of 'hna'; progress and threads: see cairn.build. Any number of\n"
        "threads may ask at once. Places are (x, y, z), or (x, y, z, polygon).\n\n"
        ">>> import numpy, cairn\n"
        ">>> free = numpy.ones((5, 11), bool)\n"
        ">>> free[2, 2:8] = free[2, 0] = free[2, 10] = False  # a door of one cell, and one of "
        "two\n"
        ">>> discs = cairn.Discs(cairn.Mesh.from_grid(cairn.Grid(free)), [0.4, 0.9])\n"
        ">>> a, b = (1.5, 0, 1), (1.5, 0, 4)\n"
        ">>> round(discs.path(a, b, 0.5).length, 2), round(discs.path(a, b, 0.9).length, 2)\n"
        "(3.0, 16.83)\n"
        ">>> discs.reachable(a, b, 0.8), discs.widest(a, b), discs.clearance(a)\n"
        "(True, 0.9, 1.0)\n")
        .def(py::init(&build_discs), py::arg("mesh").none(false), "radii"_a, py::kw_only(),
             "progress"_a = py::none(), "threads"_a = 0)
        .def("path", &disc_path, "start"_a, "goal"_a, "radius"_a, py::kw_only(), "reach"_a = 0.5,
             "max_cost"_a = py::none(), "max_expanded"_a = py::none(),
             "microseconds"_a = py::none(),
             "path(start, goal, radius, *, reach=0.5, max_cost=None, max_expanded=None,\n"
             "     microseconds=None)\n\n"
             "The path of a disc whose polygons cost the least; None if there is none. reach: how "
             "far places\nmay lie from the mesh, and are moved away from walls that are too near. "
             "Places farther away,\nlimits that stop the search, and a radius above the greatest "
             "one raise cairn.Error.")
        .def("cost", &disc_cost, "start"_a, "goal"_a, "radius"_a, py::kw_only(), "reach"_a = 0.5,
             "max_cost"_a = py::none(), "max_expanded"_a = py::none(),
             "microseconds"_a = py::none(),
             "cost(start, goal, radius, **options of path)\n\nThe cost of that path; None if there "
             "is none.")
        .def("reachable", &disc_reachable, "start"_a, "goal"_a, "radius"_a,
             "reachable(start, goal, radius)\n\nWhether a disc can move from one place to another, "
             "without being moved first. Needs no search.")
        .def("widest", &widest_disc, "start"_a, "goal"_a,
             "widest(start, goal)\n\nThe greatest radius that gets from one place to another, at "
             "most the greatest of the index;\nNone if nothing does.")
        .def(
            "clearance", &clearance_at, "points"_a,
            "clearance(points)\n\nHow far the nearest wall is from a point (x, y, z), or from each "
            "of float64[n, 3]; infinity if it\nsees none. A point at most 0.5 outside is moved to "
            "the mesh; farther away it is nan.")
        .def_property_readonly(
            "radii",
            [](const py::object& self) {
                const auto& discs = self.cast<const Discs&>();
                return borrowed(discs.info.radii, discs.info.num_radii, self);
            },
            "The radii that it was built for, ascending: float64[n].")
        .def_property_readonly(
            "mesh", [](const Discs& discs) { return discs.mesh; }, "The mesh.")
        .def_property_readonly(
            "num_gates", [](const Discs& discs) { return discs.info.num_gates; },
            "The number of narrow places of the mesh.")
        .def_property_readonly(
            "nbytes", [](const Discs& discs) { return discs.info.memory; },
            "The memory that the index takes, without the mesh.")
        .def("__repr__", [](const Discs& discs) {
            return "<cairn.Discs of " + std::to_string(discs.info.num_radii) + " radii, " +
                   std::to_string(discs.mesh->info.num_polygons) + " polygons>";
        });
}

}  // namespace cairn::python

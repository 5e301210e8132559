#include <algorithm>
#include <array>
#include <limits>

#include "map.hpp"

namespace cairn::python {
namespace {

/// The options of a mesh, and the arrays that they refer to.
struct Options {
    cairn_mesh_options options = CAIRN_INIT(cairn_mesh_options);
    std::vector<double> area_costs;
    Settings recast;
};

void read_options(Options& out, const py::kwargs& given) {
    for (const auto& [key, value] : given) {
        const auto name = key.cast<std::string>();
        if (name == "scoring") {
            out.options.scoring =
                choice("scoring", value.cast<std::string>(), {"midpoints", "centres", "parts"});
        } else if (name == "area_costs") {
            out.area_costs.assign(64, 1.0);
            for (const auto& [area, cost] : value.cast<py::dict>()) {
                const auto at = area.cast<std::size_t>();
                if (at >= 64) throw py::value_error("areas are 0 to 63");
                out.area_costs[at] = cost.cast<double>();
            }
            out.options.area_costs = out.area_costs.data();
        } else if (name == "units_per_length") {
            out.options.units_per_length = value.cast<double>();
        } else if (name == "longest_part") {
            out.options.longest_part = value.cast<double>();
        } else if (name == "radius") {
            out.options.radius = value.cast<double>();
        } else if (name == "accept_odd") {
            out.options.accept_odd = value.cast<bool>() ? 1 : 0;
        } else {
            out.recast.add(name, value);
        }
    }
}

void refuse_other(const Options& options) {
    if (options.recast.empty()) return;
    throw py::type_error(
        "unknown keyword argument; options of a mesh are scoring, area_costs, "
        "units_per_length, longest_part, radius, accept_odd");
}

std::vector<uint8_t> areas_of(const py::object& areas, std::size_t polygons) {
    std::vector<uint8_t> out;
    if (areas.is_none()) return out;
    out = areas.cast<std::vector<uint8_t>>();
    if (out.size() != polygons) throw py::value_error("areas must have one number per polygon");
    return out;
}

/// The ends of a segment: two points (x, y, z).
void read_ends(const py::tuple& from, double (&begin)[3], double (&end)[3]) {
    for (const auto& [at, to] : {std::pair(std::size_t{2}, &begin), {std::size_t{3}, &end}}) {
        const auto point = from[at].cast<std::array<double, 3>>();
        std::copy(point.begin(), point.end(), *to);
    }
}

std::vector<cairn_connection> connections_of(const py::object& from) {
    std::vector<cairn_connection> out;
    if (from.is_none()) return out;
    for (const py::handle item : from) {
        const auto link = item.cast<py::tuple>();
        if (link.size() != 6)
            throw py::value_error("a connection is (from, to, begin, end, area, one_way)");
        cairn_connection& made = out.emplace_back();
        made.from = link[0].cast<uint32_t>();
        made.to = link[1].cast<uint32_t>();
        read_ends(link, made.begin, made.end);
        made.area = link[4].cast<int32_t>();
        made.one_way = link[5].cast<bool>() ? 1 : 0;
    }
    return out;
}

std::vector<cairn_portal> portals_of(const py::object& from) {
    std::vector<cairn_portal> out;
    if (from.is_none()) return out;
    for (const py::handle item : from) {
        const auto portal = item.cast<py::tuple>();
        if (portal.size() < 4 || portal.size() > 6)
            throw py::value_error("a portal is (first, second, begin, end, width, one_way)");
        cairn_portal& made = out.emplace_back();
        made.first = portal[0].cast<uint32_t>();
        made.second = portal[1].cast<uint32_t>();
        read_ends(portal, made.begin, made.end);
        made.width =
            portal.size() > 4 ? portal[4].cast<double>() : std::numeric_limits<double>::infinity();
        made.one_way = portal.size() > 5 ? portal[5].cast<int32_t>() : 0;
    }
    return out;
}

std::shared_ptr<Mesh> make_mesh(const py::object& vertices, const py::object& polygons,
                                const py::object& areas, const py::object& connections,
                                const py::object& portals, const py::kwargs& kwargs) {
    Options options;
    read_options(options, kwargs);
    refuse_other(options);
    const auto points = py::array_t<double, py::array::c_style | py::array::forcecast>(
        double_rows(vertices, 3, "vertices").array);
    std::vector<uint32_t> first{0};
    std::vector<uint32_t> corners;
    for (const py::handle polygon : polygons) {
        for (const py::handle corner : polygon) corners.push_back(corner.cast<uint32_t>());
        if (corners.size() > std::numeric_limits<uint32_t>::max())
            throw py::value_error("the polygons have too many corners");
        first.push_back(static_cast<uint32_t>(corners.size()));
    }
    const std::vector<uint8_t> area_list = areas_of(areas, first.size() - 1);
    const std::vector<cairn_connection> links = connections_of(connections);
    const std::vector<cairn_portal> portal_list = portals_of(portals);
    auto arrays = CAIRN_INIT(cairn_mesh_arrays);
    arrays.num_polygons = static_cast<uint32_t>(first.size() - 1);
    arrays.vertices = points.data();
    arrays.num_vertices = static_cast<std::size_t>(points.shape(0));
    arrays.first_corner = first.data();
    arrays.corners = corners.data();
    arrays.num_corners = corners.size();
    arrays.areas = area_list.empty() ? nullptr : area_list.data();
    // Not null, although there may be none.
    const cairn_portal none{};
    if (!portals.is_none()) arrays.portals = portal_list.empty() ? &none : portal_list.data();
    arrays.num_portals = portal_list.size();
    arrays.connections = links.data();
    arrays.num_connections = links.size();
    return std::make_shared<Mesh>(make<MapHandle>(
        [&](cairn_map** mesh) { return cairn_mesh_create(&arrays, &options.options, mesh); }));
}

py::object load_mesh(const py::object& path, const py::object& progress, int threads,
                     const py::kwargs& kwargs) {
    Options options;
    read_options(options, kwargs);
    const auto& recast = options.recast.list();
    options.options.recast = recast.data();
    options.options.num_recast = recast.size();
    const std::string name = file_name(path);
    return map_object(make_long<MapHandle>(
        progress, threads, [&](const cairn_control& control, cairn_map** made) {
            return cairn_mesh_load(name.c_str(), &options.options, &control, made);
        }));
}

py::object mesh_from_grid(const Grid& grid, const py::kwargs& kwargs) {
    Options options;
    read_options(options, kwargs);
    refuse_other(options);
    return map_object(make<MapHandle>([&](cairn_map** mesh) {
        return cairn_mesh_from_grid(grid.handle.get(), &options.options, mesh);
    }));
}

py::array_t<double> vertices_of(const Mesh& mesh) {
    py::array_t<double> out({static_cast<py::ssize_t>(mesh.info.num_vertices), py::ssize_t{3}});
    check(
        cairn_mesh_copy(mesh.handle.get(), out.mutable_data(), nullptr, nullptr, nullptr, nullptr));
    return out;
}

/// (first_corner, corners)
py::tuple corners_of(const Mesh& mesh) {
    py::array_t<uint32_t> first(static_cast<py::ssize_t>(mesh.info.num_polygons) + 1);
    py::array_t<uint32_t> corners(static_cast<py::ssize_t>(mesh.info.num_corners));
    check(cairn_mesh_copy(mesh.handle.get(), nullptr, first.mutable_data(), corners.mutable_data(),
                          nullptr, nullptr));
    return py::make_tuple(first, corners);
}

py::list polygons_of(const Mesh& mesh) {
    const py::tuple both = corners_of(mesh);
    const auto first = both[0].cast<py::array_t<uint32_t>>();
    py::list out;
    for (py::ssize_t i = 0; i + 1 < first.size(); ++i)
        out.append(both[1][py::slice(first.at(i), first.at(i + 1), 1)]);
    return out;
}

py::array_t<uint8_t> areas_of_mesh(const Mesh& mesh) {
    py::array_t<uint8_t> out(static_cast<py::ssize_t>(mesh.info.num_polygons));
    check(
        cairn_mesh_copy(mesh.handle.get(), nullptr, nullptr, nullptr, out.mutable_data(), nullptr));
    return out;
}

py::array blocked_of(const Mesh& mesh) {
    py::array_t<uint8_t> out(static_cast<py::ssize_t>(mesh.info.num_polygons));
    check(
        cairn_mesh_copy(mesh.handle.get(), nullptr, nullptr, nullptr, nullptr, out.mutable_data()));
    return out.attr("astype")("bool");
}

py::array_t<uint32_t> locate(const Mesh& mesh, const py::object& points) {
    const Places places = read_places(mesh, points, "points");
    py::array_t<uint32_t> out(static_cast<py::ssize_t>(places.rows.count));
    uint32_t* const polygons = out.mutable_data();
    cairn_status status = CAIRN_OK;
    {
        const py::gil_scoped_release released;
        status = cairn_mesh_locate(mesh.handle.get(), &places.places, polygons);
    }
    check(status);
    return out;
}

}  // namespace

void define_mesh(py::module_& module) {
    py::class_<Mesh, Map, std::shared_ptr<Mesh>>(
        module, "Mesh",
        "Mesh(vertices, polygons, areas=None, connections=None, portals=None, **options)\n\n"
        "A navigation mesh of convex polygons; y is up. vertices: [n, 3] numbers. polygons: for\n"
        "each the numbers of its vertices around it. areas: a number from 0 to 63 for each\n"
        "polygon. connections: tuples (from, to, begin, end, area, one_way), such as ladders.\n"
        "portals: tuples (first, second, begin, end, width=inf, one_way=0) of segments that two\n"
        "polygons share; agents of at most half the width may cross; one_way 1: only from first\n"
        "to second, 2: only back. None: where two polygons share two neighbouring corners.\n\n"
        "Options: scoring ('midpoints', 'centres', 'parts'), area_costs (a dict from areas to the\n"
        "cost of a unit of length), units_per_length, longest_part, radius, accept_odd.\n\n"
        ">>> import cairn\n"
        ">>> corners = [(0, 0, 0), (2, 0, 0), (2, 0, 1), (0, 0, 1), (4, 0, 0), (4, 0, 1)]\n"
        ">>> mesh = cairn.Mesh(corners, [(0, 1, 2, 3), (1, 4, 5, 2)])\n"
        ">>> mesh.locate([(0.5, 0, 0.5), (3, 0, 0.5)]).tolist()\n"
        "[0, 1]\n")
        .def(py::init(&make_mesh), "vertices"_a, "polygons"_a, "areas"_a = py::none(),
             "connections"_a = py::none(), "portals"_a = py::none())
        .def_static("load", &load_mesh, "path"_a, py::kw_only(), "progress"_a = py::none(),
                    "threads"_a = 0,
                    "load(path, *, progress=None, threads=0, **options)\n\n"
                    "A mesh from a file: .mesh (Polyanya), .bin (Detour's tile sets) or .obj "
                    "(geometry, of\nwhich Recast builds a mesh by its options, such as "
                    "cell_size=0.2).")
        .def_static("from_grid", &mesh_from_grid, "grid"_a,
                    "from_grid(grid, **options)\n\nA mesh of the free cells of a grid. The cell "
                    "(x, y) covers x to x + 1 and z = y to y + 1.")
        .def_property_readonly("vertices", &vertices_of, "A new array [n, 3].")
        .def_property_readonly("polygons", &polygons_of,
                               "For each polygon an array of the numbers of its vertices.")
        .def_property_readonly("areas", &areas_of_mesh, "The area of each polygon.")
        .def_property_readonly("blocked", &blocked_of,
                               "For each polygon whether an edit has blocked it.")
        .def_property_readonly(
            "num_polygons", [](const Mesh& mesh) { return mesh.info.num_polygons; },
            "The number of polygons, with connections.")
        .def_property_readonly(
            "units_per_length", [](const Mesh& mesh) { return mesh.info.units_per_length; },
            "What a unit of length costs.")
        .def("locate", &locate, "points"_a,
             "locate(points)\n\nThe polygon under or over each of the points [n, 3]; cairn.NONE "
             "outside.");
}

}  // namespace cairn::python

#include <algorithm>
#include <array>
#include <limits>

#include "mesh_parts.hpp"

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
    const MeshParts parts(vertices, polygons, areas, connections, portals);
    return std::make_shared<Mesh>(make<MapHandle>(
        [&](cairn_map** mesh) { return cairn_mesh_create(&parts.list, &options.options, mesh); }));
}

py::object changed_mesh(const Mesh& self, const py::object& removed, const py::kwargs& keywords) {
    const MeshChange change(self, removed, keywords);
    return map_object(make<MapHandle>([&](cairn_map** made) {
        return cairn_mesh_changed(self.handle.get(), &change.list, made);
    }));
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

MeshParts::MeshParts(const py::object& vertices, const py::object& polygons,
                     const py::object& areas, const py::object& connections,
                     const py::object& portals) {
    vertices_ = decltype(vertices_)(double_rows(vertices, 3, "vertices").array);
    for (const py::handle polygon : polygons) {
        for (const py::handle corner : polygon) corners_.push_back(corner.cast<uint32_t>());
        if (corners_.size() > std::numeric_limits<uint32_t>::max())
            throw py::value_error("the polygons have too many corners");
        first_.push_back(static_cast<uint32_t>(corners_.size()));
    }
    areas_ = areas_of(areas, first_.size() - 1);
    connections_ = connections_of(connections);
    portals_ = portals_of(portals);
    list.num_polygons = static_cast<uint32_t>(first_.size() - 1);
    list.vertices = vertices_.data();
    list.num_vertices = static_cast<std::size_t>(vertices_.size()) / 3;
    list.first_corner = first_.data();
    list.corners = corners_.data();
    list.num_corners = corners_.size();
    list.areas = areas_.empty() ? nullptr : areas_.data();
    list.num_portals = portals_.size();
    if (!portals.is_none()) {
        if (portals_.empty()) portals_.emplace_back();  // so that the list is not null
        list.portals = portals_.data();
    }
    list.connections = connections_.data();
    list.num_connections = connections_.size();
}

MeshChange::MeshChange(const Map& map, const py::object& removed, const py::kwargs& keywords) {
    const auto numbers = py::array::ensure(removed);
    if (!numbers) throw py::error_already_set();
    const Rows rows = unsigned_rows(numbers.attr("reshape")(-1, 1), 1, "removed");
    for (std::size_t i = 0; i < rows.count; ++i) removed_.push_back(rows.row<uint32_t, 1>(i)[0]);
    py::dict rest(keywords);
    const auto take = [&](const char* name, const py::object& usual) {
        return rest.contains(name) ? rest.attr("pop")(name) : usual;
    };
    const py::tuple none;
    const py::object vertices = take("vertices", none);
    const py::object polygons = take("polygons", none);
    const py::object areas = take("areas", py::none());
    const py::object connections = take("connections", py::none());
    const py::object portals = take("portals", py::none());
    added_.emplace(vertices, polygons, areas, connections, portals);
    const py::object edits = take("edits", none);
    list.accept_odd = take("accept_odd", py::bool_(false)).cast<bool>() ? 1 : 0;
    if (!rest.empty()) {
        throw py::type_error(
            "unknown keyword argument; those of a change are vertices, polygons, areas, "
            "connections, portals, edits, accept_odd");
    }
    list.removed = removed_.data();
    list.num_removed = removed_.size();
    list.added = &added_->list;
    if (!map.is_mesh()) return;  // there is no such change
    edits_.emplace(map, edits);
    list.edits = edits_->list().polygons;
    list.num_edits = edits_->list().count;
}

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
        .def("changed", &changed_mesh, "removed"_a = py::tuple(),
             "changed(removed=(), *, vertices=(), polygons=(), areas=None, connections=None, "
             "portals=None,\n        edits=(), accept_odd=False)\n\n"
             "The mesh without some polygons and with others, such as those of a tile; this one "
             "does not\nchange. Numbers stay: the added polygons follow those of the mesh, and the "
             "added connections\nfollow these. Their corners are numbers of the added vertices. "
             "They get exactly the portals\ngiven here, which may name polygons of the mesh that "
             "stay. edits: rows (polygon, area, blocked).\n\n"
             ">>> import cairn\n"
             ">>> mesh = cairn.Mesh([(0, 0, 0), (2, 0, 0), (2, 0, 1), (0, 0, 1)], [(0, 1, 2, 3)])\n"
             ">>> more = mesh.changed(vertices=[(2, 0, 0), (4, 0, 0), (4, 0, 1), (2, 0, 1)],\n"
             "...                     polygons=[(0, 1, 2, 3)],\n"
             "...                     portals=[(0, 1, (2, 0, 0), (2, 0, 1))])\n"
             ">>> cairn.build(more).path((1, 0, 0.5), (3, 0, 0.5)).polygons.tolist()\n"
             "[0, 1]\n"
             ">>> more.changed([1]).locate([(3, 0, 0.5)])[0] == cairn.NONE\n"
             "True\n")
        .def("locate", &locate, "points"_a,
             "locate(points)\n\nThe polygon under or over each of the points [n, 3]; cairn.NONE "
             "outside.");
}

}  // namespace cairn::python

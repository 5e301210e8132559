#include "map.hpp"

#include <cmath>
#include <limits>

namespace cairn::python {
namespace {

/// One byte per cell from an array of any type that Grid takes, and what the bytes mean.
struct Bytes {
    py::array array;
    int32_t terrain = CAIRN_WEIGHTS;
};

Bytes bytes_of(const py::array& given, const std::string& terrain) {
    if (given.ndim() != 2)
        throw py::value_error("a grid needs an array of 2 dimensions, not " +
                              std::to_string(given.ndim()));
    Bytes out{given, choice("terrain", terrain, {"letters", "digits", "weights"})};
    const py::dtype type = given.dtype();
    const py::object uint8 = py::dtype::of<uint8_t>();
    if (type.kind() == 'S' && type.itemsize() == 1) {
        if (terrain == "weights") out.terrain = CAIRN_DIGITS;
        out.array = given.attr("view")(uint8);
    } else if (type.kind() == 'b') {
        out.array = given.attr("view")(uint8);
    } else if (type.kind() != 'i' && type.kind() != 'u') {
        throw py::type_error("a grid needs an array of bool, integers or single bytes, not " +
                             py::str(py::handle(type)).cast<std::string>());
    } else if (!type.is(uint8)) {
        if (given.size() > 0 && (py::int_(given.attr("min")()) < py::int_(0) ||
                                 py::int_(given.attr("max")()) > py::int_(255)))
            throw py::value_error("the numbers of a grid must be 0 to 255");
        out.array = given.attr("astype")(uint8);
    }
    if (out.array.size() > 0 && out.array.shape(1) > 1 && out.array.strides(1) != 1)
        out.array = py::array_t<uint8_t, py::array::c_style | py::array::forcecast>(out.array);
    return out;
}

using Origin = std::pair<double, double>;

struct Rules {
    cairn_map_options options = CAIRN_INIT(cairn_map_options);
    std::vector<uint8_t> weights;
};

/// The options that grids from arrays and from files share.
void set_rules(Rules& rules, int neighbours, const std::string& corners, uint32_t straight,
               uint32_t diagonal, const py::object& weights) {
    if (neighbours != 4 && neighbours != 8) throw py::value_error("neighbours must be 4 or 8");
    rules.options.neighbours = neighbours == 4 ? CAIRN_FOUR : CAIRN_EIGHT;
    rules.options.corner = choice("corners", corners, {"strict", "both-blocked", "free"});
    rules.options.straight = straight;
    rules.options.diagonal = diagonal;
    if (weights.is_none()) return;
    rules.weights = weights_of(weights);
    rules.options.weights = rules.weights.data();
}

std::shared_ptr<Grid> make_grid(const py::array& array, int neighbours, const std::string& corners,
                                const std::string& terrain, const py::object& weights,
                                uint32_t straight, uint32_t diagonal, double resolution,
                                const Origin& origin, double yaw) {
    Rules rules;
    set_rules(rules, neighbours, corners, straight, diagonal, weights);
    const Bytes bytes = bytes_of(array, terrain);
    rules.options.terrain = bytes.terrain;
    if (!(resolution >= 0) || !std::isfinite(resolution) || !std::isfinite(origin.first) ||
        !std::isfinite(origin.second) || !std::isfinite(yaw))
        throw py::value_error("resolution, origin and yaw must be finite, resolution 0 or more");
    rules.options.resolution = resolution;
    rules.options.origin_x = origin.first;
    rules.options.origin_y = origin.second;
    rules.options.yaw = yaw;
    constexpr py::ssize_t most = std::numeric_limits<int32_t>::max();
    const py::ssize_t height = bytes.array.shape(0);
    const py::ssize_t width = bytes.array.shape(1);
    if (width > most || height > most) throw py::value_error("the array is too large");
    // Of one row, and of none, the stride has no meaning.
    py::array whole = bytes.array;
    if (height > 1 && whole.strides(0) == 0)
        whole = py::module_::import("numpy").attr("copy")(whole, "order"_a = "C");
    const std::ptrdiff_t stride = height > 1 ? whole.strides(0) : 0;
    return std::make_shared<Grid>(make<MapHandle>([&](cairn_map** map) {
        return cairn_map_create(static_cast<int32_t>(width), static_cast<int32_t>(height),
                                static_cast<const uint8_t*>(whole.data()), stride, &rules.options,
                                map);
    }));
}

py::object load_grid(const py::object& path, int neighbours, const std::string& corners,
                     const std::string& terrain, const py::object& weights, uint32_t straight,
                     uint32_t diagonal, bool unknown_is_free, const py::object& palette,
                     const std::optional<std::string>& layer, const std::string& wall_property,
                     bool empty_is_free) {
    Rules rules;
    set_rules(rules, neighbours, corners, straight, diagonal, weights);
    rules.options.terrain = choice("terrain", terrain, {"letters", "digits", "weights"});
    rules.options.unknown_is_free = unknown_is_free ? 1 : 0;
    const std::string colours = palette.is_none() ? std::string() : file_name(palette);
    if (!palette.is_none()) rules.options.palette = colours.c_str();
    if (layer) rules.options.layer = layer->c_str();
    rules.options.wall_property = wall_property.c_str();
    rules.options.empty_is_free = empty_is_free ? 1 : 0;
    const std::string name = file_name(path);
    return map_object(make<MapHandle>(
        [&](cairn_map** map) { return cairn_map_load(name.c_str(), &rules.options, map); }));
}

py::object with_agents(const Map& grid, int32_t max_size, const py::object& capabilities,
                       const py::object& key, bool centred) {
    auto agents = CAIRN_INIT(cairn_agents);
    agents.max_size = max_size;
    agents.centred = centred ? 1 : 0;
    std::vector<uint8_t> terrains;
    if (py::isinstance<py::str>(key)) {
        agents.key_numbers = choice("key", key.cast<std::string>(), {"letters", "numbers"});
    } else {
        terrains = key.cast<std::vector<uint8_t>>();
        if (terrains.size() != 256) throw py::value_error("key must be 256 numbers");
        agents.key = terrains.data();
    }
    std::vector<uint8_t> factors;
    if (!capabilities.is_none()) {
        factors = factors_of(capabilities);
        agents.capabilities = factors.data();
        agents.num_capabilities = static_cast<uint32_t>(factors.size() / 16);
        if (factors.empty()) throw py::value_error("capabilities must not be empty");
    }
    return map_object(make<MapHandle>(
        [&](cairn_map** map) { return cairn_map_with_agents(grid.handle.get(), &agents, map); }));
}

py::array_t<uint8_t> array_of(const Map& map) {
    py::array_t<uint8_t> out({map.info.height, map.info.width});
    check(cairn_map_copy_bytes(map.handle.get(), out.mutable_data(), 0));
    return out;
}

/// Whether each cell is free. That depends on its byte alone, so one cell of each byte is tried.
py::array_t<bool> free_mask(const Map& map) {
    const py::array_t<uint8_t> bytes = array_of(map);
    py::array_t<bool> out({map.info.height, map.info.width});
    int8_t known[256] = {};  // 1: free, -1: an obstacle
    const uint8_t* const from = bytes.data();
    bool* const to = out.mutable_data();
    for (py::ssize_t i = 0; i < bytes.size(); ++i) {
        int8_t& is_free = known[from[i]];
        if (is_free == 0) {
            const auto cell = static_cast<uint32_t>(i);
            uint32_t cost = 0;
            check(cairn_map_measure(map.handle.get(), &cell, 1, &cost, nullptr));
            is_free = cost == CAIRN_INFINITY ? -1 : 1;
        }
        to[i] = is_free > 0;
    }
    return out;
}

py::object to_cell(const Map& map, const py::object& points) {
    const Rows rows = double_rows(points, 2, "points");
    py::array_t<int32_t> out({rows.count, std::size_t{2}});
    for (std::size_t i = 0; i < rows.count; ++i) {
        const auto xy = rows.row<double, 2>(i);
        check(cairn_map_to_cell(map.handle.get(), xy[0], xy[1], out.mutable_data(i, 0)));
    }
    if (rows.single) return py::make_tuple(out.at(0, 0), out.at(0, 1));
    return out;
}

py::object to_world(const Map& map, const py::object& cells) {
    const Rows rows = int_rows(cells, 2, "cells");
    py::array_t<double> out({rows.count, std::size_t{2}});
    for (std::size_t i = 0; i < rows.count; ++i) {
        const auto xy = rows.row<int32_t, 2>(i);
        check(cairn_map_to_world(map.handle.get(), xy[0], xy[1], out.mutable_data(i, 0)));
    }
    if (rows.single) return py::make_tuple(out.at(0, 0), out.at(0, 1));
    return out;
}

/// (cost, length) of a path over cells; None if a step is not legal.
py::object measure(const Map& map, const py::object& cells) {
    const std::vector<uint32_t> numbers = cell_numbers(map, cells, "cells");
    uint32_t cost = 0;
    double length = 0;
    check(cairn_map_measure(map.handle.get(), numbers.data(), numbers.size(), &cost, &length));
    if (cost == CAIRN_INFINITY) return py::none();
    return py::make_tuple(cost, length);
}

std::string describe_map(const Map& map) {
    const cairn_map_info& info = map.info;
    if (map.is_mesh()) return "<cairn.Mesh of " + std::to_string(info.num_polygons) + " polygons>";
    return "<cairn.Grid of " + std::to_string(info.width) + " x " + std::to_string(info.height) +
           " cells" + (info.kind == CAIRN_KIND_AGENTS ? ", for agents>" : ">");
}

py::object map_picture(const Map& map, const std::string& format) {
    auto options = CAIRN_INIT(cairn_picture);
    options.format = choice("format", format, {"svg", "png"});
    const auto bytes = make<BytesHandle>(
        [&](cairn_bytes** out) { return cairn_draw_map(map.handle.get(), &options, out); });
    return py::bytes(static_cast<const char*>(cairn_bytes_data(bytes.get())),
                     cairn_bytes_size(bytes.get()));
}

/// A number that does not fit becomes one outside every map.
int32_t coordinate(PyObject* item, const char* argument) {
    int overflow = 0;
    long value = -1;
    if (PyLong_Check(item)) {
        value = PyLong_AsLongAndOverflow(item, &overflow);
    } else {
        const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(item));
        if (!index) {
            PyErr_Clear();
            throw py::type_error(std::string(argument) + " must be two integers, (x, y)");
        }
        value = PyLong_AsLongAndOverflow(index.ptr(), &overflow);
    }
    if (overflow != 0 || value < std::numeric_limits<int32_t>::min() ||
        value > std::numeric_limits<int32_t>::max())
        return -1;
    return static_cast<int32_t>(value);
}

}  // namespace

py::object map_object(MapHandle map) {
    auto info = CAIRN_INIT(cairn_map_info);
    check(cairn_map_get(map.get(), &info));
    if (info.kind == CAIRN_KIND_MESH) return py::cast(std::make_shared<Mesh>(std::move(map)));
    return py::cast(std::make_shared<Grid>(std::move(map)));
}

std::vector<uint8_t> factors_of(const py::object& capabilities) {
    std::vector<uint8_t> factors;
    for (const py::handle capability : capabilities) {
        std::vector<uint8_t> of_one(16, 0);
        if (py::isinstance<py::dict>(capability)) {
            for (const auto& [terrain, factor] : capability.cast<py::dict>()) {
                const auto at = terrain.cast<std::size_t>();
                if (at >= of_one.size()) throw py::value_error("terrains are 0 to 15");
                of_one[at] = factor.cast<uint8_t>();
            }
        } else {
            for (const py::handle terrain : capability) {
                const auto at = terrain.cast<std::size_t>();
                if (at >= of_one.size()) throw py::value_error("terrains are 0 to 15");
                of_one[at] = 1;
            }
        }
        factors.insert(factors.end(), of_one.begin(), of_one.end());
    }
    return factors;
}

std::vector<uint8_t> weights_of(const py::object& weights) {
    auto list = weights.cast<std::vector<uint8_t>>();
    if (list.size() != 256) throw py::value_error("weights must be 256 numbers");
    return list;
}

std::vector<uint32_t> cell_numbers(const Map& map, const py::object& cells, const char* argument) {
    const Rows rows = int_rows(cells, 2, argument);
    std::vector<uint32_t> out(rows.count);
    for (std::size_t i = 0; i < rows.count; ++i) {
        const auto [x, y] = rows.row<int32_t, 2>(i);
        if (x < 0 || y < 0 || x >= map.info.width || y >= map.info.height)
            throw Error(CAIRN_BAD_OPTION, std::string(argument) + ": a cell lies outside the map");
        out[i] = static_cast<uint32_t>(y) * static_cast<uint32_t>(map.info.width) +
                 static_cast<uint32_t>(x);
    }
    return out;
}

Places read_places(const Map& map, py::handle from, const char* argument) {
    Places out;
    if (map.is_mesh()) {
        out.rows = double_rows(from, 3, argument);
        out.places.points = static_cast<const double*>(out.rows.data());
    } else {
        out.rows = int_rows(from, 2, argument);
        out.places.cells = static_cast<const int32_t*>(out.rows.data());
    }
    out.places.count = out.rows.count;
    out.places.stride = out.rows.stride;
    return out;
}

cairn_cell read_cell(py::handle from, const char* argument) {
    if (PyTuple_CheckExact(from.ptr()) && PyTuple_GET_SIZE(from.ptr()) == 2)
        return {coordinate(PyTuple_GET_ITEM(from.ptr(), 0), argument),
                coordinate(PyTuple_GET_ITEM(from.ptr(), 1), argument)};
    const auto items = py::reinterpret_steal<py::object>(PySequence_Tuple(from.ptr()));
    if (!items || PyTuple_GET_SIZE(items.ptr()) != 2) {
        PyErr_Clear();
        throw py::type_error(std::string(argument) + " must be two integers, (x, y)");
    }
    return read_cell(items, argument);
}

cairn_place read_place(py::handle from, const char* argument) {
    const auto items = py::reinterpret_steal<py::object>(PySequence_Tuple(from.ptr()));
    const py::ssize_t count = items ? PyTuple_GET_SIZE(items.ptr()) : 0;
    if (count != 3 && count != 4) {
        PyErr_Clear();
        throw py::type_error(std::string(argument) + " must be (x, y, z) or (x, y, z, polygon)");
    }
    const auto tuple = items.cast<py::tuple>();
    return {tuple[0].cast<double>(), tuple[1].cast<double>(), tuple[2].cast<double>(),
            count == 4 ? tuple[3].cast<uint32_t>() : CAIRN_NONE};
}

void define_map(py::module_& module) {
    py::class_<Map, std::shared_ptr<Map>>(module, "Map", "A grid or a navigation mesh.")
        .def(
            "save",
            [](const Map& map, const py::object& path) {
                check(cairn_map_save(map.handle.get(), file_name(path).c_str()));
            },
            "path"_a,
            "save(path)\n\nWrites the map by the extension of the file: .map, .png, .pgm, .yaml, "
            "or of a mesh .mesh.")
        .def("picture", &map_picture, "format"_a = "svg",
             "picture(format='svg')\n\nA picture of the map as the bytes of an SVG or PNG file.")
        .def_property_readonly(
            "fingerprint", [](const Map& map) { return map.info.fingerprint; },
            "A number that equal maps have on every machine.")
        .def_property_readonly(
            "nbytes", [](const Map& map) { return map.info.bytes; },
            "The memory that the map takes.")
        .def("__repr__", &describe_map);

    py::class_<Grid, Map, std::shared_ptr<Grid>>(
        module, "Grid",
        "Grid(array, *, neighbours=8, corners='strict', terrain='weights', weights=None,\n"
        "     straight=0, diagonal=0, resolution=0.0, origin=(0.0, 0.0), yaw=0.0)\n\n"
        "A grid from an array of 2 dimensions; the cell (x, y) is array[y, x].\n\n"
        "An array of bool says which cells are free. Integers from 0 to 255 are the weights of\n"
        "cells, 0 for obstacles. With terrain='letters' they are MovingAI's letters ('.', 'G' and\n"
        "'S' are free), with 'digits' also '1' to '9' are weights; an array of single bytes\n"
        "(dtype 'S1') is taken so. `weights` are 256 weights, one for each byte, instead.\n\n"
        "neighbours: 4 or 8. corners: when a diagonal step may pass the corner of an obstacle:\n"
        "'strict' if both cells beside it are free, 'both-blocked' unless both are blocked, or\n"
        "'free'. A straight step costs 408, a diagonal one 577, times the weight, unless\n"
        "`straight` and `diagonal` say otherwise. resolution, origin and yaw place the grid in\n"
        "the world, as cairn.from_costmap does.\n\n"
        ">>> import numpy, cairn\n"
        ">>> grid = cairn.Grid(numpy.ones((20, 30), dtype=bool))\n"
        ">>> grid.shape, grid.free_cells\n"
        "((20, 30), 600)\n")
        .def(py::init(&make_grid), "array"_a, py::kw_only(), "neighbours"_a = 8,
             "corners"_a = "strict", "terrain"_a = "weights", "weights"_a = py::none(),
             "straight"_a = 0, "diagonal"_a = 0, "resolution"_a = 0.0,
             "origin"_a = Origin{0.0, 0.0}, "yaw"_a = 0.0)
        .def_static(
            "load", &load_grid, "path"_a, py::kw_only(), "neighbours"_a = 8, "corners"_a = "strict",
            "terrain"_a = "letters", "weights"_a = py::none(), "straight"_a = 0, "diagonal"_a = 0,
            "unknown_is_free"_a = false, "palette"_a = py::none(), "layer"_a = py::none(),
            "wall_property"_a = "blocked", "empty_is_free"_a = false,
            "load(path, *, neighbours=8, corners='strict', terrain='letters', ...)\n\n"
            "A grid from a file: .map (MovingAI), .png, .pgm, .npy, .yaml (Nav2), .tmj or\n"
            ".tmx (Tiled). With terrain='digits' the digits of maps are weights.\n\n"
            "Of a Tiled map, tiles whose bool property wall_property is true are walls, or\n"
            "the tiles of the layer that `layer` names; cells without a tile are walls\n"
            "unless empty_is_free.")
        .def("with_agents", &with_agents, "max_size"_a = 2, py::kw_only(),
             "capabilities"_a = py::none(), "key"_a = "letters", "centred"_a = false,
             "with_agents(max_size=2, *, capabilities=None, key='letters', centred=False)\n\n"
             "This grid for agents that cover up to max_size x max_size cells, for planner 'haa'.\n"
             "Each capability lists the terrains, 0 to 15, that an agent can stand on, or is a\n"
             "dict from terrains to factors of their costs. key says the terrain of a byte:\n"
             "'letters', 'numbers', or 256 numbers, 255 for obstacles.")
        .def_property_readonly("array", &array_of,
                               "The bytes of the cells, as a new array of uint8.")
        .def_property_readonly("free_mask", &free_mask,
                               "Which cells are free, as a new array of bool. Not of grids for "
                               "agents.")
        .def_property_readonly(
            "shape",
            [](const Grid& grid) { return py::make_tuple(grid.info.height, grid.info.width); },
            "(height, width)")
        .def_property_readonly(
            "width", [](const Grid& grid) { return grid.info.width; }, "Columns.")
        .def_property_readonly(
            "height", [](const Grid& grid) { return grid.info.height; }, "Rows.")
        .def_property_readonly(
            "free_cells", [](const Grid& grid) { return grid.info.free_cells; },
            "The number of cells that are no obstacle; 0 for agents.")
        .def_property_readonly(
            "for_agents", [](const Grid& grid) { return grid.info.kind == CAIRN_KIND_AGENTS; },
            "Whether it is a map for agents, as with_agents makes it.")
        .def_property_readonly(
            "straight", [](const Grid& grid) { return grid.info.straight; },
            "The cost of a straight step over weight 1.")
        .def_property_readonly(
            "diagonal", [](const Grid& grid) { return grid.info.diagonal; },
            "The cost of a diagonal step over weight 1.")
        .def_property_readonly(
            "resolution", [](const Grid& grid) { return grid.info.resolution; },
            "The side of a cell in the world; 0: no position.")
        .def("to_cell", &to_cell, "points"_a,
             "to_cell(points)\n\nThe cell at a point (x, y) of the world, or the cells at an "
             "array [n, 2] of them.\nThey may lie outside the grid.")
        .def("to_world", &to_world, "cells"_a,
             "to_world(cells)\n\nThe centre in the world of a cell, or of an array [n, 2] of "
             "cells.")
        .def("measure", &measure, "cells"_a,
             "measure(cells)\n\n(cost, length) of a path over cells [n, 2]; None if a step is not "
             "legal.");
}

}  // namespace cairn::python

#include <algorithm>
#include <array>

#include "mesh_parts.hpp"

namespace cairn::python {
namespace {

cairn_index_info info_of(const Searchable& self) {
    auto info = CAIRN_INIT(cairn_index_info);
    check(cairn_index_get(self.index(), &info));
    return info;
}

std::shared_ptr<Index> build(const std::shared_ptr<Map>& map, const std::string& planner,
                             const py::object& progress, int threads, const py::kwargs& options) {
    Settings settings;
    for (const auto& [name, value] : options) settings.add(py::str(name), value);
    const auto& list = settings.list();
    IndexHandle index = make_long<IndexHandle>(
        progress, threads, [&](const cairn_control& control, cairn_index** made) {
            return cairn_index_build(planner.c_str(), map->handle.get(), list.data(), list.size(),
                                     &control, made);
        });
    return std::make_shared<Index>(std::move(index), map);
}

/// The map that an index has: `given` if there is one.
std::shared_ptr<Map> map_of(const IndexHandle& index, const std::shared_ptr<Map>& given) {
    if (given != nullptr) return given;
    cairn_map* made = nullptr;
    check(cairn_index_map(index.get(), &made));
    return map_object(MapHandle(made)).cast<std::shared_ptr<Map>>();
}

std::shared_ptr<Index> load(const py::object& path, const std::shared_ptr<Map>& map,
                            const std::string& checks) {
    const std::string name = file_name(path);
    const std::array<std::string, 3> words{"contents", "checksums", "none"};
    const auto word = std::find(words.begin(), words.end(), checks);
    if (word == words.end())
        throw py::value_error("checks: 'contents', 'checksums' or 'none', not '" + checks + "'");
    IndexHandle index = make<IndexHandle>([&](cairn_index** made) {
        return cairn_index_load_checked(name.c_str(), map == nullptr ? nullptr : map->handle.get(),
                                        static_cast<std::int32_t>(word - words.begin()), made);
    });
    std::shared_ptr<Map> own = map_of(index, map);
    return std::make_shared<Index>(std::move(index), std::move(own));
}

std::shared_ptr<Index> from_bytes(const py::buffer& bytes, const std::shared_ptr<Map>& map) {
    const py::buffer_info view = bytes.request();
    if (view.itemsize != 1 || view.ndim != 1 || view.strides[0] != 1)
        throw py::type_error("an index is read from bytes");
    IndexHandle index = make<IndexHandle>([&](cairn_index** made) {
        return cairn_index_from_bytes(view.ptr, static_cast<std::size_t>(view.size),
                                      map == nullptr ? nullptr : map->handle.get(), made);
    });
    std::shared_ptr<Map> own = map_of(index, map);
    return std::make_shared<Index>(std::move(index), std::move(own));
}

py::bytes to_bytes(const Index& self) {
    const auto bytes = make<BytesHandle>(
        [&](cairn_bytes** out) { return cairn_index_to_bytes(self.index(), out); });
    return {static_cast<const char*>(cairn_bytes_data(bytes.get())), cairn_bytes_size(bytes.get())};
}

void save(const Index& self, const py::object& path, bool with_map) {
    const std::string name = file_name(path);
    cairn_status status = CAIRN_OK;
    {
        const py::gil_scoped_release released;
        status = with_map ? cairn_index_save_with_map(self.index(), name.c_str())
                          : cairn_index_save(self.index(), name.c_str());
    }
    check(status);
}

std::shared_ptr<Index> edited(const Index& self, const py::object& edits) {
    const Edits list(self.map(), edits);
    const cairn_edits changes = list.list();
    IndexHandle index = make<IndexHandle>(
        [&](cairn_index** made) { return cairn_index_edited(self.index(), &changes, made); });
    std::shared_ptr<Map> map = map_of(index, nullptr);
    return std::make_shared<Index>(std::move(index), std::move(map));
}

std::shared_ptr<Index> changed_index(const Index& self, const py::object& removed,
                                     const py::kwargs& keywords) {
    const MeshChange change(self.map(), removed, keywords);
    IndexHandle index = make<IndexHandle>(
        [&](cairn_index** made) { return cairn_index_changed(self.index(), &change.list, made); });
    std::shared_ptr<Map> map = map_of(index, nullptr);
    return std::make_shared<Index>(std::move(index), std::move(map));
}

std::shared_ptr<Index> with_labels(const Index& self, const py::object& agents,
                                   const py::object& progress, int threads) {
    Rows rows;
    if (!agents.is_none()) rows = int_rows(agents, 2, "agents");
    const py::array_t<int32_t, py::array::c_style | py::array::forcecast> plain(
        agents.is_none() ? py::array_t<int32_t>(0) : rows.array);
    const int32_t* const numbers = rows.count > 0 ? plain.data() : nullptr;
    IndexHandle index = make_long<IndexHandle>(
        progress, threads, [&](const cairn_control& control, cairn_index** made) {
            return cairn_index_with_labels(self.index(), numbers, rows.count, &control, made);
        });
    return std::make_shared<Index>(std::move(index), self.shared_map());
}

std::shared_ptr<Index> with_costs(const Index& self, const py::object& costs,
                                  const py::object& progress, int threads) {
    const std::vector<uint8_t> list =
        self.map().info.kind == CAIRN_KIND_AGENTS ? factors_of(costs) : weights_of(costs);
    IndexHandle index = make_long<IndexHandle>(
        progress, threads, [&](const cairn_control& control, cairn_index** made) {
            return cairn_index_with_costs(self.index(), list.data(), list.size(), &control, made);
        });
    std::shared_ptr<Map> map = map_of(index, nullptr);
    return std::make_shared<Index>(std::move(index), std::move(map));
}

std::string planner_of(const Searchable& self) {
    auto info = CAIRN_INIT(cairn_planner);
    check(cairn_planner_get(info_of(self).planner, &info));
    return info.name;
}

py::object option_value(const cairn_field& field, uint32_t planner, int32_t which, uint32_t at,
                        double value) {
    switch (field.type) {
        case CAIRN_FLAG:
            return py::bool_(value != 0);
        case CAIRN_NUMBER:
            return py::float_(value);
        case CAIRN_CHOICE: {
            const char* const text =
                cairn_planner_choice(planner, which, at, static_cast<uint32_t>(value));
            return text == nullptr ? py::object(py::none()) : py::object(py::str(text));
        }
        default:
            return py::int_(py::float_(value));
    }
}

py::dict options_of(const Searchable& self) {
    const uint32_t planner = info_of(self).planner;
    auto info = CAIRN_INIT(cairn_planner);
    check(cairn_planner_get(planner, &info));
    py::dict out;
    for (uint32_t i = 0; i < info.num_options; ++i) {
        auto field = CAIRN_INIT(cairn_field);
        check(cairn_planner_field(planner, CAIRN_OPTIONS, i, &field));
        double value = 0;
        check(cairn_index_option(self.index(), field.name, &value));
        out[field.name] = option_value(field, planner, CAIRN_OPTIONS, i, value);
    }
    return out;
}

py::bytes index_picture(const Index& self, const std::string& format) {
    auto options = CAIRN_INIT(cairn_picture);
    options.format = choice("format", format, {"svg", "png"});
    const auto bytes = make<BytesHandle>(
        [&](cairn_bytes** out) { return cairn_draw_index(self.index(), &options, out); });
    return {static_cast<const char*>(cairn_bytes_data(bytes.get())), cairn_bytes_size(bytes.get())};
}

/// (requests, lengths) of a scenario.
py::tuple load_problems(const py::object& path, bool on_mesh) {
    const std::string name = file_name(path);
    const auto problems = make<ProblemsHandle>([&](cairn_problems** made) {
        return cairn_problems_load(name.c_str(), on_mesh ? CAIRN_MESH : CAIRN_GRID, made);
    });
    auto list = CAIRN_INIT(cairn_problem_list);
    check(cairn_problems_get(problems.get(), &list));
    const auto count = static_cast<py::ssize_t>(list.count);
    const py::array_t<double> lengths(count, list.lengths);
    if (on_mesh)
        return py::make_tuple(py::array_t<double>({count, py::ssize_t{6}}, list.points), lengths);
    return py::make_tuple(py::array_t<int32_t>({count, py::ssize_t{4}}, list.cells), lengths);
}

/// Fields of a planner as tuples: name, type, help, least, most, default, choices.
py::list fields_of(uint32_t planner, int32_t which, uint32_t count) {
    static constexpr const char* kTypes[] = {"flag", "integer", "number", "size", "choice"};
    py::list out;
    for (uint32_t i = 0; i < count; ++i) {
        auto field = CAIRN_INIT(cairn_field);
        check(cairn_planner_field(planner, which, i, &field));
        py::list choices;
        for (uint32_t c = 0; c < field.num_choices; ++c)
            choices.append(cairn_planner_choice(planner, which, i, c));
        out.append(py::make_tuple(field.name, kTypes[field.type], field.help, field.least,
                                  field.most, option_value(field, planner, which, i, field.usual),
                                  py::tuple(choices)));
    }
    return out;
}

/// name, space, summary, exact, has_index, has_labels, options, query
py::list planners() {
    py::list out;
    for (uint32_t i = 0; i < cairn_num_planners(); ++i) {
        auto info = CAIRN_INIT(cairn_planner);
        check(cairn_planner_get(i, &info));
        out.append(py::make_tuple(info.name, info.space == CAIRN_MESH ? "mesh" : "grid",
                                  info.summary, info.exact != 0, info.has_index != 0,
                                  info.has_labels != 0,
                                  fields_of(i, CAIRN_OPTIONS, info.num_options),
                                  fields_of(i, CAIRN_QUERY, info.num_query_fields)));
    }
    return out;
}

}  // namespace

void define_index(py::module_& module) {
    define_searchable(module);
    module.def("planners", &planners);
    module.def("load_problems", &load_problems, "path"_a, "on_mesh"_a = false,
               "load_problems(path, on_mesh=False)\n\n(requests, lengths) of a MovingAI scenario: "
               "requests as Index.paths takes them, and the\noptimal length of each as the file "
               "says.");
    py::class_<Index, Searchable, std::shared_ptr<Index>>(
        module, "Index",
        "What a planner has computed of a map, made by cairn.build or cairn.load. It never "
        "changes.")
        .def_static("build", &build, py::arg("map").none(false), "planner"_a, py::kw_only(),
                    "progress"_a = py::none(), "threads"_a = 0,
                    "build(map, planner, *, progress=None, threads=0, **options)\n\n"
                    "As cairn.build.")
        .def_static("load", &load, "path"_a, "map"_a = py::none(), "checks"_a = "contents",
                    "load(path, map=None, checks='contents')\n\nLoads an index file. `map` must "
                    "be given if the file does not hold it: those of 'hpa' and\n'subgoal' only do "
                    "if they were saved with their map. checks: 'contents' - any bytes are safe;\n"
                    "'checksums' - only damage is found; 'none' - for large files of your own, "
                    "which then open\nin milliseconds.")
        .def_static("from_bytes", &from_bytes, "bytes"_a, "map"_a = py::none(),
                    "from_bytes(bytes, map=None)\n\nThe index that to_bytes() has written.")
        .def("save", &save, "path"_a, "with_map"_a = false,
             "save(path, with_map=False)\n\nWrites an index file, completely or not at all. "
             "with_map: with the map, which need not be\ngiven to load() then.")
        .def("to_bytes", &to_bytes, "to_bytes()\n\nThe bytes of an index file.")
        .def("edited", &edited, "edits"_a,
             "edited(edits)\n\nThe index after edits, rows as World.edit takes them; this one "
             "does not change.")
        .def("changed", &changed_index, "removed"_a = py::tuple(),
             "changed(removed=(), **added)\n\nThe index of the mesh that Mesh.changed makes with "
             "the same arguments, computed anew only near\nthe change; this one does not change.")
        .def("with_labels", &with_labels, "agents"_a = py::none(), py::kw_only(),
             "progress"_a = py::none(), "threads"_a = 0,
             "with_labels(agents=None, *, progress=None, threads=0)\n\nThe index with the labels "
             "that its options ask for, as after edits. agents: of 'haa', those\nto prepare, "
             "int32[n, 2] of size and capability.")
        .def("with_costs", &with_costs, "costs"_a, py::kw_only(), "progress"_a = py::none(),
             "threads"_a = 0,
             "with_costs(costs, *, progress=None, threads=0)\n\nThe index of the same map for "
             "units with other terrain costs. For 'hpa' and\n'astar' 256 weights, "
             "one for each byte, 0 exactly for obstacles; for 'haa' the capabilities, as\n"
             "Grid.with_agents takes them, with the same terrains.")
        .def("picture", &index_picture, "format"_a = "svg",
             "picture(format='svg')\n\nA picture of the abstract graph on the map as the bytes of "
             "an SVG or PNG file.")
        .def_property_readonly("planner", &planner_of, "The planner's name.")
        .def_property_readonly(
            "map", [](const Index& self) { return self.shared_map(); }, "The map.")
        .def_property_readonly("options", &options_of, "The options that it was built with.")
        .def_property_readonly(
            "nbytes", [](const Index& self) { return info_of(self).memory; },
            "Its memory in bytes; 0 for planners without an index.")
        .def_property_readonly(
            "has_labels", [](const Index& self) { return info_of(self).has_labels != 0; },
            "Whether answers come from labels.")
        .def("__repr__", [](const Index& self) {
            return "<cairn.Index by " + planner_of(self) + " of " +
                   py::repr(py::cast(self.shared_map())).cast<std::string>() + ">";
        });
}

}  // namespace cairn::python

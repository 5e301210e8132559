#include "searchable.hpp"

namespace cairn::python {
namespace {

std::shared_ptr<World> make_world(const std::shared_ptr<Index>& index,
                                  const py::object& inline_microseconds, bool worker, int threads,
                                  uint32_t order_edits, uint32_t remembered_areas) {
    auto options = CAIRN_INIT(cairn_world_options);
    if (!inline_microseconds.is_none()) {
        options.inline_microseconds = inline_microseconds.cast<uint32_t>();
        if (options.inline_microseconds == 0) options.inline_microseconds = CAIRN_NONE;
    }
    options.no_worker = worker ? 0 : 1;
    options.threads = threads;
    options.order_edits = order_edits;
    options.remembered_areas = remembered_areas;
    WorldHandle world = make<WorldHandle>(
        [&](cairn_world** made) { return cairn_world_create(index->index(), &options, made); });
    IndexHandle snapshot = make<IndexHandle>(
        [&](cairn_index** made) { return cairn_world_snapshot(world.get(), made, nullptr); });
    return std::make_shared<World>(std::move(world), std::move(snapshot), index->shared_map());
}

uint64_t edit(const World& self, const py::object& edits) {
    const Edits list(self.map(), edits);
    const cairn_edits changes = list.list();
    uint64_t number = 0;
    cairn_status status = CAIRN_OK;
    {
        const py::gil_scoped_release released;
        status = cairn_world_edit(self.get(), &changes, &number);
    }
    check(status);
    return number;
}

py::tuple snapshot(const World& self) {
    uint64_t edits = 0;
    IndexHandle index = make<IndexHandle>(
        [&](cairn_index** made) { return cairn_world_snapshot(self.get(), made, &edits); });
    cairn_map* made = nullptr;
    check(cairn_index_map(index.get(), &made));
    auto map = map_object(MapHandle(made)).cast<std::shared_ptr<Map>>();
    return py::make_tuple(std::make_shared<Index>(std::move(index), std::move(map)), edits);
}

/// The requests and paths of agents, as the C library takes them.
struct Routes {
    Routes(const World& self, const py::object& requests, const Paths& paths,
           const py::object& agents)
        : all(self.map(), requests, agents, py::none()) {
        const cairn_path_lists& lists = paths.lists;
        if (all.list.count != lists.count)
            throw py::value_error("there must be one path for each request");
        list.requests = &all.list;
        list.first = lists.first_cell != nullptr ? lists.first_cell : lists.first_polygon;
        list.steps = lists.first_cell != nullptr ? lists.cells : lists.polygons;
        list.costs = lists.costs;
    }
    Requests all;
    cairn_routes list = CAIRN_INIT(cairn_routes);
};

py::array paths_valid(World& self, const py::object& requests, const Paths& paths, uint64_t edits,
                      const py::object& agents, const py::kwargs& options) {
    const std::shared_ptr<Query> query = self.query(options);
    const Asked asked(query, nullptr, &self);
    const Routes routes(self, requests, paths, agents);
    py::array_t<uint8_t> out(static_cast<py::ssize_t>(paths.lists.count));
    uint8_t* const valid = out.mutable_data();
    const Searchable::Lease lease(self);
    cairn_status status = CAIRN_OK;
    {
        const py::gil_scoped_release released;
        status = cairn_paths_valid(lease.get(), asked.get(), &routes.list, edits, valid);
    }
    check(status);
    return out.attr("view")("bool");
}

std::unique_ptr<Paths> replan(World& self, const py::object& requests, const Paths& paths,
                              uint64_t edits, bool improvable, const py::object& agents,
                              int threads, const py::object& progress, const py::kwargs& options) {
    const std::shared_ptr<Query> query = self.query(options);
    const Asked asked(query, nullptr, &self);
    const Routes routes(self, requests, paths, agents);
    const Searchable::Lease lease(self);
    PathsHandle made = make_long<PathsHandle>(
        progress, threads, [&](const cairn_control& control, cairn_paths** out) {
            return cairn_replan(lease.get(), asked.get(), &routes.list, edits, improvable ? 1 : 0,
                                &control, out);
        });
    return std::make_unique<Paths>(std::move(made), self.width(), true);
}

}  // namespace

void define_world(py::module_& module) {
    py::class_<World, Searchable, std::shared_ptr<World>>(
        module, "World",
        "World(index, *, inline_microseconds=None, worker=True, threads=0, order_edits=0,\n"
        "      remembered_areas=0)\n\n"
        "A map that changes, with its index: queries see every edit that was made before.\n\n"
        "An edit repairs labels itself if that takes about inline_microseconds; the rest is done\n"
        "by a worker thread, or with worker=False by work().\n\n"
        ">>> import numpy, cairn\n"
        ">>> world = cairn.World(cairn.build(numpy.ones((3, 9), dtype=bool)))\n"
        ">>> world.cost((0, 1), (8, 1))\n"
        "3264\n"
        ">>> world.edit((4, 0, 1, 3, 0))     # a wall of 1 x 3 cells at (4, 0)\n"
        "1\n"
        ">>> world.path((0, 1), (8, 1)) is None\n"
        "True\n")
        .def(py::init(&make_world), py::arg("index").none(false), py::kw_only(),
             "inline_microseconds"_a = py::none(), "worker"_a = true, "threads"_a = 0,
             "order_edits"_a = 0, "remembered_areas"_a = 0)
        .def("edit", &edit, "edits"_a,
             "edit(edits)\n\nChanges the map: rows (x, y, terrain) or (x, y, width, height, "
             "terrain), terrain being the\nbyte of an array; of a mesh (polygon, area, blocked). "
             "Returns the number of edits so far.")
        .def_property_readonly(
            "edits", [](const World& self) { return cairn_world_edits(self.get()); },
            "The number of edits made.")
        .def("snapshot", &snapshot,
             "snapshot()\n\n(index, edits): the newest index, and the number of edits before it.")
        .def(
            "work",
            [](const World& self) {
                const py::gil_scoped_release released;
                return cairn_world_work(self.get()) != 0;
            },
            "work()\n\nDoes a piece of outstanding work; False if there was nothing to do.")
        .def(
            "check_work", [](const World& self) { check(cairn_world_work_status(self.get())); },
            "check_work()\n\nRaises cairn.Error if the last piece of work failed.")
        .def("paths_valid", &paths_valid, "requests"_a, "paths"_a, "edits"_a, py::kw_only(),
             "agents"_a = py::none(),
             "paths_valid(requests, paths, edits, *, agents=None, **options)\n\n"
             "Whether each of the paths, found when `edits` edits had been made, is legal now: "
             "bool[n].")
        .def("replan", &replan, "requests"_a, "paths"_a, "edits"_a, py::kw_only(),
             "improvable"_a = false, "agents"_a = py::none(), "threads"_a = 0,
             "progress"_a = py::none(),
             "replan(requests, paths, edits, *, improvable=False, agents=None, ...)\n\n"
             "Finds new paths for those that edits have broken, and with improvable=True also "
             "where they\nhave opened a cheaper one. Paths.routes says which they are.");
}

}  // namespace cairn::python

#include "searchable.hpp"

#include <algorithm>
#include <optional>

namespace cairn::python {
namespace {

/// Takes an argument out of the options.
py::object taken(py::dict& options, const char* name) {
    if (!options.contains(name)) return py::none();
    py::object value = options[name];
    if (PyDict_DelItemString(options.ptr(), name) != 0) throw py::error_already_set();
    return value;
}

/// The cells that a query takes for walls, each once.
std::vector<uint32_t> blocked_cells(const Map& map, const py::object& cells) {
    std::vector<uint32_t> out = cell_numbers(map, cells, "blocked");
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

QueryHandle parse(cairn_index* index, Settings& settings) {
    cairn_query* made = nullptr;
    const auto& list = settings.list();
    check(cairn_query_create(index, list.data(), list.size(), &made));
    return QueryHandle(made);
}

cairn_status find(Searchable& self, const Searchable::Lease& lease, const Asked& query,
                  py::handle start, py::handle goal) {
    if (self.map().is_mesh()) {
        const cairn_place from = read_place(start, "start");
        const cairn_place to = read_place(goal, "goal");
        const Unlocked unlocked;
        return cairn_find_on_mesh(lease.get(), query.get(), &from, &to, lease.answer());
    }
    const cairn_cell from = read_cell(start, "start");
    const cairn_cell to = read_cell(goal, "goal");
    const Unlocked unlocked;
    return cairn_find(lease.get(), query.get(), from, to, lease.answer());
}

/// The path of an answer that a call has just returned.
py::object path_of(const Searchable& self, const Searchable::Lease& lease, cairn_status status) {
    if (status == CAIRN_OK || no_path(status)) return path_of(self, *lease.answer(), status, "");
    return path_of(self, *lease.answer(), status, message_of(status));
}

py::object path(Searchable& self, const py::object& start, const py::object& goal,
                const py::kwargs& options) {
    const std::shared_ptr<Query> query = self.query(options);
    const Asked asked(query, nullptr, &self);
    const Searchable::Lease lease(self);
    return path_of(self, lease, find(self, lease, asked, start, goal));
}

py::object cost(Searchable& self, const py::object& start, const py::object& goal,
                const py::kwargs& options) {
    const std::shared_ptr<Query> query = self.query(options, true);
    const Asked asked(query, nullptr, &self);
    const Searchable::Lease lease(self);
    const cairn_status status = find(self, lease, asked, start, goal);
    if (no_path(status)) return py::none();
    check(status);
    auto found = CAIRN_INIT(cairn_path);
    check(cairn_answer_get(*lease.answer(), &found));
    return py::int_(found.cost);
}

bool reachable(Searchable& self, const py::object& start, const py::object& goal,
               const py::kwargs& options) {
    const std::shared_ptr<Query> query = self.query(options);
    const Asked asked(query, nullptr, &self);
    const Searchable::Lease lease(self);
    cairn_status status = CAIRN_OK;
    if (self.map().is_mesh()) {
        const cairn_place from = read_place(start, "start");
        const cairn_place to = read_place(goal, "goal");
        const Unlocked unlocked;
        status = cairn_reachable_on_mesh(lease.get(), asked.get(), &from, &to);
    } else {
        const cairn_cell from = read_cell(start, "start");
        const cairn_cell to = read_cell(goal, "goal");
        const Unlocked unlocked;
        status = cairn_reachable(lease.get(), asked.get(), from, to);
    }
    if (no_path(status)) return false;
    check(status);
    return true;
}

/// Runs a call that may take long with a query that Ctrl-C cancels.
void ask_long(Searchable& self, const std::shared_ptr<Query>& query, std::size_t pairs,
              const std::function<cairn_status(const cairn_query*)>& work) {
    if (pairs < kLongBatch) {
        const Asked asked(query, nullptr, &self);
        cairn_status status = CAIRN_OK;
        {
            const Unlocked unlocked;
            status = work(asked.get());
        }
        check(status);
        return;
    }
    run_long(py::none(), 1, [&](const cairn_control& control) {
        try {
            const Asked asked(query, control.cancel, &self);
            return work(asked.get());
        } catch (const Error& error) {
            return error.status;
        } catch (...) {
            return cairn_status{CAIRN_OUT_OF_MEMORY};
        }
    });
}

py::array_t<uint32_t> costs(Searchable& self, const py::object& starts, const py::object& goals,
                            const py::kwargs& options) {
    const std::shared_ptr<Query> query = self.query(options, true);
    const Places from = read_places(self.map(), starts, "starts");
    const Places to = read_places(self.map(), goals, "goals");
    py::array_t<uint32_t> out({from.rows.count, to.rows.count});
    uint32_t* const numbers = out.mutable_data();
    const std::size_t pairs = from.rows.count * to.rows.count;
    if (pairs == 0) return out;
    const Searchable::Lease lease(self);
    // A list of one start is still a list: a start on an obstacle then has no paths.
    try {
        ask_long(self, query, pairs, [&](const cairn_query* asked) {
            return cairn_costs(lease.get(), asked, &from.places, &to.places, numbers);
        });
    } catch (const Error& error) {
        if (error.status != CAIRN_START_BLOCKED && error.status != CAIRN_START_OUTSIDE) throw;
        std::fill(numbers, numbers + pairs, CAIRN_INFINITY);
    }
    return out;
}

/// The only start, as a list.
Places one_place(const Map& map, const py::object& start) {
    Places out = read_places(map, start, "start");
    if (out.rows.count != 1) throw py::value_error("there must be one start");
    return out;
}

py::tuple nearest(Searchable& self, const py::object& start, const py::object& goals,
                  const py::object& count, const py::kwargs& options) {
    const std::shared_ptr<Query> query = self.query(options, true);
    const Places from = one_place(self.map(), start);
    const Places to = read_places(self.map(), goals, "goals");
    std::size_t found = count.is_none() ? to.rows.count : count.cast<std::size_t>();
    found = std::min(found, to.rows.count);
    std::vector<cairn_goal_cost> list(found);
    if (found > 0) {
        const Searchable::Lease lease(self);
        try {
            ask_long(self, query, to.rows.count, [&](const cairn_query* asked) {
                return cairn_nearest(lease.get(), asked, &from.places, &to.places, list.data(),
                                     &found);
            });
        } catch (const Error& error) {
            if (!no_path(error.status)) throw;
            found = 0;
        }
    }
    py::array_t<int64_t> positions(static_cast<py::ssize_t>(found));
    py::array_t<uint32_t> costs_of(static_cast<py::ssize_t>(found));
    for (std::size_t i = 0; i < found; ++i) {
        positions.mutable_at(i) = static_cast<int64_t>(list[i].goal);
        costs_of.mutable_at(i) = list[i].cost;
    }
    return py::make_tuple(positions, costs_of);
}

py::object path_to_nearest(Searchable& self, const py::object& start, const py::object& goals,
                           const py::kwargs& options) {
    const std::shared_ptr<Query> query = self.query(options);
    const Places from = one_place(self.map(), start);
    const Places to = read_places(self.map(), goals, "goals");
    if (to.rows.count == 0) return py::none();
    const Searchable::Lease lease(self);
    std::size_t which = 0;
    try {
        ask_long(self, query, to.rows.count, [&](const cairn_query* asked) {
            return cairn_find_nearest(lease.get(), asked, &from.places, &to.places, lease.answer(),
                                      &which);
        });
    } catch (const Error& error) {
        if (!no_path(error.status)) throw;
        return py::none();
    }
    return py::make_tuple(which, path_of(self, lease, CAIRN_OK));
}

std::unique_ptr<Paths> paths(Searchable& self, const py::object& requests, bool turning,
                             const py::object& agents, const py::object& polygons, int threads,
                             uint64_t max_bytes, uint64_t max_spent, const py::object& progress,
                             const py::kwargs& options) {
    const std::shared_ptr<Query> query = self.query(options);
    const Asked asked(query, nullptr, &self);
    const Requests all(self.map(), requests, agents, polygons);
    auto batch = CAIRN_INIT(cairn_batch_options);
    batch.turning = turning ? 1 : 0;
    batch.max_bytes = max_bytes;
    batch.max_spent = max_spent;
    const Searchable::Lease lease(self);
    const auto run = [&](const cairn_control& control, cairn_paths** out) {
        return cairn_find_paths(lease.get(), asked.get(), &all.list, &batch, &control, out);
    };
    PathsHandle made;
    if (all.list.count < kLongBatch && progress.is_none()) {
        auto control = CAIRN_INIT(cairn_control);
        control.threads = threads;
        made = make<PathsHandle>([&](cairn_paths** out) { return run(control, out); });
    } else {
        made = make_long<PathsHandle>(progress, threads, run);
    }
    return std::make_unique<Paths>(std::move(made), self.width());
}

/// A path between points of the world: from the start over the centres of cells to the goal.
py::object world_path(Searchable& self, const std::pair<double, double>& start,
                      const std::pair<double, double>& goal, const py::kwargs& options) {
    const Map& map = self.map();
    cairn_cell ends[2];
    int32_t xy[2];
    check(cairn_map_to_cell(map.handle.get(), start.first, start.second, xy));
    ends[0] = {xy[0], xy[1]};
    check(cairn_map_to_cell(map.handle.get(), goal.first, goal.second, xy));
    ends[1] = {xy[0], xy[1]};
    const std::shared_ptr<Query> query = self.query(options);
    const Asked asked(query, nullptr, &self);
    const Searchable::Lease lease(self);
    cairn_status status = CAIRN_OK;
    {
        const Unlocked unlocked;
        status = cairn_find(lease.get(), asked.get(), ends[0], ends[1], lease.answer());
    }
    if (no_path(status)) return py::none();
    check(status);
    auto found = CAIRN_INIT(cairn_path);
    check(cairn_answer_get(*lease.answer(), &found));
    std::vector<std::pair<double, double>> points{start};
    for (std::size_t i = 1; i + 1 < found.num_cells; ++i) {
        double point[2];
        const auto columns = static_cast<uint32_t>(self.width());
        check(cairn_map_to_world(map.handle.get(), static_cast<int32_t>(found.cells[i] % columns),
                                 static_cast<int32_t>(found.cells[i] / columns), point));
        points.emplace_back(point[0], point[1]);
    }
    // With nearest_reachable a path may end elsewhere.
    if (found.goal_cell.x == ends[1].x && found.goal_cell.y == ends[1].y) {
        points.push_back(goal);
    } else {
        double point[2];
        check(cairn_map_to_world(map.handle.get(), found.goal_cell.x, found.goal_cell.y, point));
        points.emplace_back(point[0], point[1]);
    }
    py::array_t<double> out({points.size(), std::size_t{2}});
    for (std::size_t i = 0; i < points.size(); ++i) {
        out.mutable_at(i, 0) = points[i].first;
        out.mutable_at(i, 1) = points[i].second;
    }
    return out;
}

}  // namespace

Searchable::Searchable(IndexHandle index, std::shared_ptr<Map> map)
    : index_(std::move(index)), map_(std::move(map)) {
    Settings settings;
    settings.add("detail", py::str("cost"));
    cost_query = std::make_shared<Query>();
    cost_query->plain = parse(index_.get(), settings);
}

py::object path_of(const Searchable& self, const cairn_answer* answer, cairn_status status,
                   const std::string& message) {
    if (no_path(status)) return py::none();
    if (status != CAIRN_OK && status != CAIRN_BUDGET_EXHAUSTED && status != CAIRN_CANCELLED)
        throw Error(status, message);
    auto found = CAIRN_INIT(cairn_path);
    check(cairn_answer_get(answer, &found));
    if (status != CAIRN_OK && found.num_cells + found.num_waypoints == 0)
        throw Error(status, message);
    return py::cast(std::make_unique<Path>(found, self.map().is_mesh() ? 0 : self.width()));
}

std::unique_ptr<Searcher> Searchable::take() {
    return idle_.take([this] {
        auto out = std::make_unique<Searcher>();
        cairn_searcher* made = nullptr;
        check(make_searcher(&made));
        out->handle.reset(made);
        return out;
    });
}

std::shared_ptr<Query> Searchable::query(const py::kwargs& options, bool cost_only) {
    if (options.empty()) return cost_only ? cost_query : nullptr;
    if (options.contains("query")) {
        if (options.size() > 1)
            throw py::type_error("give either query or options of queries, not both");
        const py::object query = options["query"];
        if (query.is_none()) return cost_only ? cost_query : nullptr;
        return query.cast<std::shared_ptr<Query>>();
    }
    auto out = std::make_shared<Query>();
    py::dict rest(options);
    // A copy: the caller's dict stays as it is.
    rest = rest.attr("copy")();
    const py::object blocked = taken(rest, "blocked");
    if (!blocked.is_none()) out->blocked = blocked_cells(*map_, blocked);
    const py::object microseconds = taken(rest, "microseconds");
    const py::object max_cost = taken(rest, "max_cost");
    const py::object max_expanded = taken(rest, "max_expanded");
    const py::object partial = taken(rest, "partial_path");
    if (!microseconds.is_none()) out->limits.microseconds = microseconds.cast<uint64_t>();
    if (!max_cost.is_none()) out->limits.max_cost = max_cost.cast<uint32_t>();
    if (!max_expanded.is_none()) out->limits.max_expanded = max_expanded.cast<uint64_t>();
    if (!partial.is_none()) out->limits.partial_path = partial.cast<bool>() ? 1 : 0;
    out->limited = !(microseconds.is_none() && max_cost.is_none() && max_expanded.is_none() &&
                     partial.is_none());
    Settings settings;
    if (cost_only && !rest.contains("detail")) settings.add("detail", py::str("cost"));
    for (const auto& [name, value] : rest) settings.add(py::str(name), value);
    out->plain = parse(index_.get(), settings);
    if (!out->blocked.empty()) {
        cairn_query* made = nullptr;
        check(cairn_query_with_blocked(out->plain.get(), out->blocked.data(), out->blocked.size(),
                                       &made));
        out->plain.reset(made);
    }
    return out;
}

Asked::Asked(const std::shared_ptr<Query>& query, cairn_cancel* cancel,
             const Searchable* searchable) {
    if (query != nullptr) given_ = query->plain.get();
    if ((query == nullptr || !query->limited) && cancel == nullptr) return;
    QueryHandle usual;
    if (query == nullptr) {
        cairn_query* made = nullptr;
        check(cairn_query_create(searchable->index(), nullptr, 0, &made));
        usual.reset(made);
    }
    cairn_limits limits = query != nullptr ? query->limits : CAIRN_INIT(cairn_limits);
    limits.cancel = cancel;
    cairn_query* made = nullptr;
    check(cairn_query_with_limits(query != nullptr ? given_ : usual.get(), &limits, &made));
    own_.reset(made);
}

Edits::Edits(const Map& map, const py::object& from) : on_mesh_(map.is_mesh()) {
    const auto array = py::array::ensure(from);
    if (!array) throw py::error_already_set();
    const bool empty = array.size() == 0;
    const py::ssize_t columns = array.ndim() == 0 ? 0 : array.shape(array.ndim() - 1);
    if (on_mesh_) {
        const Rows rows = unsigned_rows(from, 3, "edits");
        const auto plain =
            py::array_t<uint32_t, py::array::c_style | py::array::forcecast>(rows.array);
        for (std::size_t i = 0; i < rows.count; ++i)
            polygons_.push_back({plain.at(i, 0), plain.at(i, 1), plain.at(i, 2)});
        return;
    }
    if (!empty && columns != 3 && columns != 5)
        throw py::value_error(
            "edits must be rows (x, y, terrain) or (x, y, width, height, "
            "terrain)");
    const Rows rows = int_rows(from, columns == 3 ? 3 : 5, "edits");
    const auto plain = py::array_t<int32_t, py::array::c_style | py::array::forcecast>(rows.array);
    for (std::size_t i = 0; i < rows.count; ++i) {
        if (columns == 3) {
            cells_.push_back({plain.at(i, 0), plain.at(i, 1), 1, 1, plain.at(i, 2)});
        } else {
            cells_.push_back(
                {plain.at(i, 0), plain.at(i, 1), plain.at(i, 2), plain.at(i, 3), plain.at(i, 4)});
        }
    }
}

cairn_edits Edits::list() const noexcept {
    auto out = CAIRN_INIT(cairn_edits);
    out.count = on_mesh_ ? polygons_.size() : cells_.size();
    if (on_mesh_) {
        out.polygons = polygons_.data();
    } else {
        out.cells = cells_.data();
    }
    return out;
}

Requests::Requests(const Map& map, const py::object& from, const py::object& agents,
                   const py::object& polygons) {
    if (map.is_mesh()) {
        rows_ = double_rows(from, 6, "requests");
        list.points = static_cast<const double*>(rows_.data());
        list.points_stride = rows_.stride;
    } else {
        rows_ = int_rows(from, 4, "requests");
        list.cells = static_cast<const int32_t*>(rows_.data());
        list.cells_stride = rows_.stride;
    }
    list.count = rows_.count;
    if (!agents.is_none()) {
        agents_ = int_rows(agents, 2, "agents");
        if (agents_.count != rows_.count)
            throw py::value_error("agents must have one row for each request");
        list.agents = static_cast<const int32_t*>(agents_.data());
        list.agents_stride = agents_.stride;
    }
    if (!polygons.is_none()) {
        polygons_ = unsigned_rows(polygons, 2, "polygons");
        if (polygons_.count != rows_.count)
            throw py::value_error("polygons must have one row for each request");
        list.polygons = static_cast<const uint32_t*>(polygons_.data());
        list.polygons_stride = polygons_.stride;
    }
}

void define_searchable(py::module_& module) {
    define_search(module);
    py::class_<Query, std::shared_ptr<Query>>(
        module, "Query",
        "The options of queries, parsed once: index.query(detail='cost'). Give it as query=...");
    py::class_<Searchable, std::shared_ptr<Searchable>>(
        module, "Searchable",
        "What Index and World have in common. Any number of threads may ask at once.\n\n"
        "All keyword arguments that a method does not name are options of queries; see\n"
        "cairn.planners(). Further ones are: blocked, cells [n, 2] where units stand;\n"
        "max_cost, max_expanded and microseconds, limits of each query; partial_path=True, the\n"
        "path as far as it is known if a limit stops the search; or query=..., a Query.")
        .def(
            "query",
            [](Searchable& self, const py::kwargs& options) {
                auto out = self.query(options);
                if (out != nullptr) return out;
                out = std::make_shared<Query>();
                Settings none;
                out->plain = parse(self.index(), none);
                return out;
            },
            "query(**options)\n\nThe options of queries, parsed once.")
        .def("path", &path, "start"_a, "goal"_a,
             "path(start, goal, **options)\n\nThe path between two cells (x, y), or places "
             "(x, y, z) of a mesh.\n\nNone if there is none: no path leads there, a cell is an "
             "obstacle, or the path costs more\nthan max_cost. Cells outside the map, and limits "
             "that stop the search, raise cairn.Error.\n\n"
             ">>> import numpy, cairn\n"
             ">>> index = cairn.build(numpy.ones((20, 30), dtype=bool))\n"
             ">>> path = index.path((1, 2), (4, 2))\n"
             ">>> list(path), path.cost\n"
             "([(1, 2), (2, 2), (3, 2), (4, 2)], 1224)\n")
        .def("begin", &begin_search, "start"_a, "goal"_a,
             "begin(start, goal, **options)\n\nBegins to look for that path: a Search, which goes "
             "on in slices.\n\n"
             ">>> import numpy, cairn\n"
             ">>> index = cairn.build(numpy.ones((20, 30), dtype=bool), 'astar')\n"
             ">>> search = index.begin((1, 2), (4, 2))\n"
             ">>> while search.advance(1):\n"
             "...     pass  # something else\n"
             ">>> search.path.cost\n"
             "1224\n")
        .def("cost", &cost, "start"_a, "goal"_a,
             "cost(start, goal, **options)\n\nThe cost of that path; None if there is none.")
        .def("reachable", &reachable, "start"_a, "goal"_a,
             "reachable(start, goal, **options)\n\nWhether there is a path.")
        .def("costs", &costs, "starts"_a, "goals"_a,
             "costs(starts, goals, **options)\n\nThe costs from each start to each goal, "
             "uint32[n, m]; cairn.INFINITY if there is no path.\n\n"
             ">>> import numpy, cairn\n"
             ">>> index = cairn.build(numpy.ones((20, 30), dtype=bool))\n"
             ">>> index.costs([(0, 0), (9, 0)], [(1, 0), (1, 1)]).tolist()\n"
             "[[408, 577], [3264, 3433]]\n")
        .def("nearest", &nearest, "start"_a, "goals"_a, "count"_a = 1,
             "nearest(start, goals, count=1, **options)\n\nThe `count` goals of least cost (None: "
             "all that can be reached), by cost: their positions and their costs.\n\n"
             ">>> import numpy, cairn\n"
             ">>> index = cairn.build(numpy.ones((20, 30), dtype=bool))\n"
             ">>> positions, costs = index.nearest((0, 0), [(9, 0), (2, 0), (5, 0)], 2)\n"
             ">>> positions.tolist(), costs.tolist()\n"
             "([1, 2], [816, 2040])\n")
        .def("path_to_nearest", &path_to_nearest, "start"_a, "goals"_a,
             "path_to_nearest(start, goals, **options)\n\n(position, path) of the goal of least "
             "cost; None if none can be reached.")
        .def("paths", &paths, "requests"_a, py::kw_only(), "turning"_a = false,
             "agents"_a = py::none(), "polygons"_a = py::none(), "threads"_a = 0, "max_bytes"_a = 0,
             "max_spent"_a = 0, "progress"_a = py::none(),
             "paths(requests, *, turning=False, agents=None, polygons=None, threads=0,\n"
             "      max_bytes=0, max_spent=0, progress=None, **options)\n\n"
             "Answers many requests at once, on all cores. requests: int32[n, 4] of start x, y, "
             "goal x, y;\nof a mesh float64[n, 6]. Such arrays are read in place. turning: only "
             "the cells where paths\nturn. agents: int32[n, 2], size and capability of each, for "
             "'haa'. polygons: uint32[n, 2], those\nof the points. A request that cannot be "
             "answered has its own status, and raises nothing.\n\n"
             ">>> import numpy, cairn\n"
             ">>> index = cairn.build(numpy.ones((20, 30), dtype=bool))\n"
             ">>> paths = index.paths([(0, 0, 3, 0), (5, 5, 5, 7)])\n"
             ">>> paths.costs.tolist(), paths.first.tolist()\n"
             "([1224, 816], [0, 4, 7])\n")
        .def("world_path", &world_path, "start"_a, "goal"_a,
             "world_path(start, goal, **options)\n\nThe path between two points (x, y) of the "
             "world, on a grid with a position: float64[n, 2],\nfrom the start over the centres "
             "of cells to the goal. None if there is none.");
}

}  // namespace cairn::python

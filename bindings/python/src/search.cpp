// Queries in slices: cairn.Search.

#include "searchable.hpp"

namespace cairn::python {

Search::Search(std::shared_ptr<Searchable> on, std::shared_ptr<Query> query, py::handle start,
               py::handle goal)
    : on_(std::move(on)),
      query_(std::move(query)),
      asked_(query_, nullptr, on_.get()),
      searcher_(on_->take()) {
    cairn_searcher* const searcher = searcher_->handle.get();
    cairn_status status = CAIRN_OK;
    if (on_->map().is_mesh()) {
        const cairn_place from = read_place(start, "start");
        const cairn_place to = read_place(goal, "goal");
        const Unlocked unlocked;
        status = cairn_begin_on_mesh(searcher, asked_.get(), &from, &to, &searcher_->answer);
    } else {
        const cairn_cell from = read_cell(start, "start");
        const cairn_cell to = read_cell(goal, "goal");
        const Unlocked unlocked;
        status = cairn_begin(searcher, asked_.get(), from, to, &searcher_->answer);
    }
    if (status != CAIRN_OK) finish(status, message_of(status));
}

Search::~Search() {
    // A query that is not finished refers to its answer.
    if (searcher_ != nullptr) searcher_->handle.reset();
}

bool Search::advance(uint64_t budget, uint64_t microseconds) {
    if (busy_) throw std::runtime_error("another thread advances this search");
    if (searcher_ == nullptr) return false;
    int more = 0;
    busy_ = true;
    {
        const Unlocked unlocked;
        more = cairn_advance(searcher_->handle.get(), budget, microseconds);
    }
    busy_ = false;
    if (more != 0) return true;
    auto found = CAIRN_INIT(cairn_path);
    check(cairn_answer_get(searcher_->answer, &found));
    finish(found.status, cairn_status_text(found.status));
    return false;
}

void Search::finish(cairn_status status, const std::string& message) {
    try {
        path_ = path_of(*on_, searcher_->answer, status, message);
    } catch (const Error& error) {
        failed_ = error;
    }
    on_->put(std::move(searcher_));
}

const py::object& Search::path() const {
    if (!done()) throw std::runtime_error("the search is not finished: call advance()");
    if (failed_) throw Error(*failed_);
    return path_;
}

std::unique_ptr<Search> begin_search(const std::shared_ptr<Searchable>& on, const py::object& start,
                                     const py::object& goal, const py::kwargs& options) {
    return std::make_unique<Search>(on, on->query(options), start, goal);
}

void define_search(py::module_& module) {
    py::class_<Search>(module, "Search",
                       "A query that goes on in slices, as a game does between frames: see "
                       "Searchable.begin.\n\nOne thread at a time may use it.")
        .def("advance", &Search::advance, "budget"_a = 0, "microseconds"_a = 0,
             "advance(budget=0, microseconds=0)\n\nExpands up to `budget` more nodes (0: all) "
             "within so many microseconds (0: any time).\nTrue while the search is not finished.")
        .def_property_readonly("done", &Search::done, "Whether the search is finished.")
        .def_property_readonly("path", &Search::path,
                               "The path, as Searchable.path returns it, or what that raises. "
                               "RuntimeError until the search\nis finished.")
        .def("__repr__", [](const Search& search) {
            return std::string("<cairn.Search, ") + (search.done() ? "" : "not ") + "finished>";
        });
}

}  // namespace cairn::python

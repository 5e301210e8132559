#pragma once
// What the files of the extension module share: handles of the C library that free themselves,
// errors, settings from keyword arguments, arrays that borrow their memory, and long calls.

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cairn.h"

namespace cairn::python {

namespace py = pybind11;
using namespace py::literals;

template <auto Free>
struct Freed {
    template <class T>
    void operator()(T* handle) const noexcept {
        Free(handle);
    }
};
template <class T, auto Free>
using Handle = std::unique_ptr<T, Freed<Free>>;

using MapHandle = Handle<cairn_map, cairn_map_free>;
using IndexHandle = Handle<cairn_index, cairn_index_free>;
using QueryHandle = Handle<cairn_query, cairn_query_free>;
using WorldHandle = Handle<cairn_world, cairn_world_free>;
using SearcherHandle = Handle<cairn_searcher, cairn_searcher_free>;
using AnswerHandle = Handle<cairn_answer, cairn_answer_free>;
using PathsHandle = Handle<cairn_paths, cairn_paths_free>;
using CancelHandle = Handle<cairn_cancel, cairn_cancel_free>;
using ProblemsHandle = Handle<cairn_problems, cairn_problems_free>;
using BytesHandle = Handle<cairn_bytes, cairn_bytes_free>;
using DiscsHandle = Handle<cairn_discs, cairn_discs_free>;
using DiscSearcherHandle = Handle<cairn_disc_searcher, cairn_disc_searcher_free>;

/// A call of the C library that failed. Becomes cairn.Error, or MemoryError.
struct Error : std::runtime_error {
    Error(cairn_status code, const std::string& message)
        : std::runtime_error(message), status(code) {}
    cairn_status status;
};

/// The message of the last call on this thread, or the meaning of its status.
inline std::string message_of(cairn_status status) {
    const char* const message = cairn_last_message();
    return *message != 0 ? message : cairn_status_text(status);
}
inline void check(cairn_status status) {
    if (status != CAIRN_OK) throw Error(status, message_of(status));
}

/// The handle that create(T**) makes. The interpreter's lock is released meanwhile.
template <class Handle, class Create>
Handle make(const Create& create) {
    typename Handle::pointer made = nullptr;
    cairn_status status = CAIRN_OK;
    {
        const py::gil_scoped_release released;
        status = create(&made);
    }
    Handle out(made);
    check(status);
    return out;
}

/// Names and values as the C library takes them.
class Settings {
public:
    void add(const std::string& name, py::handle value);
    [[nodiscard]] bool empty() const noexcept { return texts_.empty(); }
    /// Valid until the next add().
    [[nodiscard]] const std::vector<cairn_setting>& list();

private:
    std::vector<std::pair<std::string, std::string>> texts_;
    std::vector<cairn_setting> list_;
};

/// A path of a file: a str, bytes or os.PathLike.
std::string file_name(py::handle path);

/// The position of a word among choices. Throws ValueError that names the argument.
int32_t choice(const char* argument, const std::string& word,
               std::initializer_list<const char*> choices);

/// A read-only array that borrows `data` from the object `owner`.
template <class T>
py::array borrowed(const T* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
                   py::handle owner) {
    py::array out(py::dtype::of<T>(), std::move(shape), std::move(strides), data, owner);
    out.attr("setflags")("write"_a = false);
    return out;
}
template <class T>
py::array borrowed(const T* data, std::size_t count, py::handle owner) {
    if (count == 0) return py::array_t<T>(0);
    return borrowed(data, {static_cast<py::ssize_t>(count)}, {py::ssize_t{sizeof(T)}}, owner);
}

/// An array of rows of `columns` numbers of type T, converted if it has another type whose values
/// fit, and copied if its rows are not packed. Throws TypeError and ValueError that name the
/// argument. A single row is taken as an array of one.
struct Rows {
    py::array array;
    std::size_t count = 0;
    std::ptrdiff_t stride = 0;
    bool single = false;
    [[nodiscard]] const void* data() const { return array.data(); }
    /// Row `i`, for rows of N numbers of type T.
    template <class T, std::size_t N>
    [[nodiscard]] std::array<T, N> row(std::size_t i) const {
        std::array<T, N> out;
        const auto* const rows = static_cast<const char*>(data());
        std::memcpy(out.data(), rows + static_cast<std::ptrdiff_t>(i) * stride, sizeof out);
        return out;
    }
};
Rows int_rows(py::handle from, py::ssize_t columns, const char* argument);
Rows unsigned_rows(py::handle from, py::ssize_t columns, const char* argument);
Rows double_rows(py::handle from, py::ssize_t columns, const char* argument);

/// Runs work(control) on another thread while this one looks for signals, so that Ctrl-C cancels
/// it, and calls progress(fraction). `progress` is None, a callable, or True for a bar. Exceptions
/// of `progress` cancel the work, too. Throws what has happened, or the work's status as an Error.
void run_long(const py::object& progress, int threads,
              const std::function<cairn_status(const cairn_control&)>& work);

/// The handle that create(control, T**) makes as run_long says.
template <class Handle, class Create>
Handle make_long(const py::object& progress, int threads, const Create& create) {
    typename Handle::pointer made = nullptr;
    try {
        run_long(progress, threads,
                 [&](const cairn_control& control) { return create(control, &made); });
    } catch (...) {
        // It may have been made just before the call was stopped.
        const Handle unused(made);
        throw;
    }
    return Handle(made);
}

/// Releases the interpreter's lock. pybind11's own class does more than a short call needs.
class Unlocked {
public:
    Unlocked() : state_(PyEval_SaveThread()) {}
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    ~Unlocked() { PyEval_RestoreThread(state_); }

private:
    PyThreadState* state_;
};

/// Searchers that no thread uses: as many are made as threads ask at once.
template <class Searcher>
class Pool {
public:
    /// One for the time of a call, put back at its end.
    class Lease {
    public:
        Lease(Pool& pool, std::unique_ptr<Searcher> taken)
            : pool_(pool), searcher_(std::move(taken)) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        ~Lease() { pool_.put(std::move(searcher_)); }
        [[nodiscard]] Searcher* operator->() const noexcept { return searcher_.get(); }

    private:
        Pool& pool_;
        std::unique_ptr<Searcher> searcher_;
    };

    /// One that nobody else uses, made by make() if there is none.
    template <class Make>
    [[nodiscard]] std::unique_ptr<Searcher> take(const Make& make) {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                std::unique_ptr<Searcher> out = std::move(idle_.back());
                idle_.pop_back();
                return out;
            }
        }
        return make();
    }
    void put(std::unique_ptr<Searcher> searcher) noexcept {
        const std::lock_guard lock(mutex_);
        try {
            idle_.push_back(std::move(searcher));
        } catch (...) {
            // Without memory for the list the searcher ends here.
        }
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Searcher>> idle_;
};

/// Whether the status means that there is no path, which is no error.
inline bool no_path(cairn_status status) noexcept {
    return status == CAIRN_NO_PATH || status == CAIRN_OVER_COST_LIMIT ||
           status == CAIRN_START_BLOCKED || status == CAIRN_GOAL_BLOCKED;
}

void define_map(py::module_& module);
void define_mesh(py::module_& module);
void define_path(py::module_& module);
void define_index(py::module_& module);
void define_world(py::module_& module);
void define_discs(py::module_& module);

}  // namespace cairn::python

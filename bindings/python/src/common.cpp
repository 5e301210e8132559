#include "common.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <limits>
#include <mutex>
#include <thread>

namespace cairn::python {

void Settings::add(const std::string& name, py::handle value) {
    if (value.is_none()) return;
    std::string text = py::str(value);
    // As Python and NumPy write flags.
    if (text == "True") text = "true";
    if (text == "False") text = "false";
    texts_.emplace_back(name, std::move(text));
}

const std::vector<cairn_setting>& Settings::list() {
    list_.clear();
    for (const auto& [name, value] : texts_) list_.push_back({name.c_str(), value.c_str()});
    return list_;
}

std::string file_name(py::handle path) {
    return py::module_::import("os").attr("fsencode")(path).cast<std::string>();
}

int32_t choice(const char* argument, const std::string& word,
               std::initializer_list<const char*> choices) {
    int32_t at = 0;
    std::string all;
    for (const char* name : choices) {
        if (word == name) return at;
        all += (at++ == 0 ? "" : ", ") + std::string(name);
    }
    throw py::value_error(std::string(argument) + " is '" + word + "'; it must be one of " + all);
}

namespace {

/// A NumPy array of the rows; its element type is still any.
py::array two_dimensional(py::handle from, py::ssize_t columns, const char* argument,
                          bool& single) {
    auto array = py::array::ensure(from);
    if (!array) throw py::error_already_set();
    // An empty list has no rows, of whatever type.
    if (array.size() == 0 && array.ndim() <= 2)
        return py::array(py::dtype::of<int32_t>(), std::vector<py::ssize_t>{0, columns});
    single = array.ndim() == 1;
    if (single) array = array.reshape({py::ssize_t{1}, array.size()});
    if (array.ndim() != 2 || array.shape(1) != columns)
        throw py::value_error(std::string(argument) + " must have the shape (n, " +
                              std::to_string(columns) + ")");
    return array;
}

template <class T>
Rows rows_of(py::array array, bool single) {
    // NumPy may give any strides to a dimension of one element or none.
    const py::ssize_t size{sizeof(T)};
    const bool packed = array.shape(1) < 2 || array.strides(1) == size;
    if (!array.dtype().is(py::dtype::of<T>()) || !packed)
        array = py::array_t<T, py::array::c_style | py::array::forcecast>(array);
    const auto count = static_cast<std::size_t>(array.shape(0));
    const py::ssize_t stride = count < 2 ? size * array.shape(1) : array.strides(0);
    // A stride of 0, as numpy.broadcast_to has, would mean packed rows.
    if (stride == 0)
        return rows_of<T>(py::array_t<T, py::array::c_style>(
                              py::module_::import("numpy").attr("copy")(array, "order"_a = "C")),
                          single);
    return {array, count, stride, single};
}

template <class T>
Rows integer_rows(py::handle from, py::ssize_t columns, const char* argument) {
    bool single = false;
    py::array array = two_dimensional(from, columns, argument, single);
    if (!array.dtype().is(py::dtype::of<T>())) {
        const char kind = array.dtype().kind();
        if (kind != 'i' && kind != 'u')
            throw py::type_error(std::string(argument) + " must hold integers");
        if (array.size() > 0 &&
            (py::int_(array.attr("min")()) < py::int_(std::numeric_limits<T>::min()) ||
             py::int_(array.attr("max")()) > py::int_(std::numeric_limits<T>::max())))
            throw py::value_error(std::string(argument) + " holds a number that is out of range");
    }
    return rows_of<T>(std::move(array), single);
}

}  // namespace

Rows int_rows(py::handle from, py::ssize_t columns, const char* argument) {
    return integer_rows<int32_t>(from, columns, argument);
}

Rows unsigned_rows(py::handle from, py::ssize_t columns, const char* argument) {
    return integer_rows<uint32_t>(from, columns, argument);
}

Rows double_rows(py::handle from, py::ssize_t columns, const char* argument) {
    bool single = false;
    py::array array = two_dimensional(from, columns, argument, single);
    const char kind = array.dtype().kind();
    if (kind != 'i' && kind != 'u' && kind != 'f')
        throw py::type_error(std::string(argument) + " must hold numbers");
    return rows_of<double>(std::move(array), single);
}

namespace {

/// What the thread that works and the thread that waits share.
struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    double fraction = 0;
    bool done = false;
    cairn_status status = CAIRN_OK;
    std::string message;
};

int note_progress(void* user, double fraction) {
    Shared& shared = *static_cast<Shared*>(user);
    const std::lock_guard lock(shared.mutex);
    shared.fraction = fraction;
    return 0;
}

/// Waits for a thread before its variables end.
struct Joined {
    std::thread thread;
    cairn_cancel* cancel;
    ~Joined() {
        if (!thread.joinable()) return;
        cairn_cancel_set(cancel);
        const py::gil_scoped_release released;
        thread.join();
    }
};

}  // namespace

void run_long(const py::object& progress, int threads,
              const std::function<cairn_status(const cairn_control&)>& work) {
    py::object report = py::none();
    if (progress.is(py::bool_(true))) {
        report = py::module_::import("cairn._progress").attr("Bar")();
    } else if (!progress.is(py::bool_(false))) {
        report = progress;
    }
    cairn_cancel* made = nullptr;
    check(cairn_cancel_create(&made));
    const CancelHandle cancel(made);
    Shared shared;
    auto control = CAIRN_INIT(cairn_control);
    control.threads = threads;
    control.progress = note_progress;
    control.user = &shared;
    control.cancel = cancel.get();
    Joined worker{{}, cancel.get()};
    worker.thread = std::thread([&]() noexcept {
        const cairn_status status = work(control);
        const std::lock_guard lock(shared.mutex);
        shared.status = status;
        if (status != CAIRN_OK) {
            try {
                shared.message = message_of(status);
            } catch (...) {
                shared.status = CAIRN_OUT_OF_MEMORY;
            }
        }
        shared.done = true;
        shared.changed.notify_one();
    });
    double told = -1;
    for (bool done = false; !done;) {
        double fraction = 0;
        {
            const py::gil_scoped_release released;
            std::unique_lock lock(shared.mutex);
            shared.changed.wait_for(lock, std::chrono::milliseconds(50),
                                    [&] { return shared.done; });
            done = shared.done;
            fraction = shared.fraction;
        }
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (done && shared.status == CAIRN_OK) fraction = 1;
        if (!report.is_none() && fraction > told) {
            report(fraction);
            told = fraction;
        }
    }
    if (shared.status != CAIRN_OK) throw Error(shared.status, shared.message);
}

}  // namespace cairn::python

// The extension module cairn._cairn: the C library's objects as Python classes.

#include "common.hpp"

namespace cairn::python {
namespace {

void set_error(const Error& error) {
    if (error.status == CAIRN_OUT_OF_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, "cairn: there is not enough memory");
        return;
    }
    try {
        const py::module_ errors = py::module_::import("cairn._errors");
        const py::object type = errors.attr("Error");
        const py::object made = type(error.status, error.what());
        PyErr_SetObject(type.ptr(), made.ptr());
    } catch (py::error_already_set& other) {
        other.restore();
    }
}

}  // namespace
}  // namespace cairn::python

PYBIND11_MODULE(_cairn, module) {
    using namespace cairn::python;
    if (cairn_check_version(CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR) != CAIRN_OK)
        throw py::import_error("cairn: the module was built for another version of libcairn");
    py::options options;
    options.disable_function_signatures();
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const Error& error) {
            set_error(error);
        } catch (const py::cast_error&) {
            PyErr_SetString(PyExc_TypeError, "an argument, or an item of it, has a wrong type");
        }
    });
    module.doc() = "The extension module of the package cairn.";
    module.attr("__version__") = cairn_version();
    module.attr("INFINITY") = CAIRN_INFINITY;
    module.attr("NONE") = CAIRN_NONE;
    module.def(
        "has", [](const std::string& part) { return cairn_has(part.c_str()) != 0; }, "part"_a,
        "has(part)\n\nWhether the library has a part, such as 'mesh', 'more_formats', "
        "'render', 'detour' or 'threads'.");
    define_map(module);
    define_mesh(module);
    define_path(module);
    define_index(module);
    define_world(module);
    define_discs(module);
}

// The functions of the dynamic track, forwarded to the shared library that the environment variable
// GPPC_LIBRARY names: our harness loads an entry as the competition's program does.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "dynamic_entry.hpp"

namespace {

void* library() {
    static void* const handle = [] {
        const char* const file = std::getenv("GPPC_LIBRARY");
        return file == nullptr ? nullptr : dlopen(file, RTLD_LAZY);
    }();
    return handle;
}

/// The library's function of that name and of the type of `like`.
template <class Function>
Function* loaded(const char* name, Function* /*like*/) {
    void* const found = library() == nullptr ? nullptr : dlsym(library(), name);
    if (found == nullptr) {
        std::fprintf(stderr, "GPPC_LIBRARY has no %s\n", name);
        std::exit(3);
    }
    return reinterpret_cast<Function*>(found);
}

}  // namespace

#define CAIRN_LOADED(name) loaded(#name, &(name))

void gppc_preprocess_init_map(gppc_patch init_map, const char* preprocess_filename) {
    CAIRN_LOADED(gppc_preprocess_init_map)(init_map, preprocess_filename);
}
void* gppc_search_init(gppc_patch active_map, const char* preprocess_filename) {
    return CAIRN_LOADED(gppc_search_init)(active_map, preprocess_filename);
}
void gppc_map_change(void* data, const gppc_patch* changes, std::uint32_t changes_length) {
    CAIRN_LOADED(gppc_map_change)(data, changes, changes_length);
}
gppc_path gppc_get_path(void* data, gppc_point start, gppc_point goal) {
    return CAIRN_LOADED(gppc_get_path)(data, start, goal);
}
void gppc_free_data(void* data) { CAIRN_LOADED(gppc_free_data)(data); }
const char* gppc_get_name() { return CAIRN_LOADED(gppc_get_name)(); }

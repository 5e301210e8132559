// Loads the plugin, which finds a path.

#include <dlfcn.h>

#include <cstdio>

int main() {
    void* plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) return std::puts(dlerror()), 1;
    auto* function = reinterpret_cast<double (*)()>(dlsym(plugin, "plugin_path_cost"));
    return function != nullptr && function() == 0 ? 0 : 1;
}

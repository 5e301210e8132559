// Loads the plugin and checks the path that it finds: plugin_path_cost() returns the difference
// from the expected cost.

#include <dlfcn.h>

#include <cstdio>

int main() {
    void* plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) return std::puts(dlerror()), 1;
    auto* plugin_path_cost = reinterpret_cast<double (*)()>(dlsym(plugin, "plugin_path_cost"));
    return plugin_path_cost != nullptr && plugin_path_cost() == 0 ? 0 : 1;
}

// A shared object with Cairn in it, as engines and script languages load them.

#include "path_cost.hpp"

extern "C" __attribute__((visibility("default"))) double plugin_path_cost();

double plugin_path_cost() { return path_cost() - kExpected; }

// A shared object that contains Cairn, such as game engines and script languages load.

#include "path_cost.hpp"

extern "C" __attribute__((visibility("default"))) double plugin_path_cost();

/// 0 if Cairn finds the expected path.
double plugin_path_cost() { return path_cost() - kExpected; }

#include "hpa/grid_base.hpp"

template class cairn::LevelSearch<cairn::hpa::GridBase>;

#include "batch/host/searcher.hpp"
#include "cairn/grid/planners.hpp"

template class cairn::batch::Searcher<cairn::grid::AstarPlanner>;
template class cairn::batch::Searcher<cairn::grid::JpsPlanner>;

#include "batch/host/searcher.hpp"
#include "cairn/mesh/planner.hpp"

template class cairn::batch::Searcher<cairn::mesh::AstarPlanner>;

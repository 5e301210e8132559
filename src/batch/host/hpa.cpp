#include "cairn/hpa/hpa.hpp"

#include "batch/host/searcher.hpp"

template class cairn::batch::Searcher<cairn::hpa::Planner>;

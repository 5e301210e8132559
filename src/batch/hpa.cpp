#include "cairn/hpa/hpa.hpp"

#include "batch/searcher.hpp"

template class cairn::batch::Searcher<cairn::hpa::Planner>;

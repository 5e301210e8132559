#include "core/searcher.hpp"

#include "hpa/query_run.hpp"

template class cairn::Searcher<cairn::hpa::Planner>;

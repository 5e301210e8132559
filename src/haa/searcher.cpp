#include "core/searcher.hpp"

#include "haa/query_run.hpp"

template class cairn::Searcher<cairn::haa::Planner>;

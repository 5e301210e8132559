#include "core/searcher.hpp"

#include "hna/query_run.hpp"

template class cairn::Searcher<cairn::hna::Planner>;

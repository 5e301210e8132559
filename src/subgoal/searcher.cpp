#include "core/searcher.hpp"

#include "subgoal/query_run.hpp"

template class cairn::Searcher<cairn::subgoal::Planner>;

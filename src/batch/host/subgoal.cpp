#include "cairn/subgoal/subgoal.hpp"

#include "batch/host/searcher.hpp"

template class cairn::batch::Searcher<cairn::subgoal::Planner>;

#include "cairn/subgoal/subgoal.hpp"

#include "batch/searcher.hpp"

template class cairn::batch::Searcher<cairn::subgoal::Planner>;

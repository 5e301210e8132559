#include "cairn/haa/haa.hpp"

#include "batch/searcher.hpp"

template class cairn::batch::Searcher<cairn::haa::Planner>;

#include "cairn/haa/haa.hpp"

#include "batch/host/searcher.hpp"

template class cairn::batch::Searcher<cairn::haa::Planner>;

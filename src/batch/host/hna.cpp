#include "cairn/hna/hna.hpp"

#include "batch/host/searcher.hpp"

template class cairn::batch::Searcher<cairn::hna::Planner>;

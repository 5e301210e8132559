#include "cairn/hna/hna.hpp"

#include "batch/searcher.hpp"

template class cairn::batch::Searcher<cairn::hna::Planner>;

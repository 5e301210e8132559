// The fields (cairn/field.hpp) of the queries of A* and of jump point search.

#include "cairn/grid/planners.hpp"
#include "core/field_of.hpp"

namespace cairn::grid {
namespace {

constexpr std::array kDetails{choice("cost", Detail::cost), choice("path", Detail::path)};
constexpr std::array kOpenLists{choice("heap", OpenList::heap),
                                choice("buckets", OpenList::buckets)};
template <class Query>
constexpr auto kSearchFields = joined(std::array{detail_field<Query>(kDetails)},
                                      kLimitFields<Query>);
constexpr auto kAstar =
    joined(kSearchFields<AstarQuery>,
           std::array{choice_field<&AstarQuery::open>(
               "open", kOpenLists, "The open list: a binary heap, or a bucket for each cost")});

}  // namespace

std::span<const Field> AstarQuery::fields() noexcept { return kAstar; }
std::span<const Field> JpsQuery::fields() noexcept { return kSearchFields<JpsQuery>; }

}  // namespace cairn::grid

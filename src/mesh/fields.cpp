#include "cairn/mesh/planner.hpp"
#include "core/field_of.hpp"

namespace cairn::mesh {
namespace {

constexpr std::array kDetails{choice("cost", Detail::cost), choice("corridor", Detail::corridor),
                              choice("path", Detail::path)};
constexpr auto kAstar =
    joined(std::array{detail_field<AstarQuery>(kDetails)}, kLimitFields<AstarQuery>);

}  // namespace

std::span<const Field> AstarQuery::fields() noexcept { return kAstar; }

}  // namespace cairn::mesh

// The fields of subgoal::Options and subgoal::Query, by name, with their ranges and help texts.

#include "cairn/subgoal/options.hpp"
#include "cairn/subgoal/query.hpp"
#include "core/field_of.hpp"

namespace cairn::subgoal {
namespace {

constexpr std::array kEdges{choice("direct", Edges::direct),
                            choice("h-reachable", Edges::h_reachable)};
constexpr std::array kExtraEdges{choice("none", ExtraEdges::none),
                                 choice("h-reachable", ExtraEdges::h_reachable)};
constexpr std::array kOrders{choice("number", ContractionOrder::number),
                             choice("ascending-degree", ContractionOrder::ascending_degree),
                             choice("descending-degree", ContractionOrder::descending_degree),
                             choice("fewest-extra-edges", ContractionOrder::fewest_extra_edges),
                             choice("random", ContractionOrder::random)};
constexpr auto kOptions = joined(
    std::array{
        choice_field<&Options::edges>("edges", kEdges,
                                      "Subgoals joined by edges: direct - direct-h-reachable ones; "
                                      "h-reachable - all h-reachable ones, for comparison"),
        flag_field<&Options::prune>("prune",
                                    "Leave out edges and connectors that no taut path needs"),
        integer_field<&Options::levels>(
            "levels", 0, 65'535,
            "Levels: 1 - simple subgoal graph; 2 - two-level graph; 0 - as many as possible"),
        choice_field<&Options::extra_edges>(
            "extra_edges", kExtraEdges,
            "Edges that may be added so that a subgoal can stay on its level"),
        choice_field<&Options::order>("order", kOrders,
                                      "Order in which subgoals are tried for contraction"),
    },
    kLabelFields<Options>);

constexpr std::array kDetails{choice("cost", Detail::cost), choice("subgoals", Detail::subgoals),
                              choice("path", Detail::path)};
constexpr auto kQuery =
    joined(std::array{detail_field<Query>(kDetails), kEngineField<Query>, kNearestField<Query>},
           kLimitFields<Query>);

}  // namespace

std::span<const Field> Options::fields() noexcept { return kOptions; }
std::span<const Field> Query::fields() noexcept { return kQuery; }

Status check(const Options& options) noexcept { return check_fields(options); }

}  // namespace cairn::subgoal

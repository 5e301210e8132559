// The fields (cairn/field.hpp) of the options and queries of HPA*.

#include "cairn/hpa/options.hpp"
#include "hpa/cluster_fields.hpp"

namespace cairn::hpa {
namespace {

constexpr std::array kTransitions{
    choice("by-width", Transitions::by_width), choice("middle", Transitions::middle),
    choice("every", Transitions::every), choice("by-cost", Transitions::by_cost)};
constexpr std::array kCrossings{choice("needed", DiagonalCrossings::needed),
                                choice("none", DiagonalCrossings::none),
                                choice("every", DiagonalCrossings::every)};
constexpr auto kOptions = joined(
    kClusterFields<Options>,
    std::array{
        choice_field<&Options::transitions>(
            "transitions", kTransitions,
            "Transitions of an entrance: by-width - one in the middle, or two at the ends if it is "
            "wide; middle - always one; every - one on every tile; by-cost - as by-width wherever "
            "terrain costs differ, without those that a cheaper one nearby replaces"),
        choice_field<&Options::diagonals>("diagonals", kCrossings,
                                          "Diagonal moves between clusters that become "
                                          "transitions"),
    },
    kLabelFields<Options>);
constexpr auto kQuery = joined(kQueryFields<Query>, kLimitFields<Query>);

}  // namespace

std::span<const Field> Options::fields() noexcept { return kOptions; }
std::span<const Field> Query::fields() noexcept { return kQuery; }

Status check(const Options& options) noexcept { return check_fields(options); }

}  // namespace cairn::hpa

#include "cairn/haa/options.hpp"
#include "cairn/haa/query.hpp"
#include "hpa/cluster_fields.hpp"

namespace cairn::haa {
namespace {

constexpr std::array kAbstractions{choice("initial", Abstraction::initial),
                                   choice("high", Abstraction::high_quality),
                                   choice("low", Abstraction::low_quality)};
constexpr std::array kTransitions{
    choice("by-width", Transitions::by_width), choice("middle", Transitions::middle),
    choice("every", Transitions::every), choice("best-clearance", Transitions::best_clearance)};
constexpr auto kOptions = joined(
    hpa::kClusterFields<Options>,
    std::array{
        choice_field<&Options::transitions>(
            "transitions", kTransitions,
            "Transitions of an entrance: by-width - one in the middle, or two at the ends if it is "
            "wide; middle - always one; every - one on every tile; best-clearance - one where "
            "clearance is greatest"),
        choice_field<&Options::abstraction>(
            "abstraction", kAbstractions,
            "Edges left out: initial - none; high - those under strong dominance; low - also "
            "transitions under weak dominance, for a smaller index and slightly longer paths"),
        integer_field<&Options::shift>(
            "shift", 0, 64,
            "Most tiles that a transition moves to coincide with one of a larger agent"),
        integer_field<&Options::reach>("reach", 1, 64,
                                       "For abstraction low: largest distance in tiles to the "
                                       "transition that replaces another"),
        bytes_field<&Options::view_bytes>("view_bytes",
                                          "Most bytes for the views of agent classes"),
    },
    kLabelFields<Options>);
constexpr auto kQuery =
    joined(hpa::kQueryFields<Query>,
           std::array{
               integer_field<&Query::agent, &Agent::size>(
                   "size", 1, 16, "Side of the square that the agent covers, in cells"),
               integer_field<&Query::agent, &Agent::capability>(
                   "capability", 0, 15, "Number of the agent's capability among those of the map"),
           },
           kLimitFields<Query>);

}  // namespace

std::span<const Field> Options::fields() noexcept { return kOptions; }
std::span<const Field> Query::fields() noexcept { return kQuery; }

Status check(const Options& options) noexcept { return check_fields(options); }

}  // namespace cairn::haa

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
            "Transitions of an entrance: one in the middle, or two at the ends if it is wide; "
            "always one; one on every tile; one where clearance is greatest"),
        choice_field<&Options::abstraction>(
            "abstraction", kAbstractions,
            "Edges left out: none; those under strong dominance; also transitions under weak "
            "dominance: smaller, paths a little longer"),
        integer_field<&Options::shift>(
            "shift", 0, 64, "Tiles that a transition may move to coincide with a larger agent's"),
        integer_field<&Options::reach>(
            "reach", 1, 64,
            "For abstraction low: tiles to a transition that stands in for another"),
        bytes_field<&Options::view_bytes>("view_bytes",
                                          "Most bytes for what agent classes have of the index"),
    },
    kLabelFields<Options>);
constexpr auto kQuery =
    joined(hpa::kQueryFields<Query>,
           std::array{
               integer_field<&Query::agent, &Agent::size>("size", 1, 16,
                                                          "The agent covers so many cells "
                                                          "each way"),
               integer_field<&Query::agent, &Agent::capability>(
                   "capability", 0, 15, "Which of the map's capabilities the agent has"),
           },
           kLimitFields<Query>);

}  // namespace

std::span<const Field> Options::fields() noexcept { return kOptions; }
std::span<const Field> Query::fields() noexcept { return kQuery; }

Status check(const Options& options) { return check_fields(options); }

}  // namespace cairn::haa

#include "limit_flags.hpp"

#include <CLI/CLI.hpp>

#include "cairn/cost.hpp"

namespace cairn::app {

void LimitFlags::add_to(CLI::App& command, Context& context, const char* longest) {
    limits_.cancel = &context.cancel;
    command.add_option("--max-cost", max_length_, longest)
        ->check(CLI::Range(0.0, 1e9).description(""))
        ->type_name("LENGTH")
        ->group("Query");
    command
        .add_option("--max-expanded", limits_.max_expanded, "Most nodes to expand before giving up")
        ->type_name("N")
        ->group("Query");
}

SearchLimits LimitFlags::limits(double unit) const {
    SearchLimits out = limits_;
    if (max_length_) {
        const double cost = *max_length_ * unit;
        out.max_cost = cost < kInfinity ? static_cast<Cost>(cost) : kInfinity;
    }
    return out;
}

}  // namespace cairn::app

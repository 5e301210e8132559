#include "options/common.hpp"

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

std::vector<CLI::Option*> LabelFlags::add_to(CLI::App& command) {
    return {command.add_flag("--no-labels", none_,
                             "No cut labels: smaller, faster to build, slower to ask"),
            command.add_option("--label-mb", mb_, "Most megabytes for cut labels")
                ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 20).description(""))
                ->type_name("MB")
                ->capture_default_str()};
}

}  // namespace cairn::app

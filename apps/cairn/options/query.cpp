#include "options/query.hpp"

#include <array>
#include <CLI/CLI.hpp>
#include <string_view>

#include "cairn/cost.hpp"

namespace cairn::app {

void QueryFlags::add_to(CLI::App& command, Context& context, Space space, const char* longest) {
    // Limits have units of their own here, and agents are written as SIZE:CAPABILITY.
    constexpr std::array<std::string_view, 4> kOwn{"max_cost", "max_expanded", "size",
                                                   "capability"};
    fields.add_to(command, space, FieldFlags::Table::query, "Query", kOwn);
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

SearchLimits QueryFlags::limits(double unit) const {
    SearchLimits out = limits_;
    if (max_length_) {
        const double cost = *max_length_ * unit;
        out.max_cost = cost < kInfinity ? static_cast<Cost>(cost) : kInfinity;
    }
    return out;
}

}  // namespace cairn::app

#pragma once
// Options of queries.

#include <optional>

#include "cairn/any.hpp"
#include "cairn/control.hpp"
#include "cairn/planners.hpp"
#include "command.hpp"
#include "options/fields.hpp"

namespace cairn::app {

/// The group "Query", with those of single planners.
struct QueryFlags {
    FieldFlags fields;

    /// `longest`: the help of --max-cost, which is a length.
    void add_to(CLI::App& command, Context& context, Space space, const char* longest);

    /// The query of a planner without start and goal. `unit`: the cost of length 1. Errors:
    /// bad_option (out of range, or another planner's).
    template <class P>
    [[nodiscard]] Result<typename P::Query> query(double unit) const {
        typename P::Query out;
        const Space space =
            std::same_as<typename P::Place, grid::Point> ? Space::grid : Space::mesh;
        Status status = fields.check(*find_planner(P::kName, space));
        if (status.ok()) status = fields.set(out);
        if (!status.ok()) return tl::unexpected(std::move(status));
        out.limits = limits(unit);
        return out;
    }
    [[nodiscard]] SearchLimits limits(double unit) const;

private:
    SearchLimits limits_;
    std::optional<double> max_length_;
};

}  // namespace cairn::app

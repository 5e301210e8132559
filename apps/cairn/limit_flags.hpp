#pragma once
// Options that bound a query, on maps and on meshes.

#include <cstdint>
#include <optional>

#include "cairn/control.hpp"
#include "command.hpp"

namespace cairn::app {

/// --max-cost and --max-expanded, of the group "Query", and Ctrl-C.
struct LimitFlags {
    /// `longest`: the help of --max-cost, which is a length.
    void add_to(CLI::App& command, Context& context, const char* longest);
    /// `unit`: the cost of length 1.
    [[nodiscard]] SearchLimits limits(double unit) const;

private:
    SearchLimits limits_;
    std::optional<double> max_length_;
};

}  // namespace cairn::app

#include "cairn/subgoal/options.hpp"

#include <fmt/format.h>

namespace cairn::subgoal {

Status check(const Options& options) {
    const auto bad = [](std::string message) {
        return Status{StatusCode::bad_option, std::move(message)};
    };
    if (options.edges > Edges::h_reachable) return bad("edges must be direct or h_reachable");
    if (options.extra_edges > ExtraEdges::h_reachable)
        return bad("extra_edges must be none or h_reachable");
    if (options.levels > 65'535)
        return bad(fmt::format("levels must be 0 to 65535, not {}", options.levels));
    if (options.order > ContractionOrder::random) return bad("order is none of ContractionOrder's");
    return {};
}

}  // namespace cairn::subgoal

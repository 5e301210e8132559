#include "cairn/status.hpp"

namespace cairn {
namespace {

struct Words {
    std::string_view name;
    std::string_view sentence;
};

Words words(StatusCode code) noexcept {
    switch (code) {
        case StatusCode::ok:
            return {"ok", "the call succeeded"};
        case StatusCode::start_outside:
            return {"start_outside", "the start lies outside the map"};
        case StatusCode::goal_outside:
            return {"goal_outside", "the goal lies outside the map"};
        case StatusCode::start_blocked:
            return {"start_blocked", "the start lies on an obstacle"};
        case StatusCode::goal_blocked:
            return {"goal_blocked", "the goal lies on an obstacle"};
        case StatusCode::no_path:
            return {"no_path", "no path connects the start and the goal"};
        case StatusCode::over_cost_limit:
            return {"over_cost_limit", "every path costs more than the given limit"};
        case StatusCode::budget_exhausted:
            return {"budget_exhausted", "the node budget ran out before a path was found"};
        case StatusCode::cancelled:
            return {"cancelled", "the work was cancelled"};
        case StatusCode::stale_index:
            return {"stale_index", "the map has changed since this was computed; ask again"};
        case StatusCode::unsupported:
            return {"unsupported", "this planner, map or index does not support the request"};
        case StatusCode::bad_option:
            return {"bad_option", "an option is out of its range"};
        case StatusCode::too_large:
            return {"too_large", "a size passes the stated limit"};
        case StatusCode::io_error:
            return {"io_error", "a file could not be read or written"};
        case StatusCode::corrupt_file:
            return {"corrupt_file", "the file contradicts its own format"};
        case StatusCode::wrong_version:
            return {"wrong_version", "the file was written by an incompatible version"};
        case StatusCode::wrong_map:
            return {"wrong_map", "the file belongs to another map"};
        case StatusCode::no_device:
            return {"no_device", "there is no such device"};
        case StatusCode::out_of_memory:
            return {"out_of_memory", "there is not enough memory"};
        case StatusCode::device_failed:
            return {"device_failed", "the device reported an error"};
    }
    return {"unknown", "unknown status"};
}

}  // namespace

std::string_view name(StatusCode code) noexcept { return words(code).name; }

std::string_view describe(StatusCode code) noexcept { return words(code).sentence; }

}  // namespace cairn

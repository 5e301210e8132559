#include "cairn/status.hpp"

#include <algorithm>
#include <iterator>

namespace cairn {
namespace {

struct CodeText {
    StatusCode code;
    std::string_view name;
    std::string_view description;
};

constexpr CodeText kTexts[] = {
    {StatusCode::ok, "ok", "the call succeeded"},
    {StatusCode::start_outside, "start_outside", "the start lies outside the map"},
    {StatusCode::goal_outside, "goal_outside", "the goal lies outside the map"},
    {StatusCode::start_blocked, "start_blocked", "the start lies on an obstacle"},
    {StatusCode::goal_blocked, "goal_blocked", "the goal lies on an obstacle"},
    {StatusCode::no_path, "no_path", "no path connects the start and the goal"},
    {StatusCode::over_cost_limit, "over_cost_limit", "every path costs more than the given limit"},
    {StatusCode::budget_exhausted, "budget_exhausted",
     "the node budget ran out before a path was found"},
    {StatusCode::cancelled, "cancelled", "the work was cancelled"},
    {StatusCode::stale_index, "stale_index",
     "the map has changed since this was computed; ask again"},
    {StatusCode::unsupported, "unsupported",
     "this planner, map or index does not support the request"},
    {StatusCode::bad_option, "bad_option", "an option is out of its range"},
    {StatusCode::too_large, "too_large", "a size passes the stated limit"},
    {StatusCode::io_error, "io_error", "a file could not be read or written"},
    {StatusCode::corrupt_file, "corrupt_file", "the file contradicts its own format"},
    {StatusCode::wrong_version, "wrong_version", "the file was written by an incompatible version"},
    {StatusCode::wrong_map, "wrong_map", "the file belongs to another map"},
    {StatusCode::no_device, "no_device", "there is no such device"},
    {StatusCode::out_of_memory, "out_of_memory", "there is not enough memory"},
    {StatusCode::device_failed, "device_failed", "the device reported an error"},
    {StatusCode::cost_too_large, "cost_too_large",
     "there is a path, but it costs 2^31 - 1 or more; coarser costs would fit"},
};

constexpr CodeText text_of(StatusCode code) noexcept {
    const auto* found = std::find_if(std::begin(kTexts), std::end(kTexts),
                                     [code](const CodeText& text) { return text.code == code; });
    return found == std::end(kTexts) ? CodeText{code, "unknown", "unknown status"} : *found;
}

}  // namespace

std::string_view name(StatusCode code) noexcept { return text_of(code).name; }

std::string_view describe(StatusCode code) noexcept { return text_of(code).description; }

}  // namespace cairn

#pragma once
// Errors of public calls.
//
// Every call that can fail returns a Result<T>: the value, or a Status with a code to branch on and
// a message that names the file, line, cell or option at fault and says what to do. Queries, which
// must not allocate, return only a StatusCode; `describe` gives its meaning as text.
//
// If memory runs out, a call returns out_of_memory, without a message. The objects that it was
// called on have not changed, and the same call may be made again. The functions of the public
// headers are noexcept. Exceptions to this rule, which may throw std::bad_alloc as the standard
// library does:
//
//   - making and copying values that hold standard containers or strings, such as options, images
//     and answers, haa::AnnotatedMap, and a mesh::Mesh without polygons;
//   - functions that return a std::string, or append to a list of the caller's;
//   - the queries of CutLabels, NLevelGraph and grid::HReach, which grow the caller's scratch.
//
// No other exception crosses the public interface. Functions that the caller passes in, such as
// BuildControl::progress, must not throw.
//
// Some libraries that Cairn uses cannot take a failed allocation and may end the program, or, like
// Fontconfig, never return: Recast (detour::build_navmesh), Cairo (render::to_png), LodePNG when it
// writes (formats::format_png, and render::to_svg of a raster), and oneTBB while it starts threads
// (BuildControl::threads other than 1, batches).

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace cairn {

enum class StatusCode : std::uint8_t {
    ok,
    start_outside,     ///< the start lies outside the map
    goal_outside,      ///< the goal lies outside the map
    start_blocked,     ///< the start lies on an obstacle
    goal_blocked,      ///< the goal lies on an obstacle
    no_path,           ///< start and goal are valid, but no path connects them
    over_cost_limit,   ///< no path costs at most the caller's limit
    budget_exhausted,  ///< the caller's node budget ran out before the answer was known
    cancelled,         ///< the caller asked to stop
    stale_index,       ///< the index, answer or labels belong to another snapshot of the map
    unsupported,       ///< the request has no meaning for this planner, map or index
    bad_option,        ///< an option is out of its range
    too_large,         ///< a size or cost would not fit its type, or exceeds a stated limit
    io_error,          ///< the operating system refused to read or write a file
    corrupt_file,      ///< the bytes of a file contradict its format
    wrong_version,     ///< the file was written by an incompatible version
    wrong_map,         ///< the index file belongs to another map
    no_device,         ///< there is no such device, or Cairn was built without it
    out_of_memory,     ///< there is not enough memory, on the host or a device
    device_failed,     ///< a device reported an error
    cost_too_large,    ///< there is a path, but its cost would not be below kInfinity
};

/// The code's fixed name, such as "no_path". Thread-safe.
[[nodiscard]] std::string_view name(StatusCode code) noexcept;

/// A readable phrase, such as "no path connects the start and the goal". Thread-safe.
[[nodiscard]] std::string_view describe(StatusCode code) noexcept;

/// A code and a message for users, which is empty for ok and may be for out_of_memory.
struct Status {
    StatusCode code = StatusCode::ok;
    std::string message;

    [[nodiscard]] bool ok() const noexcept { return code == StatusCode::ok; }
    friend bool operator==(const Status&, const Status&) = default;
};

/// A T, or the Status that says why there is none.
template <class T>
using Result = tl::expected<T, Status>;

/// The error value of a Result: `return fail(StatusCode::bad_option, "levels must be 1 to 8");`
[[nodiscard]] inline tl::unexpected<Status> fail(StatusCode code, std::string message) {
    return tl::unexpected<Status>(Status{code, std::move(message)});
}

/// The error value of a Result, with the text of describe(code) as its message.
[[nodiscard]] inline tl::unexpected<Status> fail(StatusCode code) {
    return fail(code, std::string(describe(code)));
}

}  // namespace cairn

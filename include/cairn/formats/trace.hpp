#pragma once
// Search traces as files for Posthoc, a visualiser of searches (https://posthoc.pathfinding.ai), in
// version 1.4.0 of its format. docs/schema/trace.json says what such a file holds.

#include <string>

#include "cairn/search_trace.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

/// The trace as JSON text: the views by which Posthoc draws it, and its events, one in each line.
///
/// An event has the members type (the name of its TraceStep), id, pId (null for source and
/// destination), x, y, level, and in lengths f, g and h = f - g. An id is `search:node`, or `start`
/// or `goal`. The path, if there is one, is an event of type `path` with a list of points; if
/// events were left out, an event of type `cut` before it says how many. On grids x and y are the
/// upper left corner of a cell, and points of the path are middles of cells; so a MovingAI map lies
/// under the trace where Posthoc draws it.
///
/// `trace.unit` must be above 0, and all places finite. Linear time. Thread-safe. Errors:
/// out_of_memory.
[[nodiscard]] Result<std::string> format_trace(const SearchTrace& trace) noexcept;

/// Writes format_trace's text atomically. Posthoc takes files whose names end in .trace.json.
/// Further errors: io_error.
[[nodiscard]] Status write_trace(const std::string& path, const SearchTrace& trace) noexcept;

}  // namespace cairn::formats

#include "cairn/formats/trace.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

#include "core/guarded.hpp"
#include "text.hpp"

namespace cairn::formats {
namespace {

using Text = std::back_insert_iterator<std::string>;

std::string_view name_of(TraceStep step) {
    switch (step) {
        case TraceStep::source:
            return "source";
        case TraceStep::destination:
            return "destination";
        case TraceStep::generating:
            return "generating";
        case TraceStep::expanding:
            return "expanding";
        case TraceStep::closing:
            return "closing";
        case TraceStep::end:
            return "end";
    }
    return "";
}

/// The greater side of the box around all events; 1 if it is a point.
double extent_of(const SearchTrace& trace) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    TracePoint low{kFar, kFar};
    TracePoint high{-kFar, -kFar};
    for (const TraceEvent& event : trace.events) {
        low = {std::min(low.x, event.place.x), std::min(low.y, event.place.y)};
        high = {std::max(high.x, event.place.x), std::max(high.y, event.place.y)};
    }
    const double extent = std::max(high.x - low.x, high.y - low.y);
    return extent > 0 ? extent : 1;
}

/// Writes the views: a mark for each event, a line from its parent if that is not beside it, and
/// the path.
void write_views(const SearchTrace& trace, Text out) {
    constexpr double kMeshMark = 1.0 / 250;  // of the extent, so that marks are seen and lie apart
    constexpr double kCellLine = 0.15;
    const std::string_view middle = trace.cells ? " + 0.5" : "";
    const double mark = extent_of(trace) * kMeshMark;
    const double line = trace.cells ? kCellLine : mark / 3;
    fmt::format_to(out, R"("views":{{
"mark":[{{"$":"{}",{},"x":"${{{{ $.x }}}}","y":"${{{{ $.y }}}}","fill":"${{{{ color[$.type] }}}}"}}],
)",
                   trace.cells ? "rect" : "circle",
                   trace.cells ? std::string(R"("width":1,"height":1)")
                               : fmt::format(R"("radius":{:.4g})", mark));
    fmt::format_to(out,
                   R"("line":[{{"$":"path","line-width":{0:.4g},"alpha":0.6,)"
                   R"("fill":"${{{{ color[$.type] }}}}","points":[)"
                   R"({{"x":"${{{{ parent.x{1} }}}}","y":"${{{{ parent.y{1} }}}}"}},)"
                   R"({{"x":"${{{{ $.x{1} }}}}","y":"${{{{ $.y{1} }}}}"}}]}}],
)",
                   line, middle);
    fmt::format_to(out,
                   R"("path":[{{"$":"path","line-width":{:.4g},"fill":"${{{{ color.end }}}}",)"
                   R"("points":"${{{{ $.points }}}}"}}],
)",
                   2 * line);
    fmt::format_to(out,
                   R"("main":[
{{"$":"line","$if":"${{{{ $.type === 'generating' && !!parent)"
                   R"( && (parent.x - $.x) ** 2 + (parent.y - $.y) ** 2 > 2 }}}}"}},
{{"$":"mark","$if":"${{{{ $.type !== 'path' && $.type !== 'cut' }}}}"}},
{{"$":"path","$if":"${{{{ $.type === 'path' }}}}"}}]}},
"pivot":{{"x":"${{{{ $.x{0} }}}}","y":"${{{{ $.y{0} }}}}","scale":1}},
)",
                   middle);
}

void write_id(int search, std::uint32_t node, Text out) {
    if (node == TraceEvent::kStart) {
        fmt::format_to(out, "\"start\"");
    } else if (node == TraceEvent::kGoal) {
        fmt::format_to(out, "\"goal\"");
    } else {
        fmt::format_to(out, "\"{}:{}\"", search, node);
    }
}

void write_event(const SearchTrace& trace, const TraceEvent& event, Text out) {
    fmt::format_to(out, R"({{"type":"{}","id":)", name_of(event.step));
    write_id(event.search, event.node, out);
    fmt::format_to(out, R"(,"pId":)");
    if (event.node == event.parent) {
        fmt::format_to(out, "null");
    } else {
        write_id(event.search, event.parent, out);
    }
    const auto length = [&](double cost) { return cost / trace.unit; };
    fmt::format_to(out, R"(,"x":{},"y":{},"level":{},"f":{},"g":{},"h":{}}})", event.place.x,
                   event.place.y, event.level, length(event.f), length(event.g),
                   length(static_cast<double>(event.f) - event.g));
}

void write_path(const SearchTrace& trace, Text out) {
    fmt::format_to(out, R"({{"type":"path","id":"path","pId":null,"points":[)");
    const double middle = trace.cells ? 0.5 : 0;
    std::string_view comma;
    for (const TracePoint& point : trace.path) {
        fmt::format_to(out, R"({}{{"x":{},"y":{}}})", comma, point.x + middle, point.y + middle);
        comma = ",";
    }
    fmt::format_to(out, "]}}");
}

}  // namespace

Result<std::string> format_trace(const SearchTrace& trace) noexcept try {
    constexpr std::size_t kUsualLine = 128;
    std::string text;
    text.reserve((trace.events.size() + 16) * kUsualLine);
    const Text out(text);
    fmt::format_to(out, "{{\"version\":\"1.4.0\",\n");
    write_views(trace, out);
    fmt::format_to(out, "\"events\":[");
    std::string_view separator = "\n";
    const auto next = [&] {
        fmt::format_to(out, "{}", separator);
        separator = ",\n";
    };
    for (const TraceEvent& event : trace.events) {
        next();
        write_event(trace, event, out);
    }
    if (trace.left_out > 0) {
        next();
        fmt::format_to(out, R"({{"type":"cut","id":"cut","pId":null,"left_out":{}}})",
                       trace.left_out);
    }
    if (!trace.path.empty()) {
        next();
        write_path(trace, out);
    }
    fmt::format_to(out, "\n]}}\n");
    return text;
} catch (...) {
    return out_of_memory();
}

Status write_trace(const std::string& path, const SearchTrace& trace) noexcept try {
    return write_formatted(path, format_trace(trace));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats

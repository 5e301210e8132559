#include "trace.hpp"

#include "cairn/formats/trace.hpp"
#include "files.hpp"
#include "options/common.hpp"

namespace cairn::app {

void TraceReport::add_to(Facts& facts) const {
    std::string text =
        fmt::format("{} events of the search by {}, written to {}", grouped(events), engine, file);
    if (left_out > 0) text += fmt::format(" ({} more left out)", grouped(left_out));
    facts.add("trace", text);
}

Json TraceReport::json() const {
    return {{"file", file}, {"engine", engine}, {"events", events}, {"left_out", left_out}};
}

void TraceFlags::add_to(CLI::App& command, Context& context) {
    const char* const group = "Output";
    writes_file(command.add_option("--trace", file,
                                   "Write what the search expands and generates, for the "
                                   "visualiser Posthoc (.trace.json)"),
                context)
        ->type_name("FILE")
        ->group(group);
    add_number(command, "--trace-events", max_events, 0, 100'000'000, "N", group,
               "Events of --trace; later ones are left out");
}

Result<std::optional<TraceReport>> TraceFlags::write(const SearchTrace& recorded,
                                                     std::string_view engine) const {
    Status written = formats::write_trace(file, recorded);
    if (!written.ok()) return tl::unexpected(std::move(written));
    return TraceReport{file, std::string(engine), recorded.events.size(), recorded.left_out};
}

}  // namespace cairn::app

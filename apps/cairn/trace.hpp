#pragma once
// The options --trace and --trace-events of `cairn path`, and what it reports of a trace.

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "cairn/search_trace.hpp"
#include "command.hpp"
#include "text.hpp"

namespace cairn::app {

/// A trace that has been written.
struct TraceReport {
    std::string file;
    std::string engine;  ///< of the search that was traced
    std::size_t events = 0;
    std::uint64_t left_out = 0;

    void add_to(Facts& facts) const;
    [[nodiscard]] Json json() const;
};

struct TraceFlags {
    std::string file;
    std::size_t max_events = SearchTrace().max_events;

    void add_to(CLI::App& command, Context& context);
    [[nodiscard]] bool given() const { return !file.empty(); }
    /// Calls trace(SearchTrace&), which returns the name of the engine, and writes what it has
    /// recorded. Without --trace it does nothing. Errors: those of formats::write_trace.
    template <class Trace>
    [[nodiscard]] Result<std::optional<TraceReport>> write(const Trace& trace) const {
        if (!given()) return std::nullopt;
        SearchTrace recorded;
        recorded.max_events = max_events;
        return write(recorded, trace(recorded));
    }

private:
    [[nodiscard]] Result<std::optional<TraceReport>> write(const SearchTrace& recorded,
                                                           std::string_view engine) const;
};

}  // namespace cairn::app

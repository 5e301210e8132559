#pragma once
// Options that several subcommands share: how a map is read, how its index is built, how a query is
// answered.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/hpa/options.hpp"
#include "cairn/hpa/query.hpp"
#include "command.hpp"

namespace cairn::app {

/// The group "Map": the move rules and costs.
struct MapFlags {
    std::string neighbours = "8";
    std::string corners = "strict";
    std::string costs = "408,577";
    std::string weights = "weighted";

    void add_to(CLI::App& command);
    /// Errors: bad_option.
    [[nodiscard]] Result<grid::MapOptions> options() const;
    /// Reads a map of any format. Errors: those of io::load_terrain_map.
    [[nodiscard]] Result<grid::Map> load(const std::filesystem::path& file) const;
};

/// The group "Index".
struct IndexFlags {
    hpa::Options options;
    int threads = 0;

    void add_to(CLI::App& command);
    /// The options asked for. Errors: bad_option.
    [[nodiscard]] Result<hpa::Options> checked() const;
    /// Builds the index, with a progress bar and until Ctrl-C.
    [[nodiscard]] Result<hpa::Index> build(Context& context, const grid::Map& map) const;

    /// Adds --index FILE, which stands for the options above.
    void add_file_to(CLI::App& command);
    /// Loads the index from --index FILE, else builds it.
    [[nodiscard]] Result<hpa::Index> load_or_build(Context& context, const grid::Map& map) const;
    std::string file;

private:
    bool no_tables_ = false;
    bool no_labels_ = false;
    std::uint64_t label_mb_ = 256;
    std::vector<CLI::Option*> added_;
};

/// The group "Query".
struct QueryFlags {
    hpa::Query query;

    void add_to(CLI::App& command, Context& context);
    /// The query, from one point to another. Costs of --max-cost are in steps of length 1.
    [[nodiscard]] hpa::Query between(const grid::Map& map, grid::Point start,
                                     grid::Point goal) const;

private:
    bool no_direct_line_ = false;
    std::optional<double> max_length_;
    CancelFlag* cancel_ = nullptr;
};

/// "X,Y" as a point. Errors: bad_option, naming `what`.
[[nodiscard]] Result<grid::Point> parse_point(const std::string& text, const std::string& what);
/// Integers separated by commas, exactly `count` of them.
[[nodiscard]] std::optional<std::vector<std::int64_t>> parse_integers(const std::string& text,
                                                                      std::size_t count);

}  // namespace cairn::app

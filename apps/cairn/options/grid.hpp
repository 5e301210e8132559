#pragma once
// Options that several subcommands share: how a map is read, how its index is built, how a query is
// answered.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/haa/options.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/hpa/options.hpp"
#include "cairn/hpa/query.hpp"
#include "command.hpp"
#include "options/common.hpp"

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
    /// Reads a map of any format. Errors: those of formats::load_terrain_map.
    [[nodiscard]] Result<grid::Map> load(const std::filesystem::path& file) const;
    /// Errors: bad_option with `message` if --weights was given; if any option was.
    [[nodiscard]] Status no_weights(std::string_view message) const;
    [[nodiscard]] Status none(std::string_view message) const;

private:
    std::vector<CLI::Option*> all_;  // --weights last
};

/// The groups "Index", which all planners share, "Index of HPA* and HAA*", and "Index of HPA*".
struct IndexFlags {
    hpa::Options options;  ///< what the command line changes; `checked` for all of it
    haa::Transitions transitions = haa::Transitions::by_width;
    int threads = 0;

    void add_to(CLI::App& command);
    /// The options asked for. Errors: bad_option.
    [[nodiscard]] Result<hpa::Options> checked() const;
    [[nodiscard]] bool tables() const noexcept { return !no_tables_; }
    [[nodiscard]] bool labels() const noexcept { return labels_.wanted(); }
    [[nodiscard]] std::uint64_t label_bytes() const noexcept { return labels_.bytes(); }
    /// Errors: bad_option if an option was given that only planners with clusters have.
    [[nodiscard]] Status only_shared() const;
    /// Errors: bad_option if an option was given that is HPA*'s alone.
    [[nodiscard]] Status only_clustered() const;
    /// Errors: bad_option with `message` if any option but --index and --threads was given.
    [[nodiscard]] Status none(std::string_view message) const;
    /// Builds the index, with a progress bar and until Ctrl-C.
    [[nodiscard]] Result<hpa::Index> build(Context& context, const grid::Map& map) const;

    /// Adds --index FILE, which stands for the options above.
    void add_file_to(CLI::App& command);
    /// Loads the index from --index FILE, else builds it.
    [[nodiscard]] Result<hpa::Index> load_or_build(Context& context, const grid::Map& map) const;
    std::string file;

private:
    bool no_tables_ = false;
    LabelFlags labels_;
    std::vector<CLI::Option*> shared_;
    std::vector<CLI::Option*> clustered_;  // HPA* and HAA*
    std::vector<CLI::Option*> own_;
};

/// The group "Query".
struct QueryFlags {
    hpa::Query query;

    void add_to(CLI::App& command, Context& context);
    /// Errors: bad_option if an option was given that is HPA*'s alone.
    [[nodiscard]] Status only_shared() const;
    /// Errors: bad_option if an option was given that needs an index.
    [[nodiscard]] Status none_of_an_index() const;
    [[nodiscard]] SearchLimits limits(const grid::Map& map) const;
    /// The query, from one point to another. Costs of --max-cost are in steps of length 1.
    [[nodiscard]] hpa::Query between(const grid::Map& map, grid::Point start,
                                     grid::Point goal) const;

private:
    bool no_direct_line_ = false;
    LimitFlags limits_;
    std::vector<CLI::Option*> indexed_;
    std::vector<CLI::Option*> own_;
};

/// --threads, of the group "Index".
void add_threads(CLI::App& command, int& threads);

/// Why there are no index options beside --index.
inline constexpr std::string_view kWithFile =
    "with --index: the index was built with options of its own; leave one of the two out, or build "
    "another index";

/// bad_option if one of these options was given: "--name MESSAGE". Else ok.
[[nodiscard]] Status refuse_given(const std::vector<CLI::Option*>& options,
                                  std::string_view message);

/// "cluster_size 1: must be..." as the command line writes it: "--cluster-size 1: must be...".
[[nodiscard]] std::string as_option(std::string message);

/// "X,Y" as a point. Errors: bad_option, naming `what`.
[[nodiscard]] Result<grid::Point> parse_point(const std::string& text, const std::string& what);
/// Integers separated by commas, exactly `count` of them.
[[nodiscard]] std::optional<std::vector<std::int64_t>> parse_integers(const std::string& text,
                                                                      std::size_t count);

}  // namespace cairn::app

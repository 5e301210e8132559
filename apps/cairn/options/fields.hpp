#pragma once
// Command line options made from the planners' tables of fields (cairn/field.hpp): the options of
// an index and those of a query.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/control.hpp"
#include "cairn/field.hpp"
#include "command.hpp"

namespace cairn::app {

/// One command line option for each name of a field, whichever planners have the field. The options
/// given become settings.
class FieldFlags {
public:
    enum class Table { options, query };

    /// Adds the options of all planners of a space. An option that only some planners have is in
    /// the group "`group` of NAMES", all others in "`group`". `except`: names of fields without an
    /// option. Call it once; this object must outlive the command.
    void add_to(CLI::App& command, Space space, Table table, std::string_view group,
                std::span<const std::string_view> except = {});

    /// Gives a field of all planners a value, unless its option was given. `name` must live as long
    /// as this object.
    void set_unless_given(std::string_view name, const std::string& value);

    /// The options given, in the order of the command line. They refer to texts of this object.
    [[nodiscard]] std::vector<Setting> settings() const;
    /// bad_option if an option was given that the planner does not have, or a word that only other
    /// planners know; else ok.
    [[nodiscard]] Status check(const PlannerInfo& planner) const;
    /// bad_option with `message` if any option was given; else ok.
    [[nodiscard]] Status refuse_given(std::string_view message) const;
    /// Sets members of a planner's options or query to the options given. Errors: bad_option.
    template <class T>
    [[nodiscard]] Status set(T& object) const {
        return named(apply_settings(settings(), object));
    }
    /// The options or the query of a planner. T must be its struct. Errors: bad_option (a value out
    /// of range, or an option of another planner).
    template <class T>
    [[nodiscard]] Result<T> read(std::string_view planner) const {
        T out;
        Status status = check(*find_planner(planner, space_));
        if (status.ok()) status = set(out);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return out;
    }
    /// If the message begins with the name of a field given, writes the name as on the command
    /// line: "cluster_size 1: must be..." becomes "--cluster-size 1: must be...".
    [[nodiscard]] Status named(Status status) const;

private:
    CLI::Option* add_option(CLI::App& command, const Field& field);
    /// The option of a field given, as on the command line: "--no-prune".
    [[nodiscard]] std::string shown(std::string_view name) const;

    Space space_ = Space::grid;
    Table table_ = Table::options;
    std::map<std::string_view, std::string> given_;  // the values given, by the field's name
    std::vector<std::string_view> order_;            // the keys of given_, as on the command line
};

/// For refuse_given: index options were given together with --index.
inline constexpr std::string_view kWithFile =
    "with --index: the index was built with options of its own; leave one of the two out, or build "
    "another index";

/// The groups "Index" and "Index of NAMES": options to build or load an index.
struct IndexFlags {
    FieldFlags fields;
    int threads = 0;   ///< 0: one per processor
    std::string file;  ///< of --index; empty: the index is built
    FileChecks checks = FileChecks::contents;
    CheckpointStore* checkpoints = nullptr;  ///< of a build; null: none are kept
    bool progress_lines = false;             ///< of a build: a line after each tenth

    void add_to(CLI::App& command, Space space);
    /// Adds --index FILE, which excludes the options of the build, and --checks.
    void add_file_to(CLI::App& command, Context& context);
    /// Adds --checks.
    void add_checks_to(CLI::App& command);

    /// The options of a planner. Errors: as FieldFlags::read.
    template <class P>
    [[nodiscard]] Result<typename P::Options> options() const {
        return fields.read<typename P::Options>(P::kName);
    }
    /// Builds an index, with a progress bar and until Ctrl-C. Errors: bad_option; those of the
    /// build.
    [[nodiscard]] Result<AnyIndex> build(Context& context, const PlannerInfo& planner,
                                         const AnyMap& map) const;
    template <class P>
    [[nodiscard]] Result<typename P::Index> build(Context& context,
                                                  const typename P::Map& map) const {
        const auto build_options = options<P>();
        if (!build_options) return tl::unexpected(build_options.error());
        ProgressBar bar("building", progress_lines);
        return P::build(map, *build_options, control(context, bar));
    }

private:
    [[nodiscard]] BuildControl control(const Context& context, ProgressBar& bar) const {
        BuildControl result = bar.control(context, threads);
        result.checkpoints = checkpoints;
        return result;
    }
};

/// Adds to an unsupported status which planners support every map.
[[nodiscard]] Status with_advice(Status status);

/// The groups "Query" and "Query of NAMES".
struct QueryFlags {
    FieldFlags fields;

    /// `max_cost_help`: the help of --max-cost, whose value is a length.
    void add_to(CLI::App& command, Context& context, Space space, const char* max_cost_help);

    /// The query of a planner, with limits but without start and goal. `unit`: the cost of
    /// length 1. Errors: as FieldFlags::read.
    template <class P>
    [[nodiscard]] Result<typename P::Query> query(double unit) const {
        auto out = fields.read<typename P::Query>(P::kName);
        if (out) out->limits = limits(unit);
        return out;
    }

private:
    [[nodiscard]] SearchLimits limits(double unit) const;

    SearchLimits limits_;
    std::optional<double> max_length_;
};

/// Turns the field's name at the beginning of a message into an option: "cell_size 0: must be..."
/// becomes "--cell-size 0: must be...".
[[nodiscard]] std::string as_option(std::string_view message);

namespace detail {

[[nodiscard]] std::string options_text(std::span<const Field> fields, const void* object);
[[nodiscard]] Json options_json(std::span<const Field> fields, const void* object);

}  // namespace detail

/// An object's members as options of the command line. Choices and integers are always written,
/// others only if they differ from the default.
template <class T>
[[nodiscard]] std::string options_text(const T& object) {
    return detail::options_text(T::fields(), &object);
}
/// The same as JSON, members by name.
template <class T>
[[nodiscard]] Json options_json(const T& object) {
    return detail::options_json(T::fields(), &object);
}

}  // namespace cairn::app

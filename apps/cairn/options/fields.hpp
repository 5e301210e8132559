#pragma once
// Options of the command line that are made from the field tables of the planners: options of an
// index and options of a query.

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

/// One option for each field name of any planner, in the group of the planners that have it. The
/// options given become settings.
class FieldFlags {
public:
    enum class Table { options, query };

    /// Adds the options of all planners of a space. Their groups are called "`group`", or "`group`
    /// of NAMES" for options that not all planners have. `except`: names of fields that get no
    /// option here.
    void add_to(CLI::App& command, Space space, Table table, std::string_view group,
                std::span<const std::string_view> except = {});

    /// The options given. The texts live as long as this object.
    [[nodiscard]] std::vector<Setting> settings() const;
    /// bad_option if an option was given that the planner does not have; else ok.
    [[nodiscard]] Status check(const PlannerInfo& planner) const;
    /// bad_option with `message` if any option was given; else ok.
    [[nodiscard]] Status none(std::string_view message) const;
    /// Sets the members of a planner's options or query. Errors: bad_option, with names as the
    /// command line writes them.
    template <class T>
    [[nodiscard]] Status set(T& object) const {
        return named(apply_settings(settings(), object));
    }
    /// The options or the query of the planner of that name. Errors: bad_option (out of range, or
    /// another planner's).
    template <class T>
    [[nodiscard]] Result<T> read(std::string_view planner) const {
        T out;
        Status status = check(*find_planner(planner, space_));
        if (status.ok()) status = set(out);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return out;
    }
    /// Writes a bad_option that begins with one of the names given as the command line does:
    /// "cluster_size 1: must be..." as "--cluster-size 1: must be...". Other statuses stay as they
    /// are.
    [[nodiscard]] Status named(Status status) const;

private:
    /// A name as it was given: "--no-prune".
    [[nodiscard]] std::string shown(std::string_view name) const;

    Space space_ = Space::grid;
    Table table_ = Table::options;
    std::map<std::string_view, std::string> given_;  // field's name to text
    std::vector<std::string_view> order_;            // of the names given
};

/// The message if index options are given together with --index.
inline constexpr std::string_view kWithFile =
    "with --index: the index was built with options of its own; leave one of the two out, or build "
    "another index";

/// The groups "Index" and "Index of NAMES": options to build or load an index.
struct IndexFlags {
    FieldFlags fields;
    int threads = 0;
    std::string file;

    void add_to(CLI::App& command, Space space);
    /// Adds --index FILE, which replaces the options above.
    void add_file_to(CLI::App& command);

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
        const auto wanted = options<P>();
        if (!wanted) return tl::unexpected(wanted.error());
        ProgressBar bar("building");
        return P::build(map, *wanted, bar.control(context, threads));
    }
};

/// Adds advice if an index or planner does not support the map.
[[nodiscard]] Status with_advice(Status status);

/// The groups "Query" and "Query of NAMES".
struct QueryFlags {
    FieldFlags fields;

    /// `longest`: the help of --max-cost, which is a length.
    void add_to(CLI::App& command, Context& context, Space space, const char* longest);

    /// The query of a planner; its start and goal are not set. `unit`: the cost of length 1.
    /// Errors: as FieldFlags::read.
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

/// "cell_size 0: must be..." as the command line writes it: "--cell-size 0: must be...".
[[nodiscard]] std::string as_option(std::string_view message);

namespace detail {

[[nodiscard]] std::string options_text(std::span<const Field> fields, const void* object);
[[nodiscard]] Json options_json(std::span<const Field> fields, const void* object);

}  // namespace detail

/// An object's members as options of the command line; flags and sizes only if they differ from the
/// default.
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

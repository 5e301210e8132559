#pragma once
// Options of the command line, made from the field tables of the planners.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/any.hpp"
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
    /// Writes a bad_option that begins with one of the names given as the command line does:
    /// "cluster_size 1: must be..." as "--cluster-size 1: must be...". Others stay as they are.
    [[nodiscard]] Status named(Status status) const;

private:
    /// A name as it was given: "--no-prune".
    [[nodiscard]] std::string shown(std::string_view name) const;

    Space space_ = Space::grid;
    Table table_ = Table::options;
    std::map<std::string_view, std::string> given_;  // field's name to text
    std::vector<std::string_view> order_;            // of the names given
};

/// The option of a field: "--cluster-size", "--no-tables".
[[nodiscard]] std::string option_name(const Field& field, bool negative);

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

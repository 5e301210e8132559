#pragma once
// Options to build or load an index.

#include <array>
#include <string>
#include <string_view>

#include "cairn/any.hpp"
#include "cairn/control.hpp"
#include "command.hpp"
#include "options/fields.hpp"

namespace cairn::app {

/// The message if index options are given together with --index.
inline constexpr std::string_view kWithFile =
    "with --index: the index was built with options of its own; leave one of the two out, or build "
    "another index";

/// The group "Index", with those of single planners.
struct IndexFlags {
    FieldFlags fields;
    int threads = 0;
    std::string file;

    void add_to(CLI::App& command, Space space);
    /// Adds --index FILE, which replaces the options above.
    void add_file_to(CLI::App& command);

    /// The control of a build: threads, and Ctrl-C cancels.
    [[nodiscard]] BuildControl control(Context& context) const;
    /// The options of a planner. Errors: bad_option (out of range, or another planner's).
    template <class P>
    [[nodiscard]] Result<typename P::Options> options() const {
        typename P::Options out;
        const Space space =
            std::same_as<typename P::Place, grid::Point> ? Space::grid : Space::mesh;
        Status status = fields.check(*find_planner(P::kName, space));
        if (status.ok()) status = fields.set(out);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return out;
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
        BuildControl building = control(context);
        building.progress = bar.callback();
        return P::build(map, *wanted, building);
    }
};

/// --threads, of the group "Index".
void add_threads(CLI::App& command, int& threads);

/// Adds advice if an index or planner does not support the map.
[[nodiscard]] Status with_advice(Status status);

}  // namespace cairn::app

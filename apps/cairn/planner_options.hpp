#pragma once
// Which planner a subcommand is to use, and its options.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <span>

#include "any_index.hpp"
#include "any_planner.hpp"
#include "command.hpp"
#include "options.hpp"
#include "subgoal_options.hpp"

namespace cairn::app {

enum class PlannerKind : std::uint8_t { hpa, subgoal, astar, buckets, jps };

/// The option --planner and the groups "Index", "Index of HPA*", "Index of subgoal graphs".
struct PlannerFlags {
    PlannerKind kind = PlannerKind::hpa;
    IndexFlags index;
    SubgoalFlags subgoal;

    /// `bare`: planners without an index are there to choose from too.
    void add_to(CLI::App& command, bool bare);
    void add_file_to(CLI::App& command) { index.add_file_to(command); }

    [[nodiscard]] bool has_index() const noexcept {
        return kind == PlannerKind::hpa || kind == PlannerKind::subgoal;
    }
    /// Builds the index, with a progress bar and until Ctrl-C. Errors: those of the build;
    /// bad_option for an option of another planner.
    [[nodiscard]] Result<AnyIndex> build(Context& context, const grid::Map& map) const;
    /// Loads the index from --index FILE, whose kind need not be named, else builds it.
    [[nodiscard]] Result<AnyIndex> load_or_build(Context& context, const grid::Map& map) const;
    /// The planner, ready to be asked on the map as edited.
    [[nodiscard]] Result<std::unique_ptr<AnyPlanner>> open(Context& context, const grid::Map& map,
                                                           std::span<const grid::TerrainEdit> edits,
                                                           const QueryFlags& query) const;

private:
    /// Errors: bad_option for an option that is not this planner's.
    [[nodiscard]] Status check_given() const;
    [[nodiscard]] Result<std::unique_ptr<AnyPlanner>> open_bare(const grid::Map& map,
                                                                const QueryFlags& query) const;
    CLI::Option* choice_ = nullptr;
};

}  // namespace cairn::app

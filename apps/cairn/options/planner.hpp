#pragma once
// Which planner a subcommand is to use, and its options.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "any_index.hpp"
#include "any_planner.hpp"
#include "command.hpp"
#include "options/grid.hpp"
#include "options/haa.hpp"
#include "options/subgoal.hpp"

namespace cairn::app {

enum class PlannerKind : std::uint8_t { hpa, subgoal, haa, astar, buckets, jps };

/// The option --planner and the groups "Index", "Index of HPA* and HAA*", "Index of HPA*", "Index
/// of subgoal graphs", "Agents of HAA*", "Index of HAA*".
struct PlannerFlags {
    PlannerKind kind = PlannerKind::hpa;
    IndexFlags index;
    SubgoalFlags subgoal;
    HaaFlags haa;

    /// `bare`: planners without an index are there to choose from too.
    void add_to(CLI::App& command, bool bare);
    void add_file_to(CLI::App& command) { index.add_file_to(command); }

    [[nodiscard]] bool has_index() const noexcept { return kind <= PlannerKind::haa; }
    /// The planner asked for: that of --index FILE, which need not be named, else that of
    /// --planner. Errors: bad_option (they are at odds); those of cairn::inspect.
    [[nodiscard]] Result<PlannerKind> used() const;

    /// Reads a map as the planner used needs it. Errors: bad_option for an option that does not
    /// belong to it; those of the readers.
    [[nodiscard]] Result<AnyMap> load(const std::filesystem::path& file, const MapFlags& map) const;
    /// Builds the index of a map from `load`, with a progress bar and until Ctrl-C. Errors: those
    /// of the build; bad_option for an option of another planner.
    [[nodiscard]] Result<AnyIndex> build(Context& context, const AnyMap& map) const;
    /// Loads the index from --index FILE, else builds it.
    [[nodiscard]] Result<AnyIndex> load_or_build(Context& context, const AnyMap& map) const;
    /// The planner, ready to be asked on the map as edited.
    [[nodiscard]] Result<std::unique_ptr<AnyPlanner>> open(Context& context, const AnyMap& map,
                                                           std::span<const grid::TerrainEdit> edits,
                                                           const QueryFlags& query) const;

private:
    /// Errors: bad_option for an option that is not this planner's.
    [[nodiscard]] Status check_given() const;
    /// The same where the index comes from a file.
    [[nodiscard]] Status check_given_with_file() const;
    [[nodiscard]] Result<std::unique_ptr<AnyPlanner>> open_bare(const grid::Map& map,
                                                                const QueryFlags& query) const;
    [[nodiscard]] Result<std::unique_ptr<AnyPlanner>> open_haa(Context& context,
                                                               const haa::Index& built,
                                                               const QueryFlags& query) const;
    CLI::Option* choice_ = nullptr;
};

}  // namespace cairn::app

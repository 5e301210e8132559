#pragma once
// The options of HAA* on the command line: the terrain of the map, and agents with their
// capabilities and sizes.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/haa/index.hpp"
#include "cairn/haa/options.hpp"
#include "command.hpp"
#include "options/grid.hpp"

namespace cairn::app {

/// The terrain of a map, before it is annotated for agents.
struct AgentTerrain {
    grid::TerrainImage image;
    haa::TerrainKey key;
    grid::MapOptions options;  ///< move rules and costs; its weights are not used
};

/// Turns the terrain of edits from a letter of the command line into a byte of the map. On maps
/// read with a palette, 0 to 9 and a to f are the terrain's number, and all others are obstacles.
[[nodiscard]] std::vector<grid::TerrainEdit> translated(std::span<const grid::TerrainEdit> edits,
                                                        const haa::TerrainKey& key);

/// Writes capabilities as --capabilities reads them; weights of 1 are left out.
[[nodiscard]] std::vector<std::string> capability_texts(const haa::AnnotationOptions& options);
/// One agent of each class, in the order of the classes' numbers.
[[nodiscard]] std::vector<haa::Agent> all_agents(const haa::AnnotatedMap& map);
/// Writes an agent as --agent reads it: "2:ground+trees".
[[nodiscard]] std::string agent_text(const haa::AnnotatedMap& map, haa::Agent agent);

/// The group "Agents of HAA*".
struct HaaFlags {
    void add_to(CLI::App& command);
    /// Adds --agent.
    void add_agent_to(CLI::App& command);
    /// Adds --no-prepare.
    void add_prepare_to(CLI::App& command);

    /// Reads a map of any format, a PNG by --palette if that is given. Errors: bad_option
    /// (--weights; --palette with another kind of file; wrong --costs); those of the readers.
    [[nodiscard]] Result<AgentTerrain> load(const std::filesystem::path& file,
                                            const MapFlags& map) const;
    /// The annotated map. Errors: bad_option; those of AnnotatedMap::create.
    [[nodiscard]] Result<haa::AnnotatedMap> annotate(const AgentTerrain& terrain) const;
    /// The agent of --agent; without it the smallest agent of the first capability. Errors:
    /// bad_option (the map does not have the capability or the size).
    [[nodiscard]] Result<haa::Agent> agent(const haa::AnnotatedMap& map) const;
    /// Whether --agent was given.
    [[nodiscard]] bool names_agent() const noexcept { return !agent_.empty(); }
    /// Makes the agent's view with the move tables and labels that the index's options name. Does
    /// nothing with --no-prepare. Errors: as haa::Index::with_labels.
    [[nodiscard]] Status prepare(Context& context, const haa::Index& index, haa::Agent agent,
                                 int threads) const;

    /// bad_option with `message` if --capabilities, --max-size or --anchor was given, which an
    /// index file holds; else ok.
    [[nodiscard]] Status refuse_index_options(std::string_view message) const;
    /// bad_option with `message` if any option of HAA* was given; else ok.
    [[nodiscard]] Status refuse_given(std::string_view message) const;

private:
    /// --agent as it is written; without it the default.
    struct AgentText {
        int size = 1;
        std::optional<haa::Capability> capability;
    };
    [[nodiscard]] Result<AgentText> parse_agent() const;
    /// --capabilities; the one of --agent if only that is given.
    [[nodiscard]] Result<std::vector<haa::Capability>> capabilities() const;

    std::string palette_;
    std::string capabilities_ = "ground";
    int max_size_ = 2;
    haa::Anchor anchor_ = haa::Anchor::top_left;
    std::string agent_;
    bool no_prepare_ = false;
    std::vector<CLI::Option*> other_options_;  // --palette, --agent, --no-prepare
    std::vector<CLI::Option*> index_options_;  // --capabilities, --max-size, --anchor
    CLI::Option* capabilities_option_ = nullptr;
    CLI::Option* max_size_option_ = nullptr;
};

}  // namespace cairn::app

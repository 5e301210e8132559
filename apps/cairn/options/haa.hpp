#pragma once
// The options of HAA* on the command line: terrains, agents, and the annotated abstraction.

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

/// The terrain of a map for agents of several capabilities, with move rules and costs.
struct AgentTerrain {
    grid::TerrainImage image;
    haa::TerrainKey key;
    grid::MapOptions shape;  ///< without the weights
};

/// Translates edits whose terrain is one letter into bytes of the map. With a palette the digits 0
/// to 9 and a to f stand for terrains, everything else for an obstacle.
[[nodiscard]] std::vector<grid::TerrainEdit> read_by(const haa::TerrainKey& key,
                                                     std::span<const grid::TerrainEdit> edits);

/// Capabilities as --capabilities reads them; weights of 1 are left out.
[[nodiscard]] std::vector<std::string> capability_texts(const haa::AnnotationOptions& options);
/// An agent of each class.
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
    /// (--weights, or --palette with another kind of file); those of the readers.
    [[nodiscard]] Result<AgentTerrain> load(const std::filesystem::path& file,
                                            const MapFlags& map) const;
    /// The annotated map. Errors: bad_option; those of AnnotatedMap::create.
    [[nodiscard]] Result<haa::AnnotatedMap> annotate(const AgentTerrain& terrain) const;
    /// --agent, or the smallest agent of the first capability. Errors: bad_option (the map has no
    /// such agents).
    [[nodiscard]] Result<haa::Agent> agent(const haa::AnnotatedMap& map) const;
    [[nodiscard]] bool names_agent() const noexcept { return !agent_.empty(); }
    /// Makes the agent's view with all parts in the index's options, until Ctrl-C; does nothing
    /// with --no-prepare.
    [[nodiscard]] Status prepare(Context& context, const haa::Index& index, haa::Agent agent,
                                 int threads) const;

    /// Errors: bad_option with `message` if an option of the index or its agents was given.
    [[nodiscard]] Status none_of_an_index(std::string_view message) const;
    /// The same, including --palette and --agent.
    [[nodiscard]] Status none(std::string_view message) const;

private:
    struct AgentWanted {
        int size = 1;
        std::optional<haa::Capability> capability;
    };
    [[nodiscard]] Result<AgentWanted> wanted() const;
    [[nodiscard]] Result<std::vector<haa::Capability>> capabilities() const;

    std::string palette_;
    std::string capabilities_ = "ground";
    int max_size_ = 2;
    haa::Anchor anchor_ = haa::Anchor::top_left;
    std::string agent_;
    bool no_prepare_ = false;
    std::vector<CLI::Option*> query_;  // --palette, --agent, --no-prepare
    std::vector<CLI::Option*> own_;
    CLI::Option* capabilities_given_ = nullptr;
    CLI::Option* max_size_given_ = nullptr;
};

}  // namespace cairn::app

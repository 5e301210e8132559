#pragma once
// Descriptions of an index and its map, as text and as JSON.

#include <string>
#include <vector>

#include "cairn/haa/index.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/index_file.hpp"
#include "cairn/subgoal/index.hpp"
#include "command.hpp"
#include "options/fields.hpp"
#include "options/planner.hpp"

namespace cairn::app {

/// The paper's Table 2, a row a level: nodes (N), inter-edges (E1), intra-edges (E2), bytes.
[[nodiscard]] std::string level_table(const hpa::IndexStatistics& statistics);
/// Bytes in total and by part, and whether there are labels.
[[nodiscard]] std::string size_facts(const hpa::Index& index,
                                     const hpa::IndexStatistics& statistics);
/// Both, and the options, as JSON.
[[nodiscard]] Json index_json(const hpa::Index& index, const hpa::IndexStatistics& statistics);

/// "8 neighbours, corners strict, costs 408,577".
[[nodiscard]] std::string rules_text(const grid::MoveRules& rules, const CostModel& costs);
/// The same as the members "neighbours", "corners" and "costs".
[[nodiscard]] Json rules_json(const grid::MoveRules& rules, const CostModel& costs);

/// Size, free cells and rules of a map.
[[nodiscard]] std::string map_text(const grid::Map& map);
[[nodiscard]] Json map_json(const grid::Map& map);

/// Subgoals, edges, and a row for each level of the N-level graph.
[[nodiscard]] std::string level_table(const subgoal::IndexStatistics& statistics);
/// Bytes in total and by part, and whether there are labels.
[[nodiscard]] std::string size_facts(const subgoal::Index& index,
                                     const subgoal::IndexStatistics& statistics);
/// Both, and the options, as JSON.
[[nodiscard]] Json index_json(const subgoal::Index& index,
                              const subgoal::IndexStatistics& statistics);

/// The description of an index file, with the options that it was built with.
[[nodiscard]] std::string file_text(const std::string& file, const IndexFileInfo& info,
                                    const std::string& options);
[[nodiscard]] Json file_json(const std::string& file, const IndexFileInfo& info,
                             const Json& options);

/// Subgoals as [x, y], and the edges between them as positions in that list.
[[nodiscard]] Json graph_json(const subgoal::Index& index);

/// The part of the abstraction that an agent class uses.
struct AgentShare {
    haa::Agent agent;
    std::size_t places = 0;  ///< anchors where it can stand
    std::vector<hpa::LevelStatistics> levels;
};
/// The parts of all agent classes, smallest first. Makes their views. Errors: as haa::Index::view.
[[nodiscard]] Result<std::vector<AgentShare>> shares_of_agents(const haa::Index& index);

/// Clusters, nodes and edges, and a row for each agent class and level of its share.
[[nodiscard]] std::string level_table(const haa::Index& index,
                                      const haa::IndexStatistics& statistics,
                                      const std::vector<AgentShare>& shares);
/// Bytes in total and by part.
[[nodiscard]] std::string size_facts(const haa::Index& index,
                                     const haa::IndexStatistics& statistics);
/// Both, and the options, as JSON.
[[nodiscard]] Json index_json(const haa::Index& index, const haa::IndexStatistics& statistics,
                              const std::vector<AgentShare>& shares);
[[nodiscard]] Json options_json(const haa::Options& options,
                                const haa::AnnotationOptions& annotation);
/// The options on one line, as the command line writes them.
[[nodiscard]] std::string options_text(const haa::Options& options,
                                       const haa::AnnotationOptions& annotation);

/// Size, cells that at least one agent can stand on, and rules of a map.
[[nodiscard]] std::string map_text(const haa::AnnotatedMap& map);
[[nodiscard]] Json map_json(const haa::AnnotatedMap& map);

/// Size, free cells and rules of the index's map.
[[nodiscard]] std::string map_text(const AnyIndex& index);
[[nodiscard]] Json map_json(const AnyIndex& index);

/// The options that the index was built with, as the command line writes them.
[[nodiscard]] std::string options_text(const AnyIndex& index);

/// Tables of its graph, and bytes in total and by part. Errors: as haa::Index::view.
[[nodiscard]] Result<std::string> index_text(const AnyIndex& index);
/// Both, and the options, as members of an object. Errors: as haa::Index::view.
[[nodiscard]] Result<Json> index_json(const AnyIndex& index);

}  // namespace cairn::app

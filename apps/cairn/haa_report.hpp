#pragma once
// What a HAA* index is made of, for `build` and `inspect`: index_report.hpp's counterpart.

#include <string>
#include <vector>

#include "cairn/haa/index.hpp"
#include "cairn/index_file.hpp"
#include "command.hpp"

namespace cairn::app {

/// What an agent class has of the abstraction.
struct AgentShare {
    haa::Agent agent;
    std::size_t places = 0;  ///< anchors where it can stand
    std::vector<hpa::LevelStatistics> levels;
};
/// Of every agent class, smallest first. Makes their views. Errors: as haa::Index::view.
[[nodiscard]] Result<std::vector<AgentShare>> shares_of_agents(const haa::Index& index);

/// Clusters, nodes and edges, and a row for each agent class and level of its share.
[[nodiscard]] std::string level_table(const haa::Index& index,
                                      const haa::IndexStatistics& statistics,
                                      const std::vector<AgentShare>& shares);
/// Bytes in all and by part.
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

/// Size, cells that some agent can stand on, and rules of a map.
[[nodiscard]] std::string map_text(const haa::AnnotatedMap& map);
[[nodiscard]] Json map_json(const haa::AnnotatedMap& map);

/// What an index file says about itself, as text or JSON.
[[nodiscard]] std::string file_text(const std::string& file, const IndexFileInfo& info,
                                    const haa::Index& index);
[[nodiscard]] Json file_json(const std::string& file, const IndexFileInfo& info,
                             const haa::Index& index);

}  // namespace cairn::app

#pragma once
// What a subgoal graph index is made of, for `build` and `inspect`: index_report.hpp's counterpart.

#include <string>

#include "cairn/index_file.hpp"
#include "cairn/subgoal/index.hpp"
#include "command.hpp"

namespace cairn::app {

/// Subgoals, edges, and a row for each level of the N-level graph.
[[nodiscard]] std::string level_table(const subgoal::IndexStatistics& statistics);
/// Bytes in all and by part, and whether there are labels.
[[nodiscard]] std::string size_facts(const subgoal::Index& index,
                                     const subgoal::IndexStatistics& statistics);
/// Both, and the options, as JSON.
[[nodiscard]] Json index_json(const subgoal::Index& index,
                              const subgoal::IndexStatistics& statistics);
[[nodiscard]] Json options_json(const subgoal::Options& options);
/// The options on one line, as the command line writes them.
[[nodiscard]] std::string options_text(const subgoal::Options& options);

/// What an index file says about itself, as text or JSON.
[[nodiscard]] std::string file_text(const std::string& file, const IndexFileInfo& info,
                                    const subgoal::Options& options);
[[nodiscard]] Json file_json(const std::string& file, const IndexFileInfo& info,
                             const subgoal::Options& options);

/// Subgoals as [x, y], and the edges between them as positions in that list.
[[nodiscard]] Json graph_json(const subgoal::Index& index);

}  // namespace cairn::app

#pragma once
// What an index is made of, for `build` and `inspect`.

#include <string>

#include "cairn/hpa/index.hpp"
#include "command.hpp"

namespace cairn::app {

/// The paper's Table 2, a row a level: nodes (N), inter-edges (E1), intra-edges (E2), bytes.
[[nodiscard]] std::string level_table(const hpa::IndexStatistics& statistics);
/// Bytes in all and by part, and whether there are labels.
[[nodiscard]] std::string size_facts(const hpa::Index& index,
                                     const hpa::IndexStatistics& statistics);
/// Both, and the options, as JSON.
[[nodiscard]] Json index_json(const hpa::Index& index, const hpa::IndexStatistics& statistics);
[[nodiscard]] Json options_json(const hpa::Options& options);
/// The options on one line, as the command line writes them.
[[nodiscard]] std::string options_text(const hpa::Options& options);

/// "8 neighbours, corners strict, costs 408,577".
[[nodiscard]] std::string rules_text(const grid::MoveRules& rules, const CostModel& costs);
/// The same as the members "neighbours", "corners" and "costs".
[[nodiscard]] Json rules_json(const grid::MoveRules& rules, const CostModel& costs);

/// Size, free cells and rules of a map.
[[nodiscard]] std::string map_text(const grid::Map& map);
[[nodiscard]] Json map_json(const grid::Map& map);

}  // namespace cairn::app

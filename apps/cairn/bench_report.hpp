#pragma once
// What a benchmark over many maps came to: per map, per set and overall; as a table, CSV or JSON.

#include <string>
#include <vector>

#include "bench_haa.hpp"
#include "command.hpp"
#include "measurement.hpp"
#include "phase_measurement.hpp"
#include "published.hpp"

namespace cairn::app {

struct MapBench {
    std::string set;  ///< the name of the folder the map lies in
    std::string map;
    std::size_t cells = 0;
    std::size_t free_cells = 0;
    std::size_t problems = 0;
    std::vector<PlannerRun> runs;  ///< the same planners for every map, the baseline first
    PublishedCheck published;
    std::vector<PhaseRun> phases;  ///< if asked for
    std::vector<AgentRun> agents;  ///< of planners for agents, `aa` first
};

/// One planner over the maps of one set, or all of them.
struct BenchRow {
    std::string group;  ///< set, map or "all"
    std::string planner;
    Summary summary;
    double ratio = 0;         ///< mean time of the baseline / mean time
    double median_ratio = 0;  ///< median time of the baseline / median time
    double build_ms = 0;      ///< mean over maps
    double build_mcells = 0;  ///< cells of the maps per second of building, in millions
    double bytes_per_cell = 0;
    std::size_t index_bytes = 0;       ///< mean over maps
    std::size_t slower_at_median = 0;  ///< maps on which the baseline's median is smaller
    std::uint64_t wrong = 0;
};

/// Rows per set, then overall; per map as well if asked for.
[[nodiscard]] std::vector<BenchRow> bench_rows(const std::vector<MapBench>& maps, bool per_map);

[[nodiscard]] std::string format_table(const std::vector<BenchRow>& rows);
[[nodiscard]] std::string format_csv(const std::vector<BenchRow>& rows);
/// Which maps' scenarios publish other lengths than A*'s, and which planners contradict A* where.
[[nodiscard]] std::string format_disagreements(const std::vector<MapBench>& maps);
/// Rows, disagreements, and phases and agents if there are any.
[[nodiscard]] Json to_json(const std::vector<BenchRow>& rows, const std::vector<MapBench>& maps);
/// Of all maps.
[[nodiscard]] std::vector<PhaseRun> phases_of(const std::vector<MapBench>& maps);
[[nodiscard]] std::vector<AgentRow> agents_of(const std::vector<MapBench>& maps);

}  // namespace cairn::app

#pragma once
// The experiments of the HAA* paper (Harabor, Botea 2008) on any maps: its abstractions side by
// side, with every answer checked against annotated A* (AA*).

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/formats/haa_scenario.hpp"
#include "cairn/grid/terrain_image.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/index.hpp"
#include "lab.hpp"

namespace cairn::app {

/// The capabilities of the author's experiments, and their names in rows.
inline constexpr std::array<haa::TerrainSet, 3> kHaaCapabilities{
    haa::terrain_set({haa::kGround}), haa::terrain_set({haa::kTrees}),
    haa::terrain_set({haa::kGround, haa::kTrees})};
inline constexpr std::array<const char*, 3> kHaaCapabilityNames{"ground", "trees", "both"};

/// The abstractions measured. The last is the low-quality one with the paper's rule, by which a
/// transition may replace any other of its border.
inline constexpr std::array<const char*, 4> kHaaGraphs{"initial", "HQ", "LQ", "LQ, any reach"};
inline constexpr std::size_t kInitial = 0;
inline constexpr std::size_t kHighQuality = 1;
inline constexpr std::size_t kLowQuality = 2;

/// How maps are annotated for agents of sizes 1 to `max_size` with these capabilities.
[[nodiscard]] haa::AnnotationOptions haa_annotation(int max_size);

/// The size of a map as a graph.
struct LowLevelSize {
    std::size_t nodes = 0;  ///< free cells
    std::size_t edges = 0;  ///< their legal moves, undirected
};
[[nodiscard]] LowLevelSize low_level_size(const grid::Map& map);

/// A map to measure.
struct HaaCase {
    std::string set;   ///< the folder's name
    std::string name;  ///< of the map
    int share = 0;     ///< percent of the free tiles that are soft obstacles (already in `image`)
    int max_size = 2;  ///< largest agent
    grid::TerrainImage image;
    /// The author's problems; random ones if empty.
    std::vector<formats::HaaProblem> problems{};
};

/// A problem and AA*'s answer.
struct HaaProblemRun {
    haa::Agent agent;
    grid::Point start;
    grid::Point goal;
    std::optional<double> published{};  ///< the author's distance
    Cost optimum = kInfinity;           ///< kInfinity: there is no path
    std::size_t cells = 0;              ///< on AA*'s path
};

/// The kinds of query that are timed: the cost of the abstract path; the abstract path, which is
/// the paper's result; every cell, not smoothed; the default query.
inline constexpr std::array<const char*, 4> kHaaQueries{"cost", "abstract", "path", "smoothed"};

/// One abstraction on one map. Vectors are indexed as HaaRun::problems; costs are kInfinity where
/// there is no path.
struct HaaGraphRun {
    haa::IndexStatistics size;
    double build_seconds = 0;  ///< of processor time, on one thread
    std::vector<Cost> plain;
    std::vector<Cost> smoothed;
    std::vector<Cost> corridor;
    /// Seconds of all problems with a path, each the least of all rounds, by kind of query:
    /// `searched` by A* on views without labels and move tables, `prepared` on views with both.
    /// These times and the views below are 0 for the initial abstraction: its queries are only
    /// checked.
    std::array<double, kHaaQueries.size()> searched{};
    std::array<double, kHaaQueries.size()> prepared{};
    double prepare_seconds = 0;  ///< of processor time, of all views used
    std::size_t views = 0;       ///< one for each agent class with problems
    std::size_t view_bytes = 0;  ///< of all of them
    std::uint64_t wrong = 0;
    std::string first_wrong;  ///< what is wrong with the first of them

    void add_wrong(std::string message) {
        if (wrong++ == 0) first_wrong = std::move(message);
    }
};

struct HaaRun {
    std::size_t cells = 0;  ///< of the map, obstacles included
    LowLevelSize low;       ///< for agents of size 1 and the last capability
    std::vector<HaaProblemRun> problems;
    double astar_seconds = 0;  ///< of AA*, for all problems with a path
    std::array<HaaGraphRun, kHaaGraphs.size()> graphs;
};

/// Measures one case on one thread. `pairs` random problems are divided among the agent classes. In
/// three of four a path exists; the others join any two places where the agent fits. Errors: those
/// of annotating and building, with the map's name; bad_option (one of the author's problems is for
/// an agent larger than max_size); cancelled.
[[nodiscard]] Result<HaaRun> measure_haa(const HaaCase& input, int pairs, std::uint64_t seed,
                                         const MeasureOptions& options);

/// Rows of the sheets "abstractions" and "problems".
void add_rows(const HaaCase& input, const HaaRun& run, Sheets& sheets);

}  // namespace cairn::app

#pragma once
// The experiments of the HAA* paper on any maps: the abstractions side by side, with every answer
// checked against annotated A*.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/formats/haa_scenario.hpp"
#include "cairn/grid/terrain_image.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/index.hpp"
#include "lab.hpp"

namespace cairn::app {

/// The capabilities of the author's experiments, and their names.
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

/// A map to measure.
struct HaaCase {
    std::string set;   ///< the folder's name
    std::string name;  ///< of the map
    int share = 0;     ///< of soft obstacles among the free tiles, %, already in the image
    int max_size = 2;
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

/// The queries that are timed: the cost of the abstract path; the abstract path, the paper's
/// result; every cell, not smoothed; the default of a query.
inline constexpr std::array<const char*, 4> kHaaAsks{"cost", "abstract", "path", "smoothed"};

/// One abstraction on one map. Vectors are indexed as HaaRun::problems; costs are kInfinity where
/// there is no path.
struct HaaGraphRun {
    haa::IndexStatistics size;
    double build_seconds = 0;  ///< of processor time, on one thread
    std::vector<Cost> plain;
    std::vector<Cost> smoothed;
    std::vector<Cost> corridor;
    /// Of all problems with a path, each the least of three rounds: by A* on views without labels
    /// and move tables, and by views with both.
    std::array<double, kHaaAsks.size()> searched{};
    std::array<double, kHaaAsks.size()> prepared{};
    double prepare_seconds = 0;  ///< of processor time, of all views used
    std::size_t views = 0;
    std::size_t view_bytes = 0;
    std::uint64_t wrong = 0;
    std::string first_wrong;
};

struct HaaRun {
    std::size_t cells = 0;      ///< of the map, obstacles included
    std::size_t low_nodes = 0;  ///< cells for agents of size 1 and the last capability
    std::size_t low_edges = 0;  ///< their legal moves, undirected
    std::vector<HaaProblemRun> problems;
    double astar_seconds = 0;  ///< as HaaGraphRun::searched
    std::array<HaaGraphRun, kHaaGraphs.size()> graphs;
};

/// Measures one case. One thread. Of `pairs` random problems, assigned to the agent classes in
/// turn, three in four are connected, the rest any two places where the agent fits. Errors: those
/// of annotating and building, with the map's name; bad_option (one of the author's problems is for
/// an agent larger than max_size); cancelled.
[[nodiscard]] Result<HaaRun> measure_haa(const HaaCase& one, int pairs, std::uint64_t seed,
                                         const MeasureOptions& options);

/// Rows of the sheets "abstractions" and "problems".
void add_rows(const HaaCase& one, const HaaRun& run, Sheets& sheets);

}  // namespace cairn::app

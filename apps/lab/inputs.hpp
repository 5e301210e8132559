#pragma once
// Inputs of benchmarks and experiments: which maps and meshes, and the problems solved on them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/grid/generate.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/paths.hpp"
#include "cairn/mesh/reachability.hpp"
#include "command.hpp"
#include "problems.hpp"

namespace cairn::app {

/// --max-maps, of the group "Input".
void add_max_maps(CLI::App& command, int& most);

/// The map files named. A folder stands for its .map files in order of name: `most` of them, spread
/// over the folder, or all if 0. Whether a file exists shows only when it is read. Errors: io_error
/// (a folder that cannot be read); bad_option (no file is left).
[[nodiscard]] Result<std::vector<std::filesystem::path>> expand_maps(
    const std::vector<std::string>& inputs, int most);

/// The files of a folder with one of these extensions, in order of name. Errors: io_error.
[[nodiscard]] Result<std::vector<std::filesystem::path>> files_in(
    const std::filesystem::path& folder, std::initializer_list<std::string_view> extensions);

/// The .obj files named. A folder stands for its .obj files in order of name. Errors: as
/// expand_maps.
[[nodiscard]] Result<std::vector<std::filesystem::path>> expand_geometry(
    const std::vector<std::string>& inputs);

/// Up to `most` elements of a list, spread evenly over it; all if `most` is 0.
template <class T>
[[nodiscard]] std::vector<T> spread(const std::vector<T>& all, int most) {
    const std::size_t kept =
        most > 0 ? std::min(all.size(), static_cast<std::size_t>(most)) : all.size();
    std::vector<T> out;
    for (std::size_t i = 0; i < kept; ++i) out.push_back(all[i * all.size() / kept]);
    return out;
}

/// An error about a file, with the file's name before its message.
[[nodiscard]] Status of_file(const std::filesystem::path& file, Status error);

/// The last part of a folder's name, also if it ends with a slash.
[[nodiscard]] std::string folder_name(const std::filesystem::path& folder);

/// Up to `count` problems spread over the scenario beside a map file, without those whose start or
/// goal is outside the map; if there is no scenario, `count` random ones.
[[nodiscard]] Result<std::vector<Problem>> problems_of(const std::filesystem::path& file,
                                                       const grid::Map& map, int count,
                                                       std::uint64_t seed);

/// How weights from 1 to 9 are laid over the free cells of a map.
enum class WeightPattern : std::uint8_t {
    none,     ///< not at all
    patches,  ///< squares of 7 x 7 cells have one weight each
    noise,    ///< every cell has one of its own
};
/// A map with these weights, drawn from the seed, and the same obstacles, rules and costs. Its
/// terrain bytes are those of TerrainWeights::weighted(). With WeightPattern::none the map itself.
[[nodiscard]] Result<grid::Map> with_weights(const grid::Map& map, WeightPattern pattern,
                                             std::uint64_t seed);

/// A square map made from a seed. Errors: as grid::generate.
[[nodiscard]] Result<grid::Map> generated_map(grid::MapKind kind, int side, std::uint64_t seed = 1);

/// The polygons that are neither connections nor blocked.
[[nodiscard]] std::vector<mesh::Polygon> free_polygons(const mesh::Mesh& mesh);
/// Draws a point of a polygon.
using DrawPoint = std::function<mesh::Point(mesh::Polygon, std::mt19937_64&)>;
/// Pairs of random places in free polygons of the largest component, joined by a path; empty if it
/// has no such polygon.
[[nodiscard]] std::vector<mesh::Request> random_pairs(const mesh::Mesh& mesh, int count,
                                                      std::uint64_t seed, const DrawPoint& draw);
/// The same, with points that are random convex combinations of their polygon's corners.
[[nodiscard]] std::vector<mesh::Request> random_pairs(const mesh::Mesh& mesh, int count,
                                                      std::uint64_t seed);
/// Pairs of centres of random free polygons that no path connects; empty if there is only one
/// component.
[[nodiscard]] std::vector<mesh::Request> unconnected_pairs(const mesh::Mesh& mesh,
                                                           const mesh::Reachability& reachability,
                                                           int count, std::uint64_t seed);
/// The number of polygons of the largest component, off-mesh connections included.
[[nodiscard]] std::size_t polygons_of_largest(const mesh::Reachability& reachability);

/// The optimal lengths in a scenario file, compared with A*'s.
struct PublishedCheck {
    std::size_t compared = 0;
    std::size_t different = 0;  ///< by more than 1e-5 of the length, and than the file's rounding;
                                ///< or A* finds no path
    std::string first;          ///< the first problem that differs, for messages
};

/// Compares nothing unless the moves are those of published scenarios: eight neighbours, no cut
/// corners, one terrain.
[[nodiscard]] PublishedCheck check_published(const grid::Map& map,
                                             std::span<const Problem> problems,
                                             std::span<const Cost> costs,
                                             std::span<const double> lengths);

}  // namespace cairn::app

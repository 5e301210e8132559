#pragma once
// The files of Polyanya's experiments: `.mesh` (version 2) and the scenarios beside them.
//
//   M. Cui, D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh",
//   IJCAI 2017.
//
// A mesh lies in a plane: the file's point (x, y) is mesh::Point (x, 0, y). Parsers take text and a
// name that stands for the file in messages; errors say name:line:column. All functions are
// thread-safe.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/mesh/mesh_image.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

using mesh::MeshImage;

/// A mesh from text: the words `mesh`, `2`, V and P; then for each of V vertices x, y, n and the n
/// polygons around it, -1 for a gap; then for each of P polygons n, its n corners, and n
/// neighbours. Neighbour i (from 0) lies across the edge from corner i - 1 to corner i, -1 for
/// none. Line breaks do not matter. The image has one portal for each edge with a neighbour, in the
/// order of the polygons' edges; polygons that share an edge but are not named as neighbours are
/// not joined. Numbers must be in range, neighbours must name each other across the same edge, and
/// vertices must name exactly the polygons that have them as corners. Memory grows with the text,
/// not with the numbers in it. O(n log n). Errors: corrupt_file, wrong_version.
[[nodiscard]] Result<MeshImage> parse_polyanya(std::string_view text,
                                               std::string_view name) noexcept;

/// parse_polyanya of a file. Further errors: io_error; too_large (more than 4 GiB).
[[nodiscard]] Result<MeshImage> read_polyanya(const std::string& path) noexcept;

/// read_polyanya, then Mesh::build. Further errors: those of Mesh::build, with the file's name.
[[nodiscard]] Result<mesh::Mesh> load_polyanya(const std::string& path,
                                               const mesh::MeshOptions& options = {}) noexcept;

/// The text of an image. parse_polyanya reads it back, with its portals in their order there: an
/// image that came from parse_polyanya reads back equal. Unless MeshImage::portals_given is set,
/// portals are found as by Mesh::build. Errors: bad_option (numbers out of range, fewer than three
/// corners, a corner twice, three polygons at one edge); unsupported for what the format cannot
/// hold: heights or areas other than 0, connections, one-way portals, portals that are not a whole
/// edge of both polygons. O(n log n).
[[nodiscard]] Result<std::string> format_polyanya(const MeshImage& image) noexcept;

/// Writes format_polyanya's text atomically. Further errors: io_error.
[[nodiscard]] Status write_polyanya(const std::string& path, const MeshImage& image) noexcept;

/// One line of a scenario: as in MovingAI's format, with points instead of cells.
struct PolyanyaProblem {
    std::int32_t bucket = 0;
    std::string map;  ///< the map's or mesh's file as the scenario names it
    std::int32_t map_width = 0;
    std::int32_t map_height = 0;
    mesh::Point start;
    mesh::Point goal;
    /// As in the scenario. Scenarios made for grids give the length of the shortest grid path.
    double optimal_length = 0.0;

    friend bool operator==(const PolyanyaProblem&, const PolyanyaProblem&) = default;
};

/// Problems from text: a line `version 1`, then lines of nine fields between tabs or blanks.
/// Whether the points lie on the mesh is checked when they are located, not here. Linear time.
/// Errors: corrupt_file, wrong_version.
[[nodiscard]] Result<std::vector<PolyanyaProblem>> parse_polyanya_scenario(
    std::string_view text, std::string_view name) noexcept;

/// parse_polyanya_scenario of a file. Further errors: io_error; too_large (more than 1 GiB).
[[nodiscard]] Result<std::vector<PolyanyaProblem>> load_polyanya_scenario(
    const std::string& path) noexcept;

}  // namespace cairn::formats

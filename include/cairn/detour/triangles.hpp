#pragma once
// Geometry for building a navigation mesh, and OBJ files.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/mesh/point.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

/// Triangles in space, y up. The corners of a triangle run counterclockwise seen from the side it
/// faces, as Recast expects: agents walk on triangles that face upwards.
struct Triangles {
    std::vector<mesh::Point> vertices;
    std::vector<std::uint32_t> corners;  ///< indexes into `vertices`, three for each triangle

    /// The number of triangles.
    [[nodiscard]] std::size_t size() const noexcept { return corners.size() / 3; }
    friend bool operator==(const Triangles&, const Triangles&) = default;
};

/// Triangles from Wavefront OBJ text: `v x y z` (the rest of the line is ignored), and `f` with
/// three or more corners. A corner is the number of a vertex from 1, or a negative number that
/// counts back from the last vertex so far; `/texture` or `/texture/normal` may follow. Polygons
/// become fans of triangles. `#` begins a comment, a backslash at the end of a line continues it;
/// all other lines are ignored. Thread-safe. Linear time. Errors say name:line:column: corrupt_file
/// (coordinates that are not numbers or beyond 1e7, corners that do not exist, fewer than three of
/// them); too_large (more than 2^26 triangles).
[[nodiscard]] Result<Triangles> parse_obj(std::string_view text, std::string_view name) noexcept;

/// parse_obj of a file. Further errors: io_error; too_large (more than 4 GiB).
[[nodiscard]] Result<Triangles> read_obj(const std::string& path) noexcept;

}  // namespace cairn::detour

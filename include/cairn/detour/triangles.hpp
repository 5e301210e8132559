#pragma once
// Geometry to build a navigation mesh from, and the OBJ files it comes in.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "cairn/mesh/point.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

/// Triangles in space, y up. Seen from the side they face, their corners run against the clock, as
/// Recast wants it: agents walk on what faces upwards.
struct Triangles {
    std::vector<mesh::Point> vertices;
    std::vector<std::uint32_t> corners;  ///< numbers of vertices, three for each triangle

    [[nodiscard]] std::size_t size() const noexcept { return corners.size() / 3; }
    friend bool operator==(const Triangles&, const Triangles&) = default;
};

/// Wavefront OBJ text: `v x y z` (what follows is ignored) and `f` with three corners or more, each
/// a vertex's number from 1, or counted back from the last vertex so far if negative, with
/// `/texture` and `/texture/normal` after it or not. Polygons become fans of triangles. `#` begins
/// a comment, a backslash at a line's end continues the line; all other lines are ignored.
/// Thread-safe. Linear time. Errors, which say name:line:column: corrupt_file (coordinates that are
/// no numbers or beyond 1e7, corners that do not exist); too_large (more than 2^26 triangles).
[[nodiscard]] Result<Triangles> parse_obj(std::string_view text, std::string_view name);

/// parse_obj of a file. Errors: also io_error, too_large (more than 4 GiB).
[[nodiscard]] Result<Triangles> read_obj(const std::filesystem::path& path);

}  // namespace cairn::detour

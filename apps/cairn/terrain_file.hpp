#pragma once
// Map files by their extension.

#include <filesystem>
#include <string>

#include "cairn/formats/nav2.hpp"
#include "cairn/status.hpp"

namespace cairn::app {

/// The extension in small letters, with its dot.
[[nodiscard]] std::string extension_of(const std::filesystem::path& file);

/// Whether the extension is one of a map: .map, .png, .pgm, .yaml, .yml.
[[nodiscard]] bool is_terrain_file(const std::filesystem::path& file);

/// Writes terrain in the format that the file's extension names. `geo` is for .yaml alone, and its
/// height is set. Errors: unsupported, with the extensions there are; those of the format's writer.
[[nodiscard]] Status write_terrain(const std::filesystem::path& file,
                                   const grid::TerrainImage& image, formats::GeoReference geo = {});

}  // namespace cairn::app

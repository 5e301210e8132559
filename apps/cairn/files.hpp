#pragma once
// Maps and pictures in the format that the file's extension names.

#include <filesystem>
#include <string>
#include <string_view>

#include "cairn/formats/nav2.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/status.hpp"
#include "command.hpp"

namespace cairn::app {

/// The extension in lower case, with its dot.
[[nodiscard]] std::string extension_of(const std::filesystem::path& file);

/// Whether the extension is that of a map: .map, .png, .pgm, .yaml, .yml.
[[nodiscard]] bool is_terrain_file(const std::filesystem::path& file);

/// Writes terrain in the format of the file's extension. `geo` is for .yaml only, and its height is
/// replaced by the image's. Errors: unsupported (the message lists the extensions); those of the
/// format's writer.
[[nodiscard]] Status write_terrain(const std::filesystem::path& file,
                                   const grid::TerrainImage& image, formats::GeoReference geo = {});

/// Writes a picture in the format of the file's extension, `scale` pixels to a unit, and prints its
/// size. `what`: the kind of picture, for the output. Errors: those of the drawing and of
/// render::write_picture.
[[nodiscard]] Outcome save_picture(const Context& context, std::string_view what,
                                   const Result<render::Drawing>& drawing, const std::string& file,
                                   double scale);

}  // namespace cairn::app

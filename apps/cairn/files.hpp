#pragma once
// Files that the command line names: their formats, standard input and output.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/formats/nav2.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/status.hpp"
#include "command.hpp"

namespace cairn::app {

/// What "-" becomes as a file to read and as a file to write.
inline constexpr const char* kStandardInput = "/dev/stdin";
inline constexpr const char* kStandardOutput = "/dev/stdout";

/// Makes the value of an option a file to read: "-" is standard input, for one option of a command.
CLI::Option* reads_file(CLI::Option* option, Context& context);
/// Makes the value of an option a file to write: "-" is standard output. Reports then go to
/// standard error.
CLI::Option* writes_file(CLI::Option* option, Context& context);
/// Reads standard input to its end, and puts a file in memory with these bytes in its place, which
/// can be opened and mapped as kStandardInput any number of times. Does nothing when called again.
/// Errors: io_error, cancelled; too_large (more than 1 GiB); unsupported (a map_server YAML, whose
/// picture lies beside it).
[[nodiscard]] Status keep_input(Context& context);

/// The extension in lower case, with its dot; that of kStandardInput by its bytes, which are kept:
/// empty for an index file.
[[nodiscard]] std::string extension_of(const std::filesystem::path& file);

/// Whether a file begins as index files do. False if it cannot be read, and for pipes and devices.
[[nodiscard]] bool is_index_file(const std::string& file);

/// The option --format of a command that writes one file.
struct FormatFlag {
    std::string word;  ///< empty: the file's extension decides

    void add_to(CLI::App& command, const std::vector<std::string>& words);
    /// The extension of the format in which a file is written. `usual`: that of standard output
    /// without --format.
    [[nodiscard]] std::string extension(const std::string& file, const char* usual) const;
};

/// The formats of maps that are written as one file.
inline const std::vector<std::string> kMapFormats{"map", "png", "pgm", "npy"};
/// The help of a map and of a mesh to read.
inline constexpr const char* kMapHelp =
    "Map: .map, .png, .pgm, .npy, Nav2 .yaml, Tiled .tmj or .tmx; - is standard input";
inline constexpr const char* kMeshHelp = "Mesh or index file; - is standard input";

/// Whether the extension is that of a map: .map, .png, .pgm, .npy, .tmj, .tmx, .yaml, .yml.
[[nodiscard]] bool is_terrain_file(const std::filesystem::path& file);

/// Writes terrain in the format of an extension. `geo` is for .yaml only, and its height is
/// replaced by the image's. Errors: unsupported (the message lists the extensions); those of the
/// format's writer.
[[nodiscard]] Status write_terrain(const std::string& file, std::string_view extension,
                                   const grid::TerrainImage& image, formats::GeoReference geo = {});

/// Writes a picture as .png or .svg, `scale` pixels to a unit, and prints its size. `what`: the
/// kind of picture, for the output. Errors: unsupported (another extension); those of the drawing,
/// render::to_svg, render::to_png and of writing.
[[nodiscard]] Outcome save_picture(const Context& context, std::string_view what,
                                   const Result<render::Drawing>& drawing, const std::string& file,
                                   std::string_view extension, double scale);

}  // namespace cairn::app

#include "files.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "cairn/formats/movingai.hpp"
#include "cairn/formats/raster.hpp"

namespace cairn::app {

std::string extension_of(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

bool is_terrain_file(const std::filesystem::path& file) {
    constexpr std::array known{".map", ".png", ".pgm", ".yaml", ".yml"};
    return std::find(known.begin(), known.end(), extension_of(file)) != known.end();
}

Status write_terrain(const std::filesystem::path& file, const grid::TerrainImage& image,
                     formats::GeoReference geo) {
    const std::string extension = extension_of(file);
    if (extension == ".map") return formats::write_map(file, image);
    if (extension == ".png") return formats::write_png(file, formats::picture_of(image));
    if (extension == ".pgm") return formats::write_pgm(file, formats::picture_of(image));
    if (extension == ".yaml" || extension == ".yml") {
        geo.height = image.height;
        return formats::write_occupancy_map(file, {image, geo});
    }
    return {StatusCode::unsupported,
            fmt::format("{}: a map file ends in .map, .png, .pgm or .yaml", file.string())};
}

Outcome save_picture(const Context& context, std::string_view what,
                     const Result<render::Drawing>& drawing, const std::string& file,
                     double scale) {
    if (!drawing) return tl::unexpected(drawing.error());
    if (Status written = render::write_picture(file, *drawing, scale); !written.ok())
        return tl::unexpected(std::move(written));
    const double factor = extension_of(file) == ".svg" ? 1 : scale;  // only a PNG is enlarged
    const auto width = static_cast<int>(std::ceil(drawing->width * factor));
    const auto height = static_cast<int>(std::ceil(drawing->height * factor));
    say(context, {{"file", file}, {"width", width}, {"height", height}},
        fmt::format("{}: {} x {} pixels, written to {}\n", what, width, height, file));
    return kDone;
}

}  // namespace cairn::app

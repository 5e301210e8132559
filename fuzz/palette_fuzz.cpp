// Any bytes as a palette, and any bytes as a PNG picture in the colours of a fixed palette, give
// valid terrains or an error.

#include <algorithm>
#include <cstdlib>

#include "cairn/formats/palette.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto valid = [](std::uint8_t t) {
        return t < haa::kMaxTerrains || t == haa::TerrainKey::kObstacle;
    };
    const auto palette = formats::parse_palette(bytes, "fuzz.json");
    if (!palette && !palette.error().message.starts_with("fuzz.json:")) std::abort();
    if (palette && !std::all_of(palette->begin(), palette->end(),
                                [&](const auto& entry) { return valid(entry.second); })) {
        std::abort();
    }
    const formats::TerrainPalette fixed_palette{{0xffffffU, 0}, {0x000000U, 3}, {0xff0000U, 15}};
    const auto image = formats::parse_terrain_png(bytes, "fuzz.png", fixed_palette);
    if (!image) {
        if (!image.error().message.starts_with("fuzz.png: ")) std::abort();
        return 0;
    }
    const auto pixels =
        static_cast<std::size_t>(image->width) * static_cast<std::size_t>(image->height);
    if (image->terrain.size() != pixels) std::abort();
    if (!std::all_of(image->terrain.begin(), image->terrain.end(), valid)) std::abort();
    return 0;
}

// Any bytes as a map of Tiled, by properties and with a layer of walls, give a map in letters and
// digits of bounded size, or an error.

#include <algorithm>
#include <string_view>

#include "bytes.hpp"
#include "cairn/formats/tiled.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    formats::PictureLimits limits;
    limits.max_pixels = 1U << 14;
    for (const char* layer : {"", "walls"}) {
        limits.tiled.layer = layer;
        const auto map = formats::parse_tiled(bytes, "fuzz", limits);
        if (!map) {
            fuzz::require(map.error().message.starts_with("fuzz:"));
            continue;
        }
        const auto& [width, height, cells] = map->terrain;
        fuzz::require(width > 0 && height > 0 && cells.size() <= limits.max_pixels);
        fuzz::require(cells.size() ==
                      static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
        fuzz::require(std::all_of(cells.begin(), cells.end(), [](std::uint8_t cell) {
            return std::string_view("@.23456789TSW").find(static_cast<char>(cell)) !=
                   std::string_view::npos;
        }));
    }
    return 0;
}

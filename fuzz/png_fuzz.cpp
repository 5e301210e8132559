// Any bytes as a PNG picture give a picture, whose size is that of its pixels, or an error.

#include <cstdlib>

#include "cairn/formats/raster.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto image = formats::parse_png(bytes, "fuzz.png");
    if (!image) {
        if (!image.error().message.starts_with("fuzz.png: ")) std::abort();
        return 0;
    }
    const auto pixels =
        static_cast<std::size_t>(image->width) * static_cast<std::size_t>(image->height);
    if (image->grey.size() != pixels) std::abort();
    if (!image->alpha.empty() && image->alpha.size() != pixels) std::abort();
    return 0;
}

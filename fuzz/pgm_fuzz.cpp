// Any bytes as a PGM picture give a picture or an error. A picture that was read can be written and
// read again unchanged.

#include <cstdlib>

#include "cairn/formats/raster.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto image = formats::parse_pgm(bytes, "fuzz.pgm");
    if (!image) {
        if (!image.error().message.starts_with("fuzz.pgm:")) std::abort();
        return 0;
    }
    const auto written = formats::format_pgm(*image);
    if (!written || formats::parse_pgm(*written, "again") != *image) std::abort();
    (void)formats::terrain_of(*image).value();
    return 0;
}

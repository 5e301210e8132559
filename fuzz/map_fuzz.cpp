// Any bytes as a MovingAI map give a map or an error. A map that was read can be written and read
// again unchanged.

#include <cstdlib>

#include "cairn/formats/movingai.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto image = formats::parse_map(text, "fuzz.map");
    if (!image) {
        if (!image.error().message.starts_with("fuzz.map:")) std::abort();
        return 0;
    }
    const auto written = formats::format_map(*image);
    if (!written || formats::parse_map(*written, "again") != *image) std::abort();
    (void)grid::make_map(*image);
    return 0;
}

// Any bytes as a map_server YAML file give its members or an error. Members that were read and can
// be written are read again unchanged.

#include <cstdlib>

#include "cairn/formats/nav2.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto yaml = formats::parse_occupancy_yaml(text, "fuzz.yaml");
    if (!yaml) {
        if (!yaml.error().message.starts_with("fuzz.yaml:")) std::abort();
        return 0;
    }
    const auto written = formats::format_occupancy_yaml(*yaml);
    if (written && formats::parse_occupancy_yaml(*written, "again") != *yaml) std::abort();
    const formats::GreyImage image{2, 1, {data[0], data[size - 1]}, {}};
    (void)formats::occupancy_terrain(image, *yaml).value();
    return 0;
}

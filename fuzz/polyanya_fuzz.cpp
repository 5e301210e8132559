// Any bytes as a Polyanya mesh give an image of a mesh or an error. An image that can be written is
// read again unchanged. The same bytes as a scenario give problems or an error.

#include <cstdlib>

#include "cairn/formats/polyanya.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto problems = formats::parse_polyanya_scenario(text, "fuzz.scen");
    if (!problems && !problems.error().message.starts_with("fuzz.scen:")) std::abort();
    const auto image = formats::parse_polyanya(text, "fuzz.mesh");
    if (!image) {
        if (!image.error().message.starts_with("fuzz.mesh:")) std::abort();
        return 0;
    }
    const auto mesh = mesh::Mesh::build(image->source());
    const auto written = formats::format_polyanya(*image);
    // A polygon that repeats a corner is read, so that Mesh::build can refuse it by its number, but
    // it cannot be written.
    if (!written) {
        if (mesh) std::abort();
        return 0;
    }
    const auto again = formats::parse_polyanya(*written, "again");
    if (!again || *again != *image) std::abort();
    return 0;
}

// Any bytes as a MovingAI scenario give a scenario or an error. A scenario that was read can be
// written; reading and writing that again gives the same bytes.

#include <cstdlib>

#include "cairn/formats/movingai.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto scenario = formats::parse_scenario(text, "fuzz.scen");
    if (!scenario) {
        if (!scenario.error().message.starts_with("fuzz.scen:")) std::abort();
        return 0;
    }
    const auto written = formats::format_scenario(*scenario);
    if (!written) std::abort();
    const auto again = formats::parse_scenario(*written, "again");
    if (!again || formats::format_scenario(*again) != *written) std::abort();
    return 0;
}

// Any bytes as a HAA* scenario give a scenario or an error. A scenario that was read can be written
// and read again unchanged.

#include <cstdlib>

#include "cairn/formats/haa_scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto scenario = formats::parse_haa_scenario(text, "fuzz.scenario");
    if (!scenario) {
        if (!scenario.error().message.starts_with("fuzz.scenario:")) std::abort();
        return 0;
    }
    const auto written = formats::format_haa_scenario(*scenario);
    if (!written) std::abort();
    const auto again = formats::parse_haa_scenario(*written, "again");
    if (!again || *again != *scenario) std::abort();
    return 0;
}

// What {fmt} needs for Cairn's messages. Its functions are templates, which many sources have; this
// one comes first for the linker, so that they are compiled for size.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

std::string cairn_web_formatted(std::string_view text, const char* name, std::int32_t a,
                                std::uint32_t b, std::int64_t c, std::uint64_t d, float e, double f,
                                char g) {
    return fmt::format("{} {} {} {} {} {} {} {} {}", text, name, a, b, c, d, e, f, g);
}

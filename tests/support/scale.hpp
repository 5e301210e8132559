#pragma once
// How long tests with many cases run: the environment variable CAIRN_TEST_SCALE, 1 unless set.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace cairn::test {

/// The factor of the number of cases: above 1 for more than usual, below 1 for fewer.
inline double scale() {
    static const double value = [] {
        const char* text = std::getenv("CAIRN_TEST_SCALE");
        const double parsed = text == nullptr ? 1.0 : std::strtod(text, nullptr);
        return std::isfinite(parsed) && parsed > 0 ? parsed : 1.0;
    }();
    return value;
}

/// `count` times scale(), at least `least`: as many cases as show what a test looks for.
inline std::uint64_t scaled(std::uint64_t count, std::uint64_t least = 1) {
    return std::max<std::uint64_t>(
        least, static_cast<std::uint64_t>(static_cast<double>(count) * scale()));
}

/// The step of a loop that is to visit about `share` * scale() of a sequence; at least 1.
inline std::uint64_t stride(double share) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(1 / (share * scale())));
}

}  // namespace cairn::test

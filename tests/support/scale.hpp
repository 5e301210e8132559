#pragma once
// How thorough exhaustive tests are: the environment variable CAIRN_TEST_SCALE, 1 unless set.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace cairn::test {

/// The factor by which test loops are to be longer (above 1) or shorter (below 1).
inline double scale() {
    static const double value = [] {
        const char* text = std::getenv("CAIRN_TEST_SCALE");
        const double parsed = text == nullptr ? 1.0 : std::strtod(text, nullptr);
        return std::isfinite(parsed) && parsed > 0 ? parsed : 1.0;
    }();
    return value;
}

/// `count` rounds scaled, but at least one.
inline std::uint64_t scaled(std::uint64_t count) {
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(static_cast<double>(count) * scale()));
}

/// The step that visits about `share` * scale() of a sequence, at least 1.
inline std::uint64_t stride(double share) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(1 / (share * scale())));
}

}  // namespace cairn::test

#pragma once
// What fuzz targets need that read numbers from their input.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace cairn::fuzz {

/// Ends the program, which is how a fuzz target reports a fault.
inline void require(bool holds) {
    if (!holds) std::abort();
}

/// The input, taken number by number. Bytes behind its end count as 0.
class Bytes {
public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    std::uint8_t byte() {
        if (bytes_.empty()) return 0;
        const std::uint8_t first = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return first;
    }
    /// A number from `least` to `most`, at most 255 apart, from one byte.
    int number(int least, int most) { return least + byte() % (most - least + 1); }
    /// A number from 0 to `count` - 1, from two bytes.
    std::uint32_t below(std::size_t count) {
        const auto high = static_cast<std::uint32_t>(byte());
        return (high << 8 | byte()) % static_cast<std::uint32_t>(std::max<std::size_t>(count, 1));
    }

private:
    std::span<const std::uint8_t> bytes_;
};

}  // namespace cairn::fuzz

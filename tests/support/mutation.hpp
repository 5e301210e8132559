#pragma once
// Damaged files: every prefix of one, and seeded random changes to it.

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

namespace cairn::test {

/// How many cases a long test runs: `count` times the environment's CAIRN_TEST_SCALE.
[[nodiscard]] inline int scaled_count(int count) {
    const char* scale = std::getenv("CAIRN_TEST_SCALE");
    const double factor = scale != nullptr ? std::strtod(scale, nullptr) : 1.0;
    return std::max(1, static_cast<int>(count * std::clamp(factor, 0.01, 100.0)));
}

/// `bytes` with one to four small changes: a byte set, removed, inserted or repeated.
[[nodiscard]] inline std::string mutated(std::string bytes, std::mt19937_64& random) {
    static constexpr std::string_view telling("\0\n\r\t -+.@#019:[]{}&*\"'\x7f\xff", 25);
    for (auto steps = 1 + random() % 4; steps > 0; --steps) {
        const auto at = static_cast<std::size_t>(random() % (bytes.size() + 1));
        const char byte = random() % 2 == 0 ? telling[random() % telling.size()]
                                            : static_cast<char>(random() % 256);
        switch (random() % 4) {
            case 0:
                if (at < bytes.size()) bytes[at] = byte;
                break;
            case 1:
                bytes.erase(std::min(at, bytes.size()), 1 + random() % 3);
                break;
            case 2:
                bytes.insert(at, 1, byte);
                break;
            default:
                bytes.insert(at, bytes.substr(random() % (bytes.size() + 1), 1 + random() % 16));
        }
    }
    return bytes;
}

/// Calls `check` with every prefix of `bytes`, then with `count` (scaled) mutations of it.
template <class Check>
void for_each_damage(const std::string& bytes, int count, const Check& check) {
    for (std::size_t length = 0; length <= bytes.size(); ++length) check(bytes.substr(0, length));
    std::mt19937_64 random(bytes.size());
    for (int i = scaled_count(count); i > 0; --i) check(mutated(bytes, random));
}

}  // namespace cairn::test

#pragma once
// Damaged files: every prefix of a file, and random changes to it.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "support/scale.hpp"

namespace cairn::test {

/// The same as scaled(), for loops that count in int.
[[nodiscard]] inline int scaled_count(int count) {
    return static_cast<int>(scaled(static_cast<std::uint64_t>(count)));
}

/// `bytes` with one to four changes: a byte set or inserted, up to 3 bytes removed, or up to 16
/// bytes copied to another place.
[[nodiscard]] inline std::string mutated(std::string bytes, std::mt19937_64& random) {
    // Bytes that have a meaning in some format.
    static constexpr std::string_view syntax_bytes("\0\n\r\t -+.@#019:[]{}&*\"'\x7f\xff", 25);
    for (auto changes = 1 + random() % 4; changes > 0; --changes) {
        const auto at = static_cast<std::size_t>(random() % (bytes.size() + 1));
        const char byte = random() % 2 == 0 ? syntax_bytes[random() % syntax_bytes.size()]
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

/// Calls `check` with every prefix of `bytes`, then with scaled_count(count) mutations of it. The
/// mutations are the same in each run.
template <class Check>
void for_each_damage(const std::string& bytes, int count, const Check& check) {
    for (std::size_t length = 0; length <= bytes.size(); ++length) check(bytes.substr(0, length));
    std::mt19937_64 random(bytes.size());
    for (int i = scaled_count(count); i > 0; --i) check(mutated(bytes, random));
}

}  // namespace cairn::test

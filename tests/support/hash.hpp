#pragma once
// A hash for golden tests: equal inputs give equal hashes on every machine.

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace cairn::test {

/// FNV-1a, but over 64-bit words instead of bytes.
class Hash {
public:
    void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x0000'0100'0000'01B3ULL; }
    [[nodiscard]] std::string text() const { return fmt::format("{:016x}", value_); }

private:
    std::uint64_t value_ = 0xcbf2'9ce4'8422'2325ULL;
};

}  // namespace cairn::test

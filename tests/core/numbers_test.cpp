// Numbers in text: read_decimal, which serves C++ libraries whose std::from_chars reads only
// integers, gives what std::from_chars gives.

#include "core/numbers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "support/scale.hpp"

namespace cairn {
namespace {

template <class Real>
std::optional<Real> by_from_chars(const std::string& text) {
    Real value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class Real>
void expect_alike(const std::string& text) {
    const std::optional<Real> expected = by_from_chars<Real>(text);
    EXPECT_EQ(read_decimal<Real>(text), expected) << text;
    EXPECT_EQ(read_number<Real>(text), expected) << text;
}

TEST(Numbers, DecimalsAreThoseOfFromChars) {
    std::mt19937_64 random(5);
    const auto digits = [&random](std::uint64_t most) {
        std::string text;
        for (std::uint64_t n = random() % (most + 1); n > 0; --n)
            text += static_cast<char>('0' + random() % 10);
        return text;
    };
    for (std::uint64_t i = 0; i < test::scaled(20'000); ++i) {
        std::string text = random() % 4 == 0 ? "-" : "";
        text += digits(20);
        if (random() % 2 == 0) text += "." + digits(24);
        if (random() % 3 == 0) text += fmt::format("e{}", static_cast<int>(random() % 120) - 60);
        expect_alike<float>(text);
        expect_alike<double>(text);
    }
}

TEST(Numbers, WhatIsNoNumberIsRefused) {
    for (const char* const text : {"", "-", ".", "-.", "e1", "1e", "1e+", "+1", " 1", "1 ", "1,5",
                                   "0x10", "1.2.3", "--1", "1e999", "-1e999", "1_000"}) {
        expect_alike<float>(text);
        expect_alike<double>(text);
        EXPECT_FALSE(read_number<double>(text)) << text;
    }
    for (const char* const text : {"inf", "-inf", "infinity", "nan", "1e-400"}) {
        EXPECT_FALSE(read_decimal<double>(text)) << text;
        EXPECT_FALSE(read_number<double>(text)) << text;
    }
    for (const char* const text : {"1e-50", "1e-40", "1e-310"}) expect_alike<float>(text);
    for (const char* const text : {"0", "-0.00", "0e7", "0.0e-99"}) {
        EXPECT_EQ(read_decimal<double>(text), 0) << text;
        EXPECT_EQ(read_number<double>(text), 0) << text;
    }
    EXPECT_EQ(read_number<std::uint8_t>("255"), 255);
    EXPECT_FALSE(read_number<std::uint8_t>("256"));
    EXPECT_FALSE(read_number<unsigned>("-1"));
    EXPECT_FALSE(read_number<int>("1.0"));
}

}  // namespace
}  // namespace cairn

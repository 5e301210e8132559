// Tables of fields, by which options and queries are set, printed and checked (cairn/field.hpp).

#include "cairn/field.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "cairn/planners.hpp"
#include "core/field_of.hpp"

namespace cairn {
namespace {

using testing::HasSubstr;

enum class Colour : std::uint8_t { red, dark_red };
struct Inner {
    std::uint64_t bytes = 3 << 20;
};
/// Options with a field of each type.
struct Things {
    bool wanted = true;
    int count = 3;
    double length = 0.5;
    Colour colour = Colour::red;
    Inner inner;

    [[nodiscard]] static std::span<const Field> fields() noexcept {
        static constexpr std::array kColours{choice("red", Colour::red),
                                             choice("dark-red", Colour::dark_red)};
        static constexpr std::array kFields{
            flag_field<&Things::wanted>("wanted", "Whether"),
            integer_field<&Things::count>("count", -2, 9, "How many"),
            number_field<&Things::length>("length", 0, 100, "How long"),
            choice_field<&Things::colour>("colour", kColours, "Which"),
            bytes_field<&Things::inner, &Inner::bytes>("bytes", "How large"),
        };
        return kFields;
    }
};

constexpr std::size_t kBytesField = 4;  // index in Things::fields()

Status set(Things& things, std::string_view name, std::string_view value) {
    return apply_settings(std::array{Setting{name, value}}, things);
}

TEST(Field, SettingsReachTheirMembers) {
    Things things;
    const std::array settings{Setting{"wanted", "off"}, Setting{"count", "-2"},
                              Setting{"length", "12.25"}, Setting{"colour", "dark-red"},
                              Setting{"bytes", "5M"}};
    ASSERT_EQ(apply_settings(settings, things), Status{});
    EXPECT_FALSE(things.wanted);
    EXPECT_EQ(things.count, -2);
    EXPECT_EQ(things.length, 12.25);
    EXPECT_EQ(things.colour, Colour::dark_red);
    EXPECT_EQ(things.inner.bytes, 5U << 20);
    EXPECT_EQ(check_fields(things), Status{});
}

TEST(Field, TextIsParsedToTheSameValue) {
    Things things;
    for (const double length : {0.0, 0.1, 99.999, 1.0 / 3}) {
        things.length = length;
        for (const Field& field : Things::fields()) {
            const std::string printed = text(field, field.get(&things));
            const auto value = parse(field, printed);
            ASSERT_TRUE(value) << printed;
            EXPECT_NEAR(*value, field.get(&things), 1e-12) << field.name;
        }
    }
    const Field& bytes = Things::fields()[kBytesField];
    EXPECT_EQ(text(bytes, 1024), "1k");
    EXPECT_EQ(text(bytes, 3.0 * 1024 * 1024 * 1024), "3G");
    EXPECT_EQ(text(bytes, 1025), "1025");
}

TEST(Field, FlagsHaveThreeSpellings) {
    Things things;
    const Field& flag = Things::fields()[0];
    for (const bool wanted : {false, true}) {
        for (const char* word :
             {wanted ? "true" : "false", wanted ? "on" : "off", wanted ? "1" : "0"}) {
            things.wanted = !wanted;
            ASSERT_TRUE(set(things, "wanted", word).ok()) << word;
            EXPECT_EQ(things.wanted, wanted) << word;
        }
        EXPECT_EQ(text(flag, wanted), wanted ? "true" : "false");
    }
    for (const char* word : {"", "2", "yes", "True"})
        EXPECT_EQ(set(things, "wanted", word).code, StatusCode::bad_option) << word;
}

TEST(Field, NumbersMayLackDigitsOnOneSideOfThePoint) {
    Things things;
    for (const auto& [word, value] :
         {std::pair{".5", 0.5}, {"7.", 7.0}, {"1.5e1", 15.0}, {"2E-1", 0.2}, {"-0", 0.0}}) {
        ASSERT_TRUE(set(things, "length", word).ok()) << word;
        EXPECT_EQ(things.length, value) << word;
    }
}

TEST(Field, ValuesWithoutANameArePrintedAsNumbers) {
    EXPECT_EQ(text(Things::fields()[3], 7), "7");  // no such colour
    EXPECT_EQ(text(Things::fields()[0], 2), "2");
    Things things;
    things.colour = Colour{7};
    EXPECT_EQ(check_fields(things).message, "colour 7: must be red or dark-red");
    Choice none[1] = {{"only", 0}};
    Field choice = Things::fields()[3];
    choice.choices = none;
    EXPECT_EQ(range_text(choice), "only");
}

TEST(Field, TheTextOfEveryNumberIsParsedToIt) {
    constexpr double kMost = std::numeric_limits<double>::max();
    struct Number {
        double value = 0;
    };
    constexpr Field field = number_field<&Number::value>("value", -kMost, kMost, "Any");
    std::mt19937_64 random(1);
    std::vector<double> values{0,     1e15, 1e16,   9007199254740993.0, 18446744073709551616.0,
                               1e300, 1e-5, 5e-324, 0.1 + 0.2,          kMost};
    for (int i = 0; i < 2000; ++i) {
        const auto value = std::bit_cast<double>(random());
        if (std::isfinite(value)) values.push_back(value);
    }
    for (const double value : values) {
        for (const double signed_value : {value, -value}) {
            const auto again = parse(field, text(field, signed_value));
            ASSERT_TRUE(again) << text(field, signed_value);
            ASSERT_EQ(*again, signed_value);
        }
    }
    constexpr Field bytes = bytes_field<&Inner::bytes>("bytes", "How large");
    for (const double value :
         {0.0, 1023.0, 1024.0, 1e15, 9007199254740992.0, 1e19, 18446744073709551616.0}) {
        const auto again = parse(bytes, text(bytes, value));
        ASSERT_TRUE(again) << text(bytes, value);
        ASSERT_EQ(*again, value);
    }
    EXPECT_FALSE(parse(field, "1e400"));
    for (const char* text : {"e5", "1e", "1e+", "1e5.", "1 e5", "+1"})
        EXPECT_FALSE(parse(field, text)) << text;
}

TEST(Field, ValuesOutOfRangeAreRefusedWithTheRange) {
    Things things;
    EXPECT_EQ(set(things, "count", "10").message, "count 10: must be -2 to 9");
    EXPECT_EQ(set(things, "count", "2.5").message, "count 2.5: must be -2 to 9");
    EXPECT_EQ(set(things, "colour", "blue").message, "colour blue: must be red or dark-red");
    EXPECT_EQ(set(things, "wanted", "maybe").message, "wanted maybe: must be true or false");
    EXPECT_EQ(set(things, "bytes", "-1").message, "bytes -1: must be at least 0");
    EXPECT_EQ(set(things, "bytes", "7T").code, StatusCode::bad_option);
    for (const char* text : {"", "-", ".", "1e3", "0x10", " 1", "1 ", "nan", "inf", "--1", "1.2.3"})
        EXPECT_EQ(set(things, "length", text).code, StatusCode::bad_option) << text;
    EXPECT_THAT(set(things, "size", "1").message, HasSubstr("there is no option 'size'"));
    EXPECT_THAT(set(things, "size", "1").message, HasSubstr("wanted, count, length"));
    EXPECT_EQ(things.count, 3);
}

TEST(Field, AWordThatDoesNotExistIsAnsweredByTheNearest) {
    const std::array<std::string_view, 6> known{"path", "inspect", "--planner", "--cluster-size",
                                                "hpa"};
    for (const auto& [word, nearest] : {std::pair{"pth", "path"},
                                        {"apth", "path"},
                                        {"paths", "path"},
                                        {"inspct", "inspect"},
                                        {"--planer", "--planner"},
                                        {"--lcuster-siz", "--cluster-size"},
                                        {"insp", "inspect"},
                                        {"hpaa", "hpa"},
                                        {"hp", "hpa"}}) {
        EXPECT_EQ(suggestion(word, known), std::string("; did you mean '") + nearest + "'?");
    }
    for (const std::string& word :
         {std::string("fly"), std::string("render"), std::string(), std::string("x"),
          std::string("-x"), std::string(1'000'000, 'p')})
        EXPECT_EQ(suggestion(word, known), "") << word.substr(0, 9);
    Things things;
    EXPECT_EQ(set(things, "colour", "rad").message,
              "colour rad: must be red or dark-red; did you mean 'red'?");
    EXPECT_THAT(set(things, "conut", "1").message, HasSubstr("; did you mean 'count'?"));
}

TEST(Field, ChecksFindMembersOutOfRange) {
    Things things;
    things.count = 10;
    EXPECT_EQ(check_fields(things).message, "count 10: must be -2 to 9");
    things = {};
    things.colour = static_cast<Colour>(2);
    EXPECT_EQ(check_fields(things).message, "colour 2: must be red or dark-red");
    things = {};
    things.length = std::nan("");
    EXPECT_EQ(check_fields(things).code, StatusCode::bad_option);
}

TEST(Field, TheLargestNumberOfBytesIsKept) {
    Things things;
    things.inner.bytes = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(check_fields(things), Status{});
    const Field& bytes = Things::fields()[kBytesField];
    const double value = bytes.get(&things);
    things.inner.bytes = 0;
    bytes.set(&things, value);
    EXPECT_EQ(things.inner.bytes, std::numeric_limits<std::uint64_t>::max());
    ASSERT_EQ(set(things, "bytes", "18446744073709551616"), Status{});
    EXPECT_EQ(things.inner.bytes, std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(set(things, "bytes", "99999999999999999999").code, StatusCode::bad_option);
}

/// Checks the table of a planner's query or options: names occur once, help texts have no full
/// stop, and each field sets its own member and no other.
template <class T>
void check_table(std::string_view planner) {
    std::set<std::string_view> names;
    const T defaults;
    EXPECT_EQ(check_fields(defaults), Status{}) << planner;
    for (const Field& field : T::fields()) {
        SCOPED_TRACE(std::string(planner) + " " + std::string(field.name));
        EXPECT_TRUE(names.insert(field.name).second) << "occurs twice";
        EXPECT_FALSE(field.help.empty());
        EXPECT_NE(field.help.back(), '.');
        EXPECT_EQ(field.usual(), field.get(&defaults));
        for (const double value : {field.least, field.most}) {
            if (field.type == FieldType::choice) continue;
            T changed;
            field.set(&changed, value);
            EXPECT_EQ(field.get(&changed), value);
            for (const Field& other : T::fields()) {
                if (other.name == field.name) continue;
                EXPECT_EQ(other.get(&changed), other.get(&defaults)) << other.name;
            }
        }
        std::set<int> values;
        for (const Choice& choice : field.choices) {
            EXPECT_TRUE(values.insert(choice.value).second);
            T changed;
            field.set(&changed, choice.value);
            EXPECT_EQ(field.get(&changed), choice.value);
        }
    }
}

TEST(Field, TablesOfAllPlannersAreConsistent) {
    AllPlanners::for_each([]<class P>() {
        check_table<typename P::Query>(P::kName);
        if constexpr (IndexedPlanner<P>) check_table<typename P::Options>(P::kName);
    });
}

}  // namespace
}  // namespace cairn

#pragma once
// Runs a public call again and again, each time with another allocation that fails.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/status.hpp"
#include "support/allocation_counter.hpp"

namespace cairn::test {

/// The code of a Result, Status or StatusCode, and whether it comes with a message.
struct Ended {
    StatusCode code = StatusCode::ok;
    bool has_message = false;
};
[[nodiscard]] inline Ended ended(StatusCode code) { return {code, false}; }
[[nodiscard]] inline Ended ended(const Status& status) {
    return {status.code, !status.message.empty()};
}
template <class T>
[[nodiscard]] Ended ended(const Result<T>& result) {
    return result ? Ended{} : ended(result.error());
}

/// Expects of a call that succeeds with enough memory: whichever allocation fails, alone or with
/// all later ones, the call returns out_of_memory without a message, or succeeds without what it
/// could not allocate; nothing is leaked or overwritten (the sanitizers tell); and the same call
/// right afterwards gives the same value.
///
/// call()         makes the call: a Result, Status or StatusCode
/// value(result)  a number for all that a successful call has computed
template <class Call, class Value>
void expect_survives(std::string_view name, Call&& call, Value&& value) {
    constexpr std::uint64_t kNever = 1'000'000'000'000;
    constexpr std::uint64_t kEach = 300;  // the first allocations, which all fail once
    constexpr int kSeeded = 200;          // of the later ones

    const auto expected = call();
    ASSERT_EQ(ended(expected).code, StatusCode::ok) << name;
    const auto expected_value = value(expected);
    const auto count = [&] {
        const FailingAllocations none(kNever);
        static_cast<void>(call());
        return none.passed();
    }();

    const auto fail_at = [&](std::uint64_t first) {
        for (const bool all_later : {false, true}) {
            const auto [got, failed] = [&] {
                const FailingAllocations failing(first, all_later);
                auto result = call();
                return std::pair(std::move(result), failing.failed());
            }();
            const Ended end = ended(got);
            if (end.code == StatusCode::ok) {
                ASSERT_EQ(value(got), expected_value) << name << ", allocation " << first;
            } else {
                ASSERT_EQ(end.code, StatusCode::out_of_memory) << name << ", allocation " << first;
                ASSERT_FALSE(end.has_message) << name << ", allocation " << first;
                ASSERT_GT(failed, 0U) << name << ", allocation " << first;
            }
        }
        const auto again = call();
        ASSERT_EQ(ended(again).code, StatusCode::ok) << name << ", after allocation " << first;
        ASSERT_EQ(value(again), expected_value) << name << ", after allocation " << first;
    };
    for (std::uint64_t first = 1; first <= std::min(count, kEach); ++first) {
        fail_at(first);
        if (testing::Test::HasFatalFailure()) return;
    }
    std::mt19937_64 random(count);
    for (int i = 0; i < kSeeded && count > kEach; ++i) {
        fail_at(kEach + 1 + random() % (count - kEach));
        if (testing::Test::HasFatalFailure()) return;
    }
}

/// Expects of a call that fails with `code`: whichever allocation fails, alone or with all later
/// ones, the call returns that code or out_of_memory without a message.
template <class Call>
void expect_error_survives(std::string_view name, StatusCode code, Call&& call) {
    constexpr std::uint64_t kNever = 1'000'000'000'000;
    ASSERT_EQ(ended(call()).code, code) << name;
    const auto count = [&] {
        const FailingAllocations none(kNever);
        static_cast<void>(call());
        return none.passed();
    }();
    for (std::uint64_t first = 1; first <= count; ++first) {
        for (const bool all_later : {false, true}) {
            const Ended end = [&] {
                const FailingAllocations failing(first, all_later);
                return ended(call());
            }();
            if (end.code == code) continue;
            ASSERT_EQ(end.code, StatusCode::out_of_memory) << name << ", allocation " << first;
            ASSERT_FALSE(end.has_message) << name << ", allocation " << first;
        }
        ASSERT_EQ(ended(call()).code, code) << name << ", after allocation " << first;
    }
}

}  // namespace cairn::test

#pragma once
// What tests of `cairn bench` share: two maps, and how it is run.

#include <string>

#include "command_test.hpp"

namespace cairn::test {

class BenchTest : public CommandTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run("generate rooms a.map --width 50 --height 40 --size 8 --seed 3").code, 0);
        ASSERT_EQ(run("generate caves b.map --width 40 --height 40 --seed 5").code, 0);
    }
    [[nodiscard]] Ran bench(const std::string& arguments) const {
        return run("bench --rounds 1 " + arguments);
    }
    void expect_mistake(const std::string& arguments, const std::string& text) const {
        expect_error("bench --rounds 1 a.map " + arguments, 2, text);
    }
};

}  // namespace cairn::test

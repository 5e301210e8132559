#include "command_test.hpp"

#include <gmock/gmock.h>

namespace cairn::test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

nlohmann::json CommandTest::json(const std::string& arguments) const {
    const Ran ran = run(arguments + " --json");
    EXPECT_EQ(ran.code, 0) << arguments << ": " << ran.out;
    return ran.json();
}

void CommandTest::expect_error(const std::string& arguments, int code,
                               const std::string& text) const {
    const Ran plain = run(arguments);
    EXPECT_EQ(plain.code, code) << arguments;
    EXPECT_THAT(plain.out, IsEmpty()) << arguments;
    EXPECT_THAT(plain.err, HasSubstr(text)) << arguments;
    const Ran json = run(arguments + " --json");
    EXPECT_EQ(json.code, code) << arguments;
    ASSERT_TRUE(json.json().contains("error")) << arguments << ": " << json.out;
    EXPECT_THAT(json.json()["error"]["message"].get<std::string>(), HasSubstr(text));
    EXPECT_TRUE(json.json()["error"].contains("code"));
    EXPECT_THAT(json.err, IsEmpty()) << arguments;
}

}  // namespace cairn::test
